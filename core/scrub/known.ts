// Values found once are looked for everywhere: a password that was assigned in one message and printed bare in another.
import { kindGroup } from './kinds.ts';
import { charKinds, isWordy } from './shapes.ts';
import type { Detector, Found, Hit } from './types.ts';

const RUN = /[A-Za-z0-9]+/g;
/** Shorter values are words as often as not. Unit: characters. */
const SHORTEST_SECRET = 8;
const SHORTEST_NAME = 4;

interface Known {
  readonly value: string;
  readonly kind: string;
}

/** Values to look for; found by their first run of letters and digits, in one pass over a text however many there are. */
export class KnownValues {
  readonly #byRun = new Map<string, Known[]>();
  readonly #seen = new Set<string>();

  /** Takes in what was found, if it is not a word of the language. */
  add({ kind, tier, value }: Pick<Found, 'kind' | 'tier' | 'value'>): void {
    if (tier !== 'definite' || this.#seen.has(value) || !isDistinct(kind, value)) return;
    const run = /[A-Za-z0-9]+/.exec(value)?.[0];
    if (run === undefined) return;
    this.#seen.add(value);
    const same = this.#byRun.get(run);
    const known = { value, kind };
    if (same === undefined) this.#byRun.set(run, [known]);
    else same.push(known);
  }

  get size(): number {
    return this.#seen.size;
  }

  /** Finds the values as they are now; later ones too. */
  readonly detect: Detector = (text) => this.#find(text);

  *#find(text: string): Generator<Hit> {
    if (this.#byRun.size === 0) return;
    RUN.lastIndex = 0;
    for (let run = RUN.exec(text); run !== null; run = RUN.exec(text)) {
      const candidates = this.#byRun.get(run[0]);
      const hit = candidates === undefined ? null : hitAt(text, run.index, candidates);
      if (hit === null) continue;
      yield hit;
      RUN.lastIndex = Math.max(RUN.lastIndex, hit.to);
    }
  }
}

function isDistinct(kind: string, value: string): boolean {
  if (kind === 'home' || kind === 'user_name' || kind === 'host_name') return value.length >= SHORTEST_NAME;
  if (kindGroup(kind) !== 'secret') return kind === 'own' || kind === 'email';
  return value.length >= SHORTEST_SECRET && charKinds(value) >= 2 && !isWordy(value) && !/^[\d.,:-]+$/.test(value);
}

// The value may begin with a sign before its first run.
function hitAt(text: string, run: number, candidates: readonly Known[]): Hit | null {
  for (const { value, kind } of candidates) {
    const from = run - value.search(/[A-Za-z0-9]/);
    const to = from + value.length;
    if (!text.startsWith(value, from) || isLetter(text, to) || isLetter(text, from - 1)) continue;
    const tier =
      kind === 'home' || kind === 'user_name' || kind === 'host_name' ? nameTier(text, from, to) : 'definite';
    if (tier !== null) return { kind: kind === 'home' ? 'user_name' : kind, tier, from, to };
  }
  return null;
}

function isLetter(text: string, at: number): boolean {
  return /[A-Za-z0-9]/.test(text.charAt(at));
}

// A name may be a word: sure only where a person or a folder is named.
function nameTier(text: string, from: number, to: number): Hit['tier'] | null {
  const [before, behind] = [text.charAt(from - 1), text.charAt(to)];
  if (
    behind === '@' ||
    (before === '@' && to - from >= 5) ||
    before === '~' ||
    (/[\\/]/.test(before) && /[\\/]/.test(behind))
  )
    return 'definite';
  return to - from >= 5 && !/[\w$.]/.test(before) && !/[\w(]/.test(behind) ? 'candidate' : null;
}
