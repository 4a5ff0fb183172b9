import type { OverheadCounts } from '../../model/overheadCounts.ts';
import type { StoredSource } from '../../store/types.ts';
import type { TokenizerId } from '../../tokens/counters.ts';
import type { ImageRule } from '../../tokens/images.ts';
import { countOverhead, QUICK_COUNT } from '../../tokens/overhead.ts';

/** What it needs of a transcript. */
export interface OverheadSource {
  row(): Pick<ReturnType<StoredSource['row']>, 'meta'>;
  overheadCounts: StoredSource['overheadCounts'];
}

const NONE: OverheadCounts = { system: 0, tools: 0 };

/**
 * Tokens of what a transcript records apart from its messages, under one tokenizer: read from the library once the job that
 * counts the transcript has put them there, a quarter of the characters before.
 */
export class OverheadTokens {
  readonly #source: OverheadSource;
  readonly #tokenizer: TokenizerId;
  readonly #images: ImageRule;
  #meta: ReturnType<StoredSource['row']>['meta'] | null = null;
  counts = NONE;
  /** False while `counts` are estimates. */
  counted = true;

  constructor(source: OverheadSource, tokenizer: TokenizerId, images: ImageRule) {
    this.#source = source;
    this.#tokenizer = tokenizer;
    this.#images = images;
    this.refresh();
  }

  /** Takes in counts that were made since, and what a transcript that grew records now. */
  refresh(): void {
    const { meta } = this.#source.row();
    if (meta === this.#meta && this.counted) return;
    const isNew = meta !== this.#meta;
    this.#meta = meta;
    if (meta.systemJson === undefined && meta.toolsJson === undefined) {
      this.counts = NONE;
      this.counted = true;
      return;
    }
    const known = this.#source.overheadCounts(this.#tokenizer, this.#images);
    this.counted = known !== null;
    if (known !== null) this.counts = known;
    else if (isNew) this.counts = countOverhead(meta, QUICK_COUNT, this.#images);
  }
}
