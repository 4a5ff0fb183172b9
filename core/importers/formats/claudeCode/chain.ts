// One chain of messages (the main conversation, or one sub-agent's) on its way to the sink, in file order.
// An API answer is written as several lines, one block each, and results or other lines may stand between them. So
// messages are held from the oldest answer that may still grow, and let go when enough newer answers have begun.

import type { ImportSink } from '../../../model/importSink.ts';
import type { MessageMeta } from '../../../model/message.ts';
import type { ImportedEvent, ImportedMessage, Origin, Spawn, TranscriptMeta } from '../../../model/transcript.ts';
import { type Move, ROOT } from '../../reading/branchPath.ts';
import { defined, Extent } from '../../reading/shared.ts';
import { elementSpans } from '../../reading/slices.ts';
import { Asides, endsExchange, type Queued } from './asides.ts';
import { knowing, type Placed, SessionTree } from './tree.ts';

/** An answer is complete once this many newer ones have begun; measured: in real files no newer one ever had. */
export const OPEN_ANSWERS = 3;
/** However few answers begin, no more items than this are held. */
export const MAX_HELD = 2000;

/** One line's share of a message. */
export interface Piece extends Placed {
  /** Exact JSON text of the content: an array of blocks or a string. */
  readonly contentText: string;
  readonly content: unknown;
  readonly meta: MessageMeta;
}

/** An event that waits for its place. */
export type HeldEvent = Omit<ImportedEvent, 'at'>;

/** What a compaction record says of itself. */
export interface CompactionFacts {
  readonly trigger?: string;
  readonly preTokens?: number;
  readonly postTokens?: number;
  /** Uuids of the records kept beside the summary. */
  readonly preservedUuids?: readonly string[];
}

/** What a micro-compaction says of itself: results that were emptied. */
export interface ClearedFacts {
  readonly trigger?: string;
  readonly preTokens?: number;
  readonly postTokens?: number;
  readonly clearedCallIds: readonly string[];
}

interface Held {
  readonly role: string;
  readonly joinKey: string | null;
  readonly node: number;
  readonly pieces: Piece[];
  handedOver: boolean;
}

type Item =
  | { readonly kind: 'message'; readonly message: Held }
  | { readonly kind: 'event'; readonly event: HeldEvent }
  | { readonly kind: 'cleared'; readonly event: HeldEvent; readonly facts: ClearedFacts }
  | { readonly kind: 'compaction'; readonly event: HeldEvent; readonly facts: CompactionFacts };

/** What a chain needs of its reader. */
export interface ChainOwner {
  /** Makes a transcript of the chain the one that is written: its own, or that of a branch. */
  enter(chain: Chain, key: string): void;
  /** A block whose message was complete. */
  late(chain: Chain, origin: Origin): void;
  /** What the chain's transcript is called. */
  titleOf(chain: Chain): string | undefined;
}

/** Holds back, joins and hands over. An answer that was handed over and then grows is amended. */
export class Chain {
  readonly key: string;
  readonly extent = new Extent();
  readonly tree: SessionTree;
  readonly #sink: ImportSink;
  readonly #start: TranscriptMeta;
  readonly #owner: ChainOwner;
  #items: Item[] = [];
  readonly #open = new Map<string, Held>();
  readonly #gone = new Set<string>();
  readonly #asides = new Asides();
  // Messages handed over.
  #count = 0;
  #changed = false;

  /** `branches` = the conversation may have been rewound; a sub-agent's is read as it comes. */
  constructor(key: string, start: TranscriptMeta, sink: ImportSink, owner: ChainOwner, branches: boolean) {
    this.key = key;
    this.tree = new SessionTree(key, branches);
    this.#start = start;
    this.#sink = sink;
    this.#owner = owner;
  }

  /** What is known of the transcript when it begins. */
  get start(): TranscriptMeta {
    return this.#start;
  }

  /** What is known of the transcript by now. */
  meta(): Partial<TranscriptMeta> {
    return { ...this.extent.meta(), ...defined({ title: this.#owner.titleOf(this) }) };
  }

  /** Adds a line's content: to the open message of that key, or as a new message, where the tree says it stands. */
  message(role: string, joinKey: string | null, piece: Piece): void {
    const open = joinKey === null ? undefined : this.#open.get(joinKey);
    if (open) {
      open.pieces.push(piece);
      this.tree.also(open.node, piece.uuid);
      if (open.handedOver) this.#amend(open);
      this.#see(piece);
      this.#asides.read(piece);
      return;
    }
    if (endsExchange(piece.kind)) this.#place(this.#asides.all());
    if (joinKey !== null && this.#gone.has(joinKey)) this.#owner.late(this, piece.origin);
    this.#add(role, joinKey, piece);
    this.#asides.read(piece);
    this.#place(this.#asides.answered());
  }

  /** Adds what the client put beside the conversation: behind the results of the calls before it, as it was sent. */
  aside(role: string, piece: Piece): void {
    this.#asides.hold({ role, piece });
    this.#place(this.#asides.answered());
  }

  /** Adds a text of the queue that was taken up, unless a record of its own says it before the next answer. */
  queued(piece: Piece, queued: Queued): void {
    this.#asides.hold({ role: 'user', piece, queued });
  }

  /** True if a text waits for a separate record: this is it, and what took it up an event. */
  claimQueued(text: string): boolean {
    const claimed = this.#asides.claim(text);
    if (claimed !== undefined) this.event(claimed.event);
    return claimed !== undefined;
  }

  #place(asides: readonly { readonly role: string; readonly piece: Piece }[]): void {
    for (const { role, piece } of asides) this.#add(role, null, piece);
  }

  // A new message, where the tree says it stands.
  #add(role: string, joinKey: string | null, piece: Piece): void {
    const { writing } = this.tree.path;
    const { move, node } = this.tree.place(piece, () => this.meta());
    if (move) this.#move(writing, move);
    this.#see(piece);
    const message = { role, joinKey, node, pieces: [piece], handedOver: false };
    if (joinKey !== null) this.#begin(joinKey, message);
    this.#items.push({ kind: 'message', message });
    this.#release(MAX_HELD);
  }

  #see({ meta }: Piece): void {
    this.#changed = true;
    this.extent.time(meta.timestamp);
    this.extent.model(meta.model);
  }

  event(event: HeldEvent): void {
    this.#changed = true;
    this.#items.push({ kind: 'event', event });
    this.#release(MAX_HELD);
  }

  /** Results were emptied; the conversation continues as it was. */
  cleared(event: HeldEvent, facts: ClearedFacts): void {
    this.#items.push({ kind: 'cleared', event, facts });
    this.#release(MAX_HELD);
  }

  /** Nothing joins across a compaction: what is held goes, the boundary waits for the message after it. */
  compaction(event: HeldEvent, facts: CompactionFacts): void {
    this.flush();
    this.#items.push({ kind: 'compaction', event, facts });
  }

  // The call may be in what both share: so the transcript itself knows of it too.
  spawn(spawn: Spawn): void {
    for (const key of new Set([this.key, this.tree.path.writing])) {
      this.#owner.enter(this, key);
      this.#sink.spawn(spawn);
    }
  }

  /** Hands over what is held as it stands; only a compaction keeps waiting for the message after it. */
  settle(): void {
    this.#release(0);
    if (!this.#changed || this.#count === 0 || !this.tree.path.isHome) return;
    this.#changed = false;
    this.#owner.enter(this, this.key);
    this.#sink.meta(this.meta());
  }

  /** Hands over all that is held, and makes the path of the last message the transcript. */
  end(): void {
    this.flush();
    const from = this.tree.path.writing;
    const known = this.meta();
    const move = this.tree.path.comeHome(true);
    if (move) this.#move(from, knowing(move, known));
    this.#owner.enter(this, this.key);
    this.#sink.meta(this.meta());
  }

  /** Hands over all that is held; nothing joins it any more. */
  flush(): void {
    this.#place(this.#asides.all());
    for (const joinKey of this.#open.keys()) this.#close(joinKey);
    this.#release(0, true);
  }

  #begin(joinKey: string, message: Held): void {
    this.#open.set(joinKey, message);
    if (this.#open.size <= OPEN_ANSWERS) return;
    for (const oldest of this.#open.keys()) {
      this.#close(oldest);
      return;
    }
  }

  #close(joinKey: string): void {
    this.#open.delete(joinKey);
    this.#gone.add(joinKey);
    if (this.#gone.size <= 1000) return;
    for (const oldest of this.#gone) {
      this.#gone.delete(oldest);
      return;
    }
  }

  // What is held comes before it, and goes where it belongs.
  #move(from: string, { key, rewind, count }: Move): void {
    this.#release(0, true, from);
    this.#owner.enter(this, key);
    if (rewind) this.#sink.rewind(rewind);
    this.#count = count;
  }

  // Lets items go from the front: those that need not wait, and those that waited long enough.
  #release(heldAllowed: number, all = false, key = this.tree.path.writing): void {
    let next = 0;
    for (; next < this.#items.length; next++) {
      const item = this.#items[next];
      if (!item) break;
      const held = this.#items.length - next;
      const { joinKey } = item.kind === 'message' ? item.message : { joinKey: null };
      const mayGrow = joinKey !== null && this.#open.has(joinKey) && held <= heldAllowed;
      const lacksNext = item.kind === 'compaction' && !all && held <= MAX_HELD && !this.#messageAfter(next);
      if (mayGrow || lacksNext) break;
      this.#owner.enter(this, key);
      this.#emit(item, next);
    }
    if (next > 0) this.#items = this.#items.slice(next);
  }

  #messageAfter(index: number): Held | undefined {
    for (let i = index + 1; i < this.#items.length; i++) {
      const item = this.#items[i];
      if (item?.kind === 'message') return item.message;
    }
    return undefined;
  }

  #emit(item: Item, index: number): void {
    const at = this.#count;
    if (item.kind === 'event') this.#sink.event({ ...item.event, at });
    else if (item.kind === 'cleared') {
      this.#sink.compaction({ ...item.event, at }, { kind: 'cleared', at, ...item.facts });
    } else if (item.kind === 'compaction') {
      const summary = this.#messageAfter(index)?.pieces[0]?.meta.compactSummary === true;
      const { preservedUuids, ...facts } = item.facts;
      const preserved = preservedUuids && this.#indicesOf(preservedUuids);
      const found = defined({ summaryIndex: summary ? at : undefined, preserved });
      this.#sink.compaction({ ...item.event, at }, { at, ...facts, ...found });
    } else {
      this.#sink.message(joined(item.message));
      item.message.handedOver = true;
      this.#count++;
    }
  }

  #amend(message: Held): void {
    const { path } = this.tree;
    this.#owner.enter(this, path.keyOf(message.node));
    this.#sink.amend(path.indexOf(message.node), joined(message));
  }

  // One message per index, ascending; records outside this file are left out, and none at all is not a statement.
  #indicesOf(uuids: readonly string[]): readonly number[] | undefined {
    const { path } = this.tree;
    const nodes = uuids.map((uuid) => this.tree.nodeOf(uuid) ?? ROOT);
    const found = new Set(
      nodes.filter((node) => node !== ROOT && path.isOnPath(node)).map((node) => path.indexOf(node)),
    );
    return found.size > 0 ? [...found].sort((a, b) => a - b) : undefined;
  }
}

function joined({ role, pieces }: Held): ImportedMessage {
  const { text, value } = joinPieces(role, pieces);
  return { text, value, meta: joinMeta(pieces), origins: pieces.map((piece) => piece.origin) };
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
