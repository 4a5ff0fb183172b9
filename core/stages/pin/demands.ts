// What has to stand for the pinned parts to stand: they themselves, the calls of pinned results, the results of pinned calls.
import { type Exchange, findExchanges, type PartPlace } from '../../model/exchanges.ts';
import type { IncrementalContext } from '../../view/incremental.ts';
import { NamedMessages } from './named.ts';
import type { PinParams } from './params.ts';

/** What is asked of one message. */
export interface Demand {
  /** Parts that are pinned: they stand as they were said. */
  readonly pinned: ReadonlySet<number>;
  /** Parts without which a pinned one of another message cannot stand; of several the first such message. */
  readonly paired: ReadonlyMap<number, number>;
  /** The option that pins it; null = it is not pinned itself. */
  readonly words: string | null;
}

const NOTHING: ReadonlySet<number> = new Set();

/** Follows the transcript; what it asks for only grows. */
export class Demands {
  readonly #context: Pick<IncrementalContext, 'source' | 'memo'>;
  readonly #named: NamedMessages;
  readonly #paired = new Map<number, Map<number, number>>();
  /** The assistant message that may still get results. */
  #open = 0;
  #at = 0;

  constructor(params: PinParams, context: Pick<IncrementalContext, 'source' | 'memo'>) {
    this.#context = context;
    this.#named = new NamedMessages(params, context);
  }

  get(index: number): Demand | null {
    const named = this.#named.get(index);
    const paired = this.#paired.get(index);
    if (named === undefined && paired === undefined) return null;
    return { pinned: named?.parts ?? NOTHING, paired: paired ?? new Map(), words: named?.words ?? null };
  }

  /** Moves on to a call point; gives the messages of which more is asked than before. */
  moveTo(at: number): ReadonlySet<number> {
    const more = new Set(this.#named.moveTo(at));
    const again = this.#named.indices.filter((index) => index >= this.#open && index < at);
    for (const index of new Set([...more, ...again])) {
      for (const pair of this.#pairsOf(index, at)) if (this.#ask(pair, index)) more.add(pair.message);
    }
    const last = this.#lastAssistant(at);
    this.#open = last === null ? this.#open : last;
    this.#at = at;
    return more;
  }

  #lastAssistant(at: number): number | null {
    for (let index = at - 1; index >= this.#at; index--) {
      if (this.#context.source.facts(index).role === 'assistant') return index;
    }
    return null;
  }

  #ask({ message, part }: PartPlace, by: number): boolean {
    const known = this.#paired.get(message) ?? new Map<number, number>();
    if ((known.get(part) ?? Number.POSITIVE_INFINITY) <= by) return false;
    this.#paired.set(message, known.set(part, by));
    return true;
  }

  // The other side of each pinned call and result.
  #pairsOf(index: number, at: number): readonly PartPlace[] {
    const parts = this.#named.get(index)?.parts ?? NOTHING;
    const facts = this.#context.source.facts(index);
    const isPaired = [...parts].some((part) => {
      const kind = facts.parts[part]?.kind;
      return kind === 'tool_call' || kind === 'tool_result';
    });
    const exchange = isPaired ? this.#exchangeAt(index, at) : null;
    if (exchange === null) return [];
    return exchange.calls.flatMap((call): readonly PartPlace[] => {
      if (call.message === index && parts.has(call.part)) return call.results;
      const isAnswered = call.results.some(({ message, part }) => message === index && parts.has(part));
      return isAnswered ? [{ message: call.message, part: call.part }] : [];
    });
  }

  // Calls are answered before the next message of the assistant.
  #exchangeAt(index: number, at: number): Exchange | null {
    const { source } = this.#context;
    const isAssistant = (one: number) => source.facts(one).role === 'assistant';
    let from = index;
    while (from >= 0 && !isAssistant(from)) from--;
    if (from < 0) return null;
    let to = from + 1;
    while (to < at && !isAssistant(to)) to++;
    const [found] = findExchanges(to - from, (position) => source.facts(from + position));
    if (found === undefined) return null;
    const moved = <P extends PartPlace>(place: P): P => ({ ...place, message: place.message + from });
    return { message: from, calls: found.calls.map((call) => ({ ...moved(call), results: call.results.map(moved) })) };
  }
}
