import type { DrawerTab } from './types.ts';

interface TabInfo {
  readonly id: DrawerTab;
  readonly title: string;
  /** Outside of fields. */
  readonly key: string;
  /** What the tab shows: the selected message, or the transcript whatever is selected. */
  readonly about: 'message' | 'transcript';
}

/** The drawer's tabs in order: first those about the selected message, then those about the transcript. */
export const DRAWER_TABS: readonly TabInfo[] = [
  { id: 'why', title: 'Why', key: 'alt+1', about: 'message' },
  { id: 'rendered', title: 'Rendered', key: 'alt+2', about: 'message' },
  { id: 'json', title: 'JSON', key: 'alt+3', about: 'message' },
  { id: 'diff', title: 'Diff', key: 'alt+4', about: 'message' },
  { id: 'find', title: 'Find', key: 'alt+5', about: 'transcript' },
  { id: 'events', title: 'Events', key: 'alt+6', about: 'transcript' },
  { id: 'problems', title: 'Problems', key: 'alt+7', about: 'transcript' },
  { id: 'lint', title: 'Lint', key: 'alt+0', about: 'transcript' },
  { id: 'presets', title: 'Presets', key: 'alt+p', about: 'transcript' },
  { id: 'notes', title: 'Notes', key: 'alt+8', about: 'transcript' },
  { id: 'usage', title: 'Usage', key: 'alt+9', about: 'transcript' },
];
