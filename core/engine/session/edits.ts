// What stages made of messages, read once: parts, tokens, canonical bytes. While a slider moves, most edits of one
// projection are those of the last; so the last two texts of each message are remembered.
import { CATEGORIES } from '../../model/category.ts';
import type { PartPlace } from '../../model/exchanges.ts';
import type { MessageFacts } from '../../model/message.ts';
import { readMessage } from '../../model/readMessage.ts';
import { scaled } from '../../tokens/calibrated.ts';
import { categoryIndex } from '../../tokens/categories.ts';
import type { TokenCounter } from '../../tokens/counters.ts';
import type { ImageRule } from '../../tokens/images.ts';
import { partTokens } from '../../tokens/partTokens.ts';
import { sameOrigins } from '../../view/origins.ts';
import { samePartsOf } from '../../view/sameParts.ts';
import type { Origins, ViewItem } from '../../view/types.ts';
import { type BulkSource, canonicalPiece, type EditedItem, hasText } from './prefixHasher.ts';
import { estimatePart, type TokenTable } from './tokenTable.ts';

/** An edited or synthetic message, read. */
export interface Edit {
  readonly text: string;
  readonly facts: MessageFacts;
  /** For each part the raw part that it is, where it is equal to it in content; null = none. */
  readonly sameAs: readonly (PartPlace | null)[];
  readonly origins: Origins | undefined;
  /** A comma and the canonical JSON; made when first asked for. */
  canonical: Uint8Array | null;
  /** By counter, once fully counted. (A WeakMap over edits cost more than all else at 20,000 edits.) */
  readonly tokens: Map<EditCounter, EditTokens>;
  /** Of an edit of several parts that is counted in pieces: the parts counted so far, by counter. */
  begun: Map<EditCounter, Map<number, number>> | null;
}

/** Tokens of an edit under one tokenizer. */
export interface EditTokens {
  readonly parts: readonly number[];
  readonly byCategory: readonly number[];
  /** False if a part is estimated that could be counted. */
  readonly counted: boolean;
}

const NO_EDITS: readonly Edit[] = [];

const REMEMBERED_CHARS = 64_000_000;

/** Reads edits of one transcript. */
export class EditReader {
  readonly #source: BulkSource;
  readonly #byIndex = new Map<number, readonly Edit[]>();
  readonly #synthetic = new Map<string, Edit>();
  #chars = 0;

  constructor(source: BulkSource) {
    this.#source = source;
  }

  /** The edit an item holds. */
  read(item: EditedItem): Edit {
    if (item.kind === 'synthetic') {
      const key = item.origins === undefined ? item.text : `${JSON.stringify(item.origins)} ${item.text}`;
      return this.#synthetic.get(key) ?? this.#remember(this.#synthetic, key, readEdit(item, this.#source));
    }
    const known = this.#byIndex.get(item.index) ?? NO_EDITS;
    for (const edit of known) if (edit.text === item.text && sameOrigins(edit.origins, item.origins)) return edit;
    const edit = readEdit(item, this.#source);
    this.#remember(this.#byIndex, item.index, [edit, ...known.slice(0, 1)], edit.text.length);
    return edit;
  }

  /** The same of any item: what a stage emptied has no text. */
  ofItem(item: ViewItem): Edit {
    return this.read(hasText(item) ? item : { ...item, text: '' });
  }

  /** A comma and the item's canonical JSON, as the prefix hash takes them in. */
  canonical(item: EditedItem): Uint8Array {
    const edit = this.read(item);
    edit.canonical ??= canonicalPiece(item.text);
    return edit.canonical;
  }

  /** Forgets the canonical bytes: they are made again from the texts. */
  dropCanonical(): void {
    for (const edits of this.#byIndex.values()) for (const edit of edits) edit.canonical = null;
    for (const edit of this.#synthetic.values()) edit.canonical = null;
  }

  #remember<K, V>(map: Map<K, V>, key: K, value: V, chars = 0): V {
    this.#chars += chars;
    if (this.#chars > REMEMBERED_CHARS) {
      this.#byIndex.clear();
      this.#synthetic.clear();
      this.#chars = chars;
    }
    map.set(key, value);
    return value;
  }
}

function readEdit(item: EditedItem, source: BulkSource): Edit {
  const { text, origins } = item;
  const message: unknown = JSON.parse(text);
  const facts = readMessage(message);
  const sameAs = samePartsOf(item, message, facts, source);
  return { text, facts, sameAs, origins, canonical: null, tokens: new Map(), begun: null };
}

/** Characters that may still be counted in one go; an object, because it is spent. */
export interface Allowance {
  chars: number;
}

/** An edit's message: an estimate does not read it. */
interface ReadMessage {
  message: unknown;
}

/** Counts edits under one tokenizer. Counting is bounded: beyond its allowance a call estimates. */
export class EditCounter {
  readonly #table: TokenTable;
  readonly #images: ImageRule;
  #counter: TokenCounter | null = null;

  constructor(table: TokenTable, images: ImageRule) {
    this.#table = table;
    this.#images = images;
  }

  /** From now on parts are counted. */
  use(counter: TokenCounter): void {
    this.#counter = counter;
  }

  get ready(): boolean {
    return this.#counter !== null;
  }

  /** Tokens of an edit. The allowance goes down with every part counted again. */
  tokens(edit: Edit, allowance: Allowance): EditTokens {
    const known = edit.tokens.get(this);
    if (known) return known;
    const read: ReadMessage = { message: undefined };
    const byCategory: number[] = CATEGORIES.map(() => 0);
    let counted = true;
    const parts = edit.facts.parts.map((part, at) => {
      const figure = this.#part(read, edit, at, allowance);
      if (!figure.counted) counted = false;
      byCategory[categoryIndex(part.category)]! += figure.tokens;
      return figure.tokens;
    });
    const tokens = { parts, byCategory, counted };
    if (!counted) return tokens;
    edit.tokens.set(this, tokens);
    edit.begun?.delete(this);
    return tokens;
  }

  #part(read: ReadMessage, edit: Edit, at: number, allowance: Allowance) {
    const part = edit.facts.parts[at]!;
    const same = edit.sameAs[at] ?? null;
    if (same !== null) return this.#table.part(same.message, same.part);
    const known = edit.begun?.get(this)?.get(at);
    if (known !== undefined) return { tokens: known, counted: true };
    if (!this.#counter || allowance.chars <= 0) {
      return { tokens: estimatePart(part, this.#images, this.#table.factor), counted: false };
    }
    // A part costs something however short it is.
    allowance.chars -= part.chars + 64;
    read.message ??= JSON.parse(edit.text);
    const one = partTokens(read.message, { ...edit.facts, parts: [part] }, this.#counter, this.#images);
    const tokens = scaled(one.tokens[0] ?? 0, this.#table.factor);
    if (edit.facts.parts.length > 1) this.#remember(edit, at, tokens);
    return { tokens, counted: true };
  }

  #remember(edit: Edit, at: number, tokens: number): void {
    edit.begun ??= new Map();
    const parts = edit.begun.get(this);
    if (parts) parts.set(at, tokens);
    else edit.begun.set(this, new Map([[at, tokens]]));
  }
}
