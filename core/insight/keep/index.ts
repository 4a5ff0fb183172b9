// Keep this: what would have kept a message or a text in a request, at what price. How to ask:
//
//   const thing = keptThing(subject, at, source, memo, front);
//   const search = findChanges({ source, spec, at, subject, thing, tokens });   // answer each request with a projection
//   priceOf(measuredBefore, measuredAfter)                                      // of each change, when it is wanted

export { applyPatch, byPrice } from './patch.ts';
export { findPins, type PinQuestion } from './pins.ts';
export { type Measured, priceOf } from './price.ts';
export { findChanges, type KeepQuestion, type KeepSearch, type ProbeAnswer, type ProbeRequest } from './search.ts';
export { type KeptThing, keptThing } from './subject.ts';
export type * from './types.ts';
