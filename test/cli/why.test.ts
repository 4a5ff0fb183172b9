// What the command says of one message is what tooltip and drawer show: the same fates, and each stage's own words.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { project } from '../../core/projection/project.ts';
import { runCli } from '../support/cli.ts';
import { COMPOSED_MESSAGES } from '../support/composedTranscript.ts';
import { stagesOf, transcriptOf } from '../support/projecting.ts';

const SPEC = JSON.stringify({
  version: 1,
  stages: [
    { kind: 'clean_tool_repair' },
    { kind: 'reachability_gc', options: { root_window: 2, min_chars: 200 } },
    { kind: 'sliding_window', enabled: false, options: { turns: 1 } },
    { kind: 'sliding_window', options: { turns: 7 } },
    { kind: 'hygiene', options: { profile: 'anthropic' } },
  ],
});

let dir: string;
let file: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-why-'));
  file = join(dir, 'session.json');
  writeFileSync(file, JSON.stringify({ messages: COMPOSED_MESSAGES }));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('parallax why', () => {
  it('tells each stage’s own words, and what they come to', async () => {
    const run = await runCli(['why', file, '--message', '17', '--spec', SPEC]);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('#17 user:');
    expect(run.stdout).toMatch(/fate +kept \(reachable\): `src\/live\.ts` is named in #28/);
    expect(run.stdout).toMatch(/1 {2}Clean tool repair +kept \(not_failed\)/);
    expect(run.stdout).toMatch(/2 {2}Reachability GC +kept \(reachable\): `src\/live\.ts` is named in #28/);
    expect(run.stdout).toMatch(/3 {2}Sliding window +off/);
    expect(run.stdout).toMatch(/4 {2}Sliding window +kept \(in_window\): turn 6 from the end ≤ 7/);
  });

  it('says of a message that left which stage saw it last', async () => {
    const run = await runCli(['why', file, '--message', '12', '--spec', SPEC]);
    expect(run.code).toBe(1);
    expect(run.stdout).toMatch(
      /fate +dropped \(repaired_later\): run failed here and succeeded in a later turn, at #17/,
    );
    expect(run.stdout).toMatch(/4 {2}Sliding window +gone before it/);
  });

  it('gives the same words as the projection, for every message', async () => {
    const source = transcriptOf(COMPOSED_MESSAGES);
    const { fates } = project(source, stagesOf(JSON.parse(SPEC)), source.length);
    for (const index of [0, 7, 15, 23, 24, 28]) {
      const run = await runCli(['why', file, '--message', String(index), '--spec', SPEC, '--json']);
      const why = JSON.parse(run.stdout);
      expect(why.fate, `#${index}`).toEqual(fates[index]);
      expect(why.stages).toHaveLength(5);
    }
  });

  it('before a message; after that nothing is known of it', async () => {
    const run = await runCli(['why', file, '--message', '17', '--at', '5', '--spec', SPEC]);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('not there yet');
  });

  it('refuses a message that is not there', async () => {
    const run = await runCli(['why', file, '--message', '99']);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("--message is 99; accepted: a message's number from 0 to 28");
  });
});

it('a stage has one saving in a report, counted as all else is', async () => {
  const gc = '{"policy":"reachability_gc","root_window":2,"min_chars":200}';
  const run = await runCli(['project', file, '--spec', gc]);
  const [, saved] = /Reachability GC +\d results reclaimed +(−[\d,]+ tok)$/m.exec(run.stdout) ?? [];
  const { saved_tokens: tokens } = JSON.parse((await runCli(['project', file, '--spec', gc, '--json'])).stdout);
  expect(saved).toBe(`−${new Intl.NumberFormat('en').format(tokens[0])} tok`);
});

describe('a budget on the command line', () => {
  const pipeline = (window: number) =>
    JSON.stringify({ version: 1, budget: { window }, stages: [{ kind: 'summary', options: { keep_turns: 1 } }] });

  it('is what stages must fit', async () => {
    const small = await runCli(['project', file, '--spec', pipeline(100), '--json']);
    const large = await runCli(['project', file, '--spec', pipeline(100_000), '--json']);
    expect(JSON.parse(small.stdout).dropped_indices.length).toBeGreaterThan(0);
    expect(JSON.parse(large.stdout).dropped_indices).toEqual([]);
  });

  it('has caps that act, and says of those that cannot by how much and what would help', async () => {
    const spec = JSON.stringify({
      version: 1,
      budget: { window: 100_000, caps: { thinking: 0, user: 1 } },
      stages: [{ kind: 'tier_caps', options: { keep: 0 } }],
    });
    const why = await runCli(['why', file, '--message', '27', '--spec', spec]);
    const words =
      /thinking removed: thinking takes \d+ tokens, over the cap of 0; the oldest go first, this one of \d+/;
    expect(why.stdout).toMatch(words);
    const told = await runCli(['project', file, '--spec', spec]);
    expect(told.stdout).toMatch(words);
    expect(told.stdout).toMatch(
      /user \d+ of 1, OVER by \d+\n +No stage of this policy acts on it\..*\(sliding_window\)/,
    );
  });
});
