// Where a transcript opens that nobody has read yet: at its last compaction, where something was forgotten; else at its
// end, where it continues. The summary is selected, so that the drawer has something to say.
import type { ProjectionInfo, Row, TranscriptInfo } from '../../core/protocol/types.ts';
import { type Core, rowLayout } from './core.ts';
import type { ScrollOrder, Selection } from './types.ts';

/** Rows left in sight above the compaction. */
const ABOVE = 2;

export interface FirstPlace {
  readonly target: Omit<ScrollOrder, 'seq'>;
  readonly selection: Selection | null;
}

/** The message to ask for the rows around of, so that `firstPlace` need not ask again; null = at the top. */
export function firstMessage({ store }: Core): number | null {
  const { session, projection } = store.getState();
  if (session.info === null || session.info.state === 'importing' || session.info.messages === 0) return null;
  const at = projection.at ?? session.info.messages;
  const mark = lastMark(session.info, at);
  return mark === undefined ? Math.min(at, session.info.messages) - 1 : mark.at - 1;
}

function lastMark(
  { compactionMarks }: TranscriptInfo,
  at: number,
): TranscriptInfo['compactionMarks'][number] | undefined {
  return compactionMarks.findLast((mark) => mark.at > 0 && mark.at <= at);
}

/** null = at the top: there is nothing yet, or an import is under way and its end is not the session's. */
export async function firstPlace(core: Core, info: ProjectionInfo): Promise<FirstPlace | null> {
  const { session } = core.store.getState();
  if (info.rowCount === 0 || session.info === null || session.info.state === 'importing') return null;
  const mark = lastMark(session.info, info.at);
  const { line } = rowLayout(core);
  if (mark === undefined) {
    const offset = Math.max(0, Math.floor((core.viewport.height - line) / line)) * line;
    return { target: { row: info.rowCount - 1, offset }, selection: null };
  }
  const { projectionId } = info;
  const row = info.aroundRow ?? (await core.engine.call('projection.rowOf', { projectionId, index: mark.at - 1 })).row;
  const known = info.rows?.rows.find((each) => each.row === row);
  const { rows } = known
    ? { rows: [known] }
    : await core.engine.call('projection.rows', { projectionId, from: row, to: row + 1 });
  const selection = await summaryOf(core, projectionId, rows[0], Math.min(mark.at, session.info.messages - 1));
  return { target: { row, offset: ABOVE * line }, selection };
}

/** What is sent in place of a fold; of other rows the first message after the compaction. */
async function summaryOf(core: Core, projectionId: string, row: Row | undefined, after: number): Promise<Selection> {
  const into = row?.gone?.into ?? null;
  if (into === null) return { kind: 'message', index: after, part: 0 };
  if (into.kind === 'message') return { kind: 'message', index: into.index, part: 0 };
  const { rows } = await core.engine.call('projection.rows', { projectionId, from: into.row, to: into.row + 1 });
  return { kind: 'synthetic', key: rows[0]?.key ?? '', row: into.row };
}
