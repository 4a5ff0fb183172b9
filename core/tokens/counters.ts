import { BpeCounter, type BpeWork } from './bpe.ts';
import { cl100kPieceEnd, o200kPieceEnd } from './split.ts';
import { type EncodingRanks, parseVocabulary } from './vocabulary.ts';

/** `estimate` is not a tokenizer: a quarter of the UTF-8 bytes, for text no vocabulary is known for. */
export type TokenizerId = 'o200k_base' | 'cl100k_base' | 'estimate';

/** All tokenizers, the default first. */
export const TOKENIZER_IDS: readonly TokenizerId[] = ['o200k_base', 'cl100k_base', 'estimate'];

/** Counts tokens of a text. `exact` says whether the count is the tokenizer's own or an estimate. */
export interface TokenCounter {
  readonly id: TokenizerId;
  readonly exact: boolean;
  /** Tokens of `text`, as ordinary text (special tokens are not recognised); 0 for the empty string. */
  count(text: string): number;
}

/** A counter by byte pair encoding; `work` says how much it has done. */
export interface EncodingCounter extends TokenCounter {
  readonly id: 'o200k_base' | 'cl100k_base';
  readonly exact: true;
  readonly work: BpeWork;
}

/** Whether an outside string names a tokenizer. */
export function isTokenizerId(value: string): value is TokenizerId {
  return TOKENIZER_IDS.some((id) => id === value);
}

/** Bytes of `text` in UTF-8 (a lone surrogate counts 3, as U+FFFD). */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    bytes += code < 0x800 ? 1 : 2;
    if (code < 0xd800 || code > 0xdbff) continue;
    const next = text.charCodeAt(i + 1);
    // A pair is 2 units and 4 bytes: the 2 added for its first unit are all there is to add.
    if (next >= 0xdc00 && next <= 0xdfff) i++;
  }
  return bytes;
}

/** The estimate: UTF-8 bytes / 4, rounded up. Never exact. */
export const ESTIMATE: TokenCounter = {
  id: 'estimate',
  exact: false,
  count: (text) => Math.ceil(utf8Length(text) / 4),
};

/** A counter over ranks at hand; {@link loadEncoding} is the usual way. */
export function createEncodingCounter(id: EncodingCounter['id'], ranks: EncodingRanks): EncodingCounter {
  const bpe = new BpeCounter(parseVocabulary(ranks), id === 'o200k_base' ? o200kPieceEnd : cl100kPieceEnd);
  return {
    id,
    exact: true,
    count: (text) => bpe.count(text),
    get work() {
      return bpe.work;
    },
  };
}

async function importRanks(id: EncodingCounter['id']): Promise<EncodingRanks> {
  const module =
    id === 'o200k_base' ? await import('js-tiktoken/ranks/o200k_base') : await import('js-tiktoken/ranks/cl100k_base');
  return module.default;
}

const loaded = new Map<EncodingCounter['id'], Promise<EncodingCounter>>();

/** Loads an encoding on first use (its rank module alone) and gives the same counter ever after. */
export function loadEncoding(id: EncodingCounter['id']): Promise<EncodingCounter> {
  const known = loaded.get(id);
  if (known) return known;
  const loading = importRanks(id).then((ranks) => createEncodingCounter(id, ranks));
  loaded.set(id, loading);
  // A failed import is not remembered: the next call tries again.
  loading.catch(() => loaded.delete(id));
  return loading;
}

/** The counter of any tokenizer, ready for synchronous use. */
export function loadCounter(id: TokenizerId): Promise<TokenCounter> {
  return id === 'estimate' ? Promise.resolve(ESTIMATE) : loadEncoding(id);
}
