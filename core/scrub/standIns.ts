// What replaces a value: the same for the same value, another for another, of the same length and build, so that policies
// decide as they did. Made from the order in which values are seen, not from the values: nothing can be computed back.
import { type Rng, seededRng } from '../util/rng.ts';
import { blankHead } from './blankImage.ts';
import { kindGroup } from './kinds.ts';
import { ODD, STAND_IN_NAMES } from './personal.ts';

/** How stand-ins are chosen. */
export interface StandInOptions {
  /** Tokens of a text: of several stand-ins the one that comes nearest is taken. Absent: by length alone. */
  readonly count?: (text: string) => number;
  /** What a value is surrounded by where it is found: tokens are counted with it. */
  readonly contexts?: (value: string) => readonly Context[];
  /** Whether a text is in use already, so that it must not come to mean something else. */
  readonly isTaken?: (text: string) => boolean;
}

/** What is before and behind a value. */
export interface Context {
  readonly before: string;
  readonly after: string;
}

/** Stand-ins that are tried until one has as many tokens. */
const TRIES = 400;
/** Longer values are not counted: their tokens follow their length. Unit: characters. */
const MOST_COUNTED = 200;

/** The stand-ins of one scrubbed transcript. */
export class StandIns {
  readonly #options: StandInOptions;
  readonly #byValue = new Map<string, string>();
  readonly #used = new Set<string>();
  readonly #ordinals = new Map<string, number>();

  constructor(options: StandInOptions = {}) {
    this.#options = options;
  }

  /** The stand-in of a value; made when it is first asked for. */
  readonly of = (kind: string, value: string): string => {
    const name = familyOf(kind);
    const key = `${name}\0${value}`;
    const known = this.#byValue.get(key);
    if (known !== undefined) return known;
    const made = this.#make(name, kind, value);
    this.#byValue.set(key, made);
    this.#used.add(made);
    return made;
  };

  /** Values that are replaced, with what replaces them. */
  *pairs(): Generator<{ readonly value: string; readonly standIn: string }> {
    for (const [key, standIn] of this.#byValue) yield { value: key.slice(key.indexOf('\0') + 1), standIn };
  }

  /** None was made yet. */
  get isEmpty(): boolean {
    return this.#byValue.size === 0;
  }

  /** Whether a text is one of these stand-ins. */
  has(text: string): boolean {
    return this.#used.has(text);
  }

  // How far the tokens of a stand-in are from those of the value, in all its surroundings together.
  #offOf(value: string): (text: string) => number {
    const { count, contexts } = this.#options;
    if (count === undefined || value.length > MOST_COUNTED) return NEVER_OFF;
    const given = contexts?.(value) ?? [];
    const around = given.length > 0 ? given : [{ before: '', after: '' }];
    const wanted = around.map(({ before, after }) => count(before + value + after));
    return (text) =>
      around.reduce(
        (sum, { before, after }, at) => sum + Math.abs(count(before + text + after) - (wanted[at] ?? 0)),
        0,
      );
  }

  #make(family: string, kind: string, value: string): string {
    const ordinal = (this.#ordinals.get(family) ?? 0) + 1;
    this.#ordinals.set(family, ordinal);
    const rng = seededRng(seedOf(family, ordinal));
    const { isTaken } = this.#options;
    const offOf = this.#offOf(value);
    let best: { readonly text: string; readonly off: number } | null = null;
    for (let nth = 0; nth < 1_000 && (nth < TRIES || best === null); nth++) {
      const text = shaped(family, kind, value, rng, nth);
      if (text === value || this.#used.has(text) || isTaken?.(text) === true) continue;
      const off = offOf(text);
      if (best === null || off < best.off) best = { text, off };
      if (off === 0) break;
    }
    // Short values run out of others of their length.
    if (value.length > MOST_COUNTED && best === null) return shaped(family, kind, value, rng, 0);
    return best?.text ?? `${shaped(family, kind, value, rng, 0)}${ordinal}`;
  }
}

const NEVER_OFF = (): number => 0;

/** Kinds with one name give a value one stand-in: the same name is the same person as a folder and as a user. */
export function familyOf(kind: string): string {
  if (kind === 'home' || kind === 'user_name') return 'user';
  if (kind === 'host_name') return 'host';
  if (kind === 'taken_out') return kind;
  return kindGroup(kind) === 'secret' ? 'secret' : kind;
}

function seedOf(family: string, ordinal: number): number {
  let seed = ordinal * 0x9e3779b1;
  for (let at = 0; at < family.length; at++) seed = Math.imul(seed ^ family.charCodeAt(at), 0x01000193);
  return seed;
}

function shaped(family: string, kind: string, value: string, rng: Rng, nth: number): string {
  switch (family) {
    case 'user':
    case 'host':
      if (nth >= 80 && /^[A-Za-z]{5,}$/.test(value)) return oddName(value, rng);
      return family === 'user' && nth < 40
        ? (pooledName(value, rng) ?? namedLike(family, value, rng))
        : namedLike(family, value, rng);
    case 'email': {
      const at = value.indexOf('@');
      return `${namedLike('user', value.slice(0, at), rng)}@${domainLike(value.slice(at + 1), rng)}`;
    }
    case 'ip_address':
      return value.includes(':') ? ipv6Like(value, rng) : ipv4Like(value, rng, nth);
    case 'phone':
      return phoneLike(value, rng);
    case 'image':
    case 'file':
      return payloadLike(family, value, rng);
    case 'taken_out':
      return takenOutLike(value, rng);
    default:
      return tokenLike(kind, value, rng);
  }
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';

// Syllables are fewer tokens than letters drawn by lot, as names are.
const SYLLABLES = [
  'an',
  'er',
  'in',
  'on',
  'ar',
  'el',
  'is',
  'or',
  'en',
  'al',
  'us',
  'ter',
  'ing',
  'man',
  'ton',
  'son',
  'ley',
  'ber',
];

function namedLike(stem: string, value: string, rng: Rng): string {
  let name = `${stem}q`;
  while (name.length < value.length) name += rng.pick(SYLLABLES);
  const cut =
    value.length < 6
      ? Array.from({ length: value.length }, () => rng.pick([...LOWER])).join('')
      : name.slice(0, value.length);
  const kept = [...cut]
    .map((letter, at) => (at > 4 && /[._+ -]/.test(value.charAt(at)) ? value.charAt(at) : letter))
    .join('');
  if (value === value.toUpperCase() && /[A-Z]/.test(value)) return kept.toUpperCase();
  return /^[A-Z]/.test(value) ? kept.charAt(0).toUpperCase() + kept.slice(1) : kept;
}

const COMMON_DOMAIN =
  /^(?:gmail|googlemail|outlook|hotmail|live|icloud|yahoo|proton|protonmail|qq|163|gmx|web)\.[a-z.]{2,6}$/i;

function domainLike(domain: string, rng: Rng): string {
  if (COMMON_DOMAIN.test(domain)) return domain;
  const end = domain.lastIndexOf('.');
  return `${replacedLetters(domain.slice(0, end), rng)}${domain.slice(end)}`;
}

function ipv4Like(value: string, rng: Rng, nth: number): string {
  const digits = value.length - 6;
  if (digits < 3 || nth > 900) return `203.0.113.${rng.below(256)}`;
  const lengths = [0, 1, 2].map((at) => Math.floor((digits + at) / 3));
  // 240/4 is nobody's.
  return [240 + rng.below(16), ...lengths.map((length) => octet(length, rng))].join('.');
}

function octet(length: number, rng: Rng): number {
  if (length <= 1) return 1 + rng.below(9);
  return length === 2 ? 10 + rng.below(90) : 100 + rng.below(156);
}

function ipv6Like(value: string, rng: Rng): string {
  const groups = value.split(':').map((group, at) => {
    if (at === 0) return '2001';
    if (at === 1) return group.length === 4 ? '0db8' : 'db8';
    return [...group].map(() => rng.pick([...'0123456789abcdef'])).join('');
  });
  return groups.join(':');
}

function phoneLike(value: string, rng: Rng): string {
  const count = value.replace(/\D/g, '').length;
  let seen = 0;
  return value.replace(/\d/g, (digit) => {
    const behind = count - seen++;
    if (behind > 7) return value.startsWith('+') && seen === 1 ? digit : rng.pick([...'23456789']);
    if (behind > 4) return '5';
    return behind === 4 ? '0' : rng.pick([...DIGITS]);
  });
}

function payloadLike(kind: 'image' | 'file', value: string, rng: Rng): string {
  const head = /^data:[^,]{0,200},/.exec(value)?.[0] ?? '';
  const payload = value.slice(head.length);
  const begin = kind === 'image' ? blankHead(payload) : '';
  return withCheck(head + begin + replacedLetters(payload.slice(begin.length), rng), payload.length);
}

// Of names that are many tokens: letters by lot around three that are in no name.
function oddName(value: string, rng: Rng): string {
  const at = rng.below(value.length - ODD.length + 1);
  const letters = Array.from({ length: value.length }, () => rng.pick([...LOWER])).join('');
  return inCaseOf(value, letters.slice(0, at) + ODD + letters.slice(at + ODD.length));
}

// Words that nobody is called: most are one token, as many names are.
function pooledName(value: string, rng: Rng): string | null {
  const fitting = STAND_IN_NAMES.filter((name) => name.length === value.length);
  if (fitting.length === 0 || !/^[A-Za-z]+$/.test(value)) return null;
  return inCaseOf(value, rng.pick(fitting));
}

function inCaseOf(value: string, name: string): string {
  if (/^[A-Z][a-z]*$/.test(value)) return name.charAt(0).toUpperCase() + name.slice(1);
  return value === value.toUpperCase() ? name.toUpperCase() : name;
}

const FILLERS = [
  'taken',
  'out',
  'here',
  'not',
  'sent',
  'text',
  'that',
  'was',
  'left',
  'away',
  'gone',
  'from',
  'it',
  'is',
  'all',
];

// Words of as many letters, lines as long as they were: what it said cannot be seen, how much it said can.
function takenOutLike(value: string, rng: Rng): string {
  return value.replace(/[^\n]+/g, (line) => {
    let made = '';
    while (made.length < line.length) made += `${made === '' ? '' : ' '}${rng.pick(FILLERS)}`;
    return made.slice(0, line.length);
  });
}

const VENDOR_PREFIX =
  /^[A-Za-z]{2,12}\d{0,2}[-_.](?:[A-Za-z]{1,12}\d{0,2}[-_.]){0,2}|^(?:AKIA|ASIA|AIza|ATATT3xFfGF0|dapi|eyJ)/;
const UNNAMED = /^(?:password|secret_value|url_credentials|header|cookie|own|webhook)$/;

function tokenLike(kind: string, value: string, rng: Rng): string {
  const prefix = UNNAMED.test(kind) ? '' : (VENDOR_PREFIX.exec(value)?.[0] ?? '');
  const body = value.slice(prefix.length);
  return withCheck(prefix + replacedLetters(body, rng), body.length);
}

function replacedLetters(text: string, rng: Rng): string {
  const isHex = /^[0-9a-f-]+$/.test(text);
  let made = '';
  for (let at = 0; at < text.length; at++) {
    // What an escape means stays as it is.
    const kept = escapeAt(text, at);
    made += kept === '' ? likeOf(text.charAt(at), rng, isHex) : kept;
    at += Math.max(0, kept.length - 1);
  }
  return made;
}

// What is behind a percent sign must not come to mean something, either.
const ESCAPE = /\\[\s\S]?|%[0-9A-Za-z]{0,2}/y;

/** A backslash with what it escapes, a percent sign with the two behind it; '' = neither is here. */
function escapeAt(text: string, at: number): string {
  ESCAPE.lastIndex = at;
  return ESCAPE.exec(text)?.[0] ?? '';
}

function likeOf(letter: string, rng: Rng, isHex: boolean): string {
  if (letter >= 'a' && letter <= 'z') return LOWER.charAt(rng.below(isHex ? 6 : 26));
  if (letter >= 'A' && letter <= 'Z') return UPPER.charAt(rng.below(26));
  if (letter >= '0' && letter <= '9') return DIGITS.charAt(rng.below(10));
  return letter;
}

/** Letters and digits at the end that are computed from those before them, by the number of letters and digits. */
const checkLength = (length: number): number => (length >= 16 ? 6 : length >= 12 ? 4 : 0);

// Who scrubs a bundle again knows stand-ins by this; a secret drawn by lot passes for one once in a million times.
function withCheck(text: string, bodyLength: number): string {
  const places = checkedPlaces(text);
  return bodyLength < 12 || places.length === 0 ? text : checked(text, places);
}

function checkedPlaces(text: string): readonly number[] {
  const places: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const kept = escapeAt(text, at);
    if (kept !== '') at += kept.length - 1;
    else if (/[A-Za-z0-9]/.test(text.charAt(at))) places.push(at);
  }
  const count = checkLength(places.length);
  return count === 0 ? [] : places.slice(-count);
}

function checked(text: string, places: readonly number[]): string {
  const first = places[0] ?? text.length;
  let sum = 0x811c9dc5;
  for (let at = 0; at < first; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193) >>> 0;
  const rng = seededRng(sum);
  const isHex = /^[0-9a-f-]{20,}$/.test(text);
  const made = [...text.slice(first)];
  for (const at of places) made[at - first] = likeOf(text.charAt(at), rng, isHex);
  return text.slice(0, first) + made.join('');
}

/** Whether a value carries the check of a stand-in. */
export function isStandIn(value: string): boolean {
  if (value.length < 12) return false;
  const places = checkedPlaces(value);
  return places.length > 0 && checked(value, places) === value;
}
