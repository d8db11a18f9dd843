// Sounds, made on the spot.

import { keep, kept } from './kept.js';

/** @type {AudioContext | null} */ let context = null;
let on = kept('sound') !== 'off';

export const isOn = () => on;

/** @param {boolean} value */
export function turn(value) {
  on = value;
  keep('sound', on ? 'on' : 'off');
}

/**
 * A knock of wood: filtered noise that dies away.
 * @param {number} frequency @param {number} length @param {number} loudness @param {number} [delay]
 */
function knock(frequency, length, loudness, delay = 0) {
  if (!context) return;
  const start = context.currentTime + delay;
  const buffer = context.createBuffer(1, context.sampleRate * length, context.sampleRate),
    data = buffer.getChannelData(0);
  for (let at = 0; at < data.length; at++) data[at] = (Math.random() * 2 - 1) * Math.exp((-6 * at) / data.length);
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: 'bandpass', frequency, Q: 4 });
  source
    .connect(filter)
    .connect(new GainNode(context, { gain: loudness }))
    .connect(context.destination);
  source.start(start);
}

/** @param {number} frequency @param {number} delay */
function tone(frequency, delay) {
  if (!context) return;
  const start = context.currentTime + delay;
  const oscillator = new OscillatorNode(context, { frequency, type: 'triangle' }),
    gain = new GainNode(context, { gain: 0 });
  gain.gain.linearRampToValueAtTime(0.15, start + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.001, start + 0.35);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + 0.4);
}

/** @param {'move' | 'capture' | 'check' | 'end' | 'refused'} kind */
export function play(kind) {
  // Browsers allow sound only after a first click or key.
  if (!on || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  if (kind === 'move') knock(900, 0.09, 1.6);
  if (kind === 'capture') {
    knock(600, 0.1, 2);
    knock(1400, 0.08, 1.4, 0.05);
  }
  if (kind === 'check') {
    knock(900, 0.09, 1.6);
    tone(880, 0.03);
  }
  if (kind === 'end') {
    tone(523, 0);
    tone(659, 0.14);
    tone(784, 0.28);
  }
  if (kind === 'refused') tone(180, 0);
}
