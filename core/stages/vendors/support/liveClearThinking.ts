// Anthropic's clearing of thinking along the call points: the turns with thinking are one sequence, all but the last cleared.
import type { IncrementalContext } from '../../../view/incremental.ts';
import { clearedThinkingWhy, thinkingOf } from '../anthropicClearThinking.ts';
import { EditSequence, type LiveEdit, LiveEdits } from './liveEdits.ts';

/** The live form of anthropic_clear_thinking; `turns` null = nothing is ever cleared. */
export class LiveClearThinking extends LiveEdits {
  readonly #turns: number | null;
  readonly #sequence = new EditSequence();
  /** Of the last turn with thinking: where it began, and its edits. */
  #last: { readonly start: number; readonly edits: LiveEdit[] } | null = null;
  #start = 0;
  /** Of messages with thinking, where it is. */
  readonly #parts = new Map<number, string>();

  constructor(turns: number | null, given: IncrementalContext) {
    super(given);
    this.#turns = turns;
  }

  protected override reset(): void {
    super.reset();
    this.#sequence.clear();
    this.#last = null;
    this.#start = 0;
    this.#parts.clear();
  }

  protected push(position: number): void {
    const facts = this.reader.facts(position);
    if (facts.beginsTurn) this.#start = position;
    const parts = thinkingOf(facts);
    if (this.#turns === null || parts.length === 0) return;
    if (this.#last?.start !== this.#start) {
      this.#last = { start: this.#start, edits: [] };
      this.#sequence.push(this.#last.edits);
    }
    this.#parts.set(position, parts.join());
    const turns = this.#turns;
    const why = () => clearedThinkingWhy(turns);
    for (const part of parts) this.#last.edits.push({ place: { message: position, part }, op: 'remove', why });
  }

  // What is in the way of thinking matters: its parts must be where they were.
  protected override edited(position: number): boolean {
    if (this.#turns === null) return true;
    const parts = thinkingOf(this.reader.facts(position)).join();
    if (parts !== (this.#parts.get(position) ?? '')) return false;
    this.reword(position);
    return true;
  }

  protected settle(): void {
    if (this.#turns === null) return;
    this.#sequence.doFirst(
      this.#sequence.length - this.#turns,
      (edit) => this.add(edit),
      (edit) => this.take(edit),
    );
    this.show();
  }
}
