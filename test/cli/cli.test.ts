import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';

// 1.0, a big integer and an odd key order: what must come out as it went in.
const MESSAGES = [
  '{"role":"user","content":"please read alpha.ts"}',
  '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{}"}}]}',
  '{"tool_call_id":"c1","role":"tool","content":"error: no such file","cost":1.0,"big":12345678901234567890}',
  '{"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"read","arguments":"{}"}}]}',
  '{"role":"tool","tool_call_id":"c2","content":"the secret word is heliotrope","cost":2.0}',
  '{"role":"assistant","content":"done"}',
];
const DOCUMENT = `{"messages":[${MESSAGES.join(',')}]}`;

let dir: string;
let file: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-cli-'));
  file = join(dir, 'session.json');
  writeFileSync(file, DOCUMENT);
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('parallax project', () => {
  it('gives the result with messages exactly as they were', async () => {
    const run = await runCli(['project', file, '--policy', 'clean_tool_repair', '--json']);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    for (const index of [0, 3, 4, 5]) expect(run.stdout).toContain(MESSAGES[index]);
    expect(run.stdout).not.toContain(MESSAGES[2]);
    const result = JSON.parse(run.stdout);
    expect(result).toMatchObject({
      policy: 'clean_tool_repair',
      kept_indices: [0, 3, 4, 5],
      dropped_indices: [1, 2],
      at: 6,
      transcript: { messages: 6 },
      tokens: { raw: { provenance: 'estimated' } },
    });
    expect(result.prefix_hash).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(result.fates).toHaveLength(6);
    expect(result.stages).toHaveLength(1);
    expect(result.event.metadata.prefix_hash).toBe(result.prefix_hash);
  });

  it('reads stdin and a spec from a file, before a message', async () => {
    const spec = join(dir, 'spec.json');
    writeFileSync(spec, '{"version":1,"stages":[{"kind":"summary_prefix","options":{"keep_last":1,"summary":"S"}}]}');
    const run = await runCli(['project', '-', '--spec', spec, '--at', '3', '--json', '--no-tokens'], DOCUMENT);
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ at: 3, kept_indices: [2], tokens: null });
    expect(run.stdout).toContain('"big":12345678901234567890');
  });

  it('has a report for people', async () => {
    const run = await runCli(['project', file, '--policy', 'clean_tool_repair']);
    expect(run.stdout).toContain('6 → 4 (2 dropped)');
    expect(run.stdout).toMatch(/#2 {2}dropped {2}/);
    expect(run.stdout).toMatch(/tokens +~\d+ → ~\d+ \(estimated/);
  });

  it('exits with 1 if the user code of a stage fails, and still answers', async () => {
    const spec = JSON.stringify({ policy: 'custom', projector: '(m) => { throw new Error("oh no") }' });
    const run = await runCli(['project', file, '--spec', spec, '--json', '--no-tokens']);
    expect(run.code).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({ kept_count: 6 });
    expect(run.stdout).toContain('oh no');
  });

  it('takes the first of several transcripts with a note, or the chosen one', async () => {
    const requests = ['first', 'second'].map((text) => {
      return JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: text }] });
    });
    const both = join(dir, 'two.jsonl');
    writeFileSync(both, `${requests.join('\n')}\n`);
    const first = await runCli(['project', both, '--json', '--no-tokens']);
    const second = await runCli(['project', both, '--json', '--no-tokens', '--transcript', '2']);
    const none = await runCli(['project', both, '--transcript', '9']);
    expect(first.stdout).toContain('"first"');
    expect(first.stderr).toContain('2 transcripts');
    expect(second.stdout).toContain('"second"');
    expect(second.stderr).toBe('');
    expect(none.code).toBe(2);
  });
});

describe('parallax project --ndjson', () => {
  it('answers line by line, in order; a bad line is its own answer', async () => {
    const lines = [
      `{"id":12345678901234567890,"messages":[${MESSAGES.join(',')}],"spec":"clean_tool_repair"}`,
      'not json',
      '',
      '[]',
      '{"id":"no messages"}',
      '{"id":"odd","messages":[1]}',
      '{"id":"policy","messages":[],"spec":{"policy":"magic"}}',
      '{"id":"count","messages":[],"spec":{"policy":"summary_prefix","keep_last":-1}}',
      '{"id":"at","messages":[],"at":1}',
      '{"id":{"any":1.0},"transcript":{"summary":"S","messages":[{"role":"user","content":"a"},{"role":"user","content":"b"}]},"spec":{"policy":"summary_prefix","keep_last":1}}',
      '{"id":"last, without a line end","messages":[]}',
    ];
    const run = await runCli(['project', '--ndjson', '--no-tokens'], lines.join('\n'));
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const answers = run.stdout.trimEnd().split('\n');
    expect(answers[0]).toMatch(/^\{"id":12345678901234567890,"result":\{"policy":"clean_tool_repair"/);
    expect(answers[0]).toContain('"cost":2.0');
    expect(answers.slice(1, 8).map((answer) => JSON.parse(answer))).toMatchObject([
      { id: null, error: { code: 'request.not_json', message: expect.stringContaining('line 2') } },
      { id: null, error: { code: 'request.invalid', message: expect.stringContaining('line 4') } },
      { id: 'no messages', error: { code: 'request.invalid' } },
      { id: 'odd', error: { code: 'request.invalid', message: expect.stringContaining('message 0') } },
      { id: 'policy', error: { code: 'spec.invalid', message: expect.stringContaining('magic') } },
      { id: 'count', error: { code: 'spec.invalid', message: expect.stringContaining('keep_last') } },
      { id: 'at', error: { code: 'transcript.no_such_place' } },
    ]);
    expect(answers[8]).toMatch(/^\{"id":\{"any":1.0\},"result"/);
    expect(answers[8]).toContain('"content":"S"');
    expect(JSON.parse(answers[9] ?? '')).toMatchObject({
      id: 'last, without a line end',
      result: { prefix_hash: 'sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945' },
    });
    expect(answers).toHaveLength(10);
  });

  it('answers with an error where user code failed, with its line, and goes on', async () => {
    const request = (id: number, projector: string) =>
      JSON.stringify({ id, messages: [{ role: 'user', content: 'a' }], spec: { policy: 'custom', projector } });
    const lines = [
      request(1, '(m) => {\n  while (true) {}\n}'),
      request(2, '(m) => {\n  throw new Error("no");\n}'),
      request(3, '(m) => m'),
    ];
    const run = await runCli(['project', '--ndjson', '--no-tokens'], lines.join('\n'));
    const answers = run.stdout.trimEnd().split('\n');
    expect(answers.slice(0, 2).map((answer) => JSON.parse(answer))).toMatchObject([
      { id: 1, error: { code: 'custom.steps', message: expect.stringContaining('line 1') } },
      { id: 2, error: { code: 'custom.threw', message: expect.stringContaining('line 2, column') } },
    ]);
    expect(JSON.parse(answers[2] ?? '')).toMatchObject({ id: 3, result: { kept_indices: [0] } });
  });

  it('stops quietly when its reader has seen enough', async () => {
    const line = `{"id":1,"messages":[${MESSAGES.join(',')}]}\n`;
    const main = new URL('../../cli/main.ts', import.meta.url).pathname;
    const { execFile } = await import('node:child_process');
    const script = `yes '${line.trim()}' | head -n 20000 | "$0" --disable-warning=ExperimentalWarning "$1" project --ndjson --no-tokens | head -n 1 | wc -l; echo "\${PIPESTATUS[2]}"`;
    if (process.platform === 'win32') return;
    const said = await new Promise<string>((resolve) => {
      execFile('bash', ['-c', script, process.execPath, main], (_error, stdout, stderr) => resolve(stdout + stderr));
    });
    expect(said.trim().split(/\s+/)).toEqual(['1', '0']);
  });
});

describe('parallax trace', () => {
  it('tells where a text was lost, to which rule, and exits with 1', async () => {
    const run = await runCli(['trace', file, '--text', 'no such  FILE', '--policy', 'clean_tool_repair', '--json']);
    expect(run.code).toBe(1);
    const answer: unknown = JSON.parse(run.stdout);
    expect(Object.keys(answer as object)).toEqual(['text', 'sentence', 'states', 'firstLoss', 'now']);
    expect(answer).toMatchObject({
      text: 'no such  FILE',
      sentence: expect.stringMatching(/^Gone from the request since call #5: Clean tool repair/),
      states: [
        { at: 3, state: 'original', places: [{ index: 2, part: 0 }] },
        { at: 5, state: 'gone', places: [] },
      ],
      firstLoss: { at: 5, fate: 'dropped', stageTitle: 'Clean tool repair' },
      now: { at: 6, state: 'gone', places: [] },
    });
  });

  it('says it for people: one sentence, the strip, changes, places', async () => {
    const run = await runCli(['trace', file, '--text', 'no such file', '--policy', 'clean_tool_repair']);
    expect(run.stdout).toMatch(/^Gone from the request since call #5/);
    expect(run.stdout).toMatch(/stands +in 1 of 3 requests since it was said/);
    expect(run.stdout).toMatch(/absent +result #2/);
    const upper = await runCli(['trace', file, '--text', 'NO SUCH FILE', '--case']);
    expect(upper).toMatchObject({ code: 1, stdout: expect.stringContaining('nowhere') });
    expect((await runCli(['trace', file, '--text', 'uch file', '--word'])).code).toBe(1);
    expect((await runCli(['trace', file, '--text', 'uch file'])).code).toBe(0);
  });

  it('shows what stands in the place of a message', async () => {
    const spec = '{"policy":"summary_prefix","keep_last":2,"summary":"SUMMARY"}';
    const lost = await runCli(['trace', file, '--message', '0', '--spec', spec]);
    expect(lost.stdout).toMatch(/instead +SUMMARY/);
    expect((await runCli(['trace', file, '--text', 'heliotrope'])).code).toBe(0);
    expect(await runCli(['trace', file, '--text', 'summary', '--spec', spec])).toMatchObject({ code: 0 });
  });

  it('says so if the text stands nowhere, or no place was named', async () => {
    expect(await runCli(['trace', file, '--text', 'xyzzy'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('nowhere'),
    });
    expect((await runCli(['trace', file, '--text', ' '])).code).toBe(2);
    expect((await runCli(['trace', file])).code).toBe(2);
    expect((await runCli(['trace', file, '--message', '6'])).code).toBe(2);
    expect((await runCli(['trace', file, '--message', '1', '--case'])).code).toBe(2);
  });
});

describe('parallax export and verify', () => {
  it('write a bundle that somebody else can check with one command', async () => {
    const bundle = join(dir, 'bug.json');
    const markdown = join(dir, 'bug.md');
    const args = ['export', file, '--policy', 'clean_tool_repair', '-o', bundle, '--markdown', markdown, '--json'];
    const made = await runCli(args);
    expect(made.code).toBe(0);
    const { bytes, prefixHash } = JSON.parse(made.stdout);
    const text = readFileSync(bundle, 'utf8');
    expect(Buffer.byteLength(text)).toBe(bytes);
    expect(text).toContain(MESSAGES[2]);
    expect(readFileSync(markdown, 'utf8')).toContain(prefixHash);

    expect(await runCli(['verify', bundle])).toMatchObject({ code: 0, stdout: expect.stringContaining('the same') });
    writeFileSync(bundle, text.replace('no such file', 'no such path'));
    const tampered = await runCli(['verify', bundle, '--json']);
    expect(tampered.code).toBe(1);
    expect(JSON.parse(tampered.stdout)).toMatchObject({ same: false, differences: [{ what: 'raw slice' }] });
    writeFileSync(bundle, text.slice(0, 900));
    expect(await runCli(['verify', bundle])).toMatchObject({ code: 3, stderr: expect.stringContaining('cut short') });
    expect(await runCli(['verify', file])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('no Parallax bundle'),
    });
  });

  it('leave nothing behind where a bundle cannot be written', async () => {
    const run = await runCli(['export', file, '-o', join(dir, 'nowhere', 'bug.json')]);
    expect(run).toMatchObject({ code: 3, stderr: expect.stringContaining('cannot be written') });
  });

  it('says which files of one command are there when a later one cannot be written', async () => {
    const bundle = join(dir, 'there.json');
    const run = await runCli(['export', file, '-o', bundle, '--markdown', join(dir, 'nowhere', 'bug.md')]);
    expect(run.code).toBe(3);
    expect(run.stderr).toContain(`${bundle} is written; the summary cannot be written`);
    expect((await runCli(['verify', bundle])).code).toBe(0);
  });
});

describe('parallax import and ls', () => {
  it('keep transcripts in a library; the same content twice is one', async () => {
    const library = join(dir, 'library');
    const first = await runCli(['import', file, '--library', library, '--json']);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(first.stdout)).toMatchObject({ transcripts: [{ messages: 6, existed: false }], error: null });
    const again = await runCli(['import', file, '--library', library]);
    expect(again.stdout).toContain('was there already');
    const listed = await runCli(['ls', '--json'], '', { PARALLAX_LIBRARY: library });
    expect(
      listed.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ messages: 6 }]);
  });

  it('imports the others where one file cannot be read', async () => {
    const run = await runCli(['import', '/no/such/file', file, '--library', join(dir, 'library')]);
    expect(run.code).toBe(3);
    expect(run.stderr).toMatch(/^parallax: \/no\/such\/file could not be read/);
    expect(run.stdout).toContain(file);
  });

  it('exit with 3 for a file that is no transcript', async () => {
    const odd = join(dir, 'odd.txt');
    writeFileSync(odd, 'nothing to see');
    const run = await runCli(['import', odd, '--library', join(dir, 'library')]);
    expect(run).toMatchObject({ code: 3, stderr: expect.stringContaining('odd.txt') });
  });
});

describe('usage', () => {
  it('is explained by --help of each command, with exit 0', async () => {
    for (const command of ['project', 'trace', 'export', 'verify', 'import', 'ls', 'serve', 'formats']) {
      const run = await runCli([command, '--help']);
      expect(run).toMatchObject({ code: 0, stderr: '' });
      expect(run.stdout).toContain(`Usage: parallax ${command}`);
    }
  });

  it.each([
    [['project'], 2, 'name a FILE'],
    [['nonsense'], 2, 'unknown command'],
    [['project', 'x', '--nope'], 2, 'unknown option'],
    [['export', 'x'], 2, '--output'],
    [['serve', '--port', 'x'], 2, 'port'],
    [['project', '/no/such/file'], 3, 'no such file'],
    [['project', '/'], 3, 'folder'],
    [['project', 'package.json', '--policy', 'raw'], 3, 'Unknown format'],
    [['project', 'package.json', '--policy', 'magic'], 2, 'there is no policy "magic"'],
    [['project', 'package.json', '--spec', '{"policy":'], 2, 'not JSON'],
    [['project', 'package.json', '--spec', '/no/such/spec'], 3, 'no such file'],
    [['project', 'package.json', '--policy', 'raw', '--spec', '{}'], 2, 'not both'],
  ])('%j ends with %i and one clear line', async (args, code, said) => {
    const run = await runCli(args);
    expect(run).toMatchObject({ code, stdout: '' });
    expect(run.stderr).toContain(said);
    expect(run.stderr).toMatch(/^parallax: [^\n]+\n$/);
  });
});
