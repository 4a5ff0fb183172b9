import type { Command } from '../state/command.ts';
import type { AppState } from '../state/types.ts';

const hasHits = (state: AppState) => state.search.hits.length > 0;

/** The search over the library. */
export const searchCommands: readonly Command[] = [
  {
    id: 'search.open',
    title: 'Search all transcripts…',
    group: 'Library',
    keys: ['mod+shift+f'],
    inFields: true,
    also: 'find text full library words',
    run: ({ app }) => app.actions.openSearch(),
  },
  {
    id: 'search.next',
    title: 'Next hit of the search',
    group: 'Go',
    keys: ['f3', 'n'],
    isEnabled: hasHits,
    run: ({ app }) => void app.actions.stepHit(1),
  },
  {
    id: 'search.previous',
    title: 'Previous hit of the search',
    group: 'Go',
    keys: ['shift+f3', 'shift+n'],
    isEnabled: hasHits,
    run: ({ app }) => void app.actions.stepHit(-1),
  },
  {
    id: 'search.end',
    title: 'End the search and clear its highlights',
    group: 'Go',
    isEnabled: (state) => state.search.isStepping,
    run: ({ app }) => app.actions.endSearch(),
  },
];
