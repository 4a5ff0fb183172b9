// A session made for this program, to try it on.
export { SAMPLE } from './facts.ts';
export { sampleSession } from './session.ts';
