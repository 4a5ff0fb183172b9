import { LINEAGE_EVENTS, projectionEvents } from '../../model/lineage.ts';
import type { MessageFacts, MessageMeta } from '../../model/message.ts';
import type { OverheadCounts } from '../../model/overheadCounts.ts';
import type { SummaryArtifact } from '../../model/summary.ts';
import type { Origin, PlacedCompaction, ProjectionEvent } from '../../model/transcript.ts';
import { DamagedContentError } from '../library/storeProblem.ts';
import type { Tables } from '../tables.ts';
import type { AssetPlace, PartTokens, StoredEvent, StoredRecord, StoredSource, TranscriptRow } from '../types.ts';
import { digestFacts, type FactsDigest, FactsUnpacker, SYSTEM } from './factsCodec.ts';
import { TextCache } from './textCache.ts';
import { TokenColumn } from './tokenColumn.ts';
import { fromBlob } from './tokens.ts';
import type { TranscriptIds } from './transcripts.ts';

/** Texts held at once, in characters (one byte each for Latin-1 texts, else two). */
const TEXT_CACHE_CHARS = 32 * 1024 * 1024;
/** Steps of up to this many messages count as reading in order (results, each with its call): it fetches ahead. */
const NEAR = 8;
const AHEAD_MESSAGES = 64;
const AHEAD_CHARS = 512 * 1024;
/** Messages whose facts are held at once: about 250 bytes each. */
const FACTS_HELD = 400_000;
const META_PAGES_HELD = 64;
const NO_CALLS: readonly string[] = [];
const NO_LINEAGE = { events: [], seen: 0 };
const NO_DIGEST: FactsDigest = { roles: new Uint8Array(0), sizes: new Uint32Array(0), cacheMarks: new Map() };

interface Page {
  readonly id: number;
  readonly first: number;
  readonly count: number;
}

/** The transcript went back, was amended or removed since it was last refreshed; what was asked for is gone. */
export class TranscriptChangedError extends Error {}

/** A transcript read from the library on demand. Caches are bounded but for what 4 to 8 bytes a message hold. */
export class StoredTranscript implements StoredSource {
  readonly id: string;
  revision = 0;
  #ids: TranscriptIds;
  readonly #tables: Tables;
  readonly #texts = new TextCache(TEXT_CACHE_CHARS);
  readonly #unpacker = new FactsUnpacker();
  readonly #facts = new Map<Page, readonly MessageFacts[]>();
  readonly #metas = new Map<Page, readonly MessageMeta[]>();
  readonly #tokens = new Map<string, TokenColumn>();
  #row: TranscriptRow;
  #pages: Page[] = [];
  #factsHeld = 0;
  #partCounts = new Uint32Array(0);
  #prefix: Uint32Array<ArrayBuffer> | null = null;
  #digest: FactsDigest = NO_DIGEST;
  #lastRead = -1;
  #compactions: readonly PlacedCompaction[] | null = null;
  #summaries: readonly SummaryArtifact[] | null = null;
  #lineage: { readonly events: readonly StoredEvent[]; readonly seen: number } = NO_LINEAGE;
  #projections: readonly ProjectionEvent[] | null = null;

  constructor(tables: Tables, ids: TranscriptIds, row: TranscriptRow) {
    this.#tables = tables;
    this.#ids = ids;
    this.#row = row;
    this.id = row.id;
    this.#readNewPages();
  }

  /** Opens a transcript by its public id; null if there is none. */
  static open(tables: Tables, uid: string): StoredTranscript | null {
    return tables.snapshot(() => {
      const ids = tables.transcripts.ids(uid);
      const row = tables.transcripts.get(uid);
      return ids === null || row === null ? null : new StoredTranscript(tables, ids, row);
    });
  }

  get length(): number {
    return this.#partCounts.length;
  }

  get summary(): string | null {
    return this.#row.meta.summary ?? null;
  }

  row(): TranscriptRow {
    return this.#row;
  }

  compactions(): readonly PlacedCompaction[] {
    this.#compactions ??= this.#tables.events.recorded(this.#ids.id);
    return this.#compactions;
  }

  projections(): readonly ProjectionEvent[] {
    this.#projections ??= projectionEvents(this.lineage());
    return this.#projections;
  }

  lineage(): readonly StoredEvent[] {
    const { id, source } = this.#ids;
    const { events, seen } = this.#lineage;
    const total = this.#row.counts.events;
    if (seen === total) return events;
    // Of a file that grows only what came since is read.
    const fresh = this.#tables.events.ofKindsFrom(id, source, LINEAGE_EVENTS, seen);
    const all = fresh.length === 0 ? events : [...events, ...fresh];
    this.#lineage = { events: all, seen: total };
    return all;
  }

  summaries(): readonly SummaryArtifact[] {
    this.#summaries ??= this.#readSummaries();
    return this.#summaries;
  }

  #readSummaries(): readonly SummaryArtifact[] {
    const written = this.#tables.summaries
      .list(this.id)
      .filter(({ state }) => state === 'here' || state === 'moved')
      .map(({ from, to, content, version, origin }) => ({ from, to, content, version, origin }));
    const brought = this.#row.meta.bundle?.summaries ?? [];
    return brought.length === 0
      ? written
      : [...brought, ...written].sort((a, b) => a.to - b.to || a.version - b.version);
  }

  forgetSummaries(): void {
    this.#summaries = null;
  }

  refresh(): boolean {
    return this.#tables.snapshot(() => {
      const ids = this.#tables.transcripts.ids(this.id);
      const row = this.#tables.transcripts.get(this.id);
      if (ids === null || row === null) return false;
      const changed = row.state !== this.#row.state;
      const rewritten = row.revision !== this.#row.revision || ids.id !== this.#ids.id;
      if (row.counts.compactions !== this.#row.counts.compactions) this.#compactions = null;
      if (row.counts.events !== this.#row.counts.events) this.#projections = null;
      if (row.counts.events < this.#lineage.seen) this.#lineage = NO_LINEAGE;
      this.#row = row;
      this.#ids = ids;
      if (rewritten) this.#forget();
      const grew = this.#readNewPages();
      // A span that was gone may be there again.
      if (grew) this.#summaries = null;
      return grew || changed || rewritten;
    });
  }

  facts(index: number): MessageFacts {
    const page = this.#pageOf(index);
    let facts = this.#facts.get(page);
    if (facts === undefined) {
      facts = this.#unpacker.unpack(this.#asOpened(index, this.#tables.messages.pageFacts(page.id)));
      this.#factsHeld += page.count;
      this.#facts.set(page, facts);
      for (const oldest of this.#facts.keys()) {
        if (this.#factsHeld <= FACTS_HELD || oldest === page) break;
        this.#facts.delete(oldest);
        this.#factsHeld -= oldest.count;
      }
    }
    return facts[index - page.first] ?? this.#gone(index);
  }

  text(index: number): string {
    this.#check(index);
    const known = this.#texts.get(index);
    const inOrder = Math.abs(index - this.#lastRead) <= NEAR;
    this.#lastRead = index;
    if (known !== undefined) return known;
    const [text, ...ahead] = this.#read(index, inOrder ? AHEAD_MESSAGES : 1);
    if (text === undefined) return this.#gone(index);
    for (const [i, next] of ahead.entries()) this.#texts.put(index + 1 + i, next);
    this.#texts.put(index, text);
    return text;
  }

  dropTexts(): void {
    this.#texts.clear();
  }

  texts(from: number, to: number): readonly string[] {
    const texts: string[] = [];
    for (let i = from; i < to; i++) {
      if (!this.#texts.has(i)) this.#lastRead = i - 1;
      texts.push(this.text(i));
    }
    return texts;
  }

  meta(index: number): MessageMeta {
    const page = this.#pageOf(index);
    let metas = this.#metas.get(page);
    if (metas === undefined) {
      metas = this.#asOpened(index, this.#tables.messages.pageMeta(page.id));
      this.#metas.set(page, metas);
      const oldest = this.#metas.keys().next();
      if (this.#metas.size > META_PAGES_HELD && !oldest.done) this.#metas.delete(oldest.value);
    }
    return metas[index - page.first] ?? this.#gone(index);
  }

  mayRecordUsage(): boolean {
    return this.#tables.messages.mayRecordUsage(this.#ids.id);
  }

  failedCallIds(index: number): readonly string[] {
    return this.meta(index).failedCallIds ?? NO_CALLS;
  }

  partCounts(): Uint32Array {
    return this.#partCounts;
  }

  partPrefix(): Uint32Array {
    if (this.#prefix !== null) return this.#prefix;
    const prefix = new Uint32Array(this.length + 1);
    for (let i = 0; i < this.length; i++) prefix[i + 1] = prefix[i]! + this.#partCounts[i]!;
    this.#prefix = prefix;
    return prefix;
  }

  digest(): FactsDigest {
    const from = this.#digest.roles.length;
    if (from === this.length) return this.#digest;
    const prefix = this.partPrefix();
    const cacheMarks = new Map(this.#digest.cacheMarks);
    const digest = { roles: new Uint8Array(this.length), sizes: new Uint32Array(prefix[this.length]!), cacheMarks };
    digest.roles.set(this.#digest.roles);
    digest.sizes.set(this.#digest.sizes);
    for (let at = from; at < this.length; ) {
      const { id, first, count } = this.#pageOf(at);
      digestFacts(this.#asOpened(at, this.#tables.messages.pageFacts(id)), digest, first, prefix[first]!);
      at = first + count;
    }
    this.#digest = digest;
    return digest;
  }

  systemMessages(): readonly number[] {
    const found: number[] = [];
    for (const [index, flags] of this.digest().roles.entries()) if ((flags & SYSTEM) !== 0) found.push(index);
    return found;
  }

  contentHash(index: number): string {
    return this.#content(index).hash.toString('hex');
  }

  origins(index: number): readonly Origin[] {
    const page = this.#pageOf(index);
    return this.#asOpened(index, this.#tables.messages.pageOrigins(page.id))[index - page.first] ?? this.#gone(index);
  }

  records(index: number): readonly StoredRecord[] {
    const found: StoredRecord[] = [];
    for (const origin of this.origins(index)) {
      const json = this.#tables.records.text(this.#ids.source, origin);
      if (json !== null) found.push({ origin, json });
    }
    return found;
  }

  assets(index: number): readonly AssetPlace[] {
    return this.#tables.assets.places(this.#content(index).id);
  }

  tokenCounts(index: number, tokenizer: string): PartTokens | null {
    this.#check(index);
    return this.#column(tokenizer).of(index, this.partPrefix());
  }

  overheadCounts(tokenizer: string, images: string): OverheadCounts | null {
    return this.#tables.tokens.beside(this.#row.meta, tokenizer, images);
  }

  refreshTokens(tokenizer: string): void {
    const column = this.#column(tokenizer);
    column.add(this.#tables.tokens.pages(this.#ids.id, tokenizer, column.end));
  }

  #column(tokenizer: string): TokenColumn {
    let column = this.#tokens.get(tokenizer);
    if (column === undefined) {
      column = new TokenColumn();
      this.#tokens.set(tokenizer, column);
      column.add(this.#tables.tokens.pages(this.#ids.id, tokenizer, 0));
    }
    return column;
  }

  #content(index: number) {
    this.#check(index);
    return this.#asOpened(index, this.#tables.messages.contentOf(this.#ids.id, index));
  }

  /**
   * What was just read, unless the transcript went back or was amended since it was last refreshed: in the place of what
   * was asked for something else may stand by then.
   */
  #asOpened<T>(index: number, read: T | null): T {
    const { revision } = this.#row;
    return read === null || this.#tables.transcripts.revision(this.#ids.id) !== revision ? this.#gone(index) : read;
  }

  /** What was there when it was last refreshed is there no more. Without a reason for that the library is damaged. */
  #gone(index: number): never {
    const { transcripts } = this.#tables;
    const isHere = transcripts.ids(this.id)?.id === this.#ids.id;
    if (isHere && transcripts.revision(this.#ids.id) === this.#row.revision) {
      throw new DamagedContentError(`message ${index} of ${this.id} is missing in the library`);
    }
    throw new TranscriptChangedError(`message ${index} of ${this.id} is no longer in the library as it was`);
  }

  #forget(): void {
    this.revision++;
    this.#compactions = null;
    this.#summaries = null;
    this.#projections = null;
    this.#lineage = NO_LINEAGE;
    this.#texts.clear();
    this.#facts.clear();
    this.#factsHeld = 0;
    this.#metas.clear();
    this.#tokens.clear();
    this.#pages = [];
    this.#partCounts = new Uint32Array(0);
    this.#prefix = null;
    this.#digest = NO_DIGEST;
  }

  #read(index: number, limit: number): string[] {
    return this.#asOpened(index, this.#tables.messages.texts(this.#ids.id, index, limit, AHEAD_CHARS));
  }

  #check(index: number): void {
    if (Number.isInteger(index) && index >= 0 && index < this.length) return;
    throw new RangeError(`there is no message ${index}: the transcript has ${this.length}`);
  }

  #pageOf(index: number): Page {
    this.#check(index);
    let low = 0;
    let high = this.#pages.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#pages[middle]!.first <= index) low = middle;
      else high = middle - 1;
    }
    return this.#pages[low]!;
  }

  #readNewPages(): boolean {
    const heads = this.#tables.messages.pageHeads(this.#ids.id, this.length);
    if (heads.length === 0) return false;
    const added = heads.reduce((sum, head) => sum + head.count, 0);
    const counts = new Uint32Array(this.length + added);
    counts.set(this.#partCounts);
    for (const { id, first, count, partCounts } of heads) {
      counts.set(fromBlob(partCounts), first);
      this.#pages.push({ id, first, count });
    }
    this.#partCounts = counts;
    this.#prefix = null;
    return true;
  }
}
