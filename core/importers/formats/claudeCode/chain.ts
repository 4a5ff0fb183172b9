// One chain of messages (the main conversation, or one sub-agent's) on its way to the sink, in file order.
// An API answer is written as several lines, one block each, and results or other lines may stand between them. So
// messages are held from the oldest answer that may still grow, and let go when enough newer answers have begun.

import type { MessageMeta } from '../../../model/message.ts';
import type { ImportedEvent, Origin, TranscriptMeta } from '../../../model/transcript.ts';
import { elementSpans } from '../../slices.ts';
import type { ImportSink } from '../../types.ts';
import { defined, Extent } from '../shared.ts';

/** An answer is complete once this many newer ones have begun; measured: in real files no newer one ever had. */
export const OPEN_ANSWERS = 3;
/** A compaction names messages it preserved; so many of the newest uuids are remembered. */
const MAX_UUIDS = 5000;
/** However few answers begin, no more items than this are held. */
export const MAX_HELD = 2000;

/** One line's share of a message. */
export interface Piece {
  /** Exact JSON text of the content: an array of blocks or a string. */
  readonly contentText: string;
  readonly content: unknown;
  readonly origin: Origin;
  readonly meta: MessageMeta;
  readonly uuid: string | undefined;
}

type HeldEvent = Omit<ImportedEvent, 'at'>;

/** What a compaction record says of itself. */
export interface CompactionFacts {
  readonly trigger?: string;
  readonly preTokens?: number;
  readonly postTokens?: number;
  /** Uuids of the records kept beside the summary. */
  readonly preservedUuids?: readonly string[];
}

type Item =
  | { readonly kind: 'message'; readonly role: string; readonly joinKey: string | null; readonly pieces: Piece[] }
  | { readonly kind: 'event'; readonly event: HeldEvent }
  | { readonly kind: 'compaction'; readonly event: HeldEvent; readonly facts: CompactionFacts };

/** Holds back, joins and hands over. `late` is told of a block whose message had gone already. */
export class Chain {
  readonly key: string;
  readonly extent = new Extent();
  readonly #sink: ImportSink;
  readonly #start: TranscriptMeta;
  readonly #enter: (chain: Chain) => void;
  readonly #late: (origin: Origin) => void;
  #items: Item[] = [];
  readonly #open = new Map<string, Piece[]>();
  readonly #gone = new Set<string>();
  readonly #indexOfUuid = new Map<string, number>();
  #count = 0;

  constructor(
    key: string,
    start: TranscriptMeta,
    sink: ImportSink,
    enter: (chain: Chain) => void,
    late: (origin: Origin) => void,
  ) {
    this.key = key;
    this.#start = start;
    this.#sink = sink;
    this.#enter = enter;
    this.#late = late;
  }

  /** What is known of the transcript when it begins. */
  get start(): TranscriptMeta {
    return this.#start;
  }

  /** Adds a line's content: to the open message of that key, or as a new message. */
  message(role: string, joinKey: string | null, piece: Piece): void {
    this.extent.time(piece.meta.timestamp);
    this.extent.model(piece.meta.model);
    const open = joinKey === null ? undefined : this.#open.get(joinKey);
    if (open) {
      open.push(piece);
      return;
    }
    if (joinKey !== null && this.#gone.has(joinKey)) this.#late(piece.origin);
    const pieces = [piece];
    if (joinKey !== null) this.#open.set(joinKey, pieces);
    this.#items.push({ kind: 'message', role, joinKey, pieces });
    this.#release(OPEN_ANSWERS, MAX_HELD);
  }

  event(event: HeldEvent): void {
    this.#items.push({ kind: 'event', event });
    this.#release(OPEN_ANSWERS, MAX_HELD);
  }

  /** Nothing joins across a compaction: what is held goes, the boundary waits for the message after it. */
  compaction(event: HeldEvent, facts: CompactionFacts): void {
    this.flush();
    this.#items.push({ kind: 'compaction', event, facts });
  }

  /** Hands over all that is held. */
  flush(): void {
    this.#release(0, 0);
  }

  // Lets items go from the front: those that need not wait, and those that waited long enough.
  #release(openAllowed: number, heldAllowed: number): void {
    let next = 0;
    for (; next < this.#items.length; next++) {
      const item = this.#items[next];
      if (!item) break;
      const held = this.#items.length - next;
      const mayGrow = item.kind === 'message' && item.joinKey !== null && this.#open.size <= openAllowed;
      const lacksNext = item.kind === 'compaction' && !this.#messageAfter(next);
      if ((mayGrow || lacksNext) && held <= heldAllowed) break;
      this.#enter(this);
      this.#emit(item, next);
    }
    if (next > 0) this.#items = this.#items.slice(next);
  }

  #messageAfter(index: number): Extract<Item, { kind: 'message' }> | undefined {
    for (let i = index + 1; i < this.#items.length; i++) {
      const item = this.#items[i];
      if (item?.kind === 'message') return item;
    }
    return undefined;
  }

  #emit(item: Item, index: number): void {
    switch (item.kind) {
      case 'event':
        this.#sink.event({ ...item.event, at: this.#count });
        return;
      case 'compaction': {
        const summary = this.#messageAfter(index)?.pieces[0]?.meta.compactSummary === true;
        const at = this.#count;
        const { preservedUuids, ...facts } = item.facts;
        const preserved = preservedUuids && this.#indicesOf(preservedUuids);
        const found = defined({ summaryIndex: summary ? at : undefined, preserved });
        this.#sink.compaction({ ...item.event, at }, { at, ...facts, ...found });
        return;
      }
      case 'message': {
        if (item.joinKey !== null) {
          this.#open.delete(item.joinKey);
          this.#remember(item.joinKey);
        }
        const { text, value } = joinPieces(item.role, item.pieces);
        const origins = item.pieces.map((piece) => piece.origin);
        const index = this.#sink.message({ text, value, meta: joinMeta(item.pieces), origins });
        this.#count = index + 1;
        for (const piece of item.pieces) this.#rememberUuid(piece.uuid, index);
      }
    }
  }

  // One message per index, ascending; records outside this file are left out, and none at all is no statement.
  #indicesOf(uuids: readonly string[]): readonly number[] | undefined {
    const found = new Set(uuids.flatMap((uuid) => this.#indexOfUuid.get(uuid) ?? []));
    return found.size > 0 ? [...found].sort((a, b) => a - b) : undefined;
  }

  #rememberUuid(uuid: string | undefined, index: number): void {
    if (uuid === undefined) return;
    this.#indexOfUuid.set(uuid, index);
    if (this.#indexOfUuid.size <= MAX_UUIDS) return;
    for (const oldest of this.#indexOfUuid.keys()) {
      this.#indexOfUuid.delete(oldest);
      return;
    }
  }

  #remember(key: string): void {
    this.#gone.add(key);
    if (this.#gone.size <= 1000) return;
    for (const oldest of this.#gone) {
      this.#gone.delete(oldest);
      return;
    }
  }
}

/**
 * The message's JSON: `{"role":…,"content":…}`, the content exactly as in the line; of several lines, the blocks' own
 * texts in order, commas between, a bare string as a text block.
 */
export function joinPieces(role: string, pieces: readonly Piece[]): { readonly text: string; readonly value: unknown } {
  const head = `{"role":${JSON.stringify(role)},"content":`;
  const [first] = pieces;
  if (first && pieces.length === 1) {
    return { text: `${head}${first.contentText}}`, value: { role, content: first.content } };
  }
  const texts = pieces.flatMap((piece) => blockTexts(piece));
  const content = pieces.flatMap((piece): readonly unknown[] =>
    Array.isArray(piece.content) ? piece.content : [{ type: 'text', text: piece.content }],
  );
  return { text: `${head}[${texts.join(',')}]}`, value: { role, content } };
}

function blockTexts(piece: Piece): string[] {
  if (!Array.isArray(piece.content)) return [`{"type":"text","text":${piece.contentText}}`];
  if (piece.content.length === 1) return [piece.contentText.slice(1, -1).trim()];
  return elementSpans(piece.contentText, 0).map((span) => piece.contentText.slice(span.start, span.end));
}

// The last line has the final usage and stop reason (early lines carry partial output counts); the first has the time.
function joinMeta(pieces: readonly Piece[]): MessageMeta {
  const [first] = pieces;
  const merged: MessageMeta = Object.assign({}, ...pieces.map((piece) => piece.meta));
  return first?.meta.timestamp === undefined ? merged : { ...merged, timestamp: first.meta.timestamp };
}
