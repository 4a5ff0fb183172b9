// What nobody will read is not said: counted, for a clock would say otherwise each time.
import { afterEach, expect, test, vi } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { KeptPipeline } from '../../core/projection/keptPipeline.ts';
import { presetNamed } from '../../core/projection/presets.ts';
import { project } from '../../core/projection/project.ts';
import { GcRun } from '../../core/stages/harn/gcRun.ts';
import { RetentionRun } from '../../core/stages/reducers/retentionRun.ts';
import { createMemo } from '../../core/view/memo.ts';
import type { StageRead } from '../../core/view/types.ts';
import { claudeCodeLines } from '../support/generate.ts';
import { stagesOf } from '../support/projecting.ts';

const texts = [...claudeCodeLines({ messages: 3_000, seed: 5 })].map((line) =>
  JSON.stringify(JSON.parse(line).message),
);
const source = memorySource(texts);
const stages = stagesOf(presetNamed('all_steps')?.spec ?? { version: 1, stages: [] });

afterEach(() => vi.restoreAllMocks());

test('stages say why of the messages that no later one takes out, and of no others', () => {
  const asked = [vi.spyOn(GcRun.prototype, 'fateOf'), vi.spyOn(RetentionRun.prototype, 'fateOf')];
  const { view, droppedIndices, fates } = project(source, stages, source.length);
  expect(droppedIndices.length).toBeGreaterThan(2_000);
  expect(fates.every(({ reason }) => reason !== '')).toBe(true);
  for (const { mock } of asked) {
    expect(mock.calls.length).toBeGreaterThan(0);
    // Once for its fate, and once for why it stays where nothing was done to it.
    expect(mock.calls.length).toBeLessThanOrEqual(2 * view.items.length);
  }
});

test('what a stage says is asked while it is there, else it throws', () => {
  const kept = new KeptPipeline();
  const memo = createMemo();
  const outputs: StageRead[] = [];
  const observe = ({ output }: { readonly output: StageRead }) => void outputs.push(output);
  project(source, stages, 2_000, { memo, kept, observe });
  const [repair, gc] = outputs;
  expect([...(gc?.fates ?? [])].length).toBeGreaterThan(0);
  expect(gc?.fates.size).toBe(new Map(gc?.fates).size);
  const seen = new Map(gc?.fates);
  project(source, stages, 2_100, { memo, kept });
  // Those that were all said stay as they were.
  expect(new Map(gc?.fates)).toEqual(seen);
  expect(() => repair?.fates.get(5)).toThrow('is asked what it said before it moved on');
});
