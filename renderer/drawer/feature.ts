import { useAppState } from '../state/context.tsx';
import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';
import { messageCommands } from './commands.ts';
import { RenderedTab } from './RenderedTab.tsx';
import { useProblems } from './useProblems.ts';
import { WhyTab } from './WhyTab.tsx';

const JsonTab = lazily(() => import('./JsonTab.tsx').then((file) => file.JsonTab));
const DiffTab = lazily(() => import('./DiffTab.tsx').then((file) => file.DiffTab));
const EventsTab = lazily(() => import('./EventsTab.tsx').then((file) => file.EventsTab));
const ProblemsTab = lazily(() => import('./ProblemsTab.tsx').then((file) => file.ProblemsTab));
const NotesTab = lazily(() => import('./NotesTab.tsx').then((file) => file.NotesTab));

export const drawerFeature: Feature = {
  commands: messageCommands,
  tabs: [
    { id: 'why', title: 'Why', key: 'alt+1', about: 'message', Content: WhyTab },
    { id: 'rendered', title: 'Rendered', key: 'alt+2', about: 'message', Content: RenderedTab },
    { id: 'json', title: 'JSON', key: 'alt+3', about: 'message', Content: JsonTab },
    { id: 'diff', title: 'Diff', key: 'alt+4', about: 'message', Content: DiffTab },
    { id: 'events', title: 'Events', key: 'alt+6', about: 'transcript', Content: EventsTab },
    { id: 'problems', title: 'Problems', key: 'alt+7', about: 'transcript', Content: ProblemsTab },
    { id: 'notes', title: 'Notes', key: 'alt+8', about: 'transcript', Content: NotesTab },
  ],
  badges: {
    notes: () => useAppState((state) => state.marks.list?.length ?? 0),
    problems: () => useProblems().count,
  },
};
