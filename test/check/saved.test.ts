// What the mode Checks saves is what `parallax check` prints, in each format.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reportText } from '../../core/check/formats/index.ts';
import { reportOf, resultsName } from '../../renderer/checks/results.ts';
import { testEngine } from '../engine/support.ts';
import { runCli } from '../support/cli.ts';
import { claudeCodeFile } from '../support/generate.ts';

const RULES = `version: 1
rules:
  - name: Says <the> & "more"
    text: "the"
  - tokens: 10
  - text: "nobody ever says this"
  - fits: true
`;

test.each(['text', 'json', 'junit', 'sarif'] as const)('%s, of two transcripts', async (format) => {
  const { client, add, dir } = testEngine();
  const ids = [await add('a.jsonl', claudeCodeFile({ messages: 20 }))];
  ids.push(await add('b.jsonl', claudeCodeFile({ messages: 12, seed: 5 })));
  const rules = join(dir, 'agent.rules.yaml');
  writeFileSync(rules, RULES);
  const [{ checked }, { rules: read }, { transcripts }, { version }] = await Promise.all([
    client.call('check.run', { ids, rules: RULES, baseline: null, path: null, run: 'r1' }),
    client.call('check.read', { rules: RULES, baseline: null }),
    client.call('library.list', {}),
    client.call('engine.info', {}),
  ]);
  const saved = reportText(reportOf({ rules: read, checked }, 'agent.rules.yaml', transcripts), format, version);
  const paths = ['a.jsonl', 'b.jsonl'].map((name) => join(dir, name));
  const { stdout, code } = await runCli(['check', rules, ...paths, '--format', format]);
  expect(code).toBe(1);
  expect(saved).toBe(stdout.replaceAll(rules, 'agent.rules.yaml'));
});

test('two transcripts of one file are told apart by their titles, and a file is named by the rules', () => {
  const checked = ['x', 'y', 'z'].map((id) => ({
    id,
    error: 'gone',
    outcomes: [],
    policies: [],
    calls: 0,
    baseline: null,
  }));
  const library = [
    { id: 'x', title: 'First', files: ['both.json'] },
    { id: 'y', title: 'Second', files: ['both.json'] },
  ];
  const { transcripts, rulesFile } = reportOf({ rules: [], checked }, null, library);
  expect(transcripts.map(({ name, file }) => [name, file])).toEqual([
    ['both.json First', 'both.json'],
    ['both.json Second', 'both.json'],
    ['z', 'z'],
  ]);
  expect(rulesFile).toBe('the rules');
  expect(resultsName('agent.rules.yaml', 'junit')).toBe('agent.results.junit.xml');
  expect(resultsName(null, 'text')).toBe('parallax.results.txt');
});
