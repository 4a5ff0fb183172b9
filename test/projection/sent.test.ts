import { describe, expect, it, test } from 'vitest';
import { isAsRecorded, type RecordedIn } from '../../core/projection/asRecorded.ts';
import { type NamedSpec, policyName } from '../../core/projection/policyName.ts';
import { allPresets, PRESETS } from '../../core/projection/presets.ts';
import { sentWords } from '../../core/projection/sent.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { ProjectionSpec, StageSpec } from '../../core/projection/types.ts';

const spec = (...stages: readonly (string | StageSpec)[]): ProjectionSpec => ({
  version: 1,
  stages: stages.map((stage) => (typeof stage === 'string' ? { kind: stage } : stage)),
});
const MINE: NamedSpec = { name: 'A keep6', title: 'A keep6', spec: { ...spec('sliding_window'), name: 'A keep6' } };
const { traitsOf } = STAGES;
const KNOWN = [MINE, ...allPresets(PRESETS)];
const preset = (name: string) => KNOWN.find((one) => one.name === name)?.spec ?? spec('nothing of this name');
const EDITED: ProjectionSpec = { ...MINE.spec, stages: [{ kind: 'sliding_window', options: { turns: 7 } }] };
const NAMELESS = spec({ kind: 'reachability_gc', options: { root_window: 3 } }, 'sliding_window');
const RECORDED = preset('as_recorded');
const OFF = spec('recorded_compaction', { kind: 'sliding_window', enabled: false });
const HALF = spec({ kind: 'recorded_compaction', options: { summaries: false } });

/** policy, at of 300 messages, compactions recorded, forked at → heading. */
const TABLE: readonly (readonly [string, ProjectionSpec, number, boolean, number | null, string])[] = [
  ['as recorded, a recorded call', RECORDED, 276, true, null, 'Sent at #276'],
  ['as recorded, the next request', RECORDED, 300, true, null, 'Would be sent next'],
  ['raw, nothing was compacted', preset('raw'), 276, false, null, 'Sent at #276'],
  ['raw, nothing was compacted, next', preset('raw'), 300, false, null, 'Would be sent next'],
  ['raw where something was', preset('raw'), 276, true, null, 'Would be sent at #276 under Raw'],
  ['as recorded where nothing was', RECORDED, 276, false, null, 'Sent at #276'],
  ['other stages are off', OFF, 276, true, null, 'Sent at #276'],
  ['recorded compaction in part', HALF, 276, true, null, 'Would be sent at #276 under an edited policy'],
  ['a preset', preset('reducer_pipeline'), 276, false, null, 'Would be sent at #276 under Reducer pipeline'],
  ['a preset, next', preset('reducer_pipeline'), 300, false, null, 'Would be sent next under Reducer pipeline'],
  [
    'a preset on what was kept',
    preset('reducer_pipeline_after_recorded'),
    276,
    true,
    null,
    'Would be sent at #276 under Reducer pipeline, after recorded compaction',
  ],
  ['a saved policy', MINE.spec, 12, false, null, 'Would be sent at #12 under A keep6'],
  ['a saved policy, edited', EDITED, 12, false, null, 'Would be sent at #12 under A keep6 edited'],
  ['a policy without a name', NAMELESS, 12, false, null, 'Would be sent at #12 under an edited policy'],
  ['one that brings its own', { ...NAMELESS, name: 'B' }, 12, false, null, 'Would be sent at #12 under B'],
  ['a what-if before the fork', preset('raw'), 12, false, 20, 'Sent at #12'],
  ['a what-if at the fork', preset('raw'), 20, false, 20, 'Would be sent at #20'],
  ['a what-if behind the fork', preset('raw'), 25, false, 20, 'Would be sent at #25'],
];

describe('sent, or would be sent', () => {
  it.each(TABLE)('%s', (_name, policy, at, hasCompactions, forkedAt, title) => {
    const words = sentWords({ spec: policy, at, messages: 300, hasCompactions, forkedAt, traitsOf }, KNOWN);
    expect(words.title).toBe(title);
    expect(words.isSent).toBe(title.startsWith('Sent'));
    expect([words.verb, words.place, words.under].filter((part) => part !== '').join(' ')).toBe(title);
  });
});

describe('a recorded projection', () => {
  const titleFor = (outcome: string | null, at = 4) => {
    const reports = [{ kind: 'recorded_projection', ...(outcome !== null && { meta: { outcome } }) }];
    const question = {
      at,
      messages: 9,
      hasCompactions: false,
      hasProjections: true,
      forkedAt: null,
      reports,
      traitsOf,
    };
    return sentWords({ ...question, spec: preset('as_projected') }, KNOWN);
  };

  it.each([
    ['reproduced', 'Sent at #4', true],
    ['decision_holds', 'Sent at #4', true],
    [null, 'Sent at #4', true],
    ['mismatch', 'Recorded at #4 (hash not reproduced)', false],
    ['summary_not_recorded', 'Recorded at #4 (hash not reproduced)', false],
    ['not_recorded', 'Recorded at #4 (hash not reproduced)', false],
    ['unchecked', 'Recorded at #4 (hash not checked)', false],
  ])('%s: %s', (outcome, title, isSent) => {
    expect(titleFor(outcome)).toMatchObject({ title, isSent });
  });

  it('the next request is nobody’s yet, whatever came of the hash', () => {
    expect(titleFor('mismatch', 9).title).toBe('Would be sent next');
  });
});

const recordedIn = (hasCompactions: boolean, hasProjections: boolean): RecordedIn => ({
  compactions: () => (hasCompactions ? [{ at: 2 }] : []),
  projections: () => (hasProjections ? [{ json: '{}', at: 2, superseded: false }] : []),
});

test('no preset but raw and as recorded is taken for the recorded history, with compactions or without', () => {
  const taken = (hasCompactions: boolean, hasProjections = false) =>
    allPresets(PRESETS).flatMap(({ name, spec: one }) =>
      isAsRecorded(one, recordedIn(hasCompactions, hasProjections)) ? [name] : [],
    );
  expect(taken(true)).toEqual(['as_recorded']);
  // Where nothing is recorded, the stages that go by records do nothing.
  expect(taken(false)).toEqual(['raw', 'as_recorded', 'as_projected']);
  expect(taken(false, true)).toEqual(['as_projected']);
  expect(taken(true, true)).toEqual(['as_projected']);
});

test('no two presets share a name or their stages, so that a policy is called by its own', () => {
  const all = allPresets(PRESETS);
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  for (const { spec: one, title } of all) expect(policyName({ ...one, name: 'x' }, all)).toBe(title);
});
