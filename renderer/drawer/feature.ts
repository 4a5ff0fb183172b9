import { useAppState } from '../state/context.tsx';
import type { Feature } from '../state/feature.ts';
import { messageCommands } from './commands.ts';
import { DiffTab } from './DiffTab.tsx';
import { EventsTab } from './EventsTab.tsx';
import { JsonTab } from './JsonTab.tsx';
import { NotesTab } from './NotesTab.tsx';
import { ProblemsTab } from './ProblemsTab.tsx';
import { RenderedTab } from './RenderedTab.tsx';
import { useProblems } from './useProblems.ts';
import { WhyTab } from './WhyTab.tsx';

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
