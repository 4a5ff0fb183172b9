// What was found in a transcript before it leaves, for a person to decide about: by kind, by value, by place. A value that is
// kept in one place has left, so decisions are about values: all places of a value are treated alike.
import type { JsonPath } from '../model/message.ts';
import type { ScrubCount } from '../model/scrubReport.ts';
import type { JsonString } from './json.ts';
import { kindGroup } from './kinds.ts';
import { type Decision, type Scrubber, valueKey } from './scrubber.ts';
import { type PlacedText, placedTexts, type ScrubSubject } from './transcript.ts';
import type { Found, Tier } from './types.ts';
import { unescaped } from './views.ts';

/** A value that was found, with what is done with it. */
export interface ReviewedValue {
  readonly key: string;
  readonly kind: string;
  readonly tier: Tier;
  readonly value: string;
  /** Places where it is. */
  readonly count: number;
  /** null = a candidate that nobody decided about: it goes out as it is. */
  readonly decision: Decision | null;
}

/** Findings of one kind and tier. */
export interface ReviewedKind extends ScrubCount {
  readonly values: number;
  /** Messages in which they are. */
  readonly messages: number;
  /** What is done with all of them; `mixed` = not the same with all, null = not decided of any. */
  readonly decision: Decision | 'mixed' | null;
  /** Values nobody decided about. */
  readonly undecided: number;
}

/** A place where a value is. Offsets count in `json`. */
export interface ReviewedPlace extends Pick<PlacedText, 'index' | 'of'> {
  readonly key: string;
  readonly kind: string;
  readonly tier: Tier;
  readonly path: JsonPath;
  readonly json: string;
  readonly string: JsonString;
  readonly from: number;
  readonly to: number;
}

/** A place as people read it: what is around a value, before and as it goes out. */
export interface PlaceTexts {
  readonly lead: string;
  readonly value: string;
  readonly tail: string;
  /** With what takes their places; null = the whole text is taken out. */
  readonly out: { readonly lead: string; readonly value: string; readonly tail: string } | null;
}

interface Value {
  readonly key: string;
  readonly kind: string;
  readonly tier: Tier;
  readonly value: string;
  count: number;
}

/** Places keep no message: it is read again. */
type Place = Omit<ReviewedPlace, 'json'> & { readonly json: string | null };

/** How much is shown around a value. Unit: characters. */
const LEAD = 60;
const TAIL = 90;

/** A transcript that is looked through before it leaves. */
export class Review {
  readonly #scrubber: Scrubber;
  readonly #subject: ScrubSubject;
  readonly #values = new Map<string, Value>();
  readonly #places = new Map<string, Place[]>();
  readonly #messages = new Set<number>();
  readonly #decisions = new Map<string, Decision>();

  constructor(scrubber: Scrubber, subject: ScrubSubject) {
    this.#scrubber = scrubber;
    this.#subject = subject;
  }

  /** Finds everything; a step for each text, so that a host can pause. Once. */
  *scan(): Generator<void> {
    for (const { json } of placedTexts(this.#subject)) {
      this.#scrubber.learn(json);
      yield;
    }
    for (const text of placedTexts(this.#subject)) {
      for (const { string, found } of this.#scrubber.found(text.json)) {
        for (const one of found) this.#take(text, string, one);
      }
      yield;
    }
  }

  #take({ json, index, of }: PlacedText, string: JsonString, one: Found): void {
    const { kind, tier, value } = one;
    const key = valueKey(one);
    const known = this.#values.get(key) ?? { key, kind, tier, value, count: 0 };
    known.count++;
    if (index !== null) this.#messages.add(index);
    this.#values.set(key, known);
    const [from, to] = [string.start + one.from, string.start + one.to];
    const place = { key, kind, tier, index, of, path: string.path, string, from, to };
    const group = `${tier} ${kind}`;
    const places = this.#places.get(group) ?? [];
    places.push({ ...place, json: of === 'message' ? null : json });
    this.#places.set(group, places);
  }

  /** What a person decided of these values; null = as it is without anybody's decision. */
  decide(keys: Iterable<string>, decision: Decision | null): void {
    for (const key of keys) {
      if (decision === null) this.#decisions.delete(key);
      else if (this.#values.has(key)) this.#decisions.set(key, decision);
    }
    this.#scrubber.choose({ values: this.#decisions });
  }

  /** All values, or those of a kind and tier. */
  keys(of?: Pick<ReviewedKind, 'kind' | 'tier'>): readonly string[] {
    if (of === undefined) return [...this.#values.keys()];
    return [...new Set(this.#placesOf(of).map(({ key }) => key))];
  }

  value(key: string): ReviewedValue | null {
    const found = this.#values.get(key);
    return found === undefined ? null : { ...found, decision: this.#decisionOf(found) };
  }

  /** Values nobody decided about. */
  get undecided(): readonly string[] {
    return [...this.#values.values()].filter((one) => this.#decisionOf(one) === null).map(({ key }) => key);
  }

  /** Messages in which something is found. */
  get messages(): number {
    return this.#messages.size;
  }

  /** By kind: sure ones first, then by number. */
  kinds(): readonly ReviewedKind[] {
    const all = [...this.#places.values()].map((places) => this.#kindOf(places));
    const rank = ({ tier }: ReviewedKind): number => (tier === 'definite' ? 0 : 1);
    return all.sort((a, b) => rank(a) - rank(b) || b.count - a.count || (a.kind < b.kind ? -1 : 1));
  }

  #kindOf(places: readonly Place[]): ReviewedKind {
    const decisions = new Map<string, Decision | null>();
    let masked = 0;
    for (const { key, kind, tier } of places) {
      const decision = decisions.has(key) ? (decisions.get(key) ?? null) : this.#decisionOf({ key, kind, tier });
      decisions.set(key, decision);
      if (decision === 'mask' || decision === 'take_out') masked++;
    }
    const kinds = new Set(decisions.values());
    const [first] = places;
    return {
      kind: first?.kind ?? '',
      tier: first?.tier ?? 'candidate',
      count: places.length,
      masked,
      values: decisions.size,
      messages: new Set(places.flatMap(({ index }) => index ?? [])).size,
      decision: kinds.size > 1 ? 'mixed' : ([...kinds][0] ?? null),
      undecided: [...decisions.values()].filter((one) => one === null).length,
    };
  }

  #decisionOf({ key, kind, tier }: Pick<Value, 'key' | 'kind' | 'tier'>): Decision | null {
    const decided = this.#decisions.get(key);
    if (kindGroup(kind) === 'unreadable') return decided === 'keep' ? 'keep' : 'take_out';
    return decided ?? (tier === 'definite' ? 'mask' : null);
  }

  #placesOf({ kind, tier }: Pick<ReviewedKind, 'kind' | 'tier'>): readonly Place[] {
    return this.#places.get(`${tier} ${kind}`) ?? [];
  }

  /** The places [from, to) of a kind, in the order of the transcript. */
  places(of: Pick<ReviewedKind, 'kind' | 'tier'>, from: number, to: number): readonly ReviewedPlace[] {
    return this.#placesOf(of)
      .slice(from, to)
      .map(({ json, ...place }) => ({ ...place, json: json ?? this.#subject.source.text(place.index ?? 0) }));
  }

  /** What is at a place, and what goes out there. */
  texts({ json, string, from, to, key }: ReviewedPlace): PlaceTexts {
    const [a, b] = [Math.max(string.start, from - LEAD), Math.min(string.end, to + TAIL)];
    const value = this.#values.get(key)?.value ?? '';
    const before = { lead: plain(json.slice(a, from)), value: cut(value), tail: plain(json.slice(to, b)) };
    const masked = this.#scrubber.masked(json).find((one) => one.string.start === string.start)?.found ?? [];
    const whole = masked.find((one) => one.kind === 'taken_out');
    if (whole !== undefined) return { ...before, out: null };
    const write = (start: number, end: number): string => this.#written(json, string, masked, start, end);
    return { ...before, out: { lead: write(a, from), value: write(from, to), tail: write(to, b) } };
  }

  // A stretch that begins or ends within another value shows that value's stand-in from its own beginning.
  #written(json: string, { start }: JsonString, masked: readonly Found[], from: number, to: number): string {
    let made = '';
    let last = from;
    for (const one of masked) {
      const [a, b] = [one.from + start, one.to + start];
      if (b <= from || a >= to) continue;
      if (a > last) made += json.slice(last, a);
      made += one.write(this.#scrubber.standIns.of).slice(Math.max(0, from - a), Math.max(0, to - a));
      last = Math.min(to, b);
    }
    return cut(plain(made + json.slice(last, to)));
  }
}

/** Longer values are shown by their beginning. Unit: characters. */
const MOST_SHOWN = 240;

function cut(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

function plain(raw: string): string {
  return unescaped(raw)?.text ?? raw;
}
