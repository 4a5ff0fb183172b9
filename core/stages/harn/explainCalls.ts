// Why messages stay that clean_tool_repair and squash_failed_calls have looked at. Both decide about calls with their
// results; so a sentence belongs to a turn with calls, or to no turn at all.
import { keptBecause, NOT_CONCERNED } from '../../view/fates.ts';
import type { IncrementalContext } from '../../view/incremental.ts';
import type { LiveExchange, LiveExchanges } from '../../view/liveExchanges.ts';
import type { LiveView } from '../../view/liveView.ts';
import { itemFacts } from '../../view/reader.ts';
import type { Fate } from '../../view/types.ts';

/** What a policy says of a turn with calls that it left alone. */
export interface TurnWords {
  readonly rule: string;
  readonly reason: string;
}

/** Explains messages of the view a stage is given: `words` is asked for a turn with calls, and for the results that answer it. */
export class CallExplainer {
  readonly #context: IncrementalContext;
  readonly #exchanges: LiveExchanges;
  readonly #words: (exchange: LiveExchange) => TurnWords;
  readonly #shared = new Map<string, Fate>();
  #last: { readonly exchange: LiveExchange; readonly fate: Fate } | null = null;

  constructor(context: IncrementalContext, exchanges: LiveExchanges, words: (exchange: LiveExchange) => TurnWords) {
    this.#context = context;
    this.#exchanges = exchanges;
    this.#words = words;
  }

  /** What is said of turns may be different from now on. */
  forget(): void {
    this.#last = null;
  }

  explain(index: number, input: LiveView): Fate {
    const slot = input.before(index + 1) - input.before(index) - 1;
    const exchange = this.#exchanges.holding(index, slot);
    if (exchange !== null) return this.#ofTurn(exchange);
    const item = input.source(index);
    const { source, memo } = this.#context;
    const holdsResult = item !== null && itemFacts(item, source, memo).parts.some(isResult);
    return this.#fate(holdsResult ? ORPHAN : NO_CALL);
  }

  // The results of a turn follow it: its sentence is mostly asked for several times in a row.
  #ofTurn(exchange: LiveExchange): Fate {
    if (this.#last?.exchange === exchange) return this.#last.fate;
    const fate = this.#fate(this.#words(exchange));
    this.#last = { exchange, fate };
    return fate;
  }

  #fate({ rule, reason }: TurnWords): Fate {
    const known = this.#shared.get(reason) ?? keptBecause(this.#context.stage, rule, reason);
    this.#shared.set(reason, known);
    return known;
  }
}

const NO_CALL: TurnWords = { rule: NOT_CONCERNED, reason: 'kept: it holds no tool call and no result of one' };
const ORPHAN: TurnWords = { rule: 'orphan_result', reason: 'kept: its result answers no call of the turn before it' };

function isResult({ kind }: { readonly kind: string }): boolean {
  return kind === 'tool_result';
}

/** `read`, `read and edit`, `read, edit and 2 more`: the names of tools, each once. */
export function toolNames(names: readonly (string | null)[]): string {
  const all = [...new Set(names.map((name) => name ?? 'a tool without a name'))];
  const [first = 'a tool', second] = all;
  if (second === undefined) return first;
  return all.length === 2 ? `${first} and ${second}` : `${first}, ${second} and ${all.length - 2} more`;
}
