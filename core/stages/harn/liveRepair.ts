// clean_tool_repair along the call points. A success repairs the failures of its tool that wait for one; only where a
// turn changes that others stand behind is a tool's history judged anew.
import type { IncrementalContext, IncrementalRun } from '../../view/incremental.ts';
import { comparePlaces, type LiveCall, type LiveExchange } from '../../view/liveExchanges.ts';
import type { LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import type { Fate } from '../../view/types.ts';
import { repairedBecause } from './cleanToolRepair.ts';
import { type Hide, hideResults, LiveHiding } from './liveHiding.ts';
import type { HarnParams } from './options.ts';

/** The turns with calls of one tool, in order, and its failures that no later turn has repaired. */
interface Tool {
  exchanges: LiveExchange[];
  waiting: { readonly exchange: LiveExchange; readonly call: LiveCall }[];
}

/** The run of one spec's stage. */
export class LiveRepair implements IncrementalRun {
  readonly respectsSignatures: boolean;
  readonly #hiding: LiveHiding;
  readonly #tools = new Map<string, Tool>();
  readonly #repairedBy = new Map<LiveCall, LiveCall>();
  /** Turns whose repaired calls are others than before. */
  readonly #judged = new Set<LiveExchange>();

  constructor({ respectProviderSignatures }: HarnParams, context: IncrementalContext) {
    this.respectsSignatures = respectProviderSignatures;
    this.#hiding = new LiveHiding(context);
  }

  step(input: LiveView, _at: number, overlay: Overlay): void {
    const { removed, added } = this.#hiding.exchanges.update(input);
    const anew = new Set<string>();
    for (const exchange of removed) {
      this.#hiding.set(exchange, []);
      for (const call of exchange.calls) this.#repairedBy.delete(call);
      for (const name of namesOf(exchange)) {
        const tool = this.#tool(name);
        tool.exchanges.splice(tool.exchanges.lastIndexOf(exchange), 1);
        anew.add(name);
      }
    }
    for (const exchange of added) for (const name of namesOf(exchange)) this.#take(exchange, name, anew);
    for (const name of anew) this.#judgeAnew(name);
    for (const exchange of this.#judged) this.#hiding.set(exchange, this.#hidesOf(exchange));
    this.#judged.clear();
    this.#hiding.show(input, overlay);
  }

  fateOf(index: number): Fate | null {
    return this.#hiding.fateOf(index);
  }

  #tool(name: string): Tool {
    const known = this.#tools.get(name) ?? { exchanges: [], waiting: [] };
    this.#tools.set(name, known);
    return known;
  }

  #take(exchange: LiveExchange, name: string, anew: Set<string>): void {
    const tool = this.#tool(name);
    const last = tool.exchanges.at(-1);
    if (last === undefined || comparePlaces(last, exchange) < 0) {
      tool.exchanges.push(exchange);
      if (!anew.has(name)) this.#append(tool, exchange, name);
      return;
    }
    const place = tool.exchanges.findIndex((other) => comparePlaces(exchange, other) < 0);
    tool.exchanges.splice(place, 0, exchange);
    anew.add(name);
  }

  // A turn repairs those before it; its own failures wait for a later one.
  #append(tool: Tool, exchange: LiveExchange, name: string): void {
    const own = exchange.calls.filter((call) => call.name === name);
    const success = own.findLast(({ outcome }) => outcome === 'succeeded');
    if (success !== undefined) {
      for (const { exchange, call } of tool.waiting) {
        this.#repairedBy.set(call, success);
        this.#judged.add(exchange);
      }
      tool.waiting = [];
    }
    for (const call of own) if (call.outcome === 'failed') tool.waiting.push({ exchange, call });
  }

  #judgeAnew(name: string): void {
    const tool = this.#tool(name);
    tool.waiting = [];
    for (const exchange of tool.exchanges) {
      for (const call of exchange.calls) {
        if (call.name === name && this.#repairedBy.delete(call)) this.#judged.add(exchange);
      }
      this.#append(tool, exchange, name);
    }
  }

  #hidesOf({ cell, slot, calls }: LiveExchange): readonly Hide[] {
    const gone = calls.filter((call) => this.#repairedBy.has(call));
    return gone.flatMap((call): Hide[] => {
      const why = repairedBecause(call.name, this.#repairedBy.get(call)?.results[0]?.index ?? null);
      const part = gone.length === calls.length ? null : call.part;
      return [{ cell, slot, part, why }, ...hideResults(call.results, why)];
    });
  }
}

function namesOf({ calls }: LiveExchange): ReadonlySet<string> {
  return new Set(calls.flatMap(({ name }) => (name === null ? [] : [name])));
}
