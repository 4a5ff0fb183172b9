// What is done with transcripts in the library.
import type { TranscriptSummary } from '../../core/protocol/types.ts';
import type { App } from '../state/app.ts';
import type { Command } from '../state/command.ts';
import type { AppState } from '../state/types.ts';
import { plural } from '../ui/format.ts';

/** What a command acts on: the chosen lines, else the one with the focus, else the open transcript. */
export function targets({ library, session }: AppState): readonly string[] {
  if (library.selected.size > 0) return [...library.selected];
  const one = library.focused ?? session.id;
  return one === null ? [] : [one];
}

/** The one transcript a command for one acts on: of several chosen lines none is meant, so it is the open one. */
export function target({ library, session }: AppState): string | null {
  if (library.selected.size === 1) return [...library.selected][0] ?? null;
  return (library.selected.size === 0 ? library.focused : null) ?? session.id;
}

const hasTarget = (state: AppState) => targets(state).length > 0;

export const libraryCommands: readonly Command[] = [
  {
    id: 'library.wide',
    title: 'Library as a table',
    group: 'Library',
    keys: ['mod+shift+l'],
    inFields: true,
    also: 'expand full width columns all transcripts',
    run: ({ app }) => app.actions.toggleWide(),
  },
  {
    id: 'library.tag',
    title: 'Tags…',
    group: 'Library',
    keys: ['t'],
    also: 'label',
    isEnabled: hasTarget,
    run: ({ app }) => app.actions.openDialog({ kind: 'tags', ids: targets(app.store.getState()) }),
  },
  {
    id: 'library.rename',
    title: 'Rename the transcript…',
    group: 'Library',
    keys: ['f2'],
    also: 'title',
    isEnabled: (state) => target(state) !== null,
    run({ app }) {
      const id = target(app.store.getState());
      if (id !== null) app.actions.openDialog({ kind: 'rename', id });
    },
  },
  {
    id: 'library.copyTitle',
    title: 'Copy the title',
    group: 'Library',
    also: 'clipboard name',
    isEnabled: hasTarget,
    run: ({ app }) => void copyOf(app, 'title', ({ title }) => [title]),
  },
  {
    id: 'library.copyFile',
    title: 'Copy the name of its file',
    group: 'Library',
    also: 'clipboard path',
    isEnabled: hasTarget,
    run: ({ app }) => void copyOf(app, 'file', ({ files }) => files.slice(0, 1)),
  },
  {
    id: 'library.remove',
    title: 'Remove from the library',
    group: 'Library',
    also: 'delete',
    isEnabled: hasTarget,
    run: ({ app }) => void app.actions.remove(targets(app.store.getState())),
  },
  {
    id: 'library.undoRemove',
    title: 'Restore last removed transcript',
    group: 'Library',
    also: 'undo bring back delete',
    isEnabled: (state) => state.library.removed !== null,
    run: ({ app }) => void app.actions.undoRemove(),
  },
  {
    id: 'library.storage',
    title: 'Storage…',
    group: 'Library',
    also: 'size disk compact space vacuum',
    run: ({ app }) => app.actions.openDialog({ kind: 'storage' }),
  },
];

/** Copies a line per transcript the command acts on. */
async function copyOf(app: App, what: string, lines: (one: TranscriptSummary) => readonly string[]): Promise<void> {
  const state = app.store.getState();
  const ids = new Set(targets(state));
  const copied = (state.library.transcripts ?? []).filter(({ id }) => ids.has(id)).flatMap(lines);
  if (copied.length === 0) return;
  try {
    await navigator.clipboard.writeText(copied.join('\n'));
    app.actions.toast({ tone: 'ok', text: `Copied ${plural(copied.length, what)}` });
  } catch {
    app.actions.toast({ tone: 'error', text: 'The clipboard is not available.' });
  }
}
