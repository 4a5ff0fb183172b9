// A turn of a transcript as it happened: its messages, its requests, when and with which models.
import type { MessageMeta } from '../model/message.ts';
import { millisecondsOf } from '../util/instant.ts';
import { countBelow } from './places.ts';

/** Where the turns and the requests of a transcript begin: source indices, ascending. */
export interface Places {
  readonly messages: number;
  readonly turnStarts: readonly number[];
  readonly callPoints: readonly number[];
}

/** A turn of a transcript as it was recorded: from what a person said to what they say next. */
export interface TurnInfo {
  /** 1-based. */
  readonly turn: number;
  /** Source indices [from, to). */
  readonly from: number;
  readonly to: number;
  /** Positions [from, to) of its requests among all call points. */
  readonly calls: { readonly from: number; readonly to: number };
  /** Models of its answers, as recorded, in order of their first. */
  readonly models: readonly string[];
  /**
   * The earliest and the latest time of its messages; null = none is recorded. ISO-8601. Files hold messages that were
   * written later above earlier ones (queued prompts, results of parallel calls): the order of messages is not trusted.
   */
  readonly begins: string | null;
  readonly ends: string | null;
}

/** The turn (1-based) that a message lies in, [from, to); null before the first turn. Reads what lies in the turn. */
export function turnOf(
  { messages, turnStarts, callPoints }: Places,
  meta: (index: number) => MessageMeta,
  index: number,
): TurnInfo | null {
  const turn = countBelow(turnStarts, index + 1);
  const from = turnStarts[turn - 1];
  if (from === undefined || index >= messages) return null;
  const to = turnStarts[turn] ?? messages;
  const models = new Set<string>();
  let begins: Moment | null = null;
  let ends: Moment | null = null;
  for (let at = from; at < to; at++) {
    const { model, timestamp } = meta(at);
    if (model !== undefined && !model.startsWith('<')) models.add(model);
    const moment = momentOf(timestamp);
    if (moment === null) continue;
    if (begins === null || moment.time < begins.time) begins = moment;
    if (ends === null || moment.time >= ends.time) ends = moment;
  }
  return {
    turn,
    from,
    to,
    calls: { from: countBelow(callPoints, from), to: countBelow(callPoints, to) },
    models: [...models],
    begins: begins?.iso ?? null,
    ends: ends?.iso ?? null,
  };
}

/** A recorded time and what it says: milliseconds since 1970. */
interface Moment {
  readonly iso: string;
  readonly time: number;
}

function momentOf(iso: string | undefined): Moment | null {
  const time = millisecondsOf(iso);
  return iso === undefined || time === null ? null : { iso, time };
}
