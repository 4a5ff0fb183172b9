// Requests that lost their cache, each with a cause that is known because it was put there: what is worked out must be it,
// from usage, times and settings alone.
import { describe, expect, it } from 'vitest';
import { agreementOn, askedForDiagnoses, describeDiagnosis, sumDiagnoses } from '../../core/insight/usage/diagnoses.ts';
import { checkUsage } from '../../core/insight/usage/index.ts';
import type { MissEvidence } from '../../core/insight/usage/misses.ts';
import type { CacheMiss, MissCause, RequestRecord } from '../../core/insight/usage/types.ts';
import type { CacheDiagnosis } from '../../core/model/cacheDiagnosis.ts';
import type { Part } from '../../core/model/message.ts';

/** What every session of the tool begins with, and all that stands before the messages of this one. */
const SHARED = 30_000;
const HEAD = 36_000;
const MINUTE = 60_000;

interface Session {
  readonly requests?: number;
  /** What is found at the request whose cache is lost: the ninth. */
  readonly found?: number;
  readonly firstFound?: number;
  readonly gap?: number;
  readonly hour?: boolean;
  readonly era?: number;
  readonly firstEra?: number;
  readonly blocks?: number;
  readonly format?: string;
  readonly lost?: Partial<RequestRecord>;
  readonly diagnosis?: CacheDiagnosis;
}

const LOST = 8;

/** Requests a minute apart, each 8,000 tokens longer; what the one before left is found, but at the ninth. */
function missOf(session: Session): CacheMiss | undefined {
  const { requests = 12, found = HEAD, firstFound = SHARED, gap = MINUTE, hour = true, blocks = 2 } = session;
  const totals = Array.from({ length: requests }, (_, i) => HEAD + 4000 + i * 8000);
  let time = Date.UTC(2026, 0, 1);
  const records = totals.map((total, i): RequestRecord => {
    time += i === LOST ? gap : MINUTE;
    const read = i === 0 ? firstFound : i === LOST ? found : (totals[i - 1] ?? 0);
    const usage = { input: 2, cacheRead: read, cacheWrite: total - read, ...(hour && { cacheWrite1h: total - read }) };
    const era = i < LOST ? (session.firstEra ?? 0) : (session.era ?? session.firstEra ?? 0);
    const timestamp = new Date(time).toISOString();
    const record = { at: 2 * i + 1, usage, history: i * 8000, answer: 10, era, timestamp, model: 'claude-opus-5' };
    return i === LOST
      ? { ...record, ...session.lost, ...(session.diagnosis && { diagnosis: session.diagnosis }) }
      : { ...record, ...(session.diagnosis && { diagnosis: { cause: null } }) };
  });
  const part: Part = { kind: 'text', category: 'user', path: ['content'], chars: 1 };
  const evidence: MissEvidence = {
    format: session.format ?? 'claude-code',
    facts: () => ({ role: 'user', parts: Array.from({ length: blocks }, () => part), signed: false, beginsTurn: true }),
    timestamp: (index) => records.find(({ at }) => at === index + 1)?.timestamp,
  };
  return checkUsage(records, '', evidence).misses[0];
}

describe('a request that lost its cache is explained', () => {
  it.each<[string, Session, MissCause]>([
    ['only what all sessions share is found', { found: SHARED }, 'system'],
    ['tools and system prompt are found', { found: HEAD }, 'messages'],
    [
      'a little less than another time: the folder differs',
      { found: HEAD - 200, firstFound: HEAD, firstEra: 1 },
      'messages',
    ],
    [
      'less than after a compaction, which leaves the system prompt',
      { found: SHARED, firstFound: HEAD, firstEra: 1 },
      'system',
    ],
    ['nothing is found where something was', { found: 0 }, 'tools'],
    ['another beginning than the one that all sessions share', { found: SHARED + 90 }, 'tools'],
    ['an hour and more', { found: SHARED, gap: 61 * MINUTE }, 'time'],
    ['half an hour, of an entry that lives an hour', { found: SHARED, gap: 30 * MINUTE }, 'system'],
    ['six minutes, of an entry that lives five', { found: HEAD, gap: 6 * MINUTE, hour: false }, 'time'],
    ['another model', { found: SHARED, lost: { model: 'claude-sonnet-5' } }, 'model'],
    ['another speed', { found: SHARED, lost: { speed: 'fast' } }, 'speed'],
    ['a recorded compaction', { found: HEAD, era: 1 }, 'compaction'],
    ['another effort', { found: SHARED, lost: { effort: 'low' } }, 'parameter'],
    ['forty blocks at once', { found: HEAD, blocks: 20 }, 'reach'],
    ['forty blocks do not explain what stands before them', { found: SHARED, blocks: 20 }, 'system'],
    ['one length alone, of a tool that is not known to share a beginning', { found: SHARED, format: 'pi' }, 'unknown'],
    ['a cache that does not go by breakpoints', { found: SHARED, lost: { model: 'gpt-5' } }, 'model'],
  ])('%s', (_name, session, cause) => {
    const miss = missOf(session);
    expect(miss).toMatchObject({ at: 17, left: 96_000, read: session.found, cause });
    expect(miss?.why).not.toBe('');
  });

  it('by nothing in the provider’s diagnosis: that one is told beside it', () => {
    const diagnosis = { cause: 'system', word: 'system_changed', missedTokens: 31_000 } as const;
    expect(missOf({ found: HEAD, diagnosis })).toMatchObject({ cause: 'messages', diagnosis });
  });

  it('not where another conversation begins in the same file', () => {
    expect(
      missOf({ found: SHARED, lost: { usage: { input: 2, cacheRead: 5000, cacheWrite: 30_000 } } }),
    ).toBeUndefined();
    expect(missOf({ found: SHARED, gap: -60 * MINUTE })).toBeUndefined();
  });

  it('not where over half was found', () => {
    expect(missOf({ found: 60_000 })).toBeUndefined();
  });
});

describe('an explanation and a diagnosis', () => {
  const miss = (cause: MissCause, diagnosis: CacheDiagnosis | null): CacheMiss => {
    return { at: 1, left: 9000, read: 0, lost: 9000, cause, why: 'so', diagnosis };
  };

  it.each<[MissCause, CacheDiagnosis | null, boolean, string]>([
    ['system', { cause: 'system' }, true, 'agree'],
    ['messages', { cause: 'system' }, true, 'differ'],
    ['compaction', { cause: 'messages' }, true, 'agree'],
    ['speed', { cause: 'model' }, true, 'agree'],
    ['time', { cause: null }, true, 'agree'],
    ['messages', { cause: null }, true, 'differ'],
    ['messages', { cause: null }, false, 'none'],
    ['system', { cause: 'unknown', word: 'unavailable' }, true, 'none'],
    ['system', null, true, 'none'],
  ])('%s against %j, asked: %s → %s', (cause, diagnosis, asked, agreement) => {
    expect(agreementOn(miss(cause, diagnosis), asked)).toBe(agreement);
  });

  it('is counted once for each answer, and not for what could not be said', () => {
    const usage = { input: 1, cacheRead: 1, cacheWrite: 0 };
    const record = (id: string, diagnosis: CacheDiagnosis): RequestRecord => {
      return { at: 1, usage, history: 1, answer: 1, era: 0, id, diagnosis };
    };
    const sum = sumDiagnoses([
      record('a', { cause: 'system', missedTokens: 900 }),
      record('a', { cause: 'system', missedTokens: 900 }),
      record('b', { cause: 'system', missedTokens: 100 }),
      record('c', { cause: null }),
      record('d', { cause: 'unknown', word: 'previous_message_not_found' }),
    ]);
    expect(sum).toEqual({ answers: 4, changed: [{ cause: 'system', requests: 2, tokens: 1000 }], unknown: 1 });
    expect(askedForDiagnoses(sum)).toBe(true);
    expect(askedForDiagnoses(sumDiagnoses([record('a', { cause: null })]))).toBe(false);
  });

  it.each<[CacheDiagnosis, string]>([
    [{ cause: 'system', word: 'system_changed', missedTokens: 147_942 }, 'system prompt changed, 147,942 tok'],
    [{ cause: 'parameter', word: 'reasoning_effort_changed' }, 'reasoning effort changed'],
    [{ cause: 'unknown', word: 'something_new' }, 'no statement'],
    [{ cause: 'unknown', word: 'toString' }, 'no statement'],
    [{ cause: null }, 'nothing changed'],
  ])('%j in words', (diagnosis, words) => {
    expect(describeDiagnosis(diagnosis)).toBe(words);
  });
});
