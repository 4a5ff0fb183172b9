// Where a context policy's values come from.
import { describe, expect, test } from 'vitest';
import { checkScope, resolvePolicy, resolveStages } from '../../core/stages/context/index.ts';

const SCOPES = {
  transcript: { keep_last_turns: 7, summary_role: 'user' },
  workspace: { keep_last_turns: 9, max_input_tokens: 500 },
};

const sourceIn = (
  values: readonly { readonly name: string; readonly value: unknown; readonly source: string }[],
  name: string,
) => {
  const found = values.find((each) => each.name === name);
  return [found?.value, found?.source];
};

test('request before transcript before workspace before default', () => {
  const { options, values } = resolvePolicy({ summary_role: 'system', pending: 'x' }, SCOPES);
  expect(sourceIn(values, 'summary_role')).toEqual(['system', 'request']);
  expect(sourceIn(values, 'keep_last_turns')).toEqual([7, 'transcript']);
  expect(sourceIn(values, 'max_input_tokens')).toEqual([500, 'workspace']);
  expect(sourceIn(values, 'reserve_output_tokens')).toEqual([2000, 'default']);
  expect(options).toEqual({
    summary_role: 'system',
    pending: 'x',
    keep_last_turns: 7,
    max_input_tokens: 500,
    resolved_from: { keep_last_turns: 'transcript', max_input_tokens: 'workspace' },
  });
});

test('resolving again changes nothing; other scopes take effect', () => {
  const once = resolvePolicy({ max_messages: 4 }, SCOPES).options;
  expect(resolvePolicy(once, SCOPES).options).toEqual(once);
  expect(resolvePolicy(once, { transcript: null, workspace: null }).options).toEqual({ max_messages: 4 });
});

test('null is no value, and options that nobody knows stay for the parser to complain of', () => {
  const { options } = resolvePolicy({ keep_last_turns: null, keep_lats: 1 }, SCOPES);
  expect(options).toMatchObject({ keep_last_turns: 7, keep_lats: 1 });
});

describe('stages', () => {
  test('only context policies are resolved', () => {
    const stages = [{ kind: 'clean_tool_repair' }, { kind: 'context_policy', options: { max_messages: 4 } }];
    const resolved = resolveStages(stages, SCOPES);
    expect(resolved[0]).toBe(stages[0]);
    expect(resolved[1]?.options).toMatchObject({ max_messages: 4, keep_last_turns: 7 });
    expect(resolveStages(stages, { transcript: null, workspace: null })).toBe(stages);
  });
});

test('a default must be a valid policy, and hold nothing of one request', () => {
  expect(checkScope({ keep_last_turns: 4 })).toEqual([]);
  expect(checkScope({ keep_last_turns: -1 })).toMatchObject([
    { severity: 'error', where: { path: 'keep_last_turns' } },
  ]);
  expect(checkScope({ pending: 'x' })).toMatchObject([{ severity: 'error', where: { path: 'pending' } }]);
});
