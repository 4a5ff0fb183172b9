// Why messages stay that clean_tool_repair and squash_failed_calls have looked at. Both judge calls with their results;
// so a sentence belongs to a turn with calls, or to no turn at all.
import type { Exchange } from '../../../../core/model/exchanges.ts';
import { keptBecause, NOT_CONCERNED } from '../../../../core/view/fates.ts';
import type { ViewReader } from '../../../../core/view/reader.ts';
import type { Fate } from '../../../../core/view/types.ts';

/** What a policy says of a turn with calls that it left alone. */
export interface TurnWords {
  readonly rule: string;
  readonly reason: string;
}

/** Explains by position: `words` is asked for a turn with calls, and for the results that answer it. */
export function explainCalls(
  exchanges: readonly Exchange[],
  reader: ViewReader,
  stage: number,
  words: (exchange: Exchange) => TurnWords,
): (position: number) => Fate {
  const shared = new Map<string, Fate>();
  const fateOf = ({ rule, reason }: TurnWords): Fate => {
    const known = shared.get(reason) ?? keptBecause(stage, rule, reason);
    shared.set(reason, known);
    return known;
  };
  return (position) => {
    const exchange = exchanges[lastAtOrBefore(exchanges, position)];
    if (exchange !== undefined && isPartOf(exchange, position)) return fateOf(words(exchange));
    const holdsResult = reader.facts(position).parts.some(({ kind }) => kind === 'tool_result');
    return fateOf(holdsResult ? ORPHAN : NO_CALL);
  };
}

const NO_CALL: TurnWords = { rule: NOT_CONCERNED, reason: 'kept: it holds no tool call and no result of one' };
const ORPHAN: TurnWords = { rule: 'orphan_result', reason: 'kept: its result answers no call of the turn before it' };

function isPartOf({ message, calls }: Exchange, position: number): boolean {
  if (message === position) return true;
  return calls.some(({ results }) => results.some((result) => result.message === position));
}

function lastAtOrBefore(exchanges: readonly Exchange[], position: number): number {
  let low = 0;
  let high = exchanges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((exchanges[middle]?.message ?? position + 1) <= position) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** `read`, `read and edit`, `read, edit and 2 more`: the names of tools, each once. */
export function toolNames(names: readonly (string | null)[]): string {
  const all = [...new Set(names.map((name) => name ?? 'a tool without a name'))];
  const [first = 'a tool', second] = all;
  if (second === undefined) return first;
  return all.length === 2 ? `${first} and ${second}` : `${first}, ${second} and ${all.length - 2} more`;
}
