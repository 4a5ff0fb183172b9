// inspect_ai's trimming along the call points: between two trims nothing changes; at one, all is looked at anew.
import type { IncrementalContext } from '../../../view/incremental.ts';
import { itemTokens } from '../../../view/tokens.ts';
import { type InspectTrimParams, trimEdits } from '../inspectTrim.ts';
import { inspectLimit } from './inspectLimit.ts';
import { LiveDecisions } from './liveDecisions.ts';
import { type Trim, TrimTrack } from './trimTrack.ts';

/** The live form of inspect_trim. */
export class LiveInspectTrim extends LiveDecisions {
  readonly #params: InspectTrimParams;
  #track = new TrimTrack();
  #shown: Trim | null = null;

  constructor(params: InspectTrimParams, given: IncrementalContext) {
    super(given);
    this.#params = params;
  }

  protected reset(): void {
    this.#track = new TrimTrack();
    this.#shown = null;
  }

  protected push(position: number): void {
    if (this.reader.facts(position).role === 'assistant') this.#request(this.#track, position);
    this.#track.push(position, this.reader, itemTokens(this.reader.item(position), this.context));
  }

  protected settle(): void {
    const track = this.#track.copy();
    this.#request(track, this.reader.length);
    const { last } = track;
    if (isSame(last, this.#shown)) return;
    const before = this.#shown;
    this.#shown = last;
    const edits = last === null ? null : this.#edits(track, last);
    for (let position = 0; position < Math.max(before?.at ?? 0, last?.at ?? 0); position++) {
      const outcome = edits?.at(position) ?? null;
      this.decide(position, outcome);
    }
  }

  #request(track: TrimTrack, at: number): void {
    const limit = inspectLimit(this.#params, this.context);
    if (limit !== null) track.request(at, limit.tokens, this.#params.preserve);
  }

  #edits(track: TrimTrack, last: Trim) {
    const words = inspectLimit(this.#params, this.context)?.words ?? '';
    return trimEdits(track, last, words, this.reader, this.#params, this.context);
  }
}

function isSame(a: Trim | null, b: Trim | null): boolean {
  return a === b || (a !== null && b !== null && a.at === b.at && a.start === b.start && a.tokens === b.tokens);
}
