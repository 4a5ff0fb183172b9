// Names of exports: one function makes them, and the engine writes under them.
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type ExportTarget, exportName } from '../../core/protocol/exportName.ts';
import { shellWord } from '../../core/util/shellWord.ts';
import { testEngine } from './support.ts';

const TARGETS: readonly ExportTarget[] = ['bundle', 'anthropic', 'openai', 'responses', 'gemini', 'jido'];
// Source: "Naming Files, Paths, and Namespaces" of the Windows documentation.
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;

describe('the name of an export', () => {
  it('is made of title, call point and target', () => {
    expect(exportName('Fix: the flaky/login test', 231, 'bundle')).toBe(
      'fix-the-flaky-login-test-at-231.parallax.json',
    );
    expect(exportName('Fix it', 3, 'gemini')).toBe('fix-it-at-3.gemini.json');
    expect(exportName('Fix it', 3, 'jido', 2)).toBe('fix-it-at-3-2.jido.json');
    expect(exportName('…', 0, 'bundle')).toBe('transcript-at-0.parallax.json');
    expect(exportName('修复 登录', 1, 'bundle')).toBe('修复-登录-at-1.parallax.json');
  });

  it('is one every system takes, whatever the title', () => {
    const titles = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom('CON', 'nul.txt', 'com1', '..', '-rf', '~', 'a'.repeat(400), '修'.repeat(400), '\u202Eevil', 'é'),
    );
    fc.assert(
      fc.property(titles, fc.nat(), fc.constantFrom(...TARGETS), fc.integer({ min: 1, max: 999 }), (...given) => {
        const name = exportName(...given);
        expect(name).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zs}<>:"/\\|?*'`$&;!]/u);
        expect(name).not.toMatch(/^[-.]|[. ]$/);
        expect(name).not.toMatch(RESERVED);
        expect(name).toMatch(/\.json$/);
        expect(Buffer.byteLength(name)).toBeLessThan(240);
        expect(name.length).toBeLessThanOrEqual(200);
        // So that it stands in a command as it is.
        expect(shellWord(name)).toBe(name);
        expect(name.normalize('NFC')).toBe(name);
      }),
      { seed: 20_261_122, numRuns: 500 },
    );
  });
});

test.each([
  ['posix', '/home/a b/x.json', "'/home/a b/x.json'"],
  ['posix', "it's $HOME.json", "'it'\\''s $HOME.json'"],
  ['posix', '/tmp/修-at-1.json', '/tmp/修-at-1.json'],
  ['windows', 'C:\\Users\\a b\\x.json', '"C:\\Users\\a b\\x.json"'],
  ['windows', 'C:\\x.json', 'C:\\x.json'],
] as const)('a path as a word of a %s command line: %s', (shell, path, word) => {
  expect(shellWord(path, shell)).toBe(word);
});

const CHAT = JSON.stringify({
  model: 'gpt-4o',
  messages: [
    { role: 'user', content: 'Tell: the "dog" story / 1' },
    { role: 'assistant', content: 'Once.' },
  ],
});

test('bundle, request and thread are written under the names a screen suggests, none over another', async () => {
  const { client, add } = testEngine();
  const id = await add('chat.json', CHAT);
  const { title } = await client.call('transcript.open', { id });
  const bundle = () => client.call('export.write', { id, spec: 'raw', at: 1, path: null });
  const wire = () => client.call('wire.write', { id, spec: 'raw', at: 1, target: 'openai', path: null });
  const first = await bundle();
  expect(basename(first.path)).toBe(exportName(title, 1, 'bundle'));
  expect(basename((await wire()).path)).toBe(exportName(title, 1, 'openai'));
  expect(basename((await client.call('export.thread', { id, path: null })).path)).toBe(exportName(title, 2, 'jido'));
  const before = readFileSync(first.path, 'utf8');
  const second = await client.call('export.write', { id, spec: 'clean_tool_repair', at: 1, path: null });
  expect(basename(second.path)).toBe(exportName(title, 1, 'bundle', 2));
  expect(readFileSync(first.path, 'utf8')).toBe(before);
});

test('the text for an issue names the file by its name, and stands beside it', async () => {
  const { client, add } = testEngine();
  const id = await add('chat.json', CHAT);
  const path = join(mkdtempSync(join(tmpdir(), 'parallax-issue-')), 'my bug.json');
  const { markdown } = await client.call('export.write', { id, spec: 'raw', at: null, path });
  expect(markdown).toContain("npm run parallax -- verify 'my bug.json'");
  expect(readFileSync(`${path}.md`, 'utf8')).toBe(markdown);
});

test('where only the copy of that text cannot be written, the bundle is there and the answer says what is not', async () => {
  const { client, add } = testEngine();
  const id = await add('chat.json', CHAT);
  const path = join(mkdtempSync(join(tmpdir(), 'parallax-issue-')), 'bug.json');
  mkdirSync(`${path}.md`);
  const { markdown, besideProblem, bytes } = await client.call('export.write', { id, spec: 'raw', at: null, path });
  expect(statSync(path).size).toBe(bytes);
  expect(markdown).toContain('bug.json');
  expect(besideProblem).toContain(`${path}.md`);
  rmdirSync(`${path}.md`);
  const again = await client.call('export.write', { id, spec: 'raw', at: null, path });
  expect(again.besideProblem).toBeNull();
});
