// Law: a preset is one spec. What a name means on screen (menu, palette, table of the engine) it means on the command line,
// whatever the transcript.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parsedOrFail, specOf } from '../../cli/support/spec.ts';
import { allPresets, PRESETS, presetsFor } from '../../core/projection/presets.ts';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import type { PresetFigure } from '../../core/protocol/types.ts';
import { sessionFile, testEngine, whenCounted } from '../engine/support.ts';
import { runCli } from '../support/cli.ts';
import { compactedSession } from '../support/compactedSession.ts';
import { tempDir } from '../support/tempLibrary.ts';

const KINDS: readonly (readonly [string, boolean, string])[] = [
  ['with recorded compactions', true, compactedSession().text],
  ['without', false, sessionFile()],
];
const SIDES = [false, true];
/** A spec as any command reads it: options that are not given are none. */
const read = (spec: ProjectionSpec) => parsedOrFail(spec).spec;

describe.each(KINDS)('a transcript %s', (_name, hasCompactions, text) => {
  test.each(SIDES)('menu and palette offer the specs of the command line (after recorded compaction: %s)', (after) => {
    const offered = presetsFor(PRESETS, hasCompactions, after);
    expect(offered.length).toBeGreaterThan(20);
    for (const { name, spec } of offered) expect([name, specOf({ policy: name }).spec]).toEqual([name, read(spec)]);
  });

  test.each(SIDES)('so does the table of the engine (after recorded compaction: %s)', async (afterRecorded) => {
    const { client, add } = testEngine();
    const id = await add('session.jsonl', text);
    const { figures } = await client.call('budget.presets', { id, at: null, afterRecorded });
    const offered = presetsFor(PRESETS, hasCompactions, afterRecorded);
    expect(figures.map(({ name }) => name)).toEqual(offered.map(({ name }) => name));
    for (const { name, spec } of figures) expect([name, specOf({ policy: name }).spec]).toEqual([name, read(spec)]);
  });
});

test('recorded compaction comes first exactly where the name says so', () => {
  for (const { name, title, spec } of allPresets(PRESETS)) {
    const isNamed =
      name === 'as_recorded' || (name.endsWith('_after_recorded') && title.endsWith(', after recorded compaction'));
    expect([name, spec.stages[0]?.kind === 'recorded_compaction']).toEqual([name, isNamed]);
    expect(spec.stages.slice(1).map(({ kind }) => kind)).not.toContain('recorded_compaction');
  }
});

test('the command line has the table of the app, with a policy of one’s own first', async () => {
  const dir = tempDir();
  const file = join(dir, 'session.jsonl');
  writeFileSync(file, compactedSession().text);
  const args = ['--window', '20000', '--after-recorded', '--spec', '{"version":1,"stages":["tool_result_retention"]}'];
  const { stdout, code } = await runCli(['presets', file, '--json', ...args]);
  expect(code).toBe(0);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line): PresetFigure => JSON.parse(line));
  const offered = presetsFor(PRESETS, true, true).map(({ name }) => name);
  expect(lines.map(({ name }) => name)).toEqual(['policy', ...offered]);
  expect(lines[0]).toMatchObject({
    title: 'Tool-result retention',
    total: 20_000,
    sums: { peak: {}, cost: expect.any(Number) },
  });
  const { client, add } = testEngine();
  const id = await add('session.jsonl', compactedSession().text);
  await whenCounted(client, id);
  const settled = async () => (await client.call('projection.set', { id, spec: 'raw', at: null })).final;
  await expect.poll(settled).toBe(true);
  const question = { id, at: null, window: 20_000, afterRecorded: true, sums: true } as const;
  const { figures } = await client.call('budget.presets', question);
  expect(lines.slice(1)).toEqual(JSON.parse(JSON.stringify(figures)));
  const { stdout: text } = await runCli(['presets', file, ...args]);
  expect(text.split('\n')[0]).toMatch(
    /^Policy +Tokens +Left +Peak +Input cost +Breaks +Thinking kept +First call over +Name$/,
  );
  expect(text.split('\n')[1]).toMatch(/^Tool-result retention/);
});

test('the command line says what was sent, and what would be', async () => {
  const { text } = compactedSession();
  const requestOf = async (...args: string[]) => {
    const { stdout } = await runCli(['project', '-', ...args], text);
    return /^request +(.*)$/m.exec(stdout)?.[1];
  };
  expect(await requestOf('--at', '3')).toBe('Sent at #3');
  expect(await requestOf()).toBe('Would be sent next');
  expect(await requestOf('--at', '3', '--policy', 'raw')).toBe('Would be sent at #3 under Raw');
  expect(await requestOf('--policy', 'clean_tool_repair_after_recorded')).toBe(
    'Would be sent next under Clean tool repair, after recorded compaction',
  );
});
