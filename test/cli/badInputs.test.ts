// Whatever a command is given that it cannot be, there is one kind of answer: one line with what and where, exit code 2 for the
// command line and 3 for what cannot be read; no stack, nothing on stdout. Commands and options are those the program has.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../cli/program.ts';
import { withChannel } from '../../cli/support/channel.ts';
import { filesDir } from '../e2e/support/session.ts';
import { commandCases, type Place, type Takes } from '../support/commandCases.ts';

const files = filesDir();
afterAll(() => files.remove());

const say = (role: string, content: string) => ({ role, content });
const CHAT = files.write(
  'chat.json',
  JSON.stringify({ model: 'gpt-4o', messages: [say('user', 'hi'), say('assistant', 'yes')] }),
);
const RULES = files.write(
  'rules.json',
  JSON.stringify({ version: 1, rules: [{ name: 'a', require: { text: 'hi' } }] }),
);
const MAPPING = files.write('mapping.json', '{}');
const LIBRARY = join(files.path, 'library');
const FOLDER = join(files.path, 'folder');
mkdirSync(FOLDER);
const PIPE = join(files.path, 'pipe');
const hasPipes = process.platform !== 'win32' && spawnSync('mkfifo', [PIPE]).status === 0;
const EMPTY = files.write('empty.json', '');
const MISSING = join(files.path, 'missing.json');

/** What is needed besides the place that is tried, by the command's words: arguments first. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  trace: ['--text', 'hi'],
  watch: ['--text', 'hi'],
  keep: ['--text', 'hi'],
  compare: ['--a', 'raw', '--b', 'raw'],
  tune: ['--spec', 'short_context', '--vary', 'context_policy.max_turns=1,2'],
  why: ['--message', '0'],
  entries: ['--request', 'r'],
  export: ['-o', join(files.path, 'out.json')],
  reproduce: ['--as', 'curl'],
  keys: ['-o', join(files.path, 'key')],
  'mapping save': ['--name', 'm'],
};

/** Commands that make or change a library where none is named. */
const OF_THE_LIBRARY = /^(import|ls|stats|tag|rm|compact|fork|search|serve|mapping (ls|save|export|rm))$/;

/** Commands that go on until they are ended, once they begin. */
const ENDLESS = new Set(['serve', 'mcp', 'worker']);

const GOOD: Readonly<Record<string, string>> = {
  FILE: CHAT,
  'FILE-or-ID': CHAT,
  PATH: CHAT,
  RULES,
  MAPPING,
  NAME: 'm',
  ids: 'abc',
  query: 'hi',
};

const BAD: Readonly<Record<Takes, readonly string[]>> = {
  file: ['', ' ', MISSING, FOLDER, EMPTY, ...(hasPipes ? [PIPE] : [])],
  fileOrId: ['', ' ', 'no-such-id', FOLDER, EMPTY, ...(hasPipes ? [PIPE] : [])],
  number: ['', 'x', '-1', '1.5', 'NaN', 'Infinity', '1e400', '99999999999999999999'],
  spec: ['', ' ', 'no_such_policy', '{"version"', '[]', '{"version":1,"stages":[{"kind":"no_such"}]}', FOLDER, EMPTY],
  policy: ['', ' ', 'no_such_policy'],
  choice: ['', 'zz'],
  text: ['', ' '],
  place: ['', 'no such', '-1', '99'],
  folder: ['', CHAT],
  output: ['', FOLDER, join(MISSING, 'x')],
};

/** What is no fault: a folder of transcripts, a text that nothing is asked of. */
const FINE: readonly (readonly [command: string, place: string, value: string])[] = [
  ['findings', 'PATH', FOLDER],
  ['import', 'PATH', FOLDER],
  ['check', 'PATH', FOLDER],
  // A name that `.pem` is put behind.
  ['keys', '--output', FOLDER],
  // Nothing could be proposed: exit code 1.
  ['mapping guess', 'FILE', EMPTY],
];

interface Outcome {
  readonly exit: number;
  readonly out: string;
  readonly notes: readonly string[];
  readonly message: string;
}

async function run(args: readonly string[]): Promise<Outcome> {
  const out: string[] = [];
  const notes: string[] = [];
  const channel = {
    out: (text: string) => void out.push(text),
    note: (text: string) => void notes.push(text),
    input: Buffer.from(''),
  };
  process.exitCode = 0;
  const failed = await withChannel(channel, () => runCommand(args));
  const exit = failed?.exit ?? Number(process.exitCode ?? 0);
  process.exitCode = 0;
  return { exit, out: out.join(''), notes, message: failed?.message ?? '' };
}

/** The command line with one place filled by `value`, the others as they should be. */
function lineOf(words: readonly string[], places: readonly Place[], tried: Place, value: string): readonly string[] {
  const needed = NEEDED[words.join(' ')] ?? [];
  const at = needed.findIndex((each) => each === tried.name || (each === '-o' && /^--out(put)?$/.test(tried.name)));
  const rest = at < 0 ? needed : needed.toSpliced(at, 2);
  const library = OF_THE_LIBRARY.test(words.join(' ')) && tried.name !== '--library' ? [`--library=${LIBRARY}`] : [];
  const args = places
    .filter(({ isOption }) => !isOption)
    .map((place) => (place === tried ? value : (GOOD[place.name] ?? 'x')));
  return [...words, ...rest, ...library, ...(tried.isOption ? [`${tried.name}=${value}`] : []), '--', ...args];
}

function faultsOf(name: string, { exit, out, notes, message: thrown }: Outcome): readonly string[] {
  // Of several files each is told by itself.
  const message = thrown === '' ? notes.join(' ') : thrown;
  const said = `${name} → ${exit} ${JSON.stringify(message)}`;
  return [
    ...(exit === 2 || exit === 3 ? [] : [`${said}: not refused`]),
    ...(out === '' ? [] : [`${said}: says on stdout ${JSON.stringify(out.slice(0, 80))}`]),
    ...(message !== '' && !message.includes('\n') ? [] : [`${said}: not one line`]),
    ...(/\n? {4}at |node:internal|undefined|\[object/.test(`${message}${notes.join('')}`)
      ? [`${said}: looks like a fault of ours`]
      : []),
  ];
}

const CASES = commandCases();

describe.each(CASES.map((each) => [each.words.join(' '), each] as const))('%s', (name, { words, places }) => {
  test.each(places.map((place) => [place.name, place] as const))(
    '%s',
    async (_name, place) => {
      const faults: string[] = [];
      for (const value of BAD[place.takes]) {
        if (FINE.some(([command, at, fine]) => command === name && at === place.name && fine === value)) continue;
        if (ENDLESS.has(name) && value.trim() !== '' && place.takes !== 'number') continue;
        const line = lineOf(words, places, place, value);
        faults.push(...faultsOf(line.join(' ').replaceAll(files.path, ''), await run(line)));
      }
      expect(faults).toEqual([]);
    },
    240_000,
  );

  test('an option that is none', async () => {
    const args = places.filter(({ isOption }) => !isOption).map((each) => GOOD[each.name] ?? 'x');
    const outcome = await run([...words, ...(NEEDED[name] ?? []), '--no-such-option', ...args]);
    expect(outcome).toMatchObject({ exit: 2, out: '', message: expect.stringContaining('--no-such-option') });
  });
});

test.each(['--spec', '--a', '--b'])(
  '%s: a name that neither a policy nor a file has is told with those that are',
  async (option) => {
    const words = option === '--spec' ? ['uses', CHAT] : ['compare', CHAT, '--a', 'raw', '--b', 'raw'];
    const outcome = await run([...words, option, 'retentoin']);
    expect(outcome).toMatchObject({ exit: 2, out: '', message: expect.stringContaining('retention') });
  },
);

test('a last line that was cut off is told, whatever is asked', async () => {
  const lines = ['user', 'assistant'].map((type) =>
    JSON.stringify({ type, sessionId: 's', uuid: type, message: { role: type, content: 'port 8443' } }),
  );
  const cut = files.write('cut.jsonl', lines.join('\n').slice(0, -20));
  for (const args of [
    ['uses', cut],
    ['sweep', cut],
    ['trace', cut, '--text', 'port'],
  ]) {
    expect((await run(args)).notes, args.join(' ')).toContainEqual(expect.stringContaining('The last line (2) ends'));
  }
});

// "Grüße" in Latin-1 is nowhere in what is read of it: an answer that says so alone would be wrong.
test('invalid UTF-8 is reported, whatever is asked, once for all lines', async () => {
  const line = (type: string) =>
    JSON.stringify({ type, sessionId: 's', uuid: type, message: { role: type, content: 'Gr\u00fc\u00dfe' } });
  const text = `${line('user')}\n${line('assistant')}\n`;
  const latin = files.write('latin.jsonl', Buffer.from(text, 'latin1'));
  for (const args of [
    ['project', latin],
    ['trace', latin, '--text', 'Gr\u00fc\u00dfe'],
    ['keep', latin, '--text', 'Gr\u00fc\u00dfe'],
    ['autopsy', latin],
  ]) {
    const { notes } = await run(args);
    expect(notes, args.join(' ')).toContainEqual(expect.stringMatching(/Invalid UTF-8 .*\(and 1 more like it\)/));
  }
});

test('the table knows all commands of the documentation', () => {
  const docs = readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8');
  for (const { words } of CASES) expect(docs, words.join(' ')).toContain(`\`${words[0]}`);
});
