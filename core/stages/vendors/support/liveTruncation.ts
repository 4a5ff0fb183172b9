// OpenAI's truncation along the call points: where the kept messages begin only moves on.
import type { IncrementalContext } from '../../../view/incremental.ts';
import { itemTokens } from '../../../view/tokens.ts';
import { type OpenAiTruncationParams, orphanWhy, truncatedWhy } from '../openaiTruncation.ts';
import { GrowingUses } from './growingUses.ts';
import { type LiveEdit, LiveEdits } from './liveEdits.ts';
import { roomIn, windowOf } from './options.ts';
import type { ToolUse } from './toolUses.ts';

/** The live form of openai_truncation. */
export class LiveTruncation extends LiveEdits {
  readonly #params: OpenAiTruncationParams;
  #uses = new GrowingUses();
  #byCall = new Map<number, ToolUse[]>();
  #known = 0;
  #sums: number[] = [0];
  #head = 0;
  #cut = 0;
  /** Results without their call in the last turn: looked at anew each time. */
  #open: LiveEdit[] = [];

  constructor(params: OpenAiTruncationParams, given: IncrementalContext) {
    super(given);
    this.#params = params;
  }

  protected override reset(): void {
    super.reset();
    this.#uses = new GrowingUses();
    this.#byCall = new Map();
    this.#known = 0;
    this.#sums = [0];
    this.#head = 0;
    this.#cut = 0;
    this.#open = [];
  }

  protected push(position: number): void {
    const { role } = this.reader.facts(position);
    if (position === this.#head && (role === 'system' || role === 'developer')) this.#head++;
    this.#uses.push(position, this.reader.facts);
    this.#sums.push((this.#sums[position] ?? 0) + itemTokens(this.reader.item(position), this.context));
  }

  protected settle(): void {
    const window = windowOf(this.#params.window, this.context);
    if (window === null || this.#params.truncation === 'disabled') return;
    for (const edit of this.#open) this.take(edit);
    const room = roomIn(window, this.context);
    const before = Math.max(this.#head, this.#cut);
    this.#cut = this.#cutAt(before, room.tokens);
    const why = () => truncatedWhy(this.#sums[this.reader.length] ?? 0, room, this.context);
    for (let position = before; position < this.#cut; position++) {
      this.add({ place: { message: position, part: 0 }, op: 'drop', why });
    }
    const orphans = (use: ToolUse): LiveEdit[] =>
      use.results
        .filter(({ message }) => message >= this.#cut)
        .map((place) => ({ place, op: 'remove', why: () => orphanWhy(why().reason) }));
    for (const use of this.#uses.closed.slice(this.#known)) {
      this.#byCall.set(use.call.message, [...(this.#byCall.get(use.call.message) ?? []), use]);
      if (this.#isGone(use.call.message, before)) for (const edit of orphans(use)) this.add(edit);
    }
    this.#known = this.#uses.closed.length;
    for (let position = before; position < this.#cut; position++) {
      for (const use of this.#byCall.get(position) ?? []) for (const edit of orphans(use)) this.add(edit);
    }
    const open = this.#uses.open(this.reader.length, this.reader.facts);
    this.#open = open.filter(({ call }) => this.#isGone(call.message, this.#cut)).flatMap(orphans);
    for (const edit of this.#open) this.add(edit);
    this.show();
  }

  #isGone(position: number, cut: number): boolean {
    return position >= this.#head && position < cut;
  }

  #cutAt(from: number, room: number): number {
    const length = this.reader.length;
    const total = this.#sums[length] ?? 0;
    let cut = from;
    if (total <= room) return cut;
    while (cut < length - 1 && total - ((this.#sums[cut] ?? 0) - (this.#sums[this.#head] ?? 0)) > room) cut++;
    return cut;
  }
}
