// What plain forms of stages asked of a whole view.
import type { TranscriptSource } from '../../../core/model/transcript.ts';
import { type CallRef, callNames, makesCall } from '../../../core/stages/reducers/callNames.ts';
import { type Turns, turnsOfHead, withoutFirst } from '../../../core/stages/reducers/windowCut.ts';
import { BEGINS_TURN, outlineOf } from '../../../core/view/outline.ts';
import type { ViewReader } from '../../../core/view/reader.ts';
import { itemTokens } from '../../../core/view/tokens.ts';
import type { StageContext, StageMemo, ViewItem } from '../../../core/view/types.ts';

/** Reads the turns of a view. */
export function readTurns(reader: ViewReader, context: StageContext): Turns {
  const outline = outlineOf(reader, context);
  const starts: number[] = [];
  for (let position = 0; position < reader.length; position++) {
    if ((outline(position) & BEGINS_TURN) !== 0) starts.push(position);
  }
  const all: Turns = {
    count: starts.length,
    start: (turn) => starts[turn] ?? reader.length,
    length: reader.length,
  };
  return withoutFirst(all, turnsOfHead(reader, all));
}

/** Positions in a view at which its turns begin, ascending. */
export function turnsOf(reader: ViewReader, context: StageContext): readonly number[] {
  const outline = outlineOf(reader, context);
  const starts: number[] = [];
  for (let position = 0; position < reader.length; position++) {
    if ((outline(position) & BEGINS_TURN) !== 0) starts.push(position);
  }
  return starts;
}

/** Tokens before each position of a view: entry i = those of the items [0, i); one entry more than items. */
export function runningTokens(
  items: readonly ViewItem[],
  context: Pick<StageContext, 'source' | 'tokens' | 'memo'>,
): Float64Array {
  const sums = new Float64Array(items.length + 1);
  for (const [position, item] of items.entries())
    sums[position + 1] = (sums[position] ?? 0) + itemTokens(item, context);
  return sums;
}

/** Names of tools by the results in one view: null where the call is unknown to it, or has no name. */
export function resultNames(reader: ViewReader, source: TranscriptSource, memo: StageMemo, at: number) {
  const names = callNames(source, memo);
  const positions = new Int32Array(at).fill(-1);
  for (let position = 0; position < reader.length; position++) {
    const index = reader.indexOf(position);
    if (index !== null) positions[index] = position;
  }
  const stands = ({ index, callId }: CallRef): boolean => {
    const position = positions[index] ?? -1;
    if (position < 0) return false;
    if (reader.item(position).text === undefined) return true;
    return makesCall(reader.facts(position), callId);
  };
  return (position: number, part: number): string | null => {
    const item = reader.item(position);
    const raw = item.kind === 'source' ? reader.rawPart(position, part) : null;
    const callId = reader.facts(position).parts[part]?.callId ?? null;
    const call =
      item.kind === 'source' && raw !== null
        ? names.of(item.index, raw)
        : callId === null
          ? null
          : names.withId(callId);
    return call !== null && stands(call) ? call.name : null;
  };
}
