import type { Problem } from '../model/problem.ts';
import { assert } from '../util/assert.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { Detection, Format, Sniff } from './types.ts';
import { unknownFile } from './unknownFile.ts';

/** A recognised format and what it was recognised by. */
export interface Detected {
  readonly format: Format;
  readonly why: string;
  /** All formats that claimed the file, best first; for `parallax formats --explain` and tests. */
  readonly scores: readonly { readonly id: string; readonly score: number; readonly why: string }[];
}

/** The set of known formats. Refuses two of one id: that is a bug and throws. */
export class FormatRegistry {
  readonly #formats: readonly Format[];

  constructor(formats: readonly Format[]) {
    const ids = new Set<string>();
    for (const format of formats) {
      assert(!ids.has(format.id), `two transcript formats have the id "${format.id}"`);
      ids.add(format.id);
    }
    this.#formats = formats;
  }

  /** The formats in the order they were registered. */
  get all(): readonly Format[] {
    return this.#formats;
  }

  get(id: string): Format | undefined {
    return this.#formats.find((format) => format.id === id);
  }

  /** The format of the highest score (of equal ones the first registered), or what the file is instead (see unknownFile). */
  detect(sniff: Sniff): Result<Detected, Problem> {
    const scores = this.#formats
      .map((format) => ({ format, detection: format.detect(sniff) }))
      .filter(({ detection }) => detection.score > 0)
      .sort((a, b) => b.detection.score - a.detection.score);
    const best = scores[0];
    if (!best) return err(unknownFile(sniff));
    return ok({ format: best.format, why: best.detection.why, scores: scores.map(explain) });
  }
}

function explain({ format, detection }: { format: Format; detection: Detection }) {
  return { id: format.id, score: detection.score, why: detection.why };
}
