import { Buffer } from 'node:buffer';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { discover, knownPlaces } from '../../../core/engine/follow/places.ts';
import { isTranscript, walk } from '../../../core/engine/follow/walk.ts';
import { executeJob } from '../../../core/engine/jobs/execute.ts';
import type { JobProgress } from '../../../core/engine/jobs/importAll.ts';
import { count, sessionLines, writeSession } from '../../store/support.ts';
import { openLibrary, tempDir } from '../../support/tempLibrary.ts';

const signal = new AbortController().signal;
const session = (text: string) => `${sessionLines([{ role: 'user', content: text }]).join('\n')}\n`;

/** Files by path below a folder of their own. */
function tree(files: Readonly<Record<string, string>>): string {
  const root = join(tempDir(), 'root');
  mkdirSync(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

test('a walk finds every file once, whatever links there are', async () => {
  const root = tree({ 'a.jsonl': 'a', 'deep/er/b.jsonl': 'b', 'node_modules/x/c.json': '{}', '.git/d.json': '{}' });
  symlinkSync(root, join(root, 'deep', 'circle'));
  symlinkSync(join(root, 'deep'), join(root, 'again'));
  symlinkSync(join(root, 'nowhere'), join(root, 'lost'));
  const { files, unreadable } = await walk(root, signal);
  expect(files.map(({ path, bytes }) => [path.slice(root.length + 1), bytes])).toEqual([
    ['a.jsonl', 1],
    ['again/er/b.jsonl', 1],
  ]);
  expect(unreadable.map(({ where }) => where?.file)).toEqual([join(root, 'lost')]);
});

test.skipIf(process.getuid?.() === 0)('a folder that may not be read is told, the others are walked', async () => {
  const root = tree({ 'a.jsonl': 'a', 'locked/b.jsonl': 'b' });
  chmodSync(join(root, 'locked'), 0);
  const { files, unreadable } = await walk(root, signal);
  chmodSync(join(root, 'locked'), 0o755);
  expect(files).toHaveLength(1);
  expect(unreadable.map(({ text }) => text)).toEqual([`${join(root, 'locked')} was left out: permission was denied.`]);
});

test.each([
  ['a session', session('hello'), true],
  ['a chat document', JSON.stringify({ messages: [{ role: 'user', content: 'hello' }] }), true],
  ['a session behind a byte order mark', `\u{feff}${session('hello')}`, true],
  ['a first line longer than what is looked at', session('x'.repeat(300_000)), true],
  ['other JSON', '{"dependencies":{}}', false],
  ['other JSON lines', '{"level":"info"}\n{"level":"warn"}\n', false],
  ['text', 'Once upon a time', false],
  ['nothing', '', false],
  ['white space', '\n\n   \n', false],
])('%s: whether it is a transcript is decided by content', async (_what, text, expected) => {
  const root = tree({ file: text });
  const { files } = await walk(root, signal);
  expect(await isTranscript(files[0]!)).toBe(expected);
});

test('a folder is one import: each transcript has its outcome, the rest is counted', async () => {
  const root = tree({
    'one.jsonl': session('one'),
    'sub/two.json': JSON.stringify({ messages: [{ role: 'user', content: 'two' }] }),
    'sub/notes.md': '# notes',
    'package.json': '{"name":"x"}',
  });
  const library = openLibrary(tempDir());
  const told: JobProgress[] = [];
  const end = await executeJob(library, { kind: 'import', paths: [root] }, (one) => told.push(one), signal);
  expect(end).toMatchObject({
    state: 'done',
    outcomes: [
      { file: join(root, 'one.jsonl'), error: null },
      { file: join(root, 'sub', 'two.json'), error: null },
    ],
    folders: [{ folder: root, transcripts: 2, skipped: 2, unreadable: [] }],
  });
  expect(count(library, 'transcripts')).toBe(2);
  expect(told.at(-1)).toMatchObject({ progress: 1, message: `2 of 2: ${join(root, 'sub', 'two.json')}` });
});

test('a folder without transcripts is an error, not an empty success', async () => {
  const root = tree({ 'a.txt': 'x', 'b.txt': 'y' });
  const library = openLibrary(tempDir());
  const end = await executeJob(library, { kind: 'import', paths: [root] }, () => {}, signal);
  expect(end).toMatchObject({ state: 'done', outcomes: [{ file: root, error: { code: 'import.no_transcripts' } }] });
});

test('cancelled in the middle of a folder, the files that are done stay', async () => {
  const root = tree({});
  for (let n = 0; n < 4; n++) {
    const messages = Array.from({ length: 300 }, (_, i) => ({
      role: 'user',
      content: `${n} ${i} ${'x'.repeat(9000)}`,
    }));
    writeSession(join(root, `${n}.jsonl`), messages);
  }
  const library = openLibrary(tempDir());
  const abort = new AbortController();
  const onProgress = ({ message, progress }: JobProgress) => {
    if (message.startsWith('3 of 4') && (progress ?? 0) > 0.55) abort.abort();
  };
  const end = await executeJob(library, { kind: 'import', paths: [root] }, onProgress, abort.signal);
  expect(end).toEqual({ state: 'cancelled' });
  expect(library.list().map(({ state, counts }) => [state, counts.messages])).toEqual([
    ['ready', 300],
    ['ready', 300],
  ]);
});

test('known places follow the environment, and are offered only if they hold sessions', async () => {
  const home = tree({
    '.claude/projects/-app/s.jsonl': session('x'),
    '.claude/projects/-app/notes.txt': 'x',
    '.codex/sessions/2026/01/rollout.jsonl': 'xx',
    '.pi/agent/sessions/readme.md': 'x',
    '.gemini/tmp/abc/chats/session-1.json': '{}',
    '.copilot/session-state/one.jsonl': '{}',
    '.copilot/config.json': '{}',
    '.local/share/opencode/storage/message/m.json': '{}',
  });
  const { places: found, missing } = await discover(signal, home, {});
  // Where nothing was found it says where it looked; a tool found in one of its places is not missed in another.
  expect(missing.map(({ tool }) => tool)).not.toContain('Claude Code');
  expect(found.map(({ tool, files }) => [tool, files])).toEqual([
    ['Claude Code', 1],
    ['Codex', 1],
    ['OpenCode', 1],
    ['Gemini CLI', 1],
    ['Copilot CLI', 1],
  ]);
  const other = tree({ 'projects/-app/s.jsonl': 'abc' });
  const { places: moved } = await discover(signal, tempDir(), { CLAUDE_CONFIG_DIR: other });
  expect(moved).toMatchObject([{ tool: 'Claude Code', path: join(other, 'projects'), files: 1, bytes: 3 }]);
  const nobody = await discover(signal, join(home, 'nobody'), {});
  expect(nobody.places).toEqual([]);
  expect(nobody.missing.map(({ tool }) => tool)).toContain('Gemini CLI');
  const paths = knownPlaces('/home/a', { CODEX_HOME: '/x/codex', XDG_DATA_HOME: '/x/data' }).map(({ path }) => path);
  expect(paths).toContain('/x/codex/sessions');
  expect(paths).toContain('/x/data/opencode');
});

test('what lies too deep, or has a name that is no UTF-8, is told with its reason', async () => {
  const root = tree({});
  const deep = join(root, ...Array.from({ length: 34 }, (_, i) => `d${i}`));
  mkdirSync(deep, { recursive: true });
  writeFileSync(join(deep, 'a.jsonl'), session('hi'));
  // Some systems refuse such names.
  const name = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe]), Buffer.from('.jsonl')]);
  const isNamed = await writeFile(name, session('hi')).then(
    () => true,
    () => false,
  );
  const { files, unreadable } = await walk(root, signal);
  expect(files).toEqual([]);
  const told = unreadable.map(({ text }) => text);
  expect(told.filter((text) => text.includes('more than 32 folders deep'))).toHaveLength(1);
  expect(told.filter((text) => text.includes('its name is not UTF-8'))).toHaveLength(isNamed ? 1 : 0);
  const end = await executeJob(
    openLibrary(join(tempDir(), 'library')),
    { kind: 'import', paths: [root] },
    () => {},
    signal,
  );
  expect(end.state === 'done' && end.outcomes[0]?.error?.text).toContain('nothing in it could be looked at');
});
