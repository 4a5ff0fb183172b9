// Ids for calls and results that have none. A call and its result are found as the hygiene finds them; the id either of
// them has serves both.
import type { Part } from '../model/message.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import { openDrafts } from '../stages/hygiene/index.ts';
import { findPairs } from '../stages/hygiene/pairs.ts';
import type { ViewReader } from '../view/reader.ts';
import type { StageMemo, View } from '../view/types.ts';

/** Ids by position and part: of those parts that have none, or another than their call. */
export type IdsFor = ReadonlyMap<number, ReadonlyMap<number, string>>;

const NONE: IdsFor = new Map();

/** The ids that are missing in a view; nothing is looked up if none is. `isValid`: the target takes such an id. */
export function missingIds(
  view: View,
  source: TranscriptSource,
  memo: StageMemo,
  reader: ViewReader,
  isValid: (id: string) => boolean,
): IdsFor {
  if (!lacksIds(reader)) return NONE;
  const { calls, results } = findPairs(openDrafts(view, source, memo));
  const found = new Map<number, Map<number, string>>();
  const put = (position: number, at: number, id: string): void => {
    const own = found.get(position) ?? new Map<number, string>();
    found.set(position, own.set(at, id));
  };
  const taken = new Set(calls.flatMap(({ part }) => (typeof part.callId === 'string' ? [part.callId] : [])));
  let made = 0;
  const fresh = (): string => {
    for (;;) {
      const id = `call_${++made}`;
      if (!taken.has(id)) return id;
    }
  };
  for (const call of calls) {
    if (typeof call.part.callId === 'string') continue;
    const answered = call.result?.part.callId ?? null;
    const id = answered !== null && !taken.has(answered) && isValid(answered) ? answered : fresh();
    taken.add(id);
    put(call.message, call.at, id);
    if (call.result !== null && answered !== id) put(call.result.message, call.result.at, id);
  }
  for (const { message, at, part, call } of results) {
    if (typeof part.callId === 'string' || found.get(message)?.has(at) === true) continue;
    put(message, at, call?.part.callId ?? fresh());
  }
  return found;
}

function lacksIds(reader: ViewReader): boolean {
  const lacks = ({ kind, callId }: Part): boolean =>
    (kind === 'tool_call' || kind === 'tool_result') && typeof callId !== 'string';
  for (let position = 0; position < reader.length; position++) {
    if (reader.facts(position).parts.some(lacks)) return true;
  }
  return false;
}
