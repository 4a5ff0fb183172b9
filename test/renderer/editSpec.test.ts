import { describe, expect, it } from 'vitest';
import { identify, sameStages } from '../../core/projection/policyName.ts';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import type { ParamSchema } from '../../core/view/types.ts';
import { dropPosition } from '../../renderer/policy/useStageDrag.ts';
import {
  addStage,
  codePlaces,
  duplicateStage,
  givenValue,
  isChanged,
  isQuiet,
  moveStage,
  problemsOf,
  removeStage,
  resetStage,
  setEnabled,
  setOption,
  shownValue,
} from '../../renderer/state/editSpec.ts';

const WINDOW: ParamSchema = { name: 'root_window', aliases: ['keep_last'], type: 'integer', default: 8, help: '' };
const RESPECT: ParamSchema = { name: 'respect', type: 'boolean', default: true, help: '' };
const PLAN: ParamSchema = { name: 'plan', type: 'text', default: null, help: '' };
const CODE: ParamSchema = { name: 'projector', type: 'code', default: null, help: '' };

const spec = (...kinds: string[]): ProjectionSpec => ({
  version: 1,
  name: 'x',
  stages: kinds.map((kind) => ({ kind })),
});
const kinds = (value: ProjectionSpec) => value.stages.map((stage) => stage.kind).join('');

describe('values of options', () => {
  it('reads a value under its name or an alias, null as not set', () => {
    expect(givenValue({ kind: 'gc', options: { keep_last: 3 } }, WINDOW)).toBe(3);
    expect(givenValue({ kind: 'gc', options: { root_window: null, keep_last: 3 } }, WINDOW)).toBe(3);
    expect(givenValue({ kind: 'gc' }, WINDOW)).toBeUndefined();
  });

  it('shows the default where nothing, or nothing of the type, is given', () => {
    expect(shownValue({ kind: 'gc' }, WINDOW)).toBe(8);
    expect(shownValue({ kind: 'gc', options: { root_window: 'many' } }, WINDOW)).toBe(8);
    expect(shownValue({ kind: 'gc', options: { respect: false } }, RESPECT)).toBe(false);
  });

  it('shows lists and objects of text options as JSON', () => {
    expect(shownValue({ kind: 'gc', options: { plan: ['a.ts'] } }, PLAN)).toBe('["a.ts"]');
  });

  it.each([
    [WINDOW, { root_window: 8 }, false],
    [WINDOW, { root_window: 9 }, true],
    [WINDOW, { keep_last: 9 }, true],
    [PLAN, { plan: '' }, false],
    [RESPECT, { respect: false }, true],
  ])('knows what was changed: %#', (param, options, changed) => {
    expect(isChanged({ kind: 'gc', options }, param)).toBe(changed);
  });

  it('folds away what is at its default, but never numbers and code', () => {
    const stage = { kind: 'gc', options: { plan: 'a' } };
    expect([WINDOW, RESPECT, PLAN, CODE].map((param) => isQuiet(stage, param))).toEqual([false, true, false, false]);
  });
});

describe('edits', () => {
  it('writes an option in place of its alias, and leaves out defaults', () => {
    const before: ProjectionSpec = { version: 1, stages: [{ kind: 'gc', options: { keep_last: 3, other: 1 } }] };
    const set = setOption(before, 0, WINDOW, 20);
    expect(set.stages[0]?.options).toEqual({ other: 1, root_window: 20 });
    expect(setOption(set, 0, WINDOW, 8).stages[0]?.options).toEqual({ other: 1 });
    expect(setOption(spec('gc'), 0, WINDOW, 8).stages[0]).toEqual({ kind: 'gc' });
    expect(before.stages[0]?.options).toEqual({ keep_last: 3, other: 1 });
  });

  it('writes enabled only where it is off', () => {
    const off = setEnabled(spec('a'), 0, false);
    expect(off.stages[0]).toEqual({ kind: 'a', enabled: false });
    expect(setEnabled(off, 0, true).stages[0]).toEqual({ kind: 'a' });
  });

  it('gives a new stage with code something to run', () => {
    const added = addStage(spec('a'), { kind: 'custom', params: [CODE, RESPECT] }, 'm => m');
    expect(added.stages[1]).toEqual({ kind: 'custom', options: { projector: 'm => m' } });
    expect(addStage(spec(), { kind: 'gc', params: [WINDOW] }, 'm => m').stages[0]).toEqual({ kind: 'gc' });
  });

  it('resets options, but keeps code', () => {
    const before: ProjectionSpec = { version: 1, stages: [{ kind: 'c', options: { respect: false, projector: 'x' } }] };
    expect(resetStage(before, 0, [CODE, RESPECT]).stages[0]).toEqual({ kind: 'c', options: { projector: 'x' } });
  });

  it.each([
    [0, 1, 'bac'],
    [0, 2, 'bca'],
    [2, 0, 'cab'],
    [1, 9, 'acb'],
    [1, -1, 'bac'],
    [7, 0, 'abc'],
  ])('moves stage %i to %i', (from, to, expected) => {
    expect(kinds(moveStage(spec('a', 'b', 'c'), from, to))).toBe(expected);
  });

  it('removes and duplicates in place', () => {
    expect(kinds(removeStage(spec('a', 'b', 'c'), 1))).toBe('ac');
    expect(kinds(duplicateStage(spec('a', 'b'), 0))).toBe('aab');
  });

  it.each([
    [0, 2, 'before', 1],
    [0, 2, 'after', 2],
    [2, 0, 'before', 0],
    [2, 0, 'after', 1],
  ] as const)('a card dropped from %i over %i (%s) lands at %i', (from, over, side, place) => {
    expect(dropPosition(from, over, side)).toBe(place);
  });
});

describe('which policy this is', () => {
  const gc: ProjectionSpec = { version: 1, name: 'gc', stages: [{ kind: 'gc' }] };
  const known = [
    { name: 'raw', title: 'Raw', spec: { version: 1, name: 'raw', stages: [] } as ProjectionSpec },
    { name: 'gc', title: 'GC', spec: gc },
  ];

  it('compares stages whatever the order of options and the name', () => {
    const a: ProjectionSpec = { version: 1, stages: [{ kind: 'a', options: { x: 1, y: 2 }, enabled: true }] };
    const b: ProjectionSpec = { version: 1, name: 'b', stages: [{ kind: 'a', options: { y: 2, x: 1 } }] };
    expect(sameStages(a, b)).toBe(true);
    expect(sameStages(a, setEnabled(b, 0, false))).toBe(false);
  });

  it('finds it by its stages', () => {
    expect(identify({ version: 1, stages: [{ kind: 'gc' }] }, known)).toEqual({ policy: known[1], edited: false });
  });

  it('says that it was edited', () => {
    expect(identify(setOption(gc, 0, WINDOW, 9), known)).toEqual({ policy: known[1], edited: true });
  });

  it('knows nothing of others', () => {
    expect(identify(spec('else'), known)).toBeNull();
  });
});

describe('places', () => {
  it('finds the code of a spec', () => {
    const info = {
      kind: 'custom',
      family: 'harn',
      title: '',
      help: '',
      params: [RESPECT, CODE],
      keepsThinking: 'no' as const,
      traits: {},
    };
    expect(codePlaces(spec('a', 'custom'), [info])).toEqual([{ stage: 1, param: CODE }]);
  });

  it('gives each stage its problems, with paths within it', () => {
    const at = (path: string) => ({ code: 'c', severity: 'error' as const, text: path, where: { path } });
    const problems = [at('stages[1].options.root_window'), at('stages[10].kind'), at('window')];
    expect(problemsOf(problems, 1).map((one) => one.where?.path)).toEqual(['root_window']);
    expect(problemsOf(problems, 10).map((one) => one.where?.path)).toEqual(['kind']);
    expect(problemsOf(problems, null).map((one) => one.where?.path)).toEqual(['window']);
  });
});
