/** Where values that carry a transcript (snapshots of workers, results of runs) keep it. */
export const TRANSCRIPT_PLACES: readonly (readonly string[])[] = [
  ['transcript'],
  ['worker', 'transcript'],
  ['snapshot', 'transcript'],
  ['session', 'transcript'],
  ['result', 'transcript'],
  ['state', 'transcript'],
];
