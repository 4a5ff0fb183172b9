import '../drawer/drawer.css';
import '../drawer/notes.css';
import { X } from 'lucide-react';
import { Tabs } from 'radix-ui';
import type { KeyboardEvent } from 'react';
import { PresetsTab } from '../budget/PresetsTab.tsx';
import { DiffTab } from '../drawer/DiffTab.tsx';
import { EventsTab } from '../drawer/EventsTab.tsx';
import { JsonTab } from '../drawer/JsonTab.tsx';
import { NotesTab } from '../drawer/NotesTab.tsx';
import { ProblemsTab } from '../drawer/ProblemsTab.tsx';
import { RenderedTab } from '../drawer/RenderedTab.tsx';
import { SelectionTitle } from '../drawer/SelectionTitle.tsx';
import { useProblems } from '../drawer/useProblems.ts';
import { WhyTab } from '../drawer/WhyTab.tsx';
import { FindTab } from '../find/FindTab.tsx';
import { LintTab } from '../lint/LintTab.tsx';
import { useActions, useAppState } from '../state/context.tsx';
import { DRAWER_TABS } from '../state/tabs.ts';
import type { DrawerTab } from '../state/types.ts';
import { useLoadDetail } from '../state/useDetail.ts';
import { FailureBoundary } from '../ui/FailureBoundary.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { UsageTab } from '../usage/UsageTab.tsx';

const CONTENT: Readonly<Record<DrawerTab, () => React.JSX.Element | null>> = {
  why: WhyTab,
  rendered: RenderedTab,
  json: JsonTab,
  diff: DiffTab,
  find: FindTab,
  events: EventsTab,
  usage: UsageTab,
  problems: ProblemsTab,
  lint: LintTab,
  presets: PresetsTab,
  notes: NotesTab,
};

/** The drawer: the selected message in every form, its fate and trace. */
export function Drawer() {
  const tab = useAppState((state) => state.ui.drawerTab);
  const { showDrawer, toggleDrawer } = useActions();
  const problems = useProblems();
  const marks = useAppState((state) => state.marks.list?.length ?? 0);
  useLoadDetail();
  const Content = CONTENT[tab];
  // What fails for one message may well be shown for another.
  const about = useAppState(({ selection }) => selection);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    toggleDrawer();
    document.querySelector<HTMLElement>('.timeline-scroll')?.focus();
  };
  return (
    <section className="drawer" aria-label="Details" data-testid="drawer" onKeyDown={onKeyDown}>
      <Tabs.Root
        className="drawer-tabs-root"
        value={tab}
        onValueChange={(next) => {
          const found = DRAWER_TABS.find((one) => one.id === next);
          if (found) showDrawer(found.id);
        }}
      >
        <div className="drawer-head">
          <Tabs.List className="drawer-tabs" aria-label="Details">
            {DRAWER_TABS.map(({ id, title, about: whole }) => (
              <Tabs.Trigger
                key={id}
                value={id}
                className="drawer-tab"
                title={whole === 'message' ? 'About the selected message' : 'About the whole transcript'}
                data-testid="drawer-tab"
                data-tab={id}
                data-about={whole}
              >
                {title}
                {id === 'notes' && marks > 0 && <span className="num tab-count">{marks}</span>}
                {id === 'problems' && problems.count > 0 && <span className="num tab-count">{problems.count}</span>}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          {DRAWER_TABS.find(({ id }) => id === tab)?.about === 'message' ? (
            <SelectionTitle />
          ) : (
            <span className="drawer-title">Whole transcript</span>
          )}
          <IconButton label="Close the drawer" keys="Esc" onClick={toggleDrawer}>
            <X size={14} aria-hidden />
          </IconButton>
        </div>
        <Tabs.Content key={tab} value={tab} className="drawer-content" tabIndex={-1}>
          <FailureBoundary shown={about} what="This tab">
            <Content />
          </FailureBoundary>
        </Tabs.Content>
      </Tabs.Root>
    </section>
  );
}
