// Injection along the call points: it moves with the last user message.
import type { IncrementalContext, IncrementalRun } from '../../view/incremental.ts';
import type { LivePlace, LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import type { Fate } from '../../view/types.ts';
import { type InjectionParams, injectedItems } from './injection.ts';
import { LiveTurns } from './liveTurns.ts';

/** The run of one spec's stage. */
export class LiveInjection implements IncrementalRun {
  readonly #params: InjectionParams;
  readonly #context: IncrementalContext;
  readonly #live: LiveTurns;
  #cell: number | null = null;

  constructor(params: InjectionParams, context: IncrementalContext) {
    this.#params = params;
    this.#context = context;
    this.#live = new LiveTurns(context);
  }

  step(input: LiveView, at: number, overlay: Overlay): void {
    if (this.#params.entries.length === 0) return;
    this.#live.step(input, at);
    const place = this.#place(input, at);
    if (this.#cell !== null && this.#cell !== place.cell) overlay.pass(this.#cell);
    this.#cell = place.cell;
    const items = injectedItems(
      this.#params,
      this.#indexFrom(place, input, at),
      this.#live.reader(input),
      this.#context,
    );
    overlay.replace(place.cell, input.at(place.cell).toSpliced(place.slot, 0, ...items));
  }

  fateOf(): Fate | null {
    return null;
  }

  // As in a run over a whole view: right before or behind the last user message, else at the end.
  #place(input: LiveView, at: number): LivePlace {
    const last = this.#live.last;
    if (last === null) {
      const end = input.length === 0 ? at : Math.max(at, input.place(input.length - 1).cell);
      return { cell: end, slot: input.at(end).length };
    }
    if (this.#params.place === 'before') return last;
    // A source message closes its cell: what stands behind it stands in the next one, before all others.
    const isLast = last.slot === input.at(last.cell).length - 1;
    return isLast && input.source(last.cell) !== null
      ? { cell: last.cell + 1, slot: 0 }
      : { cell: last.cell, slot: last.slot + 1 };
  }

  // Source index of the next message that someone wrote.
  #indexFrom({ cell, slot }: LivePlace, input: LiveView, at: number): number {
    const own = input.source(cell);
    if (own !== null && slot < input.at(cell).length) return cell;
    for (let next = input.nextCell(cell + 1); next < input.cells; next = input.nextCell(next + 1)) {
      if (input.source(next) !== null) return next;
    }
    return at;
  }
}
