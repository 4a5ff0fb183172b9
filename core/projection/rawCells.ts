import type { TranscriptSource } from '../model/transcript.ts';
import { type IncrementalContext, roomOf } from '../view/incremental.ts';
import { LiveView } from '../view/liveView.ts';
import { rawItems, rawView } from '../view/reader.ts';
import type { StageMemo, View } from '../view/types.ts';
import { WholeView } from '../view/wholeView.ts';

/** The messages before a call point, as the first stage is given them: whole, or cell by cell. */
export class RawCells {
  readonly #source: TranscriptSource;
  readonly #memo: StageMemo;
  /** How many messages it has cells for. */
  readonly room: number;
  #at = 0;
  #view: View | null = null;
  /** Made with the first step that is not one from nothing. */
  #cells: LiveView | null = null;

  /** Begins before the first call point. */
  constructor(context: Pick<IncrementalContext, 'source' | 'memo' | 'room'>) {
    this.#source = context.source;
    this.#memo = context.memo;
    this.room = roomOf(context);
  }

  get at(): number {
    return this.#at;
  }

  /** All of them. */
  get view(): View {
    this.#view ??= rawView(this.#source, this.#at, this.#memo);
    return this.#view;
  }

  /** The same for a stage that is opened over them. */
  get whole(): WholeView {
    return new WholeView(this.view, this.room);
  }

  /** The same, cell by cell. */
  get cells(): LiveView {
    this.#cells ??= this.#at === 0 ? new LiveView(this.room) : LiveView.of(this.whole);
    return this.#cells;
  }

  /** Begins at a call point: nothing is reported as changed. */
  beginAt(at: number): void {
    if (at === this.#at) return;
    this.#at = at;
    this.#cells = null;
    this.#view = null;
  }

  /** Moves on to a later call point. */
  moveTo(at: number): void {
    if (at === this.#at) return;
    const { cells } = this;
    const items = rawItems(this.#source, this.#memo);
    for (let index = this.#at; index < at; index++) cells.set(index, items.slice(index, index + 1));
    this.#at = at;
    this.#view = null;
  }

  settle(): void {
    this.#cells?.settle();
  }
}
