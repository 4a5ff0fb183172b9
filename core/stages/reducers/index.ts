// The reducers: independent stages, run cheap to dear, over the view and never over the log. Source: seed of the reducer
// pipeline.
export { injection } from './injection.ts';
export { toolResultRetention } from './retention.ts';
export { slidingWindow } from './slidingWindow.ts';
export { summary } from './summary.ts';
export { tierCaps } from './tierCaps.ts';
