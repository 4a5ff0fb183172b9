// Checks of an open library: what `parallax check` says of the same rules and the same file, streamed, ended by whoever began them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CheckedInfo, CheckNews, GivenRules } from '../../core/protocol/checkTypes.ts';
import type { EngineClient } from '../../core/protocol/client.ts';
import { runCli } from '../support/cli.ts';
import { compactedSession } from '../support/compactedSession.ts';
import { claudeCodeFile } from '../support/generate.ts';
import { failureOf, nextEvent, testEngine } from './support.ts';

/** A rule of each kind, and of each verdict. */
const RULES = `version: 1
rules:
  - name: Says the word
    text: "the"
    state: original
  - watch: "the"
  - text: "nobody ever says this"
  - uses_gone: 0
  - tokens: 200000
  - tokens: {max: 10, at: end}
  - cost: 0
  - cache_breaks: 0
  - fits: true
  - fits: 20
  - valid_for: anthropic
    at: calls
  - findings: {max: 0}
  - secrets: {max: 0, kind: personal, tier: any}
  - survival: {class: paths, min: 60%}
  - filter: "role:user"
    rows: {max: 2}
  - name: Same as last week
    baseline: true
  - name: Small under another policy
    policy: reachability_gc
    tokens: 100
  - policy: {version: 1, stages: [{kind: sliding_window, options: {turns: 1}}]}
    text: "the"
    at: compactions
`;

function given(rules: string, baseline: string | null = null, path: string | null = null): GivenRules {
  return { rules, baseline, path };
}

function asked(ids: readonly string[], rules: string, run = 'r1') {
  return { ...given(rules), ids, run };
}

async function checkedBy(client: EngineClient, id: string, rules = RULES): Promise<CheckedInfo> {
  const { checked } = await client.call('check.run', asked([id], rules));
  const [only] = checked;
  if (only === undefined) throw new Error('nothing was checked');
  return only;
}

test.each([
  ['a plain session', 'plain.jsonl', () => claudeCodeFile({ messages: 60 })],
  ['one with compactions and recorded usage', 'recorded.jsonl', () => compactedSession().text],
])('%s comes to what the command says of the file', async (_, name, text) => {
  const { client, add, dir } = testEngine();
  const id = await add(name, text());
  const rules = join(dir, 'agent.rules.yaml');
  writeFileSync(rules, RULES);
  const checked = await checkedBy(client, id);
  const { stdout } = await runCli(['check', rules, join(dir, name), '--format', 'json']);
  const report = JSON.parse(stdout);
  const plain = checked.outcomes.map(({ policy: _policy, evidence: _evidence, ...outcome }) => outcome);
  expect(checked.error).toBeNull();
  expect(plain).toEqual(report.transcripts[0].outcomes);
  const { rules: read } = await client.call('check.read', { rules: RULES, baseline: null });
  expect(read.map(({ name: title, text: said, line }) => ({ name: title, text: said, line }))).toEqual(report.rules);
  expect(new Set(plain.map(({ verdict }) => verdict))).toEqual(new Set(['passed', 'failed', 'unchecked']));
});

test('each outcome says what it rests on', async () => {
  const { client, add } = testEngine();
  const id = await add('recorded.jsonl', compactedSession().text);
  const { outcomes, calls, policies } = await checkedBy(client, id);
  expect(policies.map(({ title }) => title)).toHaveLength(3);
  for (const { evidence } of outcomes) {
    if (evidence === null) throw new Error('an outcome without evidence');
    const inRuns = evidence.runs.reduce((sum, run) => sum + run.calls, 0);
    expect([0, calls]).toContain(inRuns);
  }
  const over = outcomes[9];
  expect(over).toMatchObject({ verdict: 'failed', evidence: { where: 'at every call' } });
  expect(over?.evidence?.runs).toMatchObject([{ state: 'over', looked: true, holds: false, calls }]);
  // A rule that looks at the end alone looks at one request.
  const looked = outcomes[0]?.evidence?.runs.filter((run) => run.looked) ?? [];
  expect(looked.map((run) => run.calls)).toEqual([1]);
});

test('faults are said with their lines, and nothing is run', async () => {
  const { client, add } = testEngine();
  const id = await add('a.jsonl', claudeCodeFile({ messages: 10 }));
  const faulty = 'version: 1\npolicy: no_such_policy\nrules:\n  - tokens: many\n';
  const { rules, faults } = await client.call('check.read', { rules: faulty, baseline: null });
  expect(rules).toEqual([]);
  expect(faults).toMatchObject([{ line: 4 }]);
  const unknown = await client.call('check.read', { rules: faulty.replace('many', '5'), baseline: null });
  expect(unknown.faults).toMatchObject([
    { line: 2, text: expect.stringContaining('there is no policy "no_such_policy"') },
  ]);
  const failed = await failureOf(client.call('check.run', asked([id], faulty)));
  expect(failed).toMatchObject({ code: 'rules.invalid', expected: true });
});

test('several transcripts are sent as they are done; the answer is in their order', async () => {
  const { client, add } = testEngine();
  const ids: string[] = [];
  for (let at = 0; at < 5; at++) ids.push(await add(`${at}.jsonl`, claudeCodeFile({ messages: 8 + at, seed: at })));
  const heard: { id: string; done: number; total: number; run: string }[] = [];
  client.on('check', ({ run, checked, done, total }) => heard.push({ id: checked?.id ?? '', done, total, run }));
  const { checked } = await client.call('check.run', asked(ids, RULES, 'mine'));
  expect(checked.map(({ id }) => id)).toEqual(ids);
  expect(heard.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  expect(heard.map(({ done }) => done)).toEqual([1, 2, 3, 4, 5]);
  expect(heard.every(({ total, run }) => total === 5 && run === 'mine')).toBe(true);
});

test('a run ends where the client stops it, or asks for another', async () => {
  const { client, add } = testEngine();
  const id = await add('a.jsonl', claudeCodeFile({ messages: 1_500 }));
  const isUnderWay = ({ run, checked, done, total }: CheckNews) =>
    run === 'r1' && checked === null && done > 0 && done < total;
  const reached = nextEvent(client, 'check', isUnderWay);
  const first = failureOf(client.call('check.run', asked([id], RULES)));
  await reached;
  const second = failureOf(client.call('check.run', asked([id], RULES, 'r2')));
  expect((await first).code).toBe('request.superseded');
  await client.call('check.stop', {});
  expect((await second).code).toBe('request.superseded');
});

test('a rule is held against a transcript under other policies', async () => {
  const { client, add } = testEngine();
  const id = await add('a.jsonl', claudeCodeFile({ messages: 60 }));
  const window = { version: 1, stages: [{ kind: 'sliding_window', options: { turns: 1 } }] };
  const rules = `version: 1\npolicy: ${JSON.stringify(window)}\nrules:\n  - filter: "outcome:dropped"\n    rows: {max: 0}\n`;
  expect((await checkedBy(client, id, rules)).outcomes).toMatchObject([{ verdict: 'failed' }]);
  const { tried } = await client.call('check.under', { ...given(rules), id, rule: 0, specs: ['raw', window] });
  expect(tried.map(({ verdict }) => verdict)).toEqual(['passed', 'failed']);
});
