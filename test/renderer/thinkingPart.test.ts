import { describe, expect, it } from 'vitest';
import type { OnMismatch, ThinkingOutcome } from '../../core/projection/binding/types.ts';
import { thinkingPart } from '../../renderer/parts/thinkingPart.ts';

const cause = { kind: 'stage', stage: 0, title: 'Clear', index: 4, fate: 'redacted', rule: null } as const;

function outcome(onMismatch: OnMismatch, more: Partial<ThinkingOutcome> = {}): ThinkingOutcome {
  return {
    ...{ reader: 'claude-fable-5-1', checks: true, enforced: true, onMismatch },
    ...{ sent: 4, failing: 2, foreign: 0, dropped: 0, firstForeign: null },
    first: { index: 7, part: 1, cause: { ...cause, reason: 'Clear cleared a result in #4' } },
    runs: [
      { from: { index: 1, part: 0 }, to: { index: 7, part: 0 }, fails: false },
      { from: { index: 7, part: 1 }, to: { index: 9, part: 0 }, fails: true },
    ],
    ...more,
  };
}

const KEPT = { kind: 'kept', reason: '' } as const;

const word = (thinking: ThinkingOutcome | null, index: number, part: number, sent?: null) =>
  thinkingPart(thinking, index, { part, isEncrypted: false, ...(sent === null && { sent }) }, KEPT).word;

describe('what a signed part says of itself', () => {
  it.each([
    [1, 0, 'signed, bound'],
    [4, 3, 'signed, bound'],
    [7, 0, 'signed, bound'],
    [7, 1, 'signed, no longer valid'],
    [9, 0, 'signed, no longer valid'],
    [0, 5, 'signed'],
    [9, 1, 'signed'],
  ])('#%i, part %i: %s', (index, part, expected) => expect(word(outcome('error'), index, part)).toBe(expected));

  it('is signed and no more where nothing is checked, or it comes behind the call point', () => {
    const future = { kind: 'future', reason: 'After the call point.' } as const;
    expect(thinkingPart(outcome('error'), 7, { part: 0, sent: null, isEncrypted: false }, future).word).toBe('signed');
    expect(word(outcome('error', { checks: false }), 7, 0)).toBe('signed');
    expect(word(null, 7, 0)).toBe('signed');
  });

  it.each([
    ['drop_block', true, /the provider drops it\.$/],
    ['allowed', true, /let through on this account\.$/],
    ['error', true, /claude-fable-5-1 refuses the request \(400\)\.$/],
    ['error', null, /\(400\) on accounts made from 2026-08-31 on\.$/],
  ] as const)('broken under %s (enforced: %s) says what follows, and where it broke', (mode, enforced, end) => {
    const { title, isBroken } = thinkingPart(outcome(mode, { enforced }), 8, { part: 0, isEncrypted: false }, KEPT);
    expect(title).toMatch(end);
    expect(title).toContain('first broken at #7: Clear cleared a result in #4');
    expect(isBroken).toBe(true);
  });
});
