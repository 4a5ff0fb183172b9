// Which evidence is in the request, from call point to call point: only items that came into the view, changed or left
// it are looked at.

import { parseMessage } from '../../model/decode.ts';
import { readMessage } from '../../model/readMessage.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import type { ReachedPoint } from '../../projection/allCallPoints.ts';
import type { ItemMap } from '../../view/itemMap.ts';
import type { LiveView } from '../../view/liveView.ts';
import { originOf } from '../../view/origins.ts';
import { isUnrendered } from '../../view/tokens.ts';
import type { Fate, ViewItem } from '../../view/types.ts';
import { fateAt } from '../fateAt.ts';
import { isOriginal } from '../text/origin.ts';
import type { RecordedFront } from '../text/places.ts';
import type { UseFinder } from './finder.ts';
import { normaliseSpace } from './normalText.ts';
import { placedFields, readSaid, type SaidPart, saidBy, textOfPart } from './said.ts';
import type { ItemSays, UseLoss, UseOutcome } from './types.ts';

/** Evidence that the last item to say it has left with. */
interface Emptied {
  readonly id: number;
  readonly item: ViewItem;
}

/** A message as it was recorded. */
type RawItem = Extract<ViewItem, { readonly kind: 'source' }>;

function isRaw(item: ViewItem): item is RawItem {
  return item.kind === 'source' && item.text === undefined;
}

/** Give it every call point of a walk, in order. */
export class StandingEvidence {
  readonly #source: TranscriptSource;
  readonly #finder: UseFinder;
  /** Of all that follow the same transcript: policies share items. */
  readonly #known: ItemMap<ItemSays>;
  readonly #said: Int32Array;
  readonly #originals: Int32Array;
  readonly #losses: (UseLoss | null)[];
  #at = 0;
  /** Fates of messages at the call point reached. */
  readonly #fates = new Map<number, Fate>();

  readonly #withLosses: boolean;

  /** The finder has grown to the end of the source. Without `losses` nothing is known of why something is gone. */
  constructor(source: TranscriptSource, finder: UseFinder, front: RecordedFront, { losses = true } = {}) {
    this.#source = source;
    this.#finder = finder;
    this.#known = finder.itemSays;
    const { length } = finder.evidence;
    this.#said = new Int32Array(length);
    this.#originals = new Int32Array(length);
    this.#withLosses = losses;
    this.#losses = new Array<UseLoss | null>(losses ? length : 0).fill(null);
    for (const id of finder.saidInFront(front)) this.#said[id]!++;
  }

  /** The next call point. */
  take(point: ReachedPoint): void {
    const { view, before, at } = point;
    this.#fates.clear();
    this.#at = at;
    const emptied: Emptied[] = [];
    // What was not in the request a moment ago: nothing else can have a loss that is over.
    const come: number[] = [];
    for (const [cell, was] of view.changed) this.#moveOn(view, cell, was, emptied, come);
    if (!this.#withLosses) return;
    for (const { id, item } of emptied) this.#lose(point, id, item);
    for (const id of come) if (this.#said[id]! > 0) this.#losses[id] = null;
    // What no request ever held.
    for (let index = before ?? 0; index < at; index++) {
      for (const id of this.#finder.firstSaidIn(index)) this.#lose(point, id, null);
    }
  }

  /** Where the request at the call point reached holds it. */
  outcome(id: number): UseOutcome {
    if (this.#originals[id]! > 0) return 'original';
    return this.#said[id]! > 0 ? 'elsewhere' : 'gone';
  }

  /** True if the request at the call point reached says it somewhere. */
  stands(id: number): boolean {
    return this.#said[id]! > 0;
  }

  /** True if one of these messages is in the request, in whatever wording. */
  holdsMessage({ view }: ReachedPoint, index: number): boolean {
    const item = view.source(index);
    return item !== null && !isUnrendered(item);
  }

  /** Why the request does not hold it; null if it does, or nothing is known. */
  loss(id: number): UseLoss | null {
    return this.outcome(id) === 'gone' ? (this.#losses[id] ?? null) : null;
  }

  #moveOn(view: LiveView, cell: number, was: readonly ViewItem[], emptied: Emptied[], come: number[]): void {
    const now = view.at(cell);
    for (const item of was) if (!now.includes(item)) this.#leaves(item, emptied);
    for (const item of now) if (!was.includes(item)) this.#comes(item, come);
  }

  #leaves(item: ViewItem, emptied: Emptied[]): void {
    if (isUnrendered(item)) return;
    if (isRaw(item)) {
      this.#rawLeaves(item, emptied);
      return;
    }
    const { ids, originals } = this.#says(item);
    for (const id of ids) if (--this.#said[id]! === 0) emptied.push({ id, item });
    for (const id of originals) this.#originals[id]!--;
  }

  // Of messages as they were recorded, which are most of what moves, only what is still asked about is counted.
  #rawLeaves(item: RawItem, emptied: Emptied[]): void {
    const { evidence } = this.#finder;
    const ids = evidence.askedOf(item.index);
    for (let nth = 0; nth < ids.length; nth++) {
      const id = ids[nth]!;
      if (evidence.lastUse(id) < this.#at) return;
      if (--this.#said[id]! === 0) emptied.push({ id, item });
      if (evidence.firstMessage(id) === item.index) this.#originals[id]!--;
    }
  }

  #comes(item: ViewItem, come: number[]): void {
    if (isUnrendered(item)) return;
    if (isRaw(item)) {
      this.#rawComes(item.index, come);
      return;
    }
    const { ids, originals } = this.#says(item);
    for (const id of ids) if (++this.#said[id]! === 1) come.push(id);
    for (const id of originals) this.#originals[id]!++;
  }

  #rawComes(index: number, come: number[]): void {
    const { evidence } = this.#finder;
    const ids = evidence.askedOf(index);
    for (let nth = 0; nth < ids.length; nth++) {
      const id = ids[nth]!;
      if (evidence.lastUse(id) < this.#at) return;
      if (++this.#said[id]! === 1) come.push(id);
      if (evidence.firstMessage(id) === index) this.#originals[id]!++;
    }
  }

  #lose(point: ReachedPoint, id: number, item: ViewItem | null): void {
    const { evidence } = this.#finder;
    const first = evidence.firstMessage(id);
    if (this.#said[id]! > 0 || evidence.lastUse(id) < point.at || first === null || first >= point.at) return;
    const index = item === null ? first : lostMessage(item);
    this.#losses[id] = index === null ? byStage(point, item) : this.#byFate(point, index);
  }

  #byFate(point: ReachedPoint, index: number): UseLoss {
    const fate = this.#fates.get(index) ?? fateAt(point.stages, index);
    this.#fates.set(index, fate);
    const { kind, stage, rule, reason } = fate;
    return { since: point.at, fate: kind, stage, stageTitle: titleOf(point, stage), rule, reason };
  }

  #says(item: ViewItem): ItemSays {
    const known = this.#known.get(item);
    if (known !== undefined) return known;
    const made = this.#madeSays(item);
    this.#known.set(item, made);
    return made;
  }

  #madeSays(item: ViewItem): ItemSays {
    const message = parseMessage(item.text ?? '');
    const { parts } = saidBy(message, readMessage(message).parts);
    const { evidence } = this.#finder;
    const ids = new Set<number>();
    const originals = new Set<number>();
    const add = (id: number, part: number): void => {
      ids.add(id);
      const { first } = evidence.at(id);
      if (first !== null && isOriginal(item, part, first)) originals.add(id);
    };
    for (const said of parts) {
      for (const [field] of placedFields(said)) evidence.hunt.search(field, (id) => add(id, said.at));
      for (const id of this.#resultsIn(item, said)) add(id, said.at);
    }
    return { ids: [...ids], originals: [...originals] };
  }

  // A result that is in an edited message as it was.
  #resultsIn(item: ViewItem, said: SaidPart): readonly number[] {
    return originOf(item, said.at).flatMap(({ message, part }) => {
      const results = this.#finder.evidence.resultsAt(message).filter(([, own]) => own === part);
      if (results.length === 0) return [];
      const raw = readSaid(this.#source, message).parts[part];
      const isWhole = raw !== undefined && normaliseSpace(textOfPart(raw)) === normaliseSpace(textOfPart(said));
      return isWhole ? results.map(([id]) => id) : [];
    });
  }
}

// The message that left, or the first of those that a message no one wrote stands for.
function lostMessage(item: ViewItem): number | null {
  if (item.kind === 'source') return item.index;
  return item.covers.from < item.covers.to ? item.covers.from : null;
}

function byStage(point: ReachedPoint, item: ViewItem | null): UseLoss {
  const stage = item?.kind === 'synthetic' ? item.stage : null;
  const title = titleOf(point, stage);
  const reason = `${title ?? 'the stage that put it in'} does not put it in here`;
  const rule = item?.kind === 'synthetic' ? (item.made?.rule ?? null) : null;
  return { since: point.at, fate: 'dropped', stage, stageTitle: title, rule, reason };
}

function titleOf({ stages }: ReachedPoint, position: number | null): string | null {
  if (position === null) return null;
  return stages.find(({ stage }) => stage.position === position)?.stage.title ?? null;
}
