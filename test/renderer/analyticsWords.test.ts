import { expect, test } from 'vitest';
import type { StatFigures } from '../../core/protocol/types.ts';
import { figureText } from '../../renderer/analytics/words.ts';

const FIGURES: StatFigures = {
  ...{ transcripts: 3, recordedTranscripts: 3, pricedTranscripts: 2, messages: 40, compactions: 0, findings: 0 },
  ...{ requests: 12, recordedRequests: 12, input: 51_000, cacheRead: 40_000, output: 900, cost: 0.0931, unpriced: 4 },
};

test('the cost of a day or a project says that some of its requests have no price', () => {
  expect(figureText(FIGURES, 'cost')).toBe('$0.09+');
  expect(figureText({ ...FIGURES, unpriced: 0 }, 'cost')).toBe('$0.09');
  expect(figureText({ ...FIGURES, cost: null }, 'cost')).toBe('–');
  expect([figureText(FIGURES, 'input'), figureText(FIGURES, 'transcripts')]).toEqual(['51k', '3']);
});
