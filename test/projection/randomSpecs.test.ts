// Whatever stands in a spec: it parses, or every fault names its path. Nothing throws.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { ParamSchema } from '../../core/view/types.ts';

const RUNS = { numRuns: 300, seed: 20261120 };

/** Values that an option might be given, near what it asks for and far from it. */
function valuesFor(param: ParamSchema): fc.Arbitrary<unknown> {
  const near: fc.Arbitrary<unknown>[] = [
    fc.constant(param.default),
    fc.integer({ min: -2, max: 50 }),
    fc.double({ noNaN: false }),
    fc.boolean(),
    fc.constantFrom(...(param.choices ?? [{ value: 'x' }]).map(({ value }) => value)),
    fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 3 }),
  ];
  if (param.fields !== undefined) {
    near.push(
      fc.dictionary(fc.string({ maxLength: 5 }), fc.oneof(optionsFor(param.fields), fc.jsonValue()), { maxKeys: 3 }),
    );
  }
  return fc.oneof(...near, fc.jsonValue({ maxDepth: 2 }));
}

function optionsFor(params: readonly ParamSchema[]): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const named = params.flatMap((param) =>
    [param.name, ...(param.aliases ?? [])].map((name): [string, fc.Arbitrary<unknown>] => [name, valuesFor(param)]),
  );
  return fc.record(Object.fromEntries(named), { requiredKeys: [] });
}

function faultsOf(spec: unknown): readonly (string | undefined)[] {
  const parsed = parseSpec(spec, STAGES);
  return (parsed.ok ? parsed.value.warnings : parsed.error).map(({ where }) => where?.path);
}

describe.each(STAGES.stages.map((stage) => [stage.kind, stage] as const))('%s', (kind, stage) => {
  it('takes any options, or says which are wrong', () => {
    fc.assert(
      fc.property(optionsFor(stage.params), (options) => {
        for (const path of faultsOf({ version: 1, stages: [{ kind, options }] })) {
          expect(path).toMatch(/^stages\[0\](\.options\..*)?$/);
        }
      }),
      RUNS,
    );
  });

  it('takes its own defaults', () => {
    const options = Object.fromEntries(stage.params.map((param) => [param.name, param.default]));
    const parsed = parseSpec({ version: 1, stages: [{ kind, options }] }, STAGES);
    // What has no default must be written by the user.
    const needsCode = stage.params.some(({ type, default: value }) => type === 'code' && value === null);
    if (!needsCode) expect(parsed.ok ? [] : parsed.error.map(({ text }) => text)).toEqual([]);
  });
});

describe('the budget', () => {
  const number = fc.oneof(fc.integer({ min: -5, max: 1e6 }), fc.double(), fc.jsonValue({ maxDepth: 1 }));
  const caps = fc.dictionary(
    fc.constantFrom('user', 'tool_result', 'summary', 'nobody'),
    fc.oneof(number, fc.constantFrom('30%', '3%', '%')),
  );
  const budget = fc.record(
    { window: number, model: fc.string(), reserve_output: number, injection_reserve: number, caps, odd: number },
    { requiredKeys: [] },
  );

  it('takes anything, or says what is wrong', () => {
    fc.assert(
      fc.property(fc.oneof(budget, fc.jsonValue({ maxDepth: 2 })), (given) => {
        for (const path of faultsOf({ version: 1, stages: [], budget: given })) expect(path).toMatch(/^budget(\..*)?$/);
      }),
      RUNS,
    );
  });
});
