/** What the main screen shows of the open transcript, in the order of the header's switch (mod+1, mod+2 …). */
export const MODES = ['timeline', 'compare', 'tune', 'compactions', 'checks'] as const;

export type Mode = (typeof MODES)[number];

/** As the header and the palette name them. */
export const MODE_TITLE: Readonly<Record<Mode, string>> = {
  timeline: 'Timeline',
  compare: 'Compare',
  tune: 'Tune',
  compactions: 'Compactions',
  checks: 'Checks',
};
