import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { elements, valueTextAt } from '../../core/util/json/index.ts';
import { runHarnVector } from '../support/harnVectors.ts';
import { sharedDir } from '../support/shared.ts';

const shared = sharedDir();

describe.skipIf(shared === null)('the shared projection vectors (skipped where there are none)', () => {
  const list = shared
    ? valueTextAt(readFileSync(join(shared, 'vectors', 'harn-projection.json'), 'utf8'), ['vectors'])
    : null;
  const cases = list === null ? [] : elements(list, 0).map((span) => list.slice(span.start, span.end));

  it.each(cases.map((json) => [valueTextAt(json, ['id']), json] as const))('%s', async (_id, json) => {
    expect((await runHarnVector(json)).report).toEqual([]);
  });
});

describe('a case that does not hold fails', () => {
  it.each([
    ['a wrong field', '{"id":"x","options":"raw","input":[],"accept":[{"kept_indices":[0]}]}', 'kept_indices'],
    ['a wrong option', '{"id":"x","options":"odd","input":[],"accept":[{}]}', 'Unknown policy'],
    ['nothing accepted', '{"id":"x","options":"raw","input":[],"accept":"invariants"}', 'accepts no outcome'],
  ])('%s', async (_name, json, expected) => {
    const outcome = await runHarnVector(json);
    expect(outcome.passed).toBe(false);
    expect(outcome.report.join('\n')).toContain(expected);
  });
});
