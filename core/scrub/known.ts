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

/** A title, a line of a list: what a text is cut off with. */
const CUT = /(?:…|\.{3})$/;
/** What is left of a value at such an end is looked for this far back, and not if it is shorter. Unit: characters. */
const LONGEST_BEGINNING = 128;
const SHORTEST_BEGINNING = 4;

/** Values to look for; found by their first run of letters and digits, in one pass over a text however many there are. */
export class KnownValues {
  readonly #byRun = new Map<string, Known[]>();
  readonly #seen = new Set<string>();
  /** Values by their first characters, of either tier. */
  readonly #byBeginning = new Map<string, Map<string, Pick<Found, 'kind' | 'tier'>>>();

  /** Takes in what was found anywhere, to know its beginning where a text is cut off. */
  addBeginning({ kind, tier, value }: Pick<Found, 'kind' | 'tier' | 'value'>): void {
    if (kindGroup(kind) === 'unreadable' || (isName(kind) && !isDistinct(kind, value))) return;
    const beginning = value.slice(0, SHORTEST_BEGINNING);
    const same = this.#byBeginning.get(beginning) ?? new Map();
    this.#byBeginning.set(beginning, same);
    if (tier === 'definite' || !same.has(value)) same.set(value, { kind, tier });
  }

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

  get isEmpty(): boolean {
    return this.#byBeginning.size === 0;
  }

  /** Finds the values as they are now; later ones too. */
  readonly detect: Detector = (text) => this.#find(text);

  *#find(text: string): Generator<Hit> {
    const cut = this.#cutOff(text);
    if (cut !== null) yield cut;
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

  /** The beginning of a value at the end of a text that is cut off. */
  #cutOff(text: string): Hit | null {
    const to = text.search(CUT);
    for (let from = Math.max(0, to - LONGEST_BEGINNING); from <= to - SHORTEST_BEGINNING; from++) {
      const candidates = this.#byBeginning.get(text.slice(from, from + SHORTEST_BEGINNING));
      if (candidates === undefined || isLetter(text, from - 1)) continue;
      const rest = text.slice(from, to);
      for (const [whole, { kind, tier }] of candidates) {
        if (whole.length <= rest.length || !whole.startsWith(rest)) continue;
        return { kind: kind === 'home' ? 'user_name' : kind, tier, from, to, whole };
      }
    }
    return null;
  }
}

function isName(kind: string): boolean {
  return kind === 'home' || kind === 'user_name' || kind === 'host_name';
}

function isDistinct(kind: string, value: string): boolean {
  if (isName(kind)) return value.length >= SHORTEST_NAME;
  if (kindGroup(kind) !== 'secret') return kind === 'own' || kind === 'email';
  return value.length >= SHORTEST_SECRET && charKinds(value) >= 2 && !isWordy(value) && !/^[\d.,:-]+$/.test(value);
}

// The value may begin with a sign before its first run.
function hitAt(text: string, run: number, candidates: readonly Known[]): Hit | null {
  for (const { value, kind } of candidates) {
    const from = run - value.search(/[A-Za-z0-9]/);
    const to = from + value.length;
    if (!text.startsWith(value, from) || isLetter(text, to) || isLetter(text, from - 1)) continue;
    const tier = isName(kind) ? nameTier(text, from, to) : 'definite';
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
