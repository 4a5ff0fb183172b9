import { valueFilter } from '../../core/filter/pieces.ts';
import type { DetailPart } from '../../core/protocol/types.ts';
import type { App } from '../state/app.ts';
import type { Command } from '../state/command.ts';
import { toProtocolError } from '../state/engine.ts';
import { rowAt } from '../state/rowPages.ts';
import type { AppState } from '../state/types.ts';
import { startFilter } from './startFilter.ts';

const KINDS: Readonly<Record<string, string>> = { tool_call: 'call', tool_result: 'result' };

function selectedRow({ projection }: AppState) {
  const row = projection.selectionRow === null ? null : rowAt(projection.pages, projection.selectionRow)?.row;
  return row?.kind === 'fold' ? null : (row ?? null);
}

const onRow = (state: AppState): boolean => selectedRow(state) !== null;

/** Adds what the selected message says of itself to the filter; the detail knows more than the row. */
async function addOfMessage(app: App, piece: (part: DetailPart | undefined) => string | null) {
  const { projection, selection } = app.store.getState();
  const projectionId = projection.info?.projectionId;
  if (selection?.kind !== 'message' || projectionId === undefined) return;
  try {
    const detail = await app.engine.call('projection.detail', { projectionId, index: selection.index, limit: 1 });
    const made = piece(detail.parts[selection.part]);
    if (made === null) app.actions.toast({ tone: 'info', text: 'The selected row has no such value.' });
    else startFilter(app, made);
  } catch (thrown) {
    app.actions.toast({ tone: 'error', text: 'The row could not be read.', detail: toProtocolError(thrown).message });
  }
}

/** The commands of the filter field, and those that offer a value of the selected row. */
export const filterCommands: readonly Command[] = [
  {
    id: 'filter',
    title: 'Filter rows',
    group: 'Go',
    keys: ['l'],
    also: 'only show hide rows query outcome used tokens tool colour color',
    isEnabled: (state) => state.session.id !== null,
    run: ({ app }) => startFilter(app),
  },
  {
    id: 'filter.fate',
    title: 'Only rows with this outcome',
    group: 'Go',
    isEnabled: onRow,
    run({ app }) {
      const row = selectedRow(app.store.getState());
      if (row !== null) startFilter(app, valueFilter('fate', row.fate === 'redacted' ? 'cleared' : row.fate));
    },
  },
  {
    id: 'filter.kind',
    title: 'Only rows of this kind',
    group: 'Go',
    isEnabled: onRow,
    run({ app }) {
      const row = selectedRow(app.store.getState());
      if (row !== null) startFilter(app, valueFilter('kind', KINDS[row.partKind] ?? row.partKind));
    },
  },
  {
    id: 'filter.tool',
    title: 'Only rows of this tool',
    group: 'Go',
    isEnabled: (state) => state.selection?.kind === 'message',
    run: ({ app }) =>
      void addOfMessage(app, (part) => {
        const name = part?.name ?? part?.call?.name ?? null;
        return name === null ? null : valueFilter('tool', name);
      }),
  },
];
