// Questions to the worker. A new one of the same kind takes the place of an old one: a worker that thinks cannot be interrupted, so it is
// ended and another one is started.

export class Asker {
  #worker;
  #waiting = new Map();
  #next = 0;
  #ready = false;
  #early = [];

  #start() {
    this.#worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    this.#worker.onmessage = ({ data }) => {
      if (data.ready) {
        // What is sent before the worker has loaded its module is lost.
        this.#ready = true;
        for (const message of this.#early.splice(0)) this.#worker.postMessage(message);
        return;
      }
      const waiting = this.#waiting.get(data.number);
      this.#waiting.delete(data.number);
      if (data.error) waiting?.refuse(Object.assign(new Error(data.error.message), data.error));
      else waiting?.settle(data.answer);
    };
    this.#worker.onerror = (event) => this.stop(event.message || 'the worker could not be started');
  }

  ask(kind, question) {
    if (!this.#worker) this.#start();
    const number = this.#next++;
    return new Promise((settle, refuse) => {
      this.#waiting.set(number, { settle, refuse });
      const message = { number, kind, question };
      if (this.#ready) this.#worker.postMessage(message);
      else this.#early.push(message);
    });
  }

  /** Ends what is under way. */
  stop(why = 'stopped') {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#ready = false;
    this.#early.length = 0;
    for (const { refuse } of this.#waiting.values()) refuse(Object.assign(new Error(why), { code: 'stopped' }));
    this.#waiting.clear();
  }

  get busy() {
    return this.#waiting.size > 0;
  }
}
