// Hiding calls together with their results: what clean_tool_repair and squash_failed_calls share. A message goes when
// nothing of it is left; otherwise it stays with its other blocks, so that no sibling's pair is torn.
import type { PartPlace } from '../../../../core/model/exchanges.ts';
import { removeParts } from '../../../../core/view/editMessage.ts';
import { editWithout, ownPartOf } from '../../../../core/view/origins.ts';
import { itemFacts, itemText, type ViewReader } from '../../../../core/view/reader.ts';
import type { Fate, PartFate, StageContext, StageMemo, ViewItem } from '../../../../core/view/types.ts';

/** Why a part is hidden, in the words of its fate. */
export interface HidingReason {
  readonly rule: string;
  readonly reason: string;
  readonly chip?: string;
  /** Source index of the message that explains it. */
  readonly because?: number;
}

/** Collects what to hide, then makes items and fates of it. Positions are those of the view. */
export class Hiding {
  readonly #messages = new Map<number, HidingReason>();
  readonly #parts = new Map<number, Map<number, HidingReason>>();

  /** Hides a whole message. */
  message(position: number, why: HidingReason): void {
    this.#messages.set(position, why);
  }

  /** Hides one part; a message whose every part is hidden goes as a whole. */
  part(place: PartPlace, why: HidingReason): void {
    const parts = this.#parts.get(place.message) ?? new Map<number, HidingReason>();
    parts.set(place.part, why);
    this.#parts.set(place.message, parts);
  }

  /** The new items (null if nothing is hidden) and the fates by source index, ascending. */
  apply(reader: ViewReader, context: StageContext): { items: ViewItem[] | null; fates: Map<number, Fate> } {
    const fates = new Map<number, Fate>();
    const touched = new Set([...this.#messages.keys(), ...this.#parts.keys()]);
    if (touched.size === 0) return { items: null, fates };
    const items: ViewItem[] = [];
    for (let position = 0; position < reader.length; position++) {
      const item = reader.item(position);
      if (!touched.has(position)) items.push(item);
      else this.#hideIn(position, reader, context, items, fates);
    }
    return { items, fates };
  }

  #hideIn(position: number, reader: ViewReader, context: StageContext, items: ViewItem[], fates: Map<number, Fate>) {
    const index = reader.indexOf(position);
    const hidden = hideItem(
      reader.item(position),
      { whole: this.#messages.get(position) ?? null, parts: this.#parts.get(position) ?? NO_PARTS },
      context,
    );
    if (hidden.item !== null) items.push(hidden.item);
    if (index !== null) fates.set(index, hidden.fate());
  }
}

/** What is hidden of one message: all of it, or parts of it, by position in its facts. */
export interface Hidden {
  readonly whole: HidingReason | null;
  readonly parts: ReadonlyMap<number, HidingReason>;
}

const NO_PARTS: ReadonlyMap<number, HidingReason> = new Map();

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
  const isRaw = item.kind === 'source' && item.text === undefined;
  const edited = isRaw ? editedOnce(item.index, [...parts.keys()], memo, edit) : edit();
  return { item: edited, fate: () => rewritten(item, parts, facts.parts.length, context) };
}

/** What hiding needs of a stage's context. */
export type HidingContext = Pick<StageContext, 'source' | 'memo' | 'stage'>;

// The same edit of a raw message is one object in every projection: texts are spliced, and read again, only once.
function editedOnce(index: number, parts: readonly number[], memo: StageMemo, edit: () => ViewItem): ViewItem {
  const edits = memo.get('harn.hidden', () => new Map<number, { key: string; item: ViewItem }>());
  const key = parts.join(',');
  const known = edits.get(index);
  if (known?.key === key) return known.item;
  const item = edit();
  edits.set(index, { key, item });
  return item;
}

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
