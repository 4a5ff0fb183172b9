// A transcript is somebody else's text, and a terminal does what some texts say. The law: no command lets a control
// character but the line feed, or a character that turns or hides text, through to stdout or stderr.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forTerminal, jsonForTerminal } from '../../core/util/unseen.ts';
import { type HostileFiles, hostileFiles } from './hostileFiles.ts';
import { forbiddenIn, HOSTILE, runHere } from './support.ts';

let dir: string;
let files: HostileFiles;
let id: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-terminal-'));
  files = await hostileFiles(dir);
  await runHere(['import', files.session, ...library()]);
  id = JSON.parse((await runHere(['ls', '--json', ...library()])).stdout.split('\n')[0] ?? '').id;
});

let contained = 0;
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
  console.log(`terminal: ${ATTACKS.length} commands, ${contained} contained`);
});

const library = (): readonly string[] => ['--library', join(dir, 'lib')];

type Command = (at: HostileFiles) => readonly string[];

/** Every command that reads a transcript, as people call it; those that can are called with `--json` as well. */
const WITH_JSON: Readonly<Record<string, Command>> = {
  project: (at) => ['project', at.session],
  'project, a policy': (at) => ['project', at.session, '--policy', 'reachability_gc'],
  'project, a policy that throws': (at) => ['project', at.chat, '--spec', at.loud],
  'trace a text': (at) => ['trace', at.session, '--text', `needle ${HOSTILE}`],
  'trace a message': (at) => ['trace', at.session, '--message', '2'],
  why: (at) => ['why', at.session, '--message', '1', '--policy', 'short_context'],
  'entries of a request': (at) => ['entries', at.session, '--request', `req${HOSTILE}`],
  'entries of no call': (at) => ['entries', at.session, '--call', HOSTILE],
  usage: (at) => ['usage', at.session, '--requests'],
  'lint, asked of a provider': (at) => ['lint', at.chat, '--provider', 'anthropic'],
  lint: (at) => ['lint', at.session],
  'export --wire': (at) => ['export', at.session, '--wire', 'openai'],
  'export --wire, another vendor': (at) => ['export', at.chat, '--wire', 'anthropic', '--repair'],
  'export --thread': (at) => ['export', at.session, '--thread', 'jido'],
  'export --thread to a file': (at) => ['export', at.chat, '--thread', 'jido', '-o', `${at.chat}.thread`],
  export: (at) => ['export', at.session, '-o', `${at.session}.bundle`],
  'verify, a bundle that lies': (at) => ['verify', at.bundle],
  'verify, no bundle': (at) => ['verify', at.session],
  import: (at) => ['import', at.session, ...library()],
  'import a bundle': (at) => ['import', at.bundle, ...library()],
  'import a file no format knows': (at) => ['import', at.unknown, ...library()],
  'import nothing': (at) => ['import', `${at.session}.none`, ...library()],
  'import a folder': (at) => ['import', at.dir, ...library()],
  ls: () => ['ls', ...library()],
  search: () => ['search', 'needle', ...library()],
  'search, a query it cannot read': () => ['search', `role:"${HOSTILE}`, ...library()],
  fork: (at) => ['fork', id, '--append', at.messages, '--text', HOSTILE, ...library()],
  'repair --check': (at) => ['repair', '--check', at.broken],
  repair: (at) => ['repair', at.broken],
  'repair, no session': (at) => ['repair', at.chat],
  presets: (at) => ['presets', at.session],
  'mapping check': (at) => ['mapping', 'check', at.mapping, at.unknown],
};

const WITHOUT_JSON: Readonly<Record<string, Command>> = {
  sweep: (at) => ['sweep', at.session, '--policy', 'reachability_gc'],
  'mapping guess': (at) => ['mapping', 'guess', at.unknown],
  'mapping save': (at) => ['mapping', 'save', at.mapping, ...library()],
  'mapping export': () => ['mapping', 'export', HOSTILE, ...library()],
  'tag, a name like that': () => ['tag', id, '--add', HOSTILE, ...library()],
  'tag, a name that turns': () => ['tag', id, '--add', 'a\u202eb\u200bc', ...library()],
  'the tags': () => ['tag', ...library()],
  'rm, no such id': () => ['rm', HOSTILE, ...library()],
  'no such command': () => [HOSTILE],
  'no such option': () => ['ls', `--${HOSTILE}`],
  'no such policy': (at) => ['project', at.session, '--policy', HOSTILE],
  'a spec it cannot read': (at) => ['project', at.session, '--spec', `{"version":1,"stages":[{"kind":"${HOSTILE}"}]}`],
  'a library in a file': (at) => ['ls', '--library', at.session],
};

const ATTACKS: readonly (readonly [string, Command])[] = [
  ...Object.entries(WITH_JSON),
  ...Object.entries(WITH_JSON).map(
    ([name, of]) => [`${name} --json`, (at: HostileFiles) => [...of(at), '--json']] as const,
  ),
  ...Object.entries(WITHOUT_JSON),
];

describe('nothing of a transcript or a file’s name acts on the terminal', () => {
  test.each(ATTACKS)('%s', async (_, of) => {
    const run = await runHere(of(files));
    expect(run.code).not.toBe(70);
    expect(run.stdout + run.stderr).not.toBe('');
    expect({ stdout: forbiddenIn(run.stdout), stderr: forbiddenIn(run.stderr) }).toEqual({ stdout: [], stderr: [] });
    contained++;
  });
});

test('what is shown instead says which character it was; JSON keeps its value', () => {
  expect(forTerminal('a\u001b[2J\u009b\u202e\u{e0041}\nb')).toBe('a<U+001B>[2J<U+009B><U+202E><U+E0041>\nb');
  const json = JSON.stringify({ [HOSTILE]: HOSTILE });
  expect(forbiddenIn(jsonForTerminal(json))).toEqual([]);
  expect(JSON.parse(jsonForTerminal(json))).toEqual({ [HOSTILE]: HOSTILE });
});

test('a note cannot be mistaken for two', async () => {
  const run = await runHere(['project', `none\nparallax: all is well`]);
  expect(run.stderr.split('\n').filter((line) => line.startsWith('parallax:'))).toHaveLength(1);
});
