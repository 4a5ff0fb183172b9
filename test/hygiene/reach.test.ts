// Each rule looks at one message, or says what it sees beyond its piece.
import { expect, test } from 'vitest';
import { RULE_NAMES } from '../../core/stages/hygiene/index.ts';
import { OUTLOOKS } from '../../core/stages/hygiene/pieces/crossSegmentRules.ts';
import { LOOKS_AT_ONE } from '../../core/stages/hygiene/rules/reach.ts';

test.each(RULE_NAMES)('%s', (rule) => {
  expect(LOOKS_AT_ONE.has(rule)).toBe(!(rule in OUTLOOKS));
});
