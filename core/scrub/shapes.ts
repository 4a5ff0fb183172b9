// What a value looks like: random, a placeholder, a name of code. Detectors ask this before they call something a secret.

const PLACEHOLDER_WORDS =
  /(?:^|[^a-z0-9])(?:your|my|example|sample|placeholder|change[-_]?me|dummy|fake|redacted|masked|hidden|removed|scrubbed|insert|replace|todo|none|null|undefined|foo|bar|baz|foobar|test|testing|mock|secret[-_]?here|here|xxx+|abc123|abcdef|123456\d*|1234)(?:[^a-z0-9]|$)/i;
const REFERENCE = /^(?:\$|%[A-Za-z_]+%|<|\{\{|\{|\[|@|#|&|\*|~\/|\.\.?\/)|\.\.\.|…|\*\*\*|•••|\$\{|\{\{|<[a-z_ -]+>/i;
const EXAMPLE = /EXAMPLE|example|PLACEHOLDER|REDACTED|X{5}|x{5}|0{8}|1234567|abcdefgh|ABCDEFGH|(.)\1{7}/;

/** Whether a value only stands for a secret: `<YOUR_API_KEY>`, `$TOKEN`, `sk-...`, `********`, `changeme`. */
export function isPlaceholder(value: string): boolean {
  if (REFERENCE.test(value) || EXAMPLE.test(value)) return true;
  if (distinct(value) <= 3) return true;
  return value.length < 40 && PLACEHOLDER_WORDS.test(value);
}

/** Whether the random part of a token is an example: documentation writes `AKIA…EXAMPLE`, `xxxxx`, `0000`, `1234567`. */
export function isExample(body: string): boolean {
  return EXAMPLE.test(body) || distinct(body) <= Math.min(5, body.length / 4);
}

function distinct(value: string): number {
  return new Set(value.length > 200 ? value.slice(0, 200) : value).size;
}

const CODE = /^[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)*(?:[([].*)?$/;

/** Whether it reads as an expression of code: `os.environ['X']`, `getToken()`, `config.apiKey`. */
export function isExpression(value: string): boolean {
  if (!CODE.test(value)) return false;
  return /[.([:>]/.test(value) ? !hasRandomRun(value) : isWordy(value);
}

function hasRandomRun(value: string): boolean {
  return value.split(/[^A-Za-z0-9]+/).some((run) => run.length >= 16 && looksRandom(run));
}

/** Whether it is made of words: `camelCase`, `snake_case`, `kebab-case`, with few digits. */
export function isWordy(value: string): boolean {
  const words = value.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).filter((word) => word !== '');
  // Names of code have few words so short: `Hlqt Ie Ib Ujik Nh …` are none.
  const average = words.join('').length / words.length;
  if (words.length >= 9 && average < 3) return false;
  // Nor so many short ones with a digit each: `q8Zr2Lw0Xb5…`.
  if (/^[A-Za-z0-9]+$/.test(value) && average < 3.5 && words.filter((word) => /\d/.test(word)).length >= 4)
    return false;
  return words.every(
    (word) => /^(?:[A-Za-z]?[a-z]*|[A-Z]+)\d{0,4}$/.test(word) && (word.length < 5 || hasVowels(word)),
  );
}

// English has a vowel at least every fifth letter or so.
function hasVowels(word: string): boolean {
  return !/[^aeiouyAEIOUY\d]{6}/.test(word) && /[aeiouyAEIOUY]/.test(word);
}

/**
 * Whether characters follow each other as if drawn by lot: kinds of characters change often, as they do not in names.
 * Of strings shorter than 12 nothing is said: false.
 */
export function looksRandom(value: string): boolean {
  const { length } = value;
  if (length < 12) return false;
  const kinds = { lower: 0, upper: 0, digit: 0, other: 0 };
  let changes = 0;
  let last = '';
  for (let at = 0; at < Math.min(length, 256); at++) {
    const kind = kindOf(value.charCodeAt(at));
    kinds[kind]++;
    if (at > 0 && kind !== last) changes++;
    last = kind;
  }
  const seen = Math.min(length, 256);
  if (kinds.other > seen / 4) return false;
  if (distinct(value) < Math.min(8, seen / 2)) return false;
  const letters = kinds.lower + kinds.upper;
  if (kinds.digit === 0) return kinds.lower > 0 && kinds.upper > 0 && changes / seen > 0.35;
  if (letters === 0) return false;
  return changes / seen >= (seen >= 20 ? 0.25 : 0.28);
}

/**
 * Whether no words make it up: a key drawn by lot may have next to no digits, and its capitals in a row, so that its kinds of
 * characters change seldom. Only where its name or its prefix says that it is one.
 */
export function isUnreadable(value: string): boolean {
  if (value.length < 20 || !/^[A-Za-z0-9]+$/.test(value) || !/[a-z]/.test(value) || !/[A-Z]/.test(value)) return false;
  const changes = value.match(/[a-z](?![a-z])|[A-Z](?![A-Z])|\d(?!\d)/g)?.length ?? 0;
  // Capitals in a row are one word in names of code: `getURLOfProvider`.
  return changes / value.length > 0.2 && !isWordy(value.replaceAll(/([A-Z]{2,256})(?=[A-Z][a-z])/g, '$1_'));
}

type CharKind = 'lower' | 'upper' | 'digit' | 'other';

function kindOf(code: number): CharKind {
  if (code >= 0x61 && code <= 0x7a) return 'lower';
  if (code >= 0x41 && code <= 0x5a) return 'upper';
  return code >= 0x30 && code <= 0x39 ? 'digit' : 'other';
}

/** Kinds of characters in a value: lower case, upper case, digits, others. */
export function charKinds(value: string): number {
  return [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
}

/** Passwords of documentation and of tests, which open nothing. */
const NOBODYS_PASSWORD =
  /^(?:pass(?:word|wd)?|pw|secret|user(?:name)?|admin|root|postgres|mysql|guest|test|example|changeme|x{2,}|p|token|default|minio\w*|rabbitmq|mongo|redis|my[-_]?(?:password|pass|secret|pwd))\d{0,3}$|^hunter2$/i;
const ALGORITHM = /^(?:\w*[._-])?(?:hmac|sha|md|utf|base|rsa|aes|int|uint|float|argon|pbkdf|ed|x|http|oauth)-?\d+\w*$/i;

/** Whether it is a password that documentation and tests are full of. */
export function isNobodysPassword(value: string): boolean {
  return NOBODYS_PASSWORD.test(value);
}

/** Whether it is a password as people make them up: a word, digits, perhaps a sign; beside a name that says so. */
export function isMadeByPeople(value: string): boolean {
  if (value.length < 8 || value.length > 64 || charKinds(value) < 3 || isNobodysPassword(value)) return false;
  if (/[\s(){}<>[\]/\\]|^[\w.-]+[=@]|^v?\d+\.\d/.test(value) || isPlaceholder(value) || ALGORITHM.test(value))
    return false;
  return (
    /[A-Za-z]{3}/.test(value) &&
    (/\d{2,}[^A-Za-z0-9]{0,3}$/.test(value) || (charKinds(value) === 4 && /\d/.test(value)))
  );
}

const NUMBERED_WORDS = /^(?=.{8,64}$)[A-Za-z][A-Za-z_.-]{3,60}\d{2,6}[!@#$%^&*?]{0,3}$/;

/**
 * Whether it may be a password, where nothing else is beside its name: words with a number behind them, or letters that no words
 * make up. Names of code have one digit behind them, if any, and their words can be read.
 */
export function maybePassword(value: string): boolean {
  if (isPlaceholder(value) || isNobodysPassword(value) || ALGORITHM.test(value)) return false;
  if (NUMBERED_WORDS.test(value)) return true;
  if (!/^[A-Za-z\d]{10,64}$/.test(value)) return false;
  const words = value.split(/(?<=[a-z\d])(?=[A-Z])|(?<=\d)(?=[a-z])/);
  return (words.length >= 4 && value.length / words.length < 3.2) || !hasVowels(value);
}

/** Whether it has letters of both cases, digits and signs, as generators of passwords mix them. */
export function mixesAll(value: string): boolean {
  if (value.length < 12 || charKinds(value) < 4 || /[\s(){}<>[\]\\]|:\/\/|\w=\w/.test(value)) return false;
  return distinct(value) >= 9 && !isWordy(value) && !isExpression(value);
}

/**
 * Whether its letters of both cases and its digits change so often that no name of code has such pieces: `newqVZ6V.WxZVB`. Signs of
 * code within it (`=`, dots) say nothing then.
 */
export function isJumbled(value: string): boolean {
  if (value.length < 10 || /[\s(){}<>[\]]|:\/\//.test(value) || isPlaceholder(value)) return false;
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value) || !/\d/.test(value)) return false;
  const pieces = value.slice(0, 128).match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? [];
  return pieces.length >= 6 && pieces.join('').length / pieces.length <= 2.4;
}
