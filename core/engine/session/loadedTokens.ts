import type { TranscriptMeta, TranscriptSource } from '../../model/transcript.ts';
import { LoadedTools } from '../../projection/loadedTools.ts';
import { scaled } from '../../tokens/calibrated.ts';
import type { TokenCounter } from '../../tokens/counters.ts';

/** What it needs of a transcript. */
export interface LoadingSource extends Pick<TranscriptSource, 'length' | 'facts' | 'text' | 'systemMessages'> {
  row(): { readonly meta: Pick<TranscriptMeta, 'toolsJson'> };
}

/** Tools that messages of an open transcript load, counted under one tokenizer; as estimates before it is there. */
export class LoadedTokens {
  readonly #source: LoadingSource;
  readonly #factor: number;
  #made: {
    readonly toolsJson: string | undefined;
    readonly counter: TokenCounter;
    readonly tools: LoadedTools;
  } | null = null;

  constructor(source: LoadingSource, factor: number) {
    this.#source = source;
    this.#factor = factor;
  }

  /** As the transcript is now. */
  by(counter: TokenCounter): LoadedTools {
    const { toolsJson } = this.#source.row().meta;
    const isKnown = this.#made !== null && this.#made.toolsJson === toolsJson && this.#made.counter === counter;
    if (this.#made === null || !isKnown) {
      const count = (text: string): number => scaled(counter.count(text), this.#factor);
      this.#made = { toolsJson, counter, tools: new LoadedTools(toolsJson, count) };
    }
    return this.#made.tools.read(this.#source);
  }
}
