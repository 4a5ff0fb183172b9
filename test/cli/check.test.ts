// `parallax check`: each rule says what the command for that question says, and the exit code follows.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runCli } from '../support/cli.ts';
import { ONE_TURN, readAgainJson } from '../support/readAgain.ts';

const Report = z.object({
  rules: z.array(z.object({ name: z.string(), text: z.string(), line: z.int().nullable() })),
  transcripts: z.array(
    z.object({
      name: z.string(),
      error: z.string().nullable(),
      outcomes: z.array(
        z.object({
          rule: z.int(),
          verdict: z.enum(['passed', 'failed', 'unchecked']),
          found: z.string(),
          at: z.int().nullable(),
          line: z.int().nullable(),
        }),
      ),
    }),
  ),
  counts: z.object({ passed: z.int(), failed: z.int(), unchecked: z.int(), unreadable: z.int() }),
});

let dir: string;
let session: string;
const WINDOW = JSON.stringify(ONE_TURN);

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-check-'));
  mkdirSync(join(dir, 'sessions'));
  session = join(dir, 'sessions', 'session.json');
  writeFileSync(session, readAgainJson('Moor at the north quay.'));
  writeFileSync(join(dir, 'sessions', 'notes.txt'), 'This is no transcript.');
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

function rulesFile(rules: readonly unknown[], policy: unknown = JSON.parse(WINDOW)): string {
  const path = join(dir, `rules-${Math.abs(hashOf(JSON.stringify([rules, policy])))}.json`);
  writeFileSync(path, JSON.stringify({ version: 1, policy, rules }, null, 1));
  return path;
}

function hashOf(text: string): number {
  return [...text].reduce((sum, char) => (Math.imul(sum, 31) + char.charCodeAt(0)) | 0, 7);
}

async function check(rules: readonly unknown[], ...more: readonly string[]) {
  const run = await runCli(['check', rulesFile(rules), session, '--format', 'json', ...more]);
  const report = Report.parse(JSON.parse(run.stdout));
  return { run, report, outcomes: report.transcripts[0]?.outcomes ?? [] };
}

async function json(args: readonly string[]): Promise<unknown> {
  return JSON.parse((await runCli([...args, '--spec', WINDOW, '--json'])).stdout);
}

describe('a rule says what the command for that question says', () => {
  test('a text along the requests: trace', async () => {
    const text = 'the north quay';
    const trace = z
      .object({ firstLoss: z.object({ at: z.int() }), now: z.object({ state: z.string() }) })
      .parse(await json(['trace', session, '--text', text]));
    const { run, outcomes } = await check([
      { watch: text },
      { text, state: trace.now.state },
      { text, state: 'absent' },
      { text, state: 'present', at: 1 },
      { text, state: 'present', at: 0 },
      { text: 'nobody says this' },
      { text: 'nobody says this', state: 'absent', at: 'calls' },
    ]);
    expect(run.code).toBe(1);
    expect(outcomes.map(({ verdict }) => verdict)).toEqual([
      ...['failed', 'passed', 'passed', 'passed', 'unchecked', 'unchecked', 'passed'],
    ]);
    expect(outcomes[0]).toMatchObject({ at: trace.firstLoss.at, line: 1 });
    expect(outcomes[0]?.found).toContain(`gone at #${trace.firstLoss.at}`);
  });

  test('uses and findings', async () => {
    const uses = z.object({ summary: z.object({ gone: z.int() }) }).parse(await json(['uses', session])).summary.gone;
    expect(uses).toBeGreaterThan(0);
    const { outcomes } = await check([
      { uses_gone: uses },
      { uses_gone: uses - 1 },
      { findings: { kind: 'forgotten', max: 1 } },
      { findings: { kind: 'forgotten', max: 0 } },
      { findings: { kind: 'cache_lost', max: 0 } },
    ]);
    expect(outcomes.map(({ verdict }) => verdict)).toEqual(['passed', 'failed', 'passed', 'failed', 'passed']);
    const listed = await runCli(['findings', session, '--spec', WINDOW, '--json', '--no-prevented']);
    const forgotten = listed.stdout.split('\n').filter((line) => line.includes('"forgotten"'));
    expect(outcomes[3]?.found).toMatch(new RegExp(`^${forgotten.length}: #7`));
  });

  test('tokens, cost and cache: sweep', async () => {
    const lines = (await runCli(['tune', session, '--spec', WINDOW, '--vary', 'sliding_window.turns=1', '--json']))
      .stdout;
    const point = z
      .object({ tokens: z.object({ peak: z.number() }), cacheBreaks: z.int() })
      .parse(JSON.parse(lines.split('\n')[0] ?? ''));
    const { peak } = point.tokens;
    const { outcomes } = await check([
      { tokens: peak },
      { tokens: peak - 1 },
      { tokens: { max: 1, at: 'end' } },
      { cache_breaks: point.cacheBreaks },
      { cache_breaks: Math.max(0, point.cacheBreaks - 1) },
      { cost: 10 },
      { cost: 0 },
      { fits: true },
      { fits: peak - 1 },
    ]);
    expect(outcomes.map(({ verdict }) => verdict)).toEqual([
      ...['passed', 'failed', 'failed', 'passed', point.cacheBreaks === 0 ? 'passed' : 'failed'],
      ...['passed', 'failed', 'passed', 'failed'],
    ]);
  });

  test('what a provider refuses: lint; what fits a filter: project', async () => {
    const { outcomes } = await check([
      { valid_for: 'openai', at: 'calls' },
      { filter: 'call:read_file', rows: { min: 1, max: 4 } },
      { filter: 'call:read_file', rows: { max: 0 } },
      { survival: { class: 'paths', min: '50%' } },
    ]);
    expect(outcomes.map(({ verdict }) => verdict)).toEqual(['passed', 'passed', 'failed', 'unchecked']);
  });
});

test('a baseline is recorded, then compared; another policy differs', async () => {
  const rules = rulesFile([{ name: 'as before', baseline: true }]);
  const before = await runCli(['check', rules, session]);
  expect([before.code, before.stdout]).toEqual([0, expect.stringContaining('1 not checked')]);
  expect((await runCli(['check', rules, session, '--strict'])).code).toBe(1);
  const update = await runCli(['check', rules, session, '--update']);
  expect([update.code, update.stdout]).toEqual([0, expect.stringContaining('recorded; compared from the next run on')]);
  const same = await runCli(['check', rules, session]);
  expect([same.code, same.stdout]).toEqual([0, expect.stringContaining('1 passed')]);
  const file = readFileSync(rules, 'utf8').replace('"turns": 1', '"turns": 2');
  writeFileSync(rules, file);
  const other = await runCli(['check', rules, session]);
  expect([other.code, other.stdout]).toEqual([1, expect.stringMatching(/prefix_hash sha256:\w+ → sha256:/)]);
});

describe('rules whose baselines would be one record', () => {
  const spec = (turns: number) => ({ version: 1, stages: [{ kind: 'sliding_window', options: { turns } }] });
  const one = { baseline: true, policy: spec(1) };
  const two = { baseline: true, policy: spec(2) };

  test.each([
    ['two without a name', [one, two], ['line 29: rules.1', 'on line 15)']],
    [
      'two of one name',
      [
        { ...one, name: 'kept' },
        { ...two, name: 'kept' },
      ],
      ['rules.1.name', '"kept"'],
    ],
    ['one called as another without a name', [{ ...one, name: 'equals the recorded baseline' }, two], ['rules.1.name']],
    ['three', [one, two, two], ['rules.1', 'rules.2']],
  ])('%s are a fault, with both lines', async (_, rules, said) => {
    for (const more of [[], ['--update']]) {
      const run = await runCli(['check', rulesFile(rules), session, ...more]);
      expect([run.code, run.stdout]).toEqual([2, '']);
      for (const words of ['one record is kept of each name', ...said]) expect(run.stderr).toContain(words);
    }
  });

  test.each([
    ['one without a name', [one]],
    ['one without, one with a name', [one, { ...two, name: 'two turns' }]],
    [
      'two names',
      [
        { ...one, name: 'one turn' },
        { ...two, name: 'two turns' },
      ],
    ],
    [
      'the name of a rule without a baseline',
      [
        { ...one, name: 'a' },
        { text: 'nobody says this', name: 'a' },
      ],
    ],
  ])('%s: each rule is recorded, and passes', async (_, rules) => {
    const path = rulesFile(rules);
    const update = await runCli(['check', path, session, '--update', '--format', 'json']);
    const wanted = rules.filter((rule) => 'baseline' in rule).length;
    expect(update.stdout.split('compared from the next run on')).toHaveLength(wanted + 1);
    const run = await runCli(['check', path, session, '--format', 'json']);
    expect(Report.parse(JSON.parse(run.stdout)).counts).toMatchObject({ passed: wanted, failed: 0 });
  });
});

test('secrets: what scrub lists, by kind and tier, and no value of it', async () => {
  const path = join(dir, 'secret.json');
  const token = 'ghp_8fK2mQ7xW1vN5cR9tY3bL6hJ4dS0aZ2eU8iP';
  const say = (role: string, content: string) => ({ role, content });
  const messages = [
    say('user', `Use ${token}, then write to ada.lovelace@brightharbour.io.`),
    say('assistant', `I use ${token}.`),
  ];
  writeFileSync(path, JSON.stringify({ model: 'gpt-4o', messages }));
  const Scrubbed = z.object({ findings: z.array(z.object({ kind: z.string(), tier: z.string() })) });
  const { findings } = Scrubbed.parse(JSON.parse((await runCli(['scrub', path, '--json'])).stdout));
  const tokens = findings.filter(({ kind }) => kind === 'github_token').length;
  const definite = findings.filter(({ tier }) => tier === 'definite').length;
  // The title is made of the first message.
  expect(tokens).toBe(3);
  const rules = [
    { secrets: 0 },
    { secrets: tokens },
    { secrets: { max: 0, kind: 'github_token' } },
    { secrets: { max: 0, kind: 'email', tier: 'any' } },
    { secrets: { max: 0, kind: 'slack_token' } },
  ];
  const run = await runCli(['check', rulesFile(rules, 'raw'), path, '--format', 'json']);
  const outcomes = Report.parse(JSON.parse(run.stdout)).transcripts[0]?.outcomes ?? [];
  expect(outcomes.map(({ verdict }) => verdict)).toEqual(['failed', 'passed', 'failed', 'failed', 'passed']);
  expect(outcomes[2]?.found).toBe(`${tokens} (GitHub token): #0, #1, 1 apart from the messages`);
  expect(definite).toBeGreaterThanOrEqual(tokens);
  for (const format of ['text', 'json', 'junit', 'sarif', 'github']) {
    const { stdout, stderr } = await runCli(['check', rulesFile(rules, 'raw'), path, '--format', format]);
    expect(`${stdout}${stderr}`).not.toContain(token.slice(0, 12));
  }
});

test('a baseline that was edited by hand is refused where it is wrong', async () => {
  const rules = rulesFile([{ name: 'kept', baseline: true }], 'raw');
  expect((await runCli(['check', rules, session, '--update'])).code).toBe(0);
  const path = rules.replace(/\.json$/, '.baseline.json');
  const text = readFileSync(path, 'utf8');
  const broken: readonly (readonly [string, string, string])[] = [
    ['"tokens": ', '"tokens": "many", "x": ', 'kept.tokens: '],
    ['"requests": ', '"reqests": ', 'kept.requests: '],
    ['sha256:', 'sha1:', 'kept.prefix_hash: a hash is sha256:'],
    ['"version": 1', '"version": 2', 'version: '],
    ['{', '[{', 'is not JSON'],
  ];
  for (const [from, to, words] of broken) {
    writeFileSync(path, text.replace(from, to));
    const run = await runCli(['check', rules, session]);
    expect([run.code, run.stdout], to).toEqual([2, '']);
    expect(run.stderr, to).toContain(words);
  }
  writeFileSync(path, text);
  expect((await runCli(['check', rules, session])).code).toBe(0);
});

test('a fault in the rules is told with its line, and nothing is run', async () => {
  const path = join(dir, 'broken.yaml');
  const faults: readonly (readonly [string, string])[] = [
    ['version: 1\nrules:\n  - text: a\n  - txet: b\n', 'line 4: rules.1: a rule checks one of text, watch'],
    ['version: 1\nrules:\n  - text: a\n    state: orignal\n', 'line 4: rules.0.state'],
    ['version: 1\nrules:\n  - findings: {kind: lost, max: 0}\n', 'there is no kind of finding "lost"'],
    [
      'version: 1\nrules:\n  - text: a\n    uses_gone: 1\n',
      'a rule checks one thing; this one names text and uses_gone',
    ],
    ['version: 1\nrules:\n  - txet: a\n', 'Did you mean text?'],
    ['version: 1\nrules:\n  - text: a\n    state: orignal\n', 'Did you mean original?'],
    ['version: 1\nrules:\n  - text: a\n    satte: gone\n', 'Did you mean state?'],
    ['version: 1\nrules:\n  - secrets: {max: 0, kind: github_tokn}\n', 'Did you mean github_token?'],
    ['version: 1\nrules:\n  - filter: "rolle:user"\n    rows: {max: 0}\n', 'line 3: rules.0.filter: '],
    ['version: 1\nrules:\n  - valid_for: antropic\n', 'line 3: rules.0.valid_for: there is no provider "antropic"'],
    ['version: 2\nrules:\n  - text: a\n', 'line 1: version'],
    ['version: 1\nrules: [\n', 'line '],
    ['version: 1\npolicy: nonesuch\nrules:\n  - text: a\n', 'nonesuch'],
  ];
  for (const [text, words] of faults) {
    writeFileSync(path, text);
    const run = await runCli(['check', path, session]);
    expect([run.code === 2 || run.code === 3, run.stdout], text).toEqual([true, '']);
    expect(run.stderr, text).toContain(words);
  }
});

test('a file that cannot be read ends with 3, and the others are checked', async () => {
  const broken = join(dir, 'broken.bin');
  writeFileSync(broken, 'This is no transcript.');
  const run = await runCli(['check', rulesFile([{ uses_gone: 99 }]), broken, session, '--format', 'github']);
  expect(run.code).toBe(3);
  expect(run.stdout).toContain('::error file=');
  const folder = await runCli(['check', rulesFile([{ uses_gone: 99 }]), join(dir, 'sessions')]);
  expect([folder.code, folder.stderr]).toEqual([0, expect.stringContaining('1 file skipped')]);
});

test('threads find what one process finds', async () => {
  const many = join(dir, 'many');
  mkdirSync(many);
  for (let n = 0; n < 20; n++) {
    writeFileSync(join(many, `${n}.json`), readFileSync(session, 'utf8').replaceAll('north quay', `quay ${n % 3}`));
  }
  const rules = rulesFile([{ text: 'Moor at the quay 1', state: 'gone' }, { uses_gone: 3 }]);
  const [one, two] = await Promise.all(
    ['1', '2'].map((jobs) => runCli(['check', rules, many, '--jobs', jobs, '--format', 'json'])),
  );
  expect(two?.stdout).toBe(one?.stdout);
  expect(Report.parse(JSON.parse(one?.stdout ?? '')).transcripts).toHaveLength(20);
});
