// `parallax reproduce`: tests that pass, and fail when the policy in them is changed; calls and issues without secrets.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { seededRng } from '../../core/util/rng.ts';
import { bundleOf } from '../support/bundles.ts';
import { runCli } from '../support/cli.ts';
import { PYTEST_COMMAND } from '../support/python.ts';
import { fillTemplate } from '../support/vectors/secrets.ts';

const CHECKOUT = resolve(import.meta.dirname, '..', '..');
const dir = mkdtempSync(join(tmpdir(), 'parallax-reproduce-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
symlinkSync(join(CHECKOUT, 'node_modules'), join(dir, 'node_modules'));
writeFileSync(join(dir, 'package.json'), '{"type":"module"}');

const TOKEN = fillTemplate('ghp_{AN36}', seededRng(11)).text;
const PARALLAX = `${process.execPath} --disable-warning=ExperimentalWarning ${bundleOf('cli/main.ts')}`;

function turn(at: number): readonly unknown[] {
  const id = `toolu_${at}`;
  const use = { type: 'tool_use', id, name: 'read', input: { path: `/home/mirandak/src/${at}.ts` } };
  const content = `line ${at} of a file, "quoted" \\ and\n${at === 0 ? TOKEN : 'more'}`;
  return [
    { role: 'user', content: `Read file ${at}, please. The port is 8443.` },
    { role: 'assistant', content: [use] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
    { role: 'assistant', content: `Read ${at}.` },
  ];
}

const session = join(dir, 'session.json');
const messages = Array.from({ length: 6 }, (_, at) => turn(at)).flat();
writeFileSync(
  session,
  JSON.stringify({
    model: 'claude-opus-4-5',
    max_tokens: 64,
    messages: [...messages, { role: 'user', content: 'And now?' }],
  }),
);

const SPEC = JSON.stringify({
  version: 1,
  stages: [{ kind: 'anthropic_clear_tool_uses', options: { trigger: { type: 'tool_uses', value: 3 }, keep: 2 } }],
});

const holds = (text: string): readonly string[] => [TOKEN, 'mirandak'].filter((value) => text.includes(value));

async function made(...args: readonly string[]): Promise<string> {
  const run = await runCli(['reproduce', session, '--spec', SPEC, ...args]);
  expect(run, run.stderr).toMatchObject({ code: 0 });
  return run.stdout;
}

function run(
  command: string,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly said: string }> {
  const { VITEST: _v, VITEST_WORKER_ID: _w, VITEST_POOL_ID: _p, ...env } = process.env;
  const child = spawn(command, args, { cwd: dir, env: { ...env, PARALLAX, NODE_ENV: 'test' } });
  const said: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  return new Promise((done) =>
    child.once('close', (code) => done({ code, said: Buffer.concat(said).toString('utf8') })),
  );
}

// Which tests of which files pass, in one run.
async function vitest(...files: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const command = [
    join(CHECKOUT, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--root',
    dir,
    '--reporter=json',
    '--outputFile=results.json',
    ...files,
  ];
  await run(process.execPath, command);
  const {
    testResults,
  }: {
    readonly testResults: readonly {
      readonly name: string;
      readonly status: string;
      readonly assertionResults: readonly { readonly failureMessages: readonly string[] }[];
    }[];
  } = JSON.parse(readFileSync(join(dir, 'results.json'), 'utf8'));
  const why = (each: (typeof testResults)[number]): string =>
    each.assertionResults.flatMap(({ failureMessages }) => failureMessages).join('');
  return Object.fromEntries(
    testResults.map((each) => [
      basename(each.name),
      each.status === 'passed' ? 'passed' : (/prefix hash|raw slice/.exec(why(each))?.[0] ?? why(each)),
    ]),
  );
}

test('vitest fixtures pass, and fail when the policy or the bundle is changed; they hold no secret', async () => {
  const text = await made('--as', 'vitest');
  expect(holds(text)).toEqual([]);
  const changed = text.replace('keep: 2', 'keep: 3');
  expect(changed).not.toBe(text);
  writeFileSync(join(dir, 'inside.test.ts'), text);
  writeFileSync(join(dir, 'changed.test.ts'), changed);
  const bundle = join(dir, 'a b.parallax.json');
  await made('--as', 'vitest', '--bundle', bundle, '-o', join(dir, 'beside.test.ts'));
  const beside = readFileSync(join(dir, 'beside.test.ts'), 'utf8');
  expect(beside.length).toBeLessThan(3_000);
  expect(await runCli(['verify', bundle])).toMatchObject({ code: 0 });
  writeFileSync(join(dir, 'other.json'), readFileSync(bundle, 'utf8').replaceAll('Read 5.', 'Read 6.'));
  writeFileSync(join(dir, 'other.test.ts'), beside.replace('a%20b.parallax.json', 'other.json'));
  expect(await vitest('inside', 'changed', 'beside', 'other')).toEqual({
    'inside.test.ts': 'passed',
    'beside.test.ts': 'passed',
    'changed.test.ts': 'prefix hash',
    'other.test.ts': 'raw slice',
  });
});

test.skipIf(PYTEST_COMMAND === null)(
  'a pytest fixture does the same (needs pytest, Debian: python3-pytest)',
  async () => {
    const file = join(dir, 'test_inside.py');
    await made('--as', 'pytest', '-o', file);
    const text = readFileSync(file, 'utf8');
    expect(holds(text)).toEqual([]);
    writeFileSync(join(dir, 'test_changed.py'), text.replace('"keep": 2', '"keep": 3'));
    const pytest = (name: string) => run(PYTEST_COMMAND ?? '', ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', name]);
    const [good, bad] = await Promise.all([pytest('test_inside.py'), pytest('test_changed.py')]);
    expect(good).toMatchObject({ code: 0 });
    expect(bad).toMatchObject({ code: 1 });
    expect(bad.said).toContain('prefix hash');
  },
);

test('verify --spec holds a bundle against another policy', async () => {
  const bundle = join(dir, 'other.parallax.json');
  await runCli(['export', session, '--policy', 'raw', '-o', bundle]);
  expect(await runCli(['verify', bundle, '--spec', 'raw'])).toMatchObject({ code: 0 });
  const other = await runCli(['verify', bundle, '--spec', SPEC, '--json']);
  expect(other.code).toBe(1);
  const { differences } = JSON.parse(other.stdout);
  const project = await runCli(['project', bundle, '--spec', SPEC, '--json']);
  // Counted as "project" counts it, although the bundle's own policy counted nothing.
  expect(differences.find(({ what }: { readonly what: string }) => what === 'prefix hash').got).toBe(
    JSON.parse(project.stdout).prefix_hash,
  );
});

test('the curl body is that of export --wire, scrubbed, and the lint has nothing against it', async () => {
  const curl = await made('--as', 'curl');
  expect(holds(curl)).toEqual([]);
  const whole = JSON.parse(await made('--as', 'curl', '--json'));
  expect(whole).toMatchObject({ as: 'curl', target: 'anthropic', text: curl });
  expect(whole.findings.filter(({ severity }: { readonly severity: string }) => severity === 'error')).toEqual([]);
  const body = curl.split('\n').find((line) => line.startsWith('{')) ?? '';
  const file = join(dir, 'body.json');
  writeFileSync(file, body);
  expect(await runCli(['lint', file, '--provider', 'anthropic'])).toMatchObject({ code: 0 });
  const plain = await made('--as', 'curl', '--unscrubbed');
  const wire = await runCli(['export', session, '--spec', SPEC, '--wire', 'anthropic']);
  expect(plain).toContain(wire.stdout.trim());
});

test('what a provider would refuse is written, and said', async () => {
  const open = join(dir, 'open.json');
  writeFileSync(open, JSON.stringify({ model: 'claude-opus-4-5', max_tokens: 1, messages: messages.slice(0, 2) }));
  const run = await runCli(['reproduce', open, '--as', 'python']);
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('the provider would refuse this');
  expect(await runCli(['reproduce', open, '--as', 'python', '--repair'])).toMatchObject({ code: 0 });
});

test('an issue says what was expected, what became of a text, and how to check the bundle', async () => {
  const bundle = join(dir, 'issue.parallax.json');
  const text = `line 1 of a file`;
  const said = [
    '--expected',
    `It still knows ${TOKEN}.`,
    '--happened',
    'It asks again | twice.',
    '--page',
    'issue.html',
  ];
  const issue = await made('--as', 'issue', '--text', text, ...said, '--bundle', bundle);
  expect(holds(issue)).toEqual([]);
  expect(issue).toContain('### Forgets “line 1 of a file”');
  expect(issue).toContain('**Happened:** It asks again \\| twice.');
  expect(issue).toMatch(/\| The text \| .*(gone|Gone).*Clear tool uses/);
  expect(issue).toContain('parallax verify issue.parallax.json');
  expect(issue).toContain('Open `issue.html` in a browser');
  const { stdout } = await runCli(['verify', bundle, '--json']);
  expect(issue).toContain(JSON.parse(stdout).prefixHash);
});

test('settings, and wrong usage', async () => {
  const settings = await made('--as', 'settings');
  expect(settings).toContain('"type": "clear_tool_uses_20250919"');
  expect(settings).toContain('## OpenAI Responses\n\nCannot say this policy.');
  const gc = await runCli(['reproduce', session, '--as', 'settings', '--policy', 'reachability_gc']);
  expect(gc.code).toBe(1);
  expect(gc.stdout.match(/Cannot say this policy/g)).toHaveLength(4);
  expect(await runCli(['reproduce', session, '--as', 'ruby'])).toMatchObject({ code: 2 });
  expect(await runCli(['reproduce', session, '--as', 'python', '--wire', 'gemini'])).toMatchObject({ code: 2 });
});

test('a slice of the session has the same prefix, is smaller, verifies, and makes a test', async () => {
  const spec = JSON.stringify({ version: 1, stages: [{ kind: 'sliding_window', options: { keep_turns: 2 } }] });
  const [whole, slice] = [join(dir, 'whole.json'), join(dir, 'slice.json')];
  const args = ['export', session, '--spec', spec, '--json'];
  const a = JSON.parse((await runCli([...args, '-o', whole])).stdout);
  const b = JSON.parse((await runCli([...args, '--slice', '--text', 'line 1 of a file', '-o', slice])).stdout);
  expect(b.prefixHash).toBe(a.prefixHash);
  // What is said of the policy's work is the same beside a slice: in the head, the report, and the text for an issue.
  const headOf = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
  for (const name of ['tokens', 'reports', 'fates', 'pointers', 'at'])
    expect(headOf(slice)[name]).toEqual(headOf(whole)[name]);
  const [report, ofSlice] = [join(dir, 'whole.md'), join(dir, 'slice.md')];
  await runCli(['export', session, '--spec', spec, '-o', join(dir, 'a.json'), '--markdown', report]);
  await runCli(['export', session, '--spec', spec, '-o', join(dir, 'a.json'), '--slice', '--markdown', ofSlice]);
  const figures = (text: string) =>
    text.split('\n').filter((line) => /tokens:|outcomes:|^\| (\d|Tokens|Outcomes)/.test(line));
  expect(figures(readFileSync(ofSlice, 'utf8'))).toEqual(figures(readFileSync(report, 'utf8')));
  expect(figures(readFileSync(report, 'utf8'))).toHaveLength(3);
  expect(readFileSync(ofSlice, 'utf8')).toContain('- slice: the bundle holds 5 of 25 messages with their words');
  const issue = async (...more: string[]) =>
    (await runCli(['reproduce', session, '--spec', spec, '--as', 'issue', ...more])).stdout;
  const [plain, sliced] = [await issue(), await issue('--slice', '--text', 'line 1 of a file')];
  expect(figures(sliced)).toEqual(figures(plain));
  expect(figures(plain)).toHaveLength(2);
  expect(sliced).toContain('| Slice | the bundle holds 6 of 25 messages with their words; figures are of the whole |');
  expect(b.bytes).toBeLessThan(a.bytes);
  const text = readFileSync(slice, 'utf8');
  expect(text).not.toContain('line 0 of a file');
  // The message that says the text that is asked for keeps its words.
  expect(JSON.parse(text).slice).toMatchObject({
    whole: [
      [6, 7],
      [20, 25],
    ],
    minimal: true,
    answer: { state: 'gone', rule: 'older_than_window' },
  });
  expect((await runCli(['verify', slice])).stdout).toContain('6 of 25 messages with their words');
  const traced = async (file: string) =>
    JSON.parse((await runCli(['trace', file, '--text', 'line 1 of a file', '--spec', spec, '--json'])).stdout);
  const [inWhole, inSlice] = await Promise.all([traced(whole), traced(slice)]);
  expect(inSlice.states.map(({ at, state }: { at: number; state: string }) => [at, state])).toEqual(
    inWhole.states.map(({ at, state }: { at: number; state: string }) => [at, state]),
  );
  const fixture = await runCli(['reproduce', session, '--spec', spec, '--as', 'vitest', '--slice']);
  expect(fixture.stdout).not.toContain('line 0 of a file');
  expect(fixture.stdout).toContain(a.prefixHash);
});
