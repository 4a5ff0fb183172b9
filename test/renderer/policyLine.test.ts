import { expect, test } from 'vitest';
import { policyLine } from '../../renderer/review/policyLine.ts';

const stage = (title: string, given: object = {}) => ({
  title,
  enabled: true,
  blockedBy: null,
  problems: [],
  ...given,
});
const failed = [{ code: 'custom.threw', severity: 'error' as const, text: 'x' }];

test.each([
  ['none', [], 'Raw: no stage changed anything'],
  ['those that ran, in order', [stage('Recorded compaction'), stage('GC')], 'Recorded compaction → GC'],
  [
    'one that is off and one that was refused',
    [stage('Recorded compaction', { enabled: false }), stage('Clean', { blockedBy: 3 }), stage('GC')],
    'GC; refused: Clean; off: Recorded compaction',
  ],
  ['code that failed', [stage('Mine', { problems: failed })], 'Raw: no stage changed anything; refused: Mine'],
])('the policy of a report names %s', (_what, reports, line) => {
  expect(policyLine(reports)).toBe(line);
});
