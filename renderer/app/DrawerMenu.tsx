import { useActions, useAppState } from '../state/context.tsx';
import type { Tab } from '../state/feature.ts';
import { TABS } from './features.ts';

const GROUPS: readonly { readonly about: Tab['about']; readonly title: string }[] = [
  { about: 'message', title: 'Message' },
  { about: 'request', title: 'Request' },
  { about: 'transcript', title: 'Transcript' },
];

/** All tabs as one menu, in place of a strip that would be cut. */
export function DrawerMenu() {
  const tab = useAppState((state) => state.ui.drawerTab);
  const { showDrawer } = useActions();
  return (
    <select
      className="drawer-menu field"
      aria-label="Tab"
      value={tab}
      data-testid="drawer-menu"
      onChange={(event) => {
        const found = TABS.find(({ id }) => id === event.target.value);
        if (found) showDrawer(found.id);
      }}
    >
      {GROUPS.map(({ about, title }) => (
        <optgroup key={about} label={title}>
          {TABS.filter((one) => one.about === about).map(({ id, title: name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}
