// Baselines of an open library: what `parallax check` compares and records of the same rules and the same files.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { CheckedInfo } from '../../core/protocol/checkTypes.ts';
import { baselineRules, NEW_RULE } from '../support/baselineRules.ts';
import { runCli } from '../support/cli.ts';
import { claudeCodeFile } from '../support/generate.ts';
import { failureOf, testEngine } from './support.ts';

const Report = z.object({ transcripts: z.array(z.object({ outcomes: z.array(z.record(z.string(), z.unknown())) })) });

const plainOf = ({ outcomes }: CheckedInfo) =>
  outcomes.map(({ policy: _policy, evidence: _evidence, ...outcome }) => outcome);

/** Rules in `ci`, transcripts in `sessions`, as people keep them; or all in one folder. */
async function arranged(folders: readonly [string, string]) {
  const { client, add, dir } = testEngine();
  for (const folder of folders) mkdirSync(join(dir, folder), { recursive: true });
  const sessions = ['a', 'b'].map((name) => join(folders[1], `${name}.jsonl`));
  const ids: string[] = [];
  for (const [at, name] of sessions.entries()) {
    ids.push(await add(name, claudeCodeFile({ messages: 40 + at * 10, seed: at + 1 })));
  }
  const path = join(dir, folders[0], 'agent.rules.yaml');
  const baselinePath = join(dir, folders[0], 'agent.rules.baseline.json');
  const files = sessions.map((name) => join(dir, name));
  const command = async (...options: string[]) => {
    const { stdout } = await runCli(['check', path, ...files, '--format', 'json', ...options]);
    return Report.parse(JSON.parse(stdout)).transcripts.map(({ outcomes }) => outcomes);
  };
  const run = async (rules: string, baseline: string | null, from: string | null) =>
    (await client.call('check.run', { ids, rules, baseline, path: from, run: 'r' })).checked;
  return { client, dir, path, baselinePath, command, run };
}

test.each([
  ['beside the rules', ['all', 'all']],
  ['in another folder', ['ci', 'sessions']],
] as const)(
  'transcripts %s: a passing, a failing and a missing baseline are those of the command',
  async (_, folders) => {
    const { client, path, baselinePath, command, run } = await arranged(folders);
    writeFileSync(path, baselineRules(1));
    await command('--update');
    const changed = baselineRules(2, NEW_RULE);
    writeFileSync(path, changed);
    const { name, text } = await client.call('check.baseline', { path });
    expect([name, text]).toEqual(['agent.rules.baseline.json', readFileSync(baselinePath, 'utf8')]);

    const expected = await command();
    // A browser does not say where the rules are: what was recorded is known by the end of its path.
    for (const from of [path, null]) {
      const checked = await run(changed, text, from);
      expect(checked.map(plainOf)).toEqual(expected);
      expect(checked.map(({ outcomes }) => outcomes.map(({ verdict }) => verdict))).toEqual([
        ['passed', 'failed', 'unchecked'],
        ['passed', 'failed', 'unchecked'],
      ]);
      expect(checked[0]?.baseline?.isRecorded).toBe(true);

      const found = checked.flatMap(({ baseline }) =>
        baseline?.key == null ? [] : [{ key: baseline.key, records: baseline.records }],
      );
      const next = await client.call('check.record', { baseline: text, found });
      const again = await run(changed, next.text, from);
      expect(again.flatMap(({ outcomes }) => outcomes.map(({ verdict }) => verdict))).toEqual(Array(6).fill('passed'));
      const recorded = readFileSync(baselinePath, 'utf8');
      await command('--update');
      expect(next.text).toBe(readFileSync(baselinePath, 'utf8'));
      writeFileSync(baselinePath, recorded);
    }
  },
);

test('a first baseline is that of the command, byte for byte', async () => {
  const { client, path, baselinePath, command, run } = await arranged(['ci', 'sessions']);
  const rules = baselineRules(1);
  writeFileSync(path, rules);
  expect((await client.call('check.baseline', { path })).text).toBeNull();
  const checked = await run(rules, null, path);
  expect(new Set(checked.flatMap(({ outcomes }) => outcomes.map(({ verdict }) => verdict)))).toEqual(
    new Set(['unchecked']),
  );
  const found = checked.map(({ baseline }) => ({ key: baseline?.key ?? '', records: baseline?.records ?? {} }));
  expect(found.map(({ key }) => key)).toEqual(['../sessions/a.jsonl', '../sessions/b.jsonl']);
  const { text } = await client.call('check.record', { baseline: null, found });
  await command('--update');
  expect(text).toBe(readFileSync(baselinePath, 'utf8'));
});

test('an evidence of a changed baseline names each figure as it was and is', async () => {
  const { client, path, run } = await arranged(['all', 'all']);
  const [one] = await run(baselineRules(1), null, path);
  const found = [{ key: one?.baseline?.key ?? '', records: one?.baseline?.records ?? {} }];
  const { text } = await client.call('check.record', { baseline: null, found });
  const { checked } = await client.call('check.run', {
    ...{ ids: [one?.id ?? ''], rules: baselineRules(2), baseline: text, path, run: 'r' },
  });
  const changed = checked[0]?.outcomes[1]?.evidence?.changed ?? [];
  expect(changed.map(({ name }) => name)).toContain('prefix_hash');
  expect(changed.every(({ before, now }) => before !== now)).toBe(true);
});

test('recorded transcripts that are alike by name are compared with none, and that is said', async () => {
  const { client, run, path } = await arranged(['all', 'all']);
  const [one] = await run(baselineRules(1), null, path);
  const records = one?.baseline?.records ?? {};
  const found = ['monday/a.jsonl', 'friday/a.jsonl'].map((key) => ({ key, records }));
  const { text } = await client.call('check.record', { baseline: null, found });
  const [checked] = await run(baselineRules(1), text, null);
  expect(checked?.baseline).toMatchObject({ key: null, alike: ['friday/a.jsonl', 'monday/a.jsonl'] });
  expect(checked?.outcomes[0]).toMatchObject({
    verdict: 'unchecked',
    found: 'recorded transcripts are alike by name: friday/a.jsonl, monday/a.jsonl',
  });
  // Where the rules are is known: it is neither of them.
  const [known] = await run(baselineRules(1), text, path);
  expect(known?.baseline).toMatchObject({ key: 'a.jsonl', alike: [], isRecorded: false });
});

test('a baseline that was edited by hand is refused where it is wrong', async () => {
  const { client, path, run } = await arranged(['all', 'all']);
  const [one] = await run(baselineRules(1), null, path);
  const found = [{ key: 'a.jsonl', records: one?.baseline?.records ?? {} }];
  const { text } = await client.call('check.record', { baseline: null, found });
  const broken = text.replace('"tokens": ', '"tokens": "many", "x": ');
  const { faults } = await client.call('check.read', { rules: baselineRules(1), baseline: broken });
  expect(faults).toMatchObject([{ line: null, text: expect.stringContaining('transcripts.a.jsonl.As before.tokens') }]);
  expect((await failureOf(run(baselineRules(1), broken, path))).code).toBe('rules.invalid');
  expect((await failureOf(client.call('check.record', { baseline: '{', found }))).code).toBe('baseline.invalid');
  // Rules that compare with none do not care.
  const plain = 'version: 1\nrules:\n  - fits: true\n';
  expect((await client.call('check.read', { rules: plain, baseline: broken })).faults).toEqual([]);
});
