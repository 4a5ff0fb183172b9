// `parallax keep` against what the other commands say: under each change `trace` finds the text, and its sums are those of
// two `compare` runs.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';

let dir: string;
let file: string;

const TURNS = Array.from({ length: 12 }, (_, at) => [
  { role: 'user', content: `question ${at}` },
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: `c${at}`, type: 'function', function: { name: 'read', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: `c${at}`, content: at === 0 ? 'the port is 8642' : `other ${at}` },
  { role: 'assistant', content: `answer ${at}` },
]).flat();

const BASE = JSON.stringify({ version: 1, stages: [{ kind: 'sliding_window', options: { turns: 3 } }] });

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-keep-'));
  file = join(dir, 'session.json');
  writeFileSync(file, JSON.stringify({ model: 'gpt-5.5', messages: TURNS }));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

interface Change {
  readonly words: string;
  readonly patch: readonly unknown[];
  readonly spec: unknown;
  readonly proved: true;
  readonly tokensHere: number;
  readonly tokensSession: number;
  readonly costSession: number | null;
  readonly usesSaved: number;
  readonly fits: boolean | null;
  readonly providerTakesIt: boolean;
}

test('each change keeps the text, by its price, with the sums of compare', async () => {
  const run = await runCli(['keep', file, '--text', 'port is 8642', '--spec', BASE, '--json']);
  expect(run.code).toBe(0);
  const { changes, takers }: { changes: readonly Change[]; takers: readonly unknown[] } = JSON.parse(run.stdout);
  expect(takers).toMatchObject([{ stage: 0, title: 'Sliding window' }]);
  expect(changes.map(({ words }) => words)).toContain('Sliding window: Turns to keep 3 → 12 (11 is too few)');
  for (const change of changes) {
    expect(change.proved).toBe(true);
    const spec = JSON.stringify(change.spec);
    const traced = await runCli(['trace', file, '--text', 'port is 8642', '--spec', spec, '--json']);
    expect([change.words, traced.code]).toEqual([change.words, 0]);
    const compared = JSON.parse((await runCli(['compare', file, '--a', BASE, '--b', spec, '--json'])).stdout);
    const total = ({ tokens, requests }: { tokens: { mean: number }; requests: number }) => tokens.mean * requests;
    expect(change.tokensSession).toBeCloseTo(total(compared.b) - total(compared.a), 6);
    expect(change.costSession).toBeCloseTo(compared.b.cost - compared.a.cost, 9);
  }
  const costs = changes.map(({ costSession }) => costSession ?? 0);
  expect(costs).toEqual(costs.toSorted((a, b) => a - b));
});

test('exit codes: found, nothing to do, wrong usage', async () => {
  expect((await runCli(['keep', file, '--message', '2', '--spec', BASE])).code).toBe(0);
  const there = await runCli(['keep', file, '--text', 'answer 11', '--spec', BASE]);
  expect([there.code, there.stdout]).toEqual([1, 'It is in the request at #48: nothing to change.\n']);
  expect((await runCli(['keep', file, '--text', 'nobody said it', '--spec', BASE])).code).toBe(1);
  expect((await runCli(['keep', file, '--spec', BASE])).code).toBe(2);
  expect((await runCli(['keep', file, '--message', '99', '--spec', BASE])).code).toBe(2);
  expect((await runCli(['keep', join(dir, 'none.json'), '--message', '0'])).code).toBe(3);
});
