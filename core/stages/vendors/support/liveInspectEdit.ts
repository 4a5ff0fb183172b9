// inspect_ai's editing along the call points: the request at the end is tried on a copy of the track.
import type { IncrementalContext } from '../../../view/incremental.ts';
import { itemTokens } from '../../../view/tokens.ts';
import { type InspectEditParams, REMOVED } from '../inspectEdit.ts';
import { GrowingUses } from './growingUses.ts';
import { inspectLimit } from './inspectLimit.ts';
import {
  EditTrack,
  editsOfUse,
  overWords,
  reasoningAt,
  reasoningTokens,
  reasoningWhy,
  savedByUse,
  whyOfUse,
} from './inspectPlan.ts';
import { EditSequence, type LiveEdit, LiveEdits } from './liveEdits.ts';
import type { ToolUse } from './toolUses.ts';

/** The live form of inspect_edit. */
export class LiveInspectEdit extends LiveEdits {
  protected override readonly placeholder = REMOVED;
  readonly #params: InspectEditParams;
  readonly #sequence = new EditSequence();
  readonly #thoughts = new EditSequence();
  #uses = new GrowingUses();
  #taken = 0;
  #clearable: ToolUse[] = [];
  #thinkers: number[] = [];
  #track = new EditTrack();
  #shown = new EditTrack();
  #tokens = 0;

  constructor(params: InspectEditParams, given: IncrementalContext) {
    super(given);
    this.#params = params;
  }

  protected override reset(): void {
    super.reset();
    this.#sequence.clear();
    this.#thoughts.clear();
    this.#uses = new GrowingUses();
    this.#taken = 0;
    this.#clearable = [];
    this.#thinkers = [];
    this.#track = new EditTrack();
    this.#tokens = 0;
  }

  protected push(position: number): void {
    this.#uses.push(position, this.reader.facts);
    if (this.reader.facts(position).role === 'assistant') {
      this.#takeClosed();
      this.#request(this.#track, position, []);
      this.#addThinker(position);
    }
    this.#tokens += itemTokens(this.reader.item(position), this.context);
  }

  protected settle(): void {
    this.#takeClosed();
    const open = this.#uses.open(this.reader.length, this.reader.facts).filter((use) => this.#mayClear(use));
    for (const use of open) this.#addUse(use);
    this.#shown = this.#track.copy();
    this.#request(this.#shown, this.reader.length, open);
    const add = (edit: LiveEdit) => this.add(edit);
    const take = (edit: LiveEdit) => this.take(edit);
    this.#sequence.doFirst(this.#shown.cleared, add, take);
    this.#thoughts.doFirst(this.#shown.unthought, add, take);
    this.show();
  }

  // `open` = the uses of the last turn, behind those that are settled.
  #request(track: EditTrack, at: number, open: readonly ToolUse[]): void {
    const limit = inspectLimit(this.#params, this.context);
    if (limit === null) return;
    track.request(at, this.#tokens, limit.tokens, this.#params, {
      uses: this.#clearable.length + open.length,
      thinkers: this.#thinkers.length,
      savedByUse: (one) => this.#savedBy(this.#clearable[one] ?? open[one - this.#clearable.length]),
      savedByThinking: (one) => reasoningTokens(this.reader, this.#thinkers[one] ?? 0, this.context),
    });
  }

  #savedBy(use: ToolUse | undefined): number {
    return use === undefined ? 0 : savedByUse(use, this.#params, this.emptyEdits(), this.reader, this.context);
  }

  #mayClear({ name }: ToolUse): boolean {
    return name === null || !this.#params.excludeTools.has(name);
  }

  // What was open is taken off the end, and what has closed since is put there.
  #takeClosed(): void {
    this.#sequence.truncate(this.#clearable.length, (edit) => this.take(edit));
    for (const use of this.#uses.closed.slice(this.#taken)) {
      if (!this.#mayClear(use)) continue;
      this.#clearable.push(use);
      this.#addUse(use);
    }
    this.#taken = this.#uses.closed.length;
  }

  #addUse(use: ToolUse): void {
    const why = () => whyOfUse(this.#over(), this.#params);
    this.#sequence.push(editsOfUse(use, this.#params).map((edit): LiveEdit => ({ ...edit, why })));
  }

  #addThinker(position: number): void {
    const why = () => reasoningWhy(this.#over(), this.#params);
    this.#thinkers.push(position);
    this.#thoughts.push(reasoningAt(this.reader, position).map((place): LiveEdit => ({ place, op: 'remove', why })));
  }

  #over(): string {
    return overWords(this.#shown, inspectLimit(this.#params, this.context)?.words ?? '', this.context);
  }
}
