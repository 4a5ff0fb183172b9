// What would make a rule pass: each change that is offered does, and where none can do that is said.
import { expect, test } from 'vitest';
import { nextValues } from '../../core/engine/check/candidates.ts';
import type { PassingChanges } from '../../core/protocol/checkTypes.ts';
import type { EngineClient } from '../../core/protocol/client.ts';
import { compactedSession } from '../support/compactedSession.ts';
import { claudeCodeFile } from '../support/generate.ts';
import { testEngine } from './support.ts';

const WINDOW = { version: 1, stages: [{ kind: 'sliding_window', options: { turns: 6 } }] };
const given = (rules: string) => ({ rules, baseline: null, path: null });

function rulesOf(rule: string, policy: unknown = WINDOW): string {
  return `version: 1\npolicy: ${JSON.stringify(policy)}\nrules:\n  - ${rule}\n`;
}

async function passing(client: EngineClient, id: string, rules: string, all = false): Promise<PassingChanges> {
  const { checked } = await client.call('check.run', { ...given(rules), ids: [id], run: 'r' });
  const [outcome] = checked[0]?.outcomes ?? [];
  expect(outcome?.verdict).toBe('failed');
  const spec = checked[0]?.policies[0]?.spec;
  return client.call('check.passing', { ...given(rules), id, rule: 0, spec, all });
}

/** Every change that is offered is held against the rule once more, by the way that existed before. */
async function expectProved(client: EngineClient, id: string, rules: string, found: PassingChanges): Promise<void> {
  const specs = found.passing.map(({ spec }) => spec);
  const { tried } = await client.call('check.under', { ...given(rules), id, rule: 0, specs });
  expect(tried.map(({ verdict }) => verdict)).toEqual(specs.map(() => 'passed'));
}

/** A limit between what two policies make of a session. */
async function figure(client: EngineClient, id: string, rule: string, policy: unknown): Promise<string> {
  const { checked } = await client.call('check.run', { ...given(rulesOf(rule, policy)), ids: [id], run: 'r' });
  return checked[0]?.outcomes[0]?.found ?? '';
}

test.each([
  ['tokens', (max: number) => `tokens: ${max}`],
  ['fits', (max: number) => `fits: ${max}`],
])('%s: the next smaller window that does, and a preset', async (_, rule) => {
  const { client, add } = testEngine();
  const id = await add('a.jsonl', claudeCodeFile({ messages: 180 }));
  const half = { version: 1, stages: [{ kind: 'sliding_window', options: { turns: 3 } }] };
  const peak = Number((await figure(client, id, 'tokens: 0', half)).split(' ')[0]?.replaceAll(',', ''));
  const rules = rulesOf(rule(rule(1).startsWith('fits') ? Math.ceil(peak * 1.3) : peak));
  const found = await passing(client, id, rules, true);
  const words = found.passing.map((change) => change.words);
  expect(words[0]).toMatch(/^Sliding window: .* 6 → 3 \(\d does not do\)$/);
  expect(words.some((each) => each.startsWith('Preset '))).toBe(true);
  expect(found).toMatchObject({ none: null, tried: found.of });
  await expectProved(client, id, rules, found);
});

test('cost: what makes the session cheaper', async () => {
  const { client, add } = testEngine();
  const id = await add('recorded.jsonl', compactedSession().text);
  const raw = { version: 1, stages: [] };
  const cost = Number((await figure(client, id, 'cost: 0', raw)).slice(1));
  const rules = rulesOf(`cost: ${cost * 0.9}`, raw);
  const found = await passing(client, id, rules, true);
  expect(found.passing.length).toBeGreaterThan(0);
  await expectProved(client, id, rules, found);
});

test('a filter of rows: other values, or the stage off', async () => {
  const { client, add } = testEngine();
  const id = await add('a.jsonl', claudeCodeFile({ messages: 240 }));
  const rules = rulesOf('filter: "outcome:dropped"\n    rows: {max: 0}');
  const found = await passing(client, id, rules, true);
  const words = found.passing.map((change) => change.words);
  expect(words).toContainEqual(expect.stringMatching(/^Sliding window: off/));
  expect(words).toContainEqual(expect.stringMatching(/^Sliding window: .* 6 → /));
  await expectProved(client, id, rules, found);
});

test('valid for a provider: hygiene of the rule that is missing, or of all', async () => {
  const { client, add } = testEngine();
  const bad = [
    { role: 'user', content: 'Run it.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }] },
    { role: 'user', content: 'Well?' },
    { role: 'assistant', content: [{ type: 'text', text: 'It says nothing.' }] },
  ];
  const id = await add('bad.json', JSON.stringify({ model: 'claude-sonnet-4-5', messages: bad }));
  const rules = rulesOf('valid_for: anthropic\n    at: end', { version: 1, stages: [] });
  const found = await passing(client, id, rules);
  const words = found.passing.map((change) => change.words);
  expect(words[0]).toBe('Hygiene for anthropic at the end, all its rules');
  expect(words).toContainEqual(expect.stringContaining('this rule alone: '));
  await expectProved(client, id, rules, found);
});

test('where no policy does, that is said with the reason', async () => {
  const { client, add } = testEngine();
  const say = (role: string, content: string) => ({ role, content });
  const messages = [say('user', 'Use ghp_8fK2mQ7xW1vN5cR9tY3bL6hJ4dS0aZ2eU8iP, please.'), say('assistant', 'I do.')];
  const id = await add('secret.json', JSON.stringify({ model: 'gpt-4o', messages }));
  const found = await passing(client, id, rulesOf('secrets: 0'));
  expect(found).toMatchObject({ passing: [], of: 0, none: expect.stringContaining('whatever the policy') });
});

test('values next to one: nearest first, to where there is nothing left or no limit', () => {
  const turns = { name: 'turns', type: 'integer', default: 4, min: 1, softMax: 100, help: '' } as const;
  expect(nextValues(12, turns, { towards: 'more' }, 'less')).toEqual([9, 6, 4, 3, 1]);
  expect(nextValues(12, turns, { towards: 'more' }, 'more')).toEqual([18, 24, 36, 48, 96, 192, 384]);
  // A smaller number takes less.
  expect(nextValues(4, turns, { towards: 'less' }, 'more')).toEqual([3, 2, 1]);
  expect(nextValues(0, { ...turns, min: 0 }, { towards: 'more', unlimited: 0 }, 'less')).toEqual([
    ...[100, 75, 50, 35, 25, 12, 6, 3],
  ]);
  expect(nextValues(4, turns, { towards: 'more', unlimited: 0 }, 'more').at(-1)).toBe(0);
  expect(nextValues(1, turns, { towards: 'more' }, 'less')).toEqual([]);
});
