// The state of a text from call point to call point: only items that came into the view, changed or left it are searched.
import type { ReachedPoint } from '../../projection/allCallPoints.ts';
import type { LiveView } from '../../view/liveView.ts';
import { isUnrendered } from '../../view/tokens.ts';
import type { ViewItem } from '../../view/types.ts';
import { isOriginal } from './origin.ts';
import { type MessageHits, NO_HITS, type RawHits, searchMessage, type TextQuery } from './search.ts';
import type { TextState } from './types.ts';

/** Fewer anchors than this prove nothing. */
export const ANCHORS_LEAST = 3;

/** What is known of a text before its states are followed. */
export interface FollowedText {
  readonly query: TextQuery;
  readonly raw: RawHits;
  /** What is in front of the messages says it. */
  readonly inFront: boolean;
  /** The anchors of the query's finder that prove something. */
  readonly anchors: ReadonlySet<number>;
  /** Those that are in front of the messages. */
  readonly anchorsInFront: readonly number[];
}

/** Items that say the text, by what became of them in one step. */
interface Moved {
  readonly lost: ViewItem[];
  readonly come: Set<ViewItem>;
}

/** Give it every call point of a walk, in order. */
export class TextFollower {
  readonly #text: FollowedText;
  readonly #known = new WeakMap<ViewItem, MessageHits>();
  /** Cells with an item that says the text. */
  readonly #cells = new Set<number>();
  /** How many items name each anchor. */
  readonly #named: number[];
  #said = 0;
  #originals = 0;
  #lost: readonly ViewItem[] = [];

  constructor(text: FollowedText) {
    this.#text = text;
    this.#named = new Array<number>(text.query.finder?.anchors.length ?? 0).fill(0);
    for (const anchor of text.anchorsInFront) this.#count(anchor, 1);
  }

  /** Searches what is new at a call point, so that taking it is quick. Pauses between items. */
  *look({ view }: ReachedPoint): Generator<void, void, void> {
    for (const cell of view.changed.keys()) {
      for (const item of view.at(cell)) {
        if (item.text === undefined || this.#known.has(item)) continue;
        this.hits(item);
        yield;
      }
    }
  }

  /** The state at the call point reached. */
  take({ at, view }: ReachedPoint): TextState {
    const lost: ViewItem[] = [];
    const come = new Set<ViewItem>();
    for (const [cell, before] of view.changed) this.#moveOn(view, cell, before, { lost, come });
    this.#lost = lost.filter((item) => !come.has(item));
    if (this.#originals > 0) return 'original';
    if (this.#said > 0 || this.#text.inFront) return 'elsewhere';
    const { first } = this.#text.raw;
    if (first === null || at <= first.message) return 'not_yet';
    return this.#isPartly() ? 'partly' : 'gone';
  }

  /** The items that said the text at the call point before and are not at this one. */
  get lost(): readonly ViewItem[] {
    return this.#lost;
  }

  /** The items that say it, in the order of the request. */
  saying(view: LiveView): readonly ViewItem[] {
    const cells = [...this.#cells].sort((a, b) => a - b);
    return cells.flatMap((cell) => view.at(cell).filter((item) => this.hits(item).parts.length > 0));
  }

  /** What an item says of it. */
  hits(item: ViewItem): MessageHits {
    if (isUnrendered(item)) return NO_HITS;
    if (item.kind === 'source' && item.text === undefined) return this.#text.raw.messages.get(item.index) ?? NO_HITS;
    const known = this.#known.get(item);
    if (known !== undefined) return known;
    const found = searchMessage(item.text ?? '', null, this.#text.query);
    this.#known.set(item, found);
    return found;
  }

  /** True if the request names an anchor. */
  names(anchor: number): boolean {
    return (this.#named[anchor] ?? 0) > 0;
  }

  #moveOn(view: LiveView, cell: number, before: readonly ViewItem[], { lost, come }: Moved): void {
    const now = view.at(cell);
    for (const item of before) if (!now.includes(item) && this.#add(item, -1)) lost.push(item);
    for (const item of now) if (!before.includes(item) && this.#add(item, 1)) come.add(item);
    if (now.some((item) => this.hits(item).parts.length > 0)) this.#cells.add(cell);
    else this.#cells.delete(cell);
  }

  #add(item: ViewItem, by: 1 | -1): boolean {
    const hits = this.hits(item);
    for (const anchor of hits.anchors) this.#count(anchor, by);
    if (hits.parts.length === 0) return false;
    this.#said += by;
    const { first } = this.#text.raw;
    if (first !== null && hits.parts.some(({ part }) => isOriginal(item, part, first))) this.#originals += by;
    return true;
  }

  #count(anchor: number, by: number): void {
    this.#named[anchor] = (this.#named[anchor] ?? 0) + by;
  }

  #isPartly(): boolean {
    const { anchors } = this.#text;
    if (anchors.size < ANCHORS_LEAST) return false;
    for (const anchor of anchors) if (this.names(anchor)) return true;
    return false;
  }
}
