export { injection } from './injection.ts';
export { toolResultRetention } from './retention.ts';
export { slidingWindow } from './slidingWindow.ts';
export { summary } from './summary.ts';
export { tierCaps } from './tierCaps.ts';
