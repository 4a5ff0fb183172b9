import '../drawer/drawer.css';
import '../drawer/notes.css';
import { X } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { SelectionTitle } from '../drawer/SelectionTitle.tsx';
import { useActions, useAppState } from '../state/context.tsx';
import type { Tab } from '../state/feature.ts';
import type { DrawerTab } from '../state/tabs.ts';
import { FailureBoundary } from '../ui/FailureBoundary.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { DrawerMenu } from './DrawerMenu.tsx';
import { DrawerPlaces } from './DrawerPlaces.tsx';
import { BADGES, TABS } from './features.ts';

/** The drawer: the selected message in every form, its fate and trace. */
export function Drawer() {
  const tab = useAppState((state) => state.ui.drawerTab);
  const shown = TABS.find(({ id }) => id === tab);
  const isMax = useAppState(({ ui }) => ui.drawerMax && !ui.small);
  const isSmall = useAppState((state) => state.ui.small);
  const { showDrawer, toggleDrawer, toggleDrawerMax } = useActions();
  // What fails for one message may well be shown for another.
  const about = useAppState(({ selection }) => selection);
  const tabs = useRef<HTMLDivElement>(null);
  // A key chooses another tab than the one that has the focus: it goes along.
  useEffect(() => {
    const list = tabs.current;
    if (list === null || document.activeElement === null || !list.contains(document.activeElement)) return;
    list.querySelector<HTMLElement>(`[data-tab="${tab}"]`)?.focus();
  }, [tab]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    if (isMax) return toggleDrawerMax();
    toggleDrawer();
    document.querySelector<HTMLElement>('.timeline-scroll')?.focus();
  };
  return (
    <section className="drawer" aria-label="Details" data-testid="drawer" onKeyDown={onKeyDown}>
      <h2 className="visually-hidden">Details</h2>
      <Tabs.Root
        className="drawer-tabs-root"
        value={tab}
        onValueChange={(next) => {
          const found = TABS.find((one) => one.id === next);
          if (found) showDrawer(found.id);
        }}
      >
        <div className="drawer-head">
          <DrawerMenu />
          <Tabs.List ref={tabs} className="drawer-tabs" aria-label="Details">
            {TABS.map(({ id, title, about: whole }) => (
              <Tabs.Trigger
                key={id}
                value={id}
                className="drawer-tab"
                title={ABOUT[whole]}
                data-testid="drawer-tab"
                data-tab={id}
                data-about={whole}
              >
                {title}
                <Badge id={id} />
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          {shown?.about === 'message' ? (
            <SelectionTitle />
          ) : (
            <span className="drawer-title">{shown?.about === 'request' ? 'This request' : 'Whole transcript'}</span>
          )}
          {!isSmall && <DrawerPlaces />}
          <IconButton label="Close the drawer" keys={isMax ? undefined : 'Esc'} onClick={toggleDrawer}>
            <X size={14} aria-hidden />
          </IconButton>
        </div>
        <Tabs.Content key={tab} value={tab} className="drawer-content" tabIndex={-1}>
          <FailureBoundary shown={about} what="This tab">
            {shown && <shown.Content />}
          </FailureBoundary>
        </Tabs.Content>
      </Tabs.Root>
    </section>
  );
}

const ABOUT: Readonly<Record<Tab['about'], string>> = {
  message: 'About the selected message',
  request: 'About the request on screen',
  transcript: 'About the whole transcript',
};

/** The count that a feature shows on a tab. */
function Badge({ id }: { readonly id: DrawerTab }) {
  const useCount = BADGES[id];
  return useCount ? <Count useCount={useCount} /> : null;
}

function Count({ useCount }: { readonly useCount: () => number }) {
  const count = useCount();
  return count > 0 ? <span className="num tab-count">{count}</span> : null;
}
