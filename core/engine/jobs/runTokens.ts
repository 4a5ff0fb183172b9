import { CATEGORIES } from '../../model/category.ts';
import type { MessageFacts } from '../../model/message.ts';
import { asOneWrite } from '../../store/database.ts';
import { type Library, type StoredSource, TranscriptChangedError } from '../../store/index.ts';
import type { TranscriptRow } from '../../store/types.ts';
import { categoryIndex } from '../../tokens/categories.ts';
import { loadCounter, type TokenCounter, type TokenizerId } from '../../tokens/counters.ts';
import type { ImageRule } from '../../tokens/images.ts';
import { modelFacts } from '../../tokens/models.ts';
import { countOverhead } from '../../tokens/overhead.ts';
import { partTokens } from '../../tokens/partTokens.ts';
import { modelOf } from '../session/transcriptModel.ts';
import { partTokensInSlices } from './sliceCount.ts';
import { othersTurn } from './turns.ts';

/** How far counting is. */
export interface TokensProgress {
  readonly messages: number;
  readonly total: number;
}

/** How a count ended. */
export interface TokensOutcome {
  /** Messages counted in this run, and those whose content had been counted before. */
  readonly counted: number;
  readonly known: number;
}

/** How counting is watched and stopped. */
export interface TokensOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: TokensProgress) => void;
  /** Lets others through, between two slices. */
  readonly others?: () => Promise<void>;
}

/** Messages written together, and what they may take before a batch is ended early. */
const BATCH_MESSAGES = 512;
const BATCH_CHARS = 500_000;
/** Messages of more characters are counted in slices. */
const LONG_CHARS = 500_000;
/** Characters counted before others get a turn: some ten milliseconds. */
const YIELD_CHARS = 50_000;

/**
 * Counts every part of a transcript under a tokenizer, in order, each content once however often it is in the
 * library. Starts where an earlier run ended. Null if there is no such transcript. Throws the signal's reason when
 * aborted; what is counted by then stays.
 */
export async function runTokens(
  library: Library,
  transcriptId: string,
  tokenizer: TokenizerId,
  options: TokensOptions = {},
): Promise<TokensOutcome | null> {
  const { signal = new AbortController().signal, onProgress = () => {}, others = othersTurn } = options;
  const counter = await loadCounter(tokenizer);
  for (;;) {
    const source = library.source(transcriptId);
    if (source === null) return null;
    const run = new TokenRun(library, source, counter, others);
    try {
      countOverheadOnce(library, source.row(), counter);
      while (!run.done) {
        await run.batch(signal);
        onProgress({ messages: run.at, total: source.length });
      }
      return run.outcome;
    } catch (error) {
      // The transcript went back or was amended while it was counted: what is counted by now fits or was taken back.
      const isChanged = library.get(transcriptId)?.revision !== source.row().revision;
      if (!isChanged || !(error instanceof TranscriptChangedError)) throw error;
    }
  }
}

/** System prompt and tools that are recorded apart from the messages: some ten milliseconds where there are many tools. */
function countOverheadOnce(library: Library, row: TranscriptRow, counter: TokenCounter): void {
  const { tokens, transcripts } = library.tables;
  const ids = transcripts.ids(row.id);
  if (ids === null || isOverheadCounted(library, row, counter.id)) return;
  const { images } = modelFacts(modelOf(row));
  const counts = tokens.beside(row.meta, counter.id, images) ?? countOverhead(row.meta, counter, images);
  tokens.putBeside(ids.id, row.meta, counter.id, images, counts);
}

/** Whether what is beside a transcript's messages is counted under a tokenizer, or there is nothing. */
export function isOverheadCounted(library: Library, row: TranscriptRow, tokenizer: TokenizerId): boolean {
  const { systemJson, toolsJson } = row.meta;
  if (systemJson === undefined && toolsJson === undefined) return true;
  const { tokens, transcripts } = library.tables;
  const ids = transcripts.ids(row.id);
  if (ids === null || !tokens.isBesideUsed(ids.id, row.meta)) return false;
  return tokens.beside(row.meta, tokenizer, modelFacts(modelOf(row)).images) !== null;
}

/** Counts of contents not yet written, by content id; `key` is what they are kept under. */
type Fresh = Map<number, { readonly key: string; readonly counts: Uint32Array<ArrayBuffer> }>;

class TokenRun {
  readonly #library: Library;
  readonly #source: StoredSource;
  readonly #counter: TokenCounter;
  readonly #images: ImageRule;
  readonly #others: () => Promise<void>;
  readonly #transcript: number;
  readonly #totals: number[];
  #counted = 0;
  #known = 0;
  /** The next message. */
  at: number;

  constructor(library: Library, source: StoredSource, counter: TokenCounter, others: () => Promise<void>) {
    this.#library = library;
    this.#source = source;
    this.#counter = counter;
    this.#others = others;
    this.#images = modelFacts(modelOf(source.row())).images;
    const ids = library.tables.transcripts.ids(source.id);
    if (ids === null) throw new Error(`transcript ${source.id} was removed`);
    this.#transcript = ids.id;
    const before = library.tokenTotals(counter.id).get(source.id);
    this.#totals = CATEGORIES.map((_, slot) => before?.byCategory[slot] ?? 0);
    this.at = before?.messages ?? 0;
  }

  get done(): boolean {
    return this.at >= this.#source.length;
  }

  get outcome(): TokensOutcome {
    return { counted: this.#counted, known: this.#known };
  }

  /** Counts some messages and writes them as one transaction. */
  async batch(signal: AbortSignal): Promise<void> {
    const first = this.at;
    const fresh: Fresh = new Map();
    const counts: number[] = [];
    let chars = 0;
    let sinceYield = 0;
    while (!this.done && this.at - first < BATCH_MESSAGES && chars < BATCH_CHARS) {
      const facts = this.#source.facts(this.at);
      const own = await this.#message(facts, fresh, signal);
      for (const [part, tokens] of own.entries()) this.#totals[categoryIndex(facts.parts[part]!.category)]! += tokens;
      counts.push(...own);
      const length = facts.parts.reduce((sum, part) => sum + part.chars, 0);
      chars += length;
      sinceYield += length;
      this.at++;
      if (sinceYield < YIELD_CHARS) continue;
      sinceYield = 0;
      await this.#others();
      signal.throwIfAborted();
    }
    await this.#others();
    signal.throwIfAborted();
    this.#write(first, Uint32Array.from(counts), fresh);
  }

  async #message(facts: MessageFacts, fresh: Fresh, signal: AbortSignal): Promise<Uint32Array> {
    const { tokens, messages } = this.#library.tables;
    const contentId = messages.contentOf(this.#transcript, this.at)?.id;
    if (contentId === undefined) throw new TranscriptChangedError(`message ${this.at} is gone`);
    // Numbers that hang on how a model charges for images are kept under that rule as well.
    const plain = this.#counter.id;
    const withImages = `${plain}+${this.#images}`;
    const known =
      fresh.get(contentId)?.counts ?? tokens.ofContent(plain, contentId) ?? tokens.ofContent(withImages, contentId);
    if (known !== null && known.length === facts.parts.length) {
      this.#known++;
      return known;
    }
    const message: unknown = JSON.parse(this.#source.text(this.at));
    const result = await this.#partTokens(message, facts, signal);
    const counts = Uint32Array.from(result.tokens);
    fresh.set(contentId, { key: result.images ? withImages : plain, counts });
    this.#counted++;
    return counts;
  }

  #partTokens(message: unknown, facts: MessageFacts, signal: AbortSignal) {
    const chars = facts.parts.reduce((sum, part) => sum + part.chars, 0);
    if (chars < LONG_CHARS) return partTokens(message, facts, this.#counter, this.#images);
    return partTokensInSlices(message, facts, this.#counter, this.#images, async () => {
      await this.#others();
      signal.throwIfAborted();
    });
  }

  #write(first: number, counts: Uint32Array<ArrayBuffer>, fresh: Fresh): void {
    const { db, tokens, transcripts } = this.#library.tables;
    const tokenizer = this.#counter.id;
    const { revision } = this.#source.row();
    asOneWrite(db, () => {
      if (transcripts.revision(this.#transcript) !== revision) throw new TranscriptChangedError('counted another one');
      for (const [contentId, { key, counts: own }] of fresh) tokens.putContent(key, contentId, own);
      tokens.putPage(this.#transcript, tokenizer, { first, count: this.at - first, counts });
      tokens.putTotals(this.#transcript, { tokenizer, messages: this.at, byCategory: this.#totals });
    });
  }
}
