import type { MessageFacts, Part } from '../../model/message.ts';
import type { IncrementalContext } from '../../view/incremental.ts';
import { itemFacts } from '../../view/reader.ts';
import type { SourceItem, ViewItem } from '../../view/types.ts';

/**
 * Compares messages by what reducers go by: where turns begin, and calls and results with their places and ids. Of an edit
 * it is asked once whether it keeps those of its raw message; most do, and come and go from call point to call point.
 */
export class Structures {
  readonly #context: Pick<IncrementalContext, 'source' | 'memo'>;
  readonly #keeps: WeakMap<SourceItem, boolean>;

  constructor(context: Pick<IncrementalContext, 'source' | 'memo'>) {
    this.#context = context;
    this.#keeps = context.memo.get('reducers.structures', () => new WeakMap<SourceItem, boolean>());
  }

  /** True if the items of a cell differ in words alone. */
  areSame(before: readonly ViewItem[], now: readonly ViewItem[]): boolean {
    const slots = Math.max(before.length, now.length);
    for (let slot = 0; slot < slots; slot++) if (!this.#isSame(before[slot], now[slot])) return false;
    return true;
  }

  /** True if the items of a cell begin turns at the same places. */
  beginAlike(before: readonly ViewItem[], now: readonly ViewItem[]): boolean {
    const slots = Math.max(before.length, now.length);
    for (let slot = 0; slot < slots; slot++) {
      const [a, b] = [before[slot], now[slot]];
      if (a !== b && !this.#areOfOne(a, b) && this.#begins(a) !== this.#begins(b)) return false;
    }
    return true;
  }

  #isSame(a: ViewItem | undefined, b: ViewItem | undefined): boolean {
    return a === b || this.#areOfOne(a, b) || isSameMessage(this.#facts(a), this.#facts(b));
  }

  // Two wordings of one raw message, neither of which moved anything.
  #areOfOne(a: ViewItem | undefined, b: ViewItem | undefined): boolean {
    if (a?.kind !== 'source' || b?.kind !== 'source' || a.index !== b.index) return false;
    return this.#keepsRaw(a) && this.#keepsRaw(b);
  }

  #keepsRaw(item: SourceItem): boolean {
    if (item.text === undefined) return true;
    const known = this.#keeps.get(item);
    if (known !== undefined) return known;
    const keeps = isSameMessage(this.#context.source.facts(item.index), this.#facts(item));
    this.#keeps.set(item, keeps);
    return keeps;
  }

  #begins(item: ViewItem | undefined): boolean {
    return this.#facts(item)?.beginsTurn ?? false;
  }

  #facts(item: ViewItem | undefined): MessageFacts | null {
    return item === undefined ? null : itemFacts(item, this.#context.source, this.#context.memo);
  }
}

function isSameMessage(a: MessageFacts | null, b: MessageFacts | null): boolean {
  if (a === b) return true;
  if ((a?.beginsTurn ?? false) !== (b?.beginsTurn ?? false)) return false;
  const parts = Math.max(a?.parts.length ?? 0, b?.parts.length ?? 0);
  for (let at = 0; at < parts; at++) if (!isSamePart(a?.parts[at], b?.parts[at])) return false;
  return true;
}

function isSamePart(a: Part | undefined, b: Part | undefined): boolean {
  if (a === b) return true;
  const [own, other] = [isOfPair(a) ? a : null, isOfPair(b) ? b : null];
  if (own === null || other === null) return own === other;
  if (own.kind !== other.kind || (own.callId ?? null) !== (other.callId ?? null)) return false;
  return (own.name ?? null) === (other.name ?? null);
}

function isOfPair(part: Part | undefined): part is Part {
  return part?.kind === 'tool_call' || part?.kind === 'tool_result';
}
