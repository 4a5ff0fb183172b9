import { valueFilter } from '../../core/filter/pieces.ts';
import type { DetailPart, MessageDetail } from '../../core/protocol/types.ts';
import type { App } from '../state/app.ts';
import type { Command } from '../state/command.ts';
import { toProtocolError } from '../state/engine.ts';
import { ofShown } from '../state/ofShown.ts';
import { rowAt } from '../state/rowPages.ts';
import { specWithWindow } from '../state/specWithWindow.ts';
import type { AppState } from '../state/types.ts';
import { startFilter } from './startFilter.ts';

const KINDS: Readonly<Record<string, string>> = { tool_call: 'call', tool_result: 'result' };

function selectedRow({ projection }: AppState) {
  const row = projection.selectionRow === null ? null : rowAt(projection.pages, projection.selectionRow)?.row;
  return row?.kind === 'fold' ? null : (row ?? null);
}

const onRow = (state: AppState): boolean => selectedRow(state) !== null;

/** Adds what the selected message says of itself to the filter; the detail knows more than the row. */
async function addOfMessage(app: App, piece: (part: DetailPart | undefined, detail: MessageDetail) => string | null) {
  const { selection } = app.store.getState();
  if (selection?.kind !== 'message') return;
  const { index } = selection;
  try {
    const detail = await ofShown(app, (projectionId) =>
      app.engine.call('projection.detail', { projectionId, index, limit: 1 }),
    );
    if (detail === null) return;
    const made = piece(detail.parts[selection.part], detail);
    if (made === null) app.actions.toast({ tone: 'info', text: 'The selected row has no such value.' });
    else startFilter(app, made);
  } catch (thrown) {
    app.actions.toast({ tone: 'error', text: 'The row could not be read.', detail: toProtocolError(thrown).message });
  }
}

/** Adds whether later messages relied on the selected row, once that is known. */
async function addUsed(app: App) {
  const { projection, selection, session } = app.store.getState();
  if (selection?.kind !== 'message' || session.id === null || projection.info === null) return;
  const { index, part } = selection;
  const spec = specWithWindow(projection.info.spec, projection.window);
  try {
    const { rows } = await app.engine.call('uses.rows', { id: session.id, spec, messages: [index] });
    if (app.store.getState().selection !== selection) return;
    const used = rows.find((row) => row.part === part);
    const value = used === undefined || used.later === 0 ? 'never' : used.gone > 0 ? 'gone' : 'later';
    startFilter(app, valueFilter('used', value));
  } catch (thrown) {
    const { code, message } = toProtocolError(thrown);
    if (code === 'request.superseded') return;
    app.actions.toast({ tone: 'error', text: 'Later uses are not known.', detail: message });
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
  {
    id: 'filter.stage',
    title: 'Only rows of the stage that decided',
    group: 'Go',
    isEnabled: (state) => state.selection?.kind === 'message',
    run({ app }) {
      const stages = app.store.getState().projection.info?.spec.stages ?? [];
      void addOfMessage(app, (_, { fate: { stage } }) => {
        const kind = stage === null ? undefined : stages[stage]?.kind;
        return kind === undefined ? null : valueFilter('stage', kind);
      });
    },
  },
  {
    id: 'filter.rule',
    title: 'Only rows of the rule that decided',
    group: 'Go',
    isEnabled: (state) => state.selection?.kind === 'message',
    run: ({ app }) =>
      void addOfMessage(app, (_, { fate: { rule } }) => (rule === null ? null : valueFilter('rule', rule))),
  },
  {
    id: 'filter.used',
    title: 'Only rows that were used later as this one',
    group: 'Go',
    isEnabled: (state) => state.selection?.kind === 'message',
    run: ({ app }) => void addUsed(app),
  },
];
