// What the mode Compactions says of a compaction, in words.
import { describe, expect, it } from 'vitest';
import type { CompactionInfo, SurvivalInfo } from '../../core/protocol/autopsyTypes.ts';
import {
  CLASSES,
  causeWords,
  compactionAt,
  compactionOver,
  lostCsv,
  lostSums,
  survivedShare,
  verdict,
} from '../../renderer/compactions/words.ts';

const NONE: SurvivalInfo = { total: 0, survived: 0, words: 0, lost: 0, usedLater: 0 };
const survival = (more: Partial<Record<(typeof CLASSES)[number], SurvivalInfo>> = {}) =>
  Object.fromEntries(CLASSES.map((name) => [name, more[name] ?? NONE])) as NonNullable<CompactionInfo['survival']>;

const info = (more: Partial<CompactionInfo> = {}): CompactionInfo => ({
  index: 0,
  at: 10,
  recordedAt: 9,
  summaryIndex: 9,
  stage: null,
  stageTitle: null,
  placeholder: false,
  opaque: false,
  incomplete: false,
  trigger: 'auto',
  tokensBefore: 900,
  tokensAfter: 100,
  window: 1000,
  covered: { messages: 9, from: 0, to: 8 },
  survival: survival({
    user_sentences: { total: 31, survived: 22, words: 20, lost: 9, usedLater: 0 },
    paths: { total: 287, survived: 63, words: 63, lost: 224, usedLater: 5 },
  }),
  after: {
    calls: 40,
    changedRereads: 1,
    callsToFirstEdit: 27,
    firstEditAt: 34,
    refill: [],
    refillTokens: 0,
    again: [],
    rereads: 2,
    rereadTokens: 2963,
    rereadCost: null,
    repeatedFailures: 0,
    filesReadAgain: 2,
  },
  ...more,
});

describe('the verdict', () => {
  it('begins with what was used later, then what was kept, then what came after', () => {
    expect(verdict(info())).toEqual({
      head: '5 things it dropped were used later.',
      rest: 'Kept: 71% of the user’s sentences, 22% of paths. After it: 2 calls made again with the same result, 2 files read again; the first edit came after 27 calls.',
    });
  });

  it('never says that nothing was needed', () => {
    const { head } = verdict(info({ survival: survival({ paths: { ...NONE, total: 3, lost: 3 } }) }));
    expect(head).toBe('Of 3 things it dropped, no later use was found.');
  });

  it('says that what a first summary covered is not in the transcript', () => {
    const nothing = { covered: { messages: 0, from: null, to: null }, survival: survival() };
    expect(verdict(info({ recordedAt: 0, ...nothing })).head).toMatch(/^The transcript begins with its summary/);
    const quiet = { ...info().after, rereads: 0, filesReadAgain: 0, repeatedFailures: 0 };
    expect(verdict(info({ after: quiet })).rest).toContain('no work repeated');
    expect(verdict(info({ recordedAt: 0, ...nothing, after: quiet })).rest).not.toContain('no work repeated');
    expect(verdict(info({ recordedAt: 9, ...nothing })).head).toBe('It covered no message of this transcript.');
    expect(verdict(info({ recordedAt: null, stage: 0, ...nothing })).head).toContain('no later use was found');
  });

  it('says nothing of what survives in an encrypted summary', () => {
    const { head, rest } = verdict(info({ opaque: true, survival: null }));
    expect(head).toContain('encrypted');
    expect(rest).not.toContain('Kept');
  });

  it('says that a summary is not written yet', () => {
    expect(verdict(info({ placeholder: true })).head).toMatch(/^The summary is not written yet/);
  });
});

describe('figures', () => {
  it('are shares of what was said, and none where nothing was', () => {
    expect([survivedShare({ total: 3, survived: 1 }), survivedShare(NONE)]).toEqual(['33%', null]);
    // Six of 1,697 are not none, and all but one of a thousand are not all.
    expect(survivedShare({ total: 1697, survived: 6 })).toBe('<1%');
    expect(survivedShare({ total: 1000, survived: 999 })).toBe('>99%');
    expect(survivedShare({ total: 9, survived: 9 })).toBe('100%');
    expect(lostSums(info())).toEqual({ lost: 233, used: 5 });
    expect(lostSums({ survival: null })).toEqual({ lost: 0, used: 0 });
  });

  it('name the cause as far as it is recorded', () => {
    expect(causeWords(info())).toBe('auto, recorded');
    expect(causeWords(info({ trigger: null }))).toBe('trigger not recorded');
    expect(causeWords(info({ stage: 0, stageTitle: 'Summary prefix' }))).toBe('put in place by Summary prefix');
  });
});

describe('which compaction', () => {
  const all = [info({ at: 10 }), info({ index: 1, at: 30, covered: { messages: 5, from: 9, to: 20 } })];

  it.each([
    [5, 0],
    [10, 0],
    [29, 0],
    [30, 1],
    [99, 1],
  ])('is in effect at call point %i: %i', (at, expected) => {
    expect(compactionAt(all, at)).toBe(expected);
    expect(compactionAt([], at)).toBe(-1);
  });

  it('took a message out', () => {
    expect(compactionOver(all, 8)?.index).toBe(0);
    expect(compactionOver(all, 15)?.index).toBe(1);
    expect(compactionOver(all, 25)).toBeUndefined();
  });
});

it('what was lost goes into a spreadsheet', () => {
  const line = { index: 3, part: 0, from: 0, to: 4, cut: false, users: 2, usedLater: [8, 9] };
  expect(lostCsv([{ ...line, class: 'commands', text: 'rg "a, b"' }])).toBe(
    'class,text,said in,used by\ncommands,"rg ""a, b""",3,8 9',
  );
});
