// A turn of a transcript as it happened: its messages, its requests, when and with which models.
import type { MessageMeta } from '../model/message.ts';
import { countBelow } from './places.ts';

/** Where the turns and the requests of a transcript begin: source indices, ascending. */
export interface Places {
  readonly messages: number;
  readonly turnStarts: readonly number[];
  readonly callPoints: readonly number[];
}

/** See TurnInfo of the protocol. */
export interface TurnPlace {
  readonly turn: number;
  readonly from: number;
  readonly to: number;
  readonly calls: { readonly from: number; readonly to: number };
  readonly models: readonly string[];
  readonly begins: string | null;
  readonly ends: string | null;
}

/** The turn (1-based) that a message lies in, [from, to); null before the first turn. Reads what lies in the turn. */
export function turnOf(
  { messages, turnStarts, callPoints }: Places,
  meta: (index: number) => MessageMeta,
  index: number,
): TurnPlace | null {
  const turn = countBelow(turnStarts, index + 1);
  const from = turnStarts[turn - 1];
  if (from === undefined || index >= messages) return null;
  const to = turnStarts[turn] ?? messages;
  const models = new Set<string>();
  const times: string[] = [];
  for (let at = from; at < to; at++) {
    const { model, timestamp } = meta(at);
    if (model !== undefined && !model.startsWith('<')) models.add(model);
    if (timestamp !== undefined && !Number.isNaN(Date.parse(timestamp))) times.push(timestamp);
  }
  return {
    turn,
    from,
    to,
    calls: { from: countBelow(callPoints, from), to: countBelow(callPoints, to) },
    models: [...models],
    begins: times[0] ?? null,
    ends: times.at(-1) ?? null,
  };
}
