import { describe, expect, it } from 'vitest';
import { STAGES } from '../../core/projection/stages.ts';
import type { ParamSchema } from '../../core/view/types.ts';
import { describeUnit, unitOf } from '../../renderer/policy/paramLabel.ts';

const STAGE_PARAMS = STAGES.stages.map(({ kind, params }) => [kind, params] as const);

describe.each(STAGE_PARAMS)('%s', (_kind, params) => {
  const all: readonly ParamSchema[] = params.flatMap((param) => [param, ...(param.fields ?? [])]);

  it('calls each option by a few plain words, not by its name in a spec', () => {
    for (const { name, label = '' } of all) {
      expect([name, label]).toEqual([name, expect.stringMatching(/^[A-Z][^_]*$/)]);
      expect([name, label.length <= 32 && label !== name]).toEqual([name, true]);
    }
  });

  it('has no two options of one label', () => {
    const labels = params.map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
  });

  it('has a unit for each value of the option that says what is counted', () => {
    for (const { unitBy, when } of params) {
      if (unitBy === undefined) continue;
      const other = params.find(({ name }) => name === unitBy.param);
      const shown = when?.param === unitBy.param ? when.is : other?.choices?.map(({ value }) => value);
      for (const value of shown ?? []) expect(Object.keys(unitBy.units)).toContain(value);
      expect(shown?.length).toBeGreaterThan(0);
    }
  });
});

describe('what is written beside a number', () => {
  const param = (some: Partial<ParamSchema>): ParamSchema => ({
    name: 'x',
    type: 'integer',
    default: 0,
    help: '',
    ...some,
  });
  it.each([
    ['the unit', param({ label: 'Clear above', unit: 'tokens' }), 5, 'tokens'],
    ['nothing where the name says it', param({ label: 'Turns to keep', unit: 'turns' }), 5, ''],
    ['nothing without one', param({ label: 'Other' }), 5, ''],
    ['bytes in MiB', param({ label: 'Largest image', unit: 'bytes' }), 5_242_880, '= 5 MiB'],
    ['few bytes in KiB', param({ label: 'Largest image', unit: 'bytes' }), 1536, '= 1.5 KiB'],
  ])('%s', (_name, schema, value, words) => {
    expect(describeUnit(schema, value)).toBe(words);
  });

  it('goes by another option where that says what is counted', () => {
    const value = param({ unitBy: { param: 'mode', units: { age: 'turns', count: 'results' } } });
    expect(unitOf(value, () => 'age')).toBe('turns');
    expect(unitOf(value, () => 'count')).toBe('results');
    expect(unitOf(param({ unit: 'tokens' }), () => 'age')).toBe('tokens');
  });
});
