// A session that lost its cache, as Claude Code writes it: several lines of one answer, each with the diagnosis.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { runCli } from '../support/cli.ts';
import { missedSession } from '../support/missedSession.ts';

const text = missedSession();
let dir: string;
let file: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-cache-'));
  file = join(dir, 'session.jsonl');
  writeFileSync(file, text);
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('a diagnosis is read once for each answer', () => {
  const [transcript] = importText(Buffer.from(text)).transcripts;
  const metas = transcript?.messages.flatMap(({ meta }) => (meta.cacheDiagnosis ? [meta] : [])) ?? [];
  expect(metas).toHaveLength(8);
  expect(metas[5]).toMatchObject({
    effort: 'high',
    cacheDiagnosis: { cause: 'system', word: 'system_changed', missedTokens: 31_000 },
  });
});

test('parallax cache tells our explanation and the provider’s', async () => {
  const run = await runCli(['cache', file]);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toMatch(/#11 +46,000 +15,000 +system +system prompt changed, 31,000 tok +yes/);
  expect(run.stdout).toContain(
    '1 request lost over half of what was cached: 1 explained as the provider does, 0 otherwise',
  );
  expect(run.stdout).toContain('For 1 request of 8 the provider reported what differed');
});

test('parallax cache --json gives the same as data, and usage counts it', async () => {
  const { stdout } = await runCli(['cache', file, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    misses: [{ at: 11, cause: 'system', agreement: 'agree', diagnosis: { cause: 'system' } }],
    diagnoses: { answers: 8, changed: [{ cause: 'system', requests: 1, tokens: 31_000 }], unknown: 0 },
  });
  const usage = await runCli(['usage', file, '--json']);
  expect(JSON.parse(usage.stdout).diagnoses.answers).toBe(8);
});

test('a bundle keeps what the provider said', async () => {
  const bundle = join(dir, 'bundle.json');
  expect((await runCli(['export', file, '-o', bundle])).code).toBe(0);
  expect((await runCli(['verify', bundle])).code).toBe(0);
  const { stdout } = await runCli(['cache', bundle, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    misses: [{ cause: 'system', agreement: 'agree' }],
    diagnoses: { answers: 8 },
  });
});
