// @ts-check
// Questions to a worker. What it thinks about cannot be interrupted, so it is ended when the answer is no longer wanted, and another one is started.

import { words } from './language.js';

/** An error with a code: `stopped` if nobody wants the answer any more, `failed` if the worker could not work. @param {string} message @param {string} code */
const failure = (message, code) => Object.assign(new Error(message), { code });

export class Asker {
  /** @type {Worker | undefined} */
  #worker;
  /** @type {Map<number, { settle: (answer: any) => void, refuse: (error: Error) => void, part?: (answer: any) => void }>} */
  #waiting = new Map();
  #next = 0;
  #ready = false;
  /** @type {object[]} */
  #early = [];

  #start() {
    this.#worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    this.#worker.onmessage = ({ data }) => {
      if (data.failed) {
        this.#end(failure(data.failed, 'failed'));
      } else if (data.ready) {
        // Messages that are sent before the worker has loaded its module are lost.
        this.#ready = true;
        for (const message of this.#early.splice(0)) this.#worker?.postMessage(message);
      } else if (data.part !== undefined) {
        this.#waiting.get(data.number)?.part?.(data.part);
      } else {
        const waiting = this.#waiting.get(data.number);
        this.#waiting.delete(data.number);
        if (data.error) waiting?.refuse(Object.assign(new Error(data.error.message), data.error));
        else waiting?.settle(data.answer);
      }
    };
    this.#worker.onerror = (event) => this.#end(failure(event.message || words.errors.noWorker, 'failed'));
  }

  /** Asks. An answer may come in parts. @param {string} kind @param {object} question @param {(answer: any) => void} [part] @returns {Promise<any>} */
  ask(kind, question, part) {
    if (!this.#worker) this.#start();
    const number = this.#next++;
    return new Promise((settle, refuse) => {
      this.#waiting.set(number, { settle, refuse, part });
      const message = { number, kind, question };
      if (this.#ready) this.#worker?.postMessage(message);
      else this.#early.push(message);
    });
  }

  /** @param {Error} error */
  #end(error) {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#ready = false;
    this.#early.length = 0;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { refuse } of waiting) refuse(error);
  }

  /** Ends what is under way. */
  stop() {
    if (this.#waiting.size > 0) this.#end(failure('stopped', 'stopped'));
  }

  get busy() {
    return this.#waiting.size > 0;
  }
}
