import type { DrawerTab } from '../state/types.ts';

/** The drawer's tabs in order, each with its key (outside of fields). */
export const DRAWER_TABS: readonly { readonly id: DrawerTab; readonly title: string; readonly key: string }[] = [
  { id: 'why', title: 'Why', key: 'alt+1' },
  { id: 'rendered', title: 'Rendered', key: 'alt+2' },
  { id: 'json', title: 'JSON', key: 'alt+3' },
  { id: 'diff', title: 'Raw ↔ projected', key: 'alt+4' },
  { id: 'find', title: 'Find', key: 'alt+5' },
  { id: 'events', title: 'Events', key: 'alt+6' },
  { id: 'problems', title: 'Problems', key: 'alt+7' },
  { id: 'lint', title: 'Lint', key: 'alt+0' },
  { id: 'presets', title: 'Presets', key: 'alt+p' },
  { id: 'notes', title: 'Notes', key: 'alt+8' },
  { id: 'usage', title: 'Usage', key: 'alt+9' },
];
