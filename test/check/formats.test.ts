// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toGithub } from '../../core/check/formats/github.ts';
import { toJunit } from '../../core/check/formats/junit.ts';
import { toSarif } from '../../core/check/formats/sarif.ts';
import type { CheckReport } from '../../core/check/report.ts';
import { rulesJsonSchema } from '../../core/check/schema.ts';

const HOSTILE = 'a "b" <c> & d\n::error::e % \u0000 \ud800';
const REPORT: CheckReport = {
  rulesFile: 'rules.yaml',
  rules: [
    { name: 'Keeps the port', text: HOSTILE, line: 3 },
    { name: 'Keeps the port', text: 'uses gone ≤ 5', line: 6 },
  ],
  transcripts: [
    {
      name: 'a b/1.jsonl',
      file: 'a b/1.jsonl',
      outcomes: [
        { rule: 0, verdict: 'failed', found: HOSTILE, at: 4, index: 2, line: 7 },
        { rule: 1, verdict: 'unchecked', found: 'nothing', at: null, index: null, line: null },
      ],
      error: null,
    },
    { name: '2.jsonl', file: '2.jsonl', outcomes: [], error: 'it holds no transcript' },
    {
      name: '3.jsonl',
      file: '3.jsonl',
      outcomes: [{ rule: 0, verdict: 'passed', found: 'at 3 of 3 calls', at: null, index: null, line: null }],
      error: null,
    },
  ],
};

test('JUnit: a well-formed document whose counts are those of its cases', () => {
  const text = toJunit(REPORT);
  const document = new DOMParser().parseFromString(text, 'text/xml');
  expect(document.querySelector('parsererror')).toBeNull();
  const root = document.documentElement;
  const numbers = (element: Element, ...names: string[]) => names.map((name) => Number(element.getAttribute(name)));
  expect(numbers(root, 'tests', 'failures', 'errors')).toEqual([4, 1, 1]);
  for (const suite of document.querySelectorAll('testsuite')) {
    const count = (selector: string) => suite.querySelectorAll(selector).length;
    expect(numbers(suite, 'tests', 'failures', 'errors', 'skipped')).toEqual(
      ['testcase', 'failure', 'error', 'skipped'].map(count),
    );
  }
  expect(document.querySelector('failure')?.getAttribute('message')).toContain('a "b" <c> & d');
  expect(document.querySelector('failure')?.textContent).toMatch(/^a b\/1\.jsonl:7: a "b" <c> & d/);
  expect(text).not.toMatch(/\u0000|\ud800/);
});

test('SARIF: each failure at its file and line, each rule with an id of its own', () => {
  const log = toSarif(REPORT, '1.2.3');
  expect(log).toMatchObject({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { rules: [{ id: 'keeps-the-port' }, { id: 'keeps-the-port-2' }] } },
        results: [
          {
            ruleId: 'keeps-the-port',
            ruleIndex: 0,
            level: 'error',
            kind: 'fail',
            locations: [{ physicalLocation: { artifactLocation: { uri: 'a%20b/1.jsonl' }, region: { startLine: 7 } } }],
          },
          { ruleId: 'keeps-the-port-2', level: 'none', kind: 'notApplicable' },
        ],
        invocations: [{ executionSuccessful: false, toolExecutionNotifications: [{ level: 'error' }] }],
      },
    ],
  });
});

test('GitHub: a line each, and no text of a transcript gives a command of its own', () => {
  const lines = toGithub(REPORT).trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines.every((line) => line.startsWith('::error file='))).toBe(true);
  expect(lines[0]).toContain('%0A::error::e %25');
});

test('the published schema is that of the program', () => {
  const path = join(import.meta.dirname, '..', '..', 'docs', 'check.schema.json');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(JSON.parse(JSON.stringify(rulesJsonSchema())));
});
