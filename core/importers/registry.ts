import type { Problem } from '../model/problem.ts';
import { assert } from '../util/assert.ts';
import { err, ok, type Result } from '../util/result.ts';
import { asLines } from './sniff.ts';
import { canRead } from './trial.ts';
import type { Format, Sniff } from './types.ts';
import { unknownFile } from './unknownFile.ts';

/** A recognised format and what it was recognised by. */
export interface Detected {
  readonly format: Format;
  readonly why: string;
  /** The file is an array of what the format has in lines. */
  readonly asLines: boolean;
  /** It makes events of most of what is said in the head, or of all: a mapping may read the file better. */
  readonly isMisfit: boolean;
  /** Formats whose detection threw: `import.detection_failed`. */
  readonly faults: readonly Problem[];
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

  /**
   * The format of the highest score (of equal ones the first registered), or what the file is instead (see unknownFile).
   * A format that claims a file and makes events of most of what is said in its head is asked last. One whose detection
   * throws has the score 0, and is listed among `faults`; where nothing claims the file, in the problem's text.
   */
  detect(sniff: Sniff): Result<Detected, Problem> {
    const { claims, faults } = this.#claims(sniff);
    const rated = rate(claims, sniff);
    const [best] = rated;
    if (!best) return err(withFaults(unknownFile(sniff), faults));
    const scores = rated.map(({ format, score, why }) => ({ id: format.id, score, why }));
    return ok({ format: best.format, why: best.why, asLines: best.asLines, isMisfit: best.isMisfit, scores, faults });
  }

  /** A format chosen by its id, for a file that it need not know; undefined if there is none. */
  chosen(id: string, sniff: Sniff): Pick<Detected, 'format' | 'why' | 'asLines' | 'faults'> | undefined {
    const format = this.get(id);
    if (format === undefined) return undefined;
    try {
      const { score, asLines: isArray } = claimOf(format, sniff);
      return { format, why: 'chosen by the caller', asLines: score > 0 && isArray, faults: [] };
    } catch (error) {
      return { format, why: 'chosen by the caller', asLines: false, faults: [detectionFault(format, error)] };
    }
  }

  #claims(sniff: Sniff): { readonly claims: readonly Claim[]; readonly faults: readonly Problem[] } {
    const claims: Claim[] = [];
    const faults: Problem[] = [];
    for (const format of this.#formats) {
      try {
        const claim = claimOf(format, sniff);
        if (claim.score > 0) claims.push(claim);
      } catch (error) {
        faults.push(detectionFault(format, error));
      }
    }
    return { claims: claims.sort((a, b) => b.score - a.score), faults };
  }
}

interface Claim {
  readonly format: Format;
  readonly asLines: boolean;
  readonly score: number;
  readonly why: string;
  readonly isMisfit: boolean;
}

/** What is left of the score of a format that cannot read the file it claims. */
const MISFIT = 0.1;

/** A little less for lines in an array: a format that knows the array itself goes before. */
const AS_LINES = 0.98;

function claimOf(format: Format, sniff: Sniff): Claim {
  const own = format.detect(sniff);
  const lines = own.score > 0 ? null : asLines(sniff);
  const { score, why } = lines === null ? own : format.detect(lines);
  return lines === null
    ? { format, score, why, asLines: false, isMisfit: false }
    : { format, score: score * AS_LINES, why: `${why}, as elements of an array`, asLines: true, isMisfit: false };
}

// Only those before the first one that can read the file are tried.
function rate(claims: readonly Claim[], sniff: Sniff): readonly Claim[] {
  const misfits: Claim[] = [];
  for (const [at, claim] of claims.entries()) {
    if (canRead(claim.format, sniff, claim.asLines)) return [...claims.slice(at), ...misfits];
    const why = `${claim.why}, but most of what they say is not read`;
    misfits.push({ ...claim, score: claim.score * MISFIT, why, isMisfit: true });
  }
  return misfits;
}

function detectionFault({ id, title }: Format, error: unknown): Problem {
  const text = `The detection of ${title} (${id}) failed, which is a fault of this program: ${String(error)}. The other formats were asked.`;
  return { code: 'import.detection_failed', severity: 'warning', text };
}

function withFaults(problem: Problem, faults: readonly Problem[]): Problem {
  return { ...problem, text: [problem.text, ...faults.map(({ text }) => text)].join(' ') };
}
