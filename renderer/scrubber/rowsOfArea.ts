import { startFilter } from '../filter/startFilter.ts';
import type { App } from '../state/app.ts';
import { toProtocolError } from '../state/engine.ts';
import type { Range } from '../ui/look.ts';

/** A filter that holds of the messages of an area, from the first call's answer to what came before the call after it. */
export function areaPiece(calls: readonly number[], { from, to }: Range, messages: number): string | null {
  const first = calls[from];
  const next = calls[to] ?? messages;
  return first === undefined || first >= messages ? null : `index>=${first} index<${next}`;
}

const PIECE = /\s*\bindex>=\d+ index<\d+/g;

/** A filter with the area in place of the one it had. */
export function withArea(filter: string, piece: string): string {
  return `${filter.replace(PIECE, '').trim()} ${piece}`.trim();
}

/** Filters the rows to those of the selected area. */
export async function showRowsOfArea({ store, actions, engine }: App): Promise<void> {
  const { session, timeline } = store.getState();
  if (session.id === null || timeline.area === null) return;
  try {
    const { at } = await engine.call('transcript.callPoints', { id: session.id });
    const piece = areaPiece(at, timeline.area, session.info?.messages ?? 0);
    if (piece === null) {
      actions.toast({ tone: 'info', text: 'The next request has no rows of its own yet.' });
      return;
    }
    startFilter({ actions });
    actions.setFilterText(withArea(store.getState().filter.text, piece));
  } catch (thrown) {
    actions.toast({ tone: 'error', text: 'The area could not be shown.', detail: toProtocolError(thrown).message });
  }
}
