// squash_failed_calls along the call points: a turn is judged when it, or a result of it, changes.
import type { IncrementalContext, IncrementalRun } from '../../view/incremental.ts';
import type { LiveExchange } from '../../view/liveExchanges.ts';
import type { LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import { itemFacts, itemText } from '../../view/reader.ts';
import type { Fate } from '../../view/types.ts';
import { type Hide, hideResults, LiveHiding } from './liveHiding.ts';
import type { HarnParams } from './options.ts';
import { hiddenBecause, saysSomething } from './squashFailedCalls.ts';

/** The run of one spec's stage. */
export class LiveSquash implements IncrementalRun {
  readonly respectsSignatures: boolean;
  readonly #context: IncrementalContext;
  readonly #hiding: LiveHiding;

  constructor({ respectProviderSignatures }: HarnParams, context: IncrementalContext) {
    this.respectsSignatures = respectProviderSignatures;
    this.#context = context;
    this.#hiding = new LiveHiding(context);
  }

  step(input: LiveView, _at: number, overlay: Overlay): void {
    const { removed, added } = this.#hiding.exchanges.update(input);
    for (const exchange of removed) this.#hiding.set(exchange, []);
    for (const exchange of added) this.#hiding.set(exchange, this.#hidesOf(exchange, input));
    this.#hiding.show(input, overlay);
  }

  fateOf(index: number): Fate | null {
    return this.#hiding.fateOf(index);
  }

  #hidesOf(exchange: LiveExchange, input: LiveView): readonly Hide[] {
    const { cell, slot, calls } = exchange;
    const item = input.at(cell)[slot];
    const { source, memo } = this.#context;
    if (item === undefined || !calls.every(({ outcome }) => outcome === 'failed')) return [];
    if (saysSomething(itemFacts(item, source, memo), () => itemText(item, source))) return [];
    const why = hiddenBecause(exchange);
    return [{ cell, slot, part: null, why }, ...calls.flatMap(({ results }) => hideResults(results, why))];
  }
}
