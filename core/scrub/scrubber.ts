// One transcript, searched and written: first all its texts are read, so that what is found anywhere is known everywhere; then
// each is written with stand-ins.
import { DETECTORS } from './detectors.ts';
import { findIn } from './findIn.ts';
import { type FoundInString, findInString, type JsonString, jsonStrings, rewrittenJson } from './json.ts';
import { kindGroup } from './kinds.ts';
import { KnownValues } from './known.ts';
import { type Context, familyOf, isStandIn, type StandInOptions, StandIns } from './standIns.ts';
import { takenOut } from './takenOut.ts';
import type { Detector, Found, Tier } from './types.ts';
import { signaturesOf, unreadableIn } from './unreadable.ts';
import { percentDecoded, unescaped } from './views.ts';

/** What is to be done with findings. */
export interface Choices {
  /** Kinds and groups (`secret`, `personal`, `own`, `unreadable`) that stay as they are. */
  readonly keep?: ReadonlySet<string>;
  readonly maskCandidates?: boolean;
  /** Decisions about single values, by {@link valueKey}; they win over the others. */
  readonly values?: ReadonlyMap<string, Decision>;
}

/**
 * What is done with a value: a stand-in takes its place, it stays, or the whole text around it is taken out. Of what
 * cannot be searched the first and the last are the same.
 */
export type Decision = 'mask' | 'keep' | 'take_out';

export interface ScrubOptions extends StandInOptions {
  readonly choices?: Choices;
  /** Besides those of this program. */
  readonly detectors?: readonly Detector[];
}

/** One finding for people and reports. */
export interface Masked {
  readonly kind: string;
  readonly tier: Tier;
  readonly isMasked: boolean;
}

/** What a value is called in decisions about it: the same in all kinds that share its stand-in; a sure find is another than a guess. */
export function valueKey({ kind, tier, value }: Pick<Found, 'kind' | 'tier' | 'value'>): string {
  return `${tier} ${familyOf(kind)} ${value}`;
}

/** Searches and writes the texts of one transcript. */
export class Scrubber {
  readonly standIns: StandIns;
  #choices: Choices;
  readonly #detectors: readonly Detector[];
  readonly #known = new KnownValues();
  readonly #contexts = new Map<string, Map<string, Context>>();
  readonly #found = new Map<string, readonly FoundInString[]>();

  constructor({ choices = {}, detectors = [], ...standIns }: ScrubOptions = {}) {
    this.#choices = choices;
    this.#detectors = [...DETECTORS, ...detectors];
    this.standIns = new StandIns({
      contexts: (value) => [...(this.#contexts.get(value)?.values() ?? [])],
      ...standIns,
    });
  }

  /** What is to be done with findings from now on; what was found stays found. */
  choose(choices: Choices): void {
    this.#choices = choices;
  }

  /** Reads a JSON text. All are read before the first is written. */
  learn(json: string): void {
    const found = this.#search(json, this.#detectors);
    if (found.length > 0) this.#found.set(json, found);
    for (const { string, found: all } of found) {
      for (const one of all) {
        if (this.isMasked(one)) this.#known.add(one);
        this.#known.addBeginning(one);
        this.#keepContext(json, string, one);
      }
    }
  }

  // Until stand-ins are made; then they are what they are.
  #keepContexts(json: string, found: readonly FoundInString[]): void {
    for (const { string, found: all } of found) for (const one of all) this.#keepContext(json, string, one);
  }

  #keepContext(json: string, { start, end }: JsonString, { value, from, to }: Found): void {
    const contexts = this.#contexts.get(value) ?? new Map<string, Context>();
    this.#contexts.set(value, contexts);
    if (contexts.size >= MOST_CONTEXTS) return;
    const [a, b] = [start + from, start + to];
    const before = plain(json.slice(Math.max(start, a - AROUND), a));
    const after = plain(json.slice(b, Math.min(end, b + AROUND)));
    const near = `${buildOf(before.slice(-NEAR))}\0${buildOf(after.slice(0, NEAR))}`;
    if (!contexts.has(near)) contexts.set(near, { before, after });
  }

  /** What is found in a JSON text: by itself, and of what was found anywhere. */
  found(json: string): readonly FoundInString[] {
    const own = this.#found.get(json) ?? [];
    if (this.#known.isEmpty) return own;
    const everywhere = this.#search(json, [this.#known.detect]);
    if (this.standIns.isEmpty) this.#keepContexts(json, everywhere);
    return everywhere.length === 0 ? own : merged(own, everywhere);
  }

  /** The JSON text with what is to be masked. */
  mask(json: string): string {
    return rewrittenJson(json, this.masked(json), this.standIns.of);
  }

  /** What {@link mask} writes over, with the signatures of thinking that it edits. */
  masked(json: string): readonly FoundInString[] {
    const masked = this.found(json).flatMap(({ string, found }) => {
      const own = found.filter((one) => this.isMasked(one));
      if (own.length === 0) return [];
      const isOut = !string.isKey && own.some((one) => this.#decision(one) === 'take_out');
      return [{ string, found: isOut && !own.some(isWhole) ? takenOut(json, string) : own }];
    });
    if (masked.length === 0 || !/signature/i.test(json)) return masked;
    const edited = masked.map(({ string }) => string);
    const signatures = signaturesOf(json, jsonStrings(json), edited);
    return signatures.length === 0 ? masked : merged(masked, signatures);
  }

  /** As {@link mask}, of a plain text. */
  maskText(text: string): string {
    const json = JSON.stringify(text);
    const value: unknown = JSON.parse(this.mask(json));
    return typeof value === 'string' ? value : text;
  }

  /** Whether a finding is masked, by what was chosen. */
  isMasked({ kind, tier, value }: Pick<Found, 'kind' | 'tier' | 'value'>): boolean {
    const { maskCandidates = false } = this.#choices;
    const chosen = this.#decision({ kind, tier, value });
    if (chosen !== undefined) return chosen !== 'keep';
    if (this.isKept(kind)) return false;
    return tier === 'definite' || maskCandidates;
  }

  /** Whether a kind was chosen to stay as it is, by itself or with its group. */
  isKept(kind: string): boolean {
    const { keep } = this.#choices;
    return keep?.has(kind) === true || keep?.has(kindGroup(kind)) === true;
  }

  #decision(one: Pick<Found, 'kind' | 'tier' | 'value'>): Decision | undefined {
    const { values } = this.#choices;
    return values === undefined || values.size === 0 ? undefined : values.get(valueKey(one));
  }

  /**
   * What is still found between the quotes of one string of a finished JSON text: what would be masked, and is not of a
   * stand-in.
   */
  remaining(raw: string, string: Pick<JsonString, 'key' | 'isKey' | 'label'>): readonly Found[] {
    if (raw.length < 4) return [];
    const detectors = [...this.#detectors, this.#known.detect];
    const found = findInString(raw, string, { detectors });
    return found.filter((one) => this.isMasked(one) && !this.#isOfStandIns(one.value));
  }

  // Another boundary may take in what is next to a stand-in: without the stand-ins nothing is found there.
  #isOfStandIns(value: string): boolean {
    if (isStandIn(value) || this.standIns.has(value)) return true;
    // Found before its percent signs or backslashes are undone; the stand-in was made for what they mean.
    const meanings = [percentDecoded(value), unescaped(value)];
    if (meanings.some((view) => view !== null && this.standIns.has(view.text))) return true;
    let rest = value;
    for (const { standIn } of this.standIns.pairs()) {
      // A part of one reads as something else: what keeps the signs of an address, a prefix drawn by lot.
      if (value.length >= SHORTEST_PART && standIn.includes(value)) return true;
      if (percentDecoded(standIn)?.text === value) return true;
      if (rest.includes(standIn)) rest = rest.replaceAll(standIn, '');
    }
    return rest !== value && findIn(rest, { detectors: this.#detectors }).every((one) => !this.isMasked(one));
  }

  #search(json: string, detectors: readonly Detector[]): readonly FoundInString[] {
    const strings = jsonStrings(json);
    const unreadable = unreadableIn(json, strings);
    return strings.flatMap((string) => {
      const special = unreadable.get(string);
      if (special !== undefined) {
        const others = special.filter(({ value }) => !isStandIn(value));
        return others.length === 0 ? [] : [{ string, found: others }];
      }
      const found = findInString(json.slice(string.start, string.end), string, { detectors }).filter(
        ({ value }) => !isStandIn(value),
      );
      return found.length === 0 ? [] : [{ string, found }];
    });
  }
}

/** A shorter text is in some stand-in by chance. Unit: characters. */
const SHORTEST_PART = 8;

/** Surroundings of a value in which its tokens are counted: those whose nearest characters are of another build, on which tokens depend. */
const MOST_CONTEXTS = 64;
const AROUND = 12;
const NEAR = 2;

function buildOf(text: string): string {
  return text.replaceAll(/\p{L}/gu, 'a').replaceAll(/\d/g, '0');
}

// As it is counted: without the escapes of the message's JSON.
function plain(raw: string): string {
  return unescaped(raw)?.text ?? raw;
}

// A guess at a place where a value stands that was found for sure elsewhere.
function isSurer(known: Found, guess: Found): boolean {
  return guess.tier === 'candidate' && known.tier === 'definite' && known.from <= guess.from && known.to >= guess.to;
}

function isWhole({ kind }: Found): boolean {
  return kindGroup(kind) === 'unreadable';
}

function merged(own: readonly FoundInString[], more: readonly FoundInString[]): readonly FoundInString[] {
  const byStart = new Map<number, { readonly string: JsonString; found: Found[] }>();
  for (const { string, found } of own) byStart.set(string.start, { string, found: [...found] });
  for (const { string, found } of more) {
    const there = byStart.get(string.start);
    if (there === undefined) byStart.set(string.start, { string, found: [...found] });
    else {
      const apart = found.filter((one) => there.found.every((other) => one.to <= other.from || one.from >= other.to));
      const surer = there.found.map((one) => found.find((other) => isSurer(other, one)) ?? one);
      there.found = [...surer, ...apart].sort((a, b) => a.from - b.from);
    }
  }
  return [...byStart.values()].sort((a, b) => a.string.start - b.string.start);
}
