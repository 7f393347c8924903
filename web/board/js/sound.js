// @ts-check
// Short sounds, made when they are heard: nothing is loaded.

/** @typedef {'move' | 'capture' | 'travel' | 'check' | 'submit' | 'end' | 'right' | 'wrong'} Sound */

/** Tones of each sound: frequency at the start and at the end, when it begins, how long it lasts, how loud, and its form. @type {Record<Sound, [number, number, number, number, number, OscillatorType][]>} */
const TONES = {
  move: [[230, 150, 0, 0.07, 0.3, 'triangle']],
  capture: [[300, 120, 0, 0.09, 0.35, 'triangle'], [140, 90, 0.03, 0.1, 0.3, 'square']],
  travel: [[260, 720, 0, 0.22, 0.16, 'sine'], [390, 1080, 0.04, 0.22, 0.08, 'sine']],
  check: [[660, 660, 0, 0.09, 0.2, 'triangle'], [880, 880, 0.1, 0.12, 0.2, 'triangle']],
  submit: [[330, 330, 0, 0.06, 0.14, 'sine'], [440, 440, 0.06, 0.09, 0.14, 'sine']],
  end: [[392, 392, 0, 0.18, 0.2, 'triangle'], [523, 523, 0.16, 0.18, 0.2, 'triangle'], [659, 659, 0.32, 0.4, 0.2, 'triangle']],
  right: [[523, 523, 0, 0.1, 0.16, 'sine'], [784, 784, 0.1, 0.18, 0.16, 'sine']],
  wrong: [[220, 170, 0, 0.2, 0.2, 'sawtooth']],
};
/** Sounds with the knock of wood. @type {Partial<Record<Sound, number>>} */
const KNOCKS = { move: 0.35, capture: 0.6, travel: 0.2 };

/** @type {AudioContext | undefined} */
let context;

/** Plays a sound. Browsers allow it after the first touch of the page. @param {Sound} name */
export function play(name) {
  if (!navigator.userActivation?.hasBeenActive) return;
  try {
    context ??= new AudioContext();
    const start = context.currentTime + 0.005;
    for (const [from, to, after, length, loud, form] of TONES[name]) {
      const tone = new OscillatorNode(context, { type: form, frequency: from });
      const gain = new GainNode(context, { gain: 0 });
      tone.frequency.exponentialRampToValueAtTime(to, start + after + length);
      gain.gain.setValueAtTime(loud, start + after);
      gain.gain.exponentialRampToValueAtTime(0.001, start + after + length);
      tone.connect(gain).connect(context.destination);
      tone.start(start + after);
      tone.stop(start + after + length);
    }
    const knock = KNOCKS[name];
    if (knock) {
      const length = Math.round(context.sampleRate * 0.03);
      const buffer = new AudioBuffer({ length, sampleRate: context.sampleRate });
      const data = buffer.getChannelData(0);
      for (let index = 0; index < length; index++) data[index] = (Math.random() * 2 - 1) * (1 - index / length) ** 6;
      const noise = new AudioBufferSourceNode(context, { buffer });
      noise.connect(new BiquadFilterNode(context, { type: 'bandpass', frequency: 900, Q: 0.8 })).connect(new GainNode(context, { gain: knock })).connect(context.destination);
      noise.start(start);
    }
  } catch {
    // There is no way to make sounds.
  }
}
