// Laws over values that are drawn by lot: what is said of one follows from its name and its build, not from its length or its last sign.
import { expect, test } from 'vitest';
import { findIn } from '../../core/scrub/findIn.ts';
import type { Tier } from '../../core/scrub/types.ts';
import { seededRng } from '../../core/util/rng.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ALPHABETS: Readonly<Record<string, string>> = {
  'letters and digits': `${LETTERS}0123456789`,
  'letters, digits and signs': `${LETTERS}0123456789!#%*+-=?^_.`,
};

const ASSIGNED: Readonly<Record<string, (value: string) => string>> = {
  'of the environment': (value) => `DB_PASSWORD=${value}`,
  'in JSON': (value) => `{"password": "${value}"}`,
  'as an argument': (value) => `connect(user="app", password='${value}')`,
  'in YAML': (value) => `  password: ${value}`,
};

/** What is said of a value in a text: its tier where it is covered whole, `partial` where it is not; null = nothing. */
function saidOf(text: string, value: string): Tier | 'partial' | null {
  const from = text.indexOf(value);
  const to = from + value.length;
  const hit = findIn(text).find((one) => one.from < to && one.to > from);
  if (hit === undefined) return null;
  return hit.from <= from && hit.to >= to ? hit.tier : 'partial';
}

function drawn(alphabet: string, length: number, seed: number): string {
  const rng = seededRng(seed);
  return Array.from({ length }, () => rng.pick([...alphabet])).join('');
}

const EACH_LENGTH = 150;
/** The share of values of a length that are found sure varies by lot. Unit: values of {@link EACH_LENGTH}. */
const BY_LOT = 22;

test.each(
  Object.keys(ASSIGNED).flatMap((form) => Object.keys(ALPHABETS).map((alphabet): [string, string] => [form, alphabet])),
)('%s, %s: a longer password is no less sure', (form, alphabet) => {
  const sureOf = (length: number): number =>
    Array.from({ length: EACH_LENGTH }, (_, seed) => drawn(ALPHABETS[alphabet] ?? '', length, 1 + seed * 101)).filter(
      (value) => saidOf(ASSIGNED[form]?.(value) ?? '', value) === 'definite',
    ).length;
  let most = 0;
  for (let length = 8; length <= 24; length++) {
    const sure = sureOf(length);
    expect(sure, `${length} characters`).toBeGreaterThan(most - BY_LOT);
    most = Math.max(most, sure);
  }
});

/** What a keyboard has, but quotes, backslashes and blanks. */
const KEYBOARD = `${LETTERS}0123456789!#$%&()*+,-./:;<=>?@[]^_{|}~`;
const QUOTED: Readonly<Record<string, (value: string) => string>> = {
  ...ASSIGNED,
  'of the environment': (value) => `DB_PASSWORD="${value}"`,
  'in YAML': (value) => `  client_secret: '${value}'`,
  'of a shell': (value) => `export API_KEY='${value}'`,
  'of a header': (value) => `headers = {"X-Auth-Token": "${value}"}`,
};

test.each(Object.keys(QUOTED))('%s: a value in quotes is covered whole, whatever its characters', (form) => {
  const values = Array.from({ length: 400 }, (_, seed) => drawn(KEYBOARD, 12 + (seed % 24), 7 + seed * 101));
  const ends = [...'!?.:,;-_=+~/|)]}>%$#@&*^'].flatMap((end) =>
    Array.from({ length: 8 }, (_, seed) => `${drawn(`${LETTERS}0123456789`, 18, 3 + seed * 101)}9${end}`),
  );
  const [begins, within] = [
    ends.map((value) => `${value.at(-1)}${value.slice(0, -1)}`),
    ends.map((value) => `${value}b4`),
  ];
  const all = [...values, ...ends, ...begins, ...within];
  expect(all.filter((value) => saidOf(QUOTED[form]?.(value) ?? '', value) === 'partial')).toEqual([]);
  const sure = ends.filter((value) => saidOf(QUOTED[form]?.(value) ?? '', value) === 'definite');
  expect(sure.length / ends.length).toBeGreaterThan(0.8);
});

const ALIGNED: Readonly<Record<string, (blanks: string, value: string) => string>> = {
  TOML: (blanks, value) => `region${blanks} = "eu"\ndb_password${blanks} = "${value}"\n`,
  HCL: (blanks, value) => `variable "x" {\n  type${blanks} = string\n}\nlocals {\n  api_key${blanks}= "${value}"\n}`,
  'a default of HCL': (blanks, value) =>
    `variable "db_password" {\n  type = string\n  default${blanks} = "${value}"\n}`,
  'a list of PowerShell': (blanks, value) => `UserName${blanks}: app\nPassword${blanks}: ${value}\n`,
  properties: (blanks, value) => `api.key${blanks}:${blanks}${value}`,
  Makefile: (blanks, value) => `API_TOKEN${blanks}:=${blanks}${value}`,
  PHP: (blanks, value) => `define('DB_PASSWORD',${blanks} '${value}');`,
};

test.each(Object.keys(ALIGNED))('%s: a value is as sure however many blanks are around the sign', (form) => {
  const value = drawn(`${LETTERS}0123456789`, 24, 5);
  const said = [0, 1, 4, 8, 9, 12, 20, 32, 60].map((blanks) =>
    saidOf(ALIGNED[form]?.(' '.repeat(blanks), value) ?? '', value),
  );
  expect(said).toEqual(said.map(() => 'definite'));
});

const SIGNS_OF_CODE: Readonly<Record<string, (value: string, at: number) => string>> = {
  'an equals sign': (value, at) => `${value.slice(0, at)}=${value.slice(at)}_`,
  'a dot': (value, at) => `${value.slice(0, at)}.${value.slice(at)}`,
  'two signs': (value, at) => `${value.slice(0, at)}_${value.slice(at, at + 3)}.${value.slice(at + 3)}`,
};
const BOUNDED: Readonly<Record<string, (value: string) => string>> = {
  'of the environment': (value) => `DB_PASSWORD=${value}`,
  'in quotes': (value) => `connect(user="app", password='${value}')`,
  'of a form': (value) => `grant_type=password&username=bot&password=${value}`,
};

test.each(
  Object.keys(BOUNDED).flatMap((form) => Object.keys(SIGNS_OF_CODE).map((sign): [string, string] => [form, sign])),
)('%s: %s within a random value does not make it code', (form, sign) => {
  const values = Array.from({ length: 400 }, (_, seed) => {
    const value = drawn(`${LETTERS}0123456789`, 13, 11 + seed * 101);
    return SIGNS_OF_CODE[sign]?.(value, 1 + (seed % 9)) ?? '';
  }).filter((value) => /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value));
  const missed = values.filter((value) => saidOf(BOUNDED[form]?.(value) ?? '', value) !== 'definite');
  expect(missed.length / values.length).toBeLessThan(0.04);
});

test.each([
  'password=user.password',
  'if password == expected.Value2:',
  'password=self.s3Key1',
  'DB_PASSWORD=os.environ.DB1Pass',
  'db_password=module.db1.Pass2',
  'password: r.Body.V1Pwd2X',
  'const password = req.body.pW1;',
  '"password": "grant_type=password&username=Bob1"',
])('code stays: %s', (text) => {
  expect(findIn(text)).toEqual([]);
});
