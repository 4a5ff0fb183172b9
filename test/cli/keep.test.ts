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

interface Pin {
  readonly way: string;
  readonly change: Change | null;
  readonly whyNot: string | null;
}

test('the ways to pin: each keeps what it says, by its price', async () => {
  const run = await runCli([
    'keep',
    file,
    '--text',
    'question 1',
    '--message',
    '4',
    '--pins',
    '--spec',
    BASE,
    '--json',
  ]);
  const found: { message: number; pins: readonly Pin[] } = JSON.parse(run.stdout);
  expect([run.code, found.message]).toEqual([0, 4]);
  expect(found.pins.map(({ way, change }) => [way, change?.words])).toEqual([
    ['message', 'Pin #4'],
    ['words', 'Pin these words only'],
    ['turn', 'Pin all of turn 2'],
    ['users', 'Pin all user messages'],
  ]);
  const here: number[] = [];
  for (const { change } of found.pins) {
    const spec = JSON.stringify(change?.spec);
    expect((await runCli(['trace', file, '--text', 'question 1', '--spec', spec, '--word'])).code).toBe(0);
    const compared = JSON.parse((await runCli(['compare', file, '--a', BASE, '--b', spec, '--json'])).stdout);
    const total = ({ tokens, requests }: { tokens: { mean: number }; requests: number }) => tokens.mean * requests;
    expect(change?.tokensSession).toBeCloseTo(total(compared.b) - total(compared.a), 6);
    here.push(change?.tokensHere ?? 0);
  }
  const [message = 0, words = 0, turn = 0, users = 0] = here;
  expect(words).toBe(message);
  expect(turn).toBeGreaterThan(message);
  expect(users).toBeGreaterThan(turn);
});

test('a pin that does not do is there with why not; without words none of them is', async () => {
  const result = await runCli(['keep', file, '--message', '2', '--pins', '--spec', BASE, '--json']);
  const { pins }: { pins: readonly Pin[] } = JSON.parse(result.stdout);
  expect(pins.map(({ way, change, whyNot }) => [way, change !== null, whyNot])).toEqual([
    ['message', true, null],
    ['turn', true, null],
    ['users', false, '#2 is not what a person said.'],
  ]);
  const text = await runCli(['keep', file, '--text', 'port is 8642', '--pins', '--spec', BASE]);
  expect([text.code, text.stdout]).toEqual([0, expect.stringContaining('3 ways to pin #2:\n')]);
  expect(text.stdout).toContain('No pin of all user messages: #2 is not what a person said.\n');
  const other = await runCli(['keep', file, '--text', 'question 1', '--message', '0', '--pins', '--spec', BASE]);
  expect(other.stdout).toContain('No pin of these words only: #4 said these words first.\n');
});

test('exit codes of pins: kept, none, wrong usage', async () => {
  const code = async (...options: string[]) =>
    (await runCli(['keep', file, '--pins', '--spec', BASE, ...options])).code;
  expect(await code('--message', '47')).toBe(0);
  expect(await code('--text', 'nobody said it')).toBe(1);
  expect(await code('--message', '40', '--at', '20')).toBe(1);
  expect([
    await code(),
    await code('--message', '99'),
    await code('--text', ' '),
    await code('--text', 'x', '--case'),
  ]).toEqual([2, 2, 2, 2]);
});
