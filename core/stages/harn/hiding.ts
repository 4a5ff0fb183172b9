// Hiding calls together with their results: what clean_tool_repair and squash_failed_calls share. A message goes when
// nothing of it is left; otherwise it stays with its other blocks, so that no sibling's pair is torn.
import { removeParts } from '../../view/editMessage.ts';
import type { IncrementalContext } from '../../view/incremental.ts';
import { type LiveExchange, LiveExchanges, type LivePart } from '../../view/liveExchanges.ts';
import type { LivePlace, LiveView } from '../../view/liveView.ts';
import { madeOnce } from '../../view/madeOnce.ts';
import { editWithout, ownPartOf } from '../../view/origins.ts';
import type { Overlay } from '../../view/overlay.ts';
import { itemFacts, itemText } from '../../view/reader.ts';
import type { Fate, PartFate, StageContext, ViewItem } from '../../view/types.ts';

/** Why a part is hidden, in the words of its fate. */
export interface HidingReason {
  readonly rule: string;
  readonly reason: string;
  readonly chip?: string;
  /** Source index of the message that explains it. */
  readonly because?: number;
}

/** One thing to hide: a part, or with `part` null a whole message. */
export interface Hide extends LivePlace {
  readonly part: number | null;
  readonly why: HidingReason;
}

interface HiddenSlot {
  whole: HidingReason | null;
  readonly parts: Map<number, HidingReason>;
}

/** Follows the exchanges of a view, and hides what each is reported to hide. */
export class Hiding {
  readonly exchanges: LiveExchanges;
  readonly #context: IncrementalContext;
  readonly #hides = new Map<LiveExchange, readonly Hide[]>();
  readonly #byCell = new Map<number, Map<number, HiddenSlot>>();
  readonly #dirty = new Set<number>();
  #input: LiveView | null = null;

  constructor(context: IncrementalContext) {
    this.#context = context;
    this.exchanges = new LiveExchanges(context.source, context.memo);
  }

  /** The view that was shown last. */
  get input(): LiveView {
    if (this.#input === null) throw new Error('a stage is asked before its first step');
    return this.#input;
  }

  /** From now on this is what a turn hides; an empty list = nothing. */
  set(exchange: LiveExchange, hides: readonly Hide[]): void {
    for (const hide of this.#hides.get(exchange) ?? []) this.#remove(hide);
    if (hides.length === 0) this.#hides.delete(exchange);
    else this.#hides.set(exchange, hides);
    for (const hide of hides) this.#add(hide);
  }

  /** Reports all that changed to the overlay. */
  show(input: LiveView, overlay: Overlay): void {
    this.#input = input;
    if (input.whole === null) {
      for (const cell of input.changed.keys()) {
        if (this.#byCell.has(cell)) this.#dirty.add(cell);
        else if (input.source(cell) === null) overlay.fate(cell, null);
      }
    }
    for (const cell of this.#dirty) this.#showCell(cell, input, overlay);
    this.#dirty.clear();
  }

  fateOf(index: number): Fate | null {
    const items = this.#input?.at(index) ?? [];
    const item = items.at(-1);
    const hidden = this.#byCell.get(index)?.get(items.length - 1);
    return item?.kind !== 'source' || hidden === undefined ? null : hideItem(item, hidden, this.#context).fate();
  }

  /** See `causeOf` of IncrementalRun. */
  causeOf(index: number): string | null {
    const items = this.#input?.at(index) ?? [];
    const hidden = this.#byCell.get(index)?.get(items.length - 1);
    const why = hidden?.whole ?? (hidden === undefined ? undefined : firstOf(hidden.parts));
    return why === undefined ? null : `${why.rule} ${why.because ?? ''}`;
  }

  #showCell(cell: number, input: LiveView, overlay: Overlay): void {
    const hidden = this.#byCell.get(cell);
    if (hidden === undefined) {
      overlay.pass(cell);
      overlay.fate(cell, null);
      return;
    }
    const items: ViewItem[] = [];
    // What is hidden here now may be a message that stands for the transcript's own.
    if (input.source(cell) === null) overlay.fate(cell, null);
    for (const [slot, item] of input.at(cell).entries()) {
      const own = hidden.get(slot);
      const shown = own === undefined ? item : hideItem(item, own, this.#context).item;
      if (shown !== null) items.push(shown);
      if (item.kind !== 'source') continue;
      overlay.fate(item.index, own === undefined ? null : shown === null ? 'dropped' : 'rewritten');
    }
    overlay.replace(cell, items);
  }

  #add({ cell, slot, part, why }: Hide): void {
    const slots = this.#byCell.get(cell) ?? new Map<number, HiddenSlot>();
    const hidden = slots.get(slot) ?? { whole: null, parts: new Map<number, HidingReason>() };
    if (part === null) hidden.whole = why;
    else hidden.parts.set(part, why);
    this.#byCell.set(cell, slots.set(slot, hidden));
    this.#dirty.add(cell);
  }

  #remove({ cell, slot, part }: Hide): void {
    const slots = this.#byCell.get(cell);
    const hidden = slots?.get(slot);
    if (slots === undefined || hidden === undefined) return;
    if (part === null) hidden.whole = null;
    else hidden.parts.delete(part);
    if (hidden.whole === null && hidden.parts.size === 0) slots.delete(slot);
    if (slots.size === 0) this.#byCell.delete(cell);
    this.#dirty.add(cell);
  }
}

/** Hides of results, each for the same reason. */
export function hideResults(results: readonly LivePart[], why: HidingReason): Hide[] {
  return results.map(({ cell, slot, part }) => ({ cell, slot, part, why }));
}

/** What is hidden of one message: all of it, or parts of it, by position in its facts. */
export interface Hidden {
  readonly whole: HidingReason | null;
  readonly parts: ReadonlyMap<number, HidingReason>;
}

/** Hides in one item; `item` null = nothing of it stays. */
export function hideItem(
  item: ViewItem,
  { whole, parts }: Hidden,
  context: HidingContext,
): { readonly item: ViewItem | null; fate(): Fate } {
  const { source, memo, stage } = context;
  const facts = itemFacts(item, source, memo);
  const gone = whole ?? (parts.size === facts.parts.length ? firstOf(parts) : undefined);
  if (gone !== undefined) return { item: null, fate: () => ({ kind: 'dropped', stage, ...gone }) };
  const edit = (): ViewItem => {
    const gone = new Set(parts.keys());
    return editWithout(item, removeParts(itemText(item, source), facts, gone), facts, gone);
  };
  const edited = madeOnce('harn.hidden', item, [...parts.keys()].join(','), memo, edit);
  return { item: edited, fate: () => rewritten(item, parts, facts.parts.length, context) };
}

/** What hiding needs of a stage's context. */
export type HidingContext = Pick<StageContext, 'source' | 'memo' | 'stage'>;

function firstOf(parts: ReadonlyMap<number, HidingReason>): HidingReason | undefined {
  return parts.values().next().value;
}

function rewritten(
  item: ViewItem,
  hidden: ReadonlyMap<number, HidingReason>,
  all: number,
  { stage }: HidingContext,
): Fate {
  const parts: PartFate[] = [];
  for (const [part, why] of hidden) {
    const raw = ownPartOf(item, part);
    if (raw !== null) parts.push({ part: raw, kind: 'dropped', reason: why.reason });
  }
  const first = firstOf(hidden);
  return {
    kind: 'rewritten',
    stage,
    rule: first?.rule ?? null,
    reason: `${hidden.size} of ${all} parts hidden, the others stay: ${first?.reason ?? ''}`,
    ...(first?.chip !== undefined && { chip: first.chip }),
    ...(first?.because !== undefined && { because: first.because }),
    parts: parts.sort((a, b) => a.part - b.part),
  };
}
