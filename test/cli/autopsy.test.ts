import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { claudeCodeFile } from '../support/generate.ts';

let dir: string;
let file: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-autopsy-'));
  file = join(dir, 'session.jsonl');
  writeFileSync(file, claudeCodeFile({ messages: 40 }));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const SPEC = '{"policy":"summary_prefix","keep_last":12}';

test('parallax autopsy says where there is no compaction', async () => {
  const { code, stdout } = await runCli(['autopsy', file]);
  expect(code).toBe(0);
  expect(stdout).toBe('There is no compaction.\n');
  const { stdout: json } = await runCli(['autopsy', file, '--json']);
  expect(JSON.parse(json).compactions).toEqual([]);
});

test('parallax autopsy tells of each summary that a stage puts in place, or of one of them', async () => {
  const all = JSON.parse((await runCli(['autopsy', file, '--spec', SPEC, '--json'])).stdout).compactions;
  expect(all.length).toBeGreaterThan(1);
  const [, second] = all;
  expect(second).toMatchObject({ index: 1, stage: 0, trigger: null, tokensBefore: null, recordedAt: null });
  expect(second.survival.paths.total).toBe(second.survival.paths.survived + second.survival.paths.lost.length);
  expect(Object.keys(second.after)).toEqual(
    expect.arrayContaining(['rereads', 'rereadTokens', 'repeatedFailures', 'callsToFirstEdit', 'refill']),
  );
  const one = await runCli(['autopsy', file, '--spec', SPEC, '--json', '--compaction', '1']);
  expect(JSON.parse(one.stdout).compactions).toEqual([second]);
  const text = await runCli(['autopsy', file, '--spec', SPEC, '--compaction', '1']);
  expect(text.stdout).toContain(`Compaction 2 (--compaction 1) before #${second.at}: put in place by a stage`);
  const none = await runCli(['autopsy', file, '--spec', SPEC, '--compaction', '99']);
  expect(none.code).toBe(2);
  expect(none.stderr).toContain('--compaction is 99; accepted: 0 to');
});

test('a session that begins with its summary says that what it covered is not there', async () => {
  const base = { isSidechain: false, cwd: '/w', sessionId: 's', version: '2.0.14', timestamp: '2026-01-05T09:00:00Z' };
  const boundary = {
    type: 'system',
    subtype: 'compact_boundary',
    compactMetadata: { trigger: 'auto', preTokens: 9_000 },
  };
  const lines = [
    { ...base, ...boundary, uuid: 'a', parentUuid: null, content: 'Conversation compacted' },
    {
      ...{ ...base, type: 'user', uuid: 'b', parentUuid: 'a', isCompactSummary: true },
      message: { role: 'user', content: 'It was about /srv/quay.' },
    },
    {
      ...{ ...base, type: 'assistant', uuid: 'c', parentUuid: 'b' },
      message: { id: 'm', type: 'message', role: 'assistant', model: 'claude-opus-4-5', content: [] },
    },
  ];
  const path = join(dir, 'begins.jsonl');
  writeFileSync(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  const { stdout } = await runCli(['autopsy', path]);
  expect(stdout).toContain('0 messages covered\nThe transcript begins with its summary: what it covered is not in it');
  expect(stdout).not.toContain('word for word');
  const [found] = JSON.parse((await runCli(['autopsy', path, '--json'])).stdout).compactions;
  expect(found).toMatchObject({ recordedAt: 0, opaque: false, survival: { paths: { total: 0 } } });
});
