import type { Problem } from '../model/problem.ts';
import { assert } from '../util/assert.ts';
import { err, ok, type Result } from '../util/result.ts';
import { canRead } from './trial.ts';
import type { Format, Sniff } from './types.ts';
import { unknownFile } from './unknownFile.ts';

/** A recognised format and what it was recognised by. */
export interface Detected {
  readonly format: Format;
  readonly why: string;
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
   * throws has the score 0, and is told among `faults`; where nothing claims the file, in the problem's text.
   */
  detect(sniff: Sniff): Result<Detected, Problem> {
    const { claims, faults } = this.#claims(sniff);
    const rated = rate(claims, sniff);
    const [best] = rated;
    if (!best) return err(withFaults(unknownFile(sniff), faults));
    const scores = rated.map(({ format, score, why }) => ({ id: format.id, score, why }));
    return ok({ format: best.format, why: best.why, isMisfit: best.isMisfit, scores, faults });
  }

  #claims(sniff: Sniff): { readonly claims: readonly Claim[]; readonly faults: readonly Problem[] } {
    const claims: Claim[] = [];
    const faults: Problem[] = [];
    for (const format of this.#formats) {
      try {
        const { score, why } = format.detect(sniff);
        if (score > 0) claims.push({ format, score, why, isMisfit: false });
      } catch (error) {
        faults.push(detectionFault(format, error));
      }
    }
    return { claims: claims.sort((a, b) => b.score - a.score), faults };
  }
}

interface Claim {
  readonly format: Format;
  readonly score: number;
  readonly why: string;
  readonly isMisfit: boolean;
}

/** What is left of the score of a format that cannot read the file it claims. */
const MISFIT = 0.1;

// Only those before the first one that can read the file are tried.
function rate(claims: readonly Claim[], sniff: Sniff): readonly Claim[] {
  const misfits: Claim[] = [];
  for (const [at, claim] of claims.entries()) {
    if (canRead(claim.format, sniff)) return [...claims.slice(at), ...misfits];
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
