/** The drawer's tabs by id, in their order: first those about the selected message, then those about the transcript. */
export const DRAWER_TABS = [
  'why',
  'rendered',
  'json',
  'diff',
  'request',
  'keep',
  'find',
  'findings',
  'events',
  'problems',
  'lint',
  'presets',
  'notes',
  'usage',
] as const;

export type DrawerTab = (typeof DRAWER_TABS)[number];
