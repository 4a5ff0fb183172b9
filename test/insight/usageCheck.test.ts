// Synthetic sessions with known oddities: what is found, what is not, and with which numbers.
import { describe, expect, it } from 'vitest';
import { fitLine, median } from '../../core/insight/usage/fit.ts';
import { checkUsage, eraStarts, NO_USAGE, recordedOverhead, requestRecord } from '../../core/insight/usage/index.ts';
import { includesCache, inputOf } from '../../core/insight/usage/input.ts';
import type { RequestRecord, UsageFit } from '../../core/insight/usage/types.ts';
import { seededRng } from '../../core/util/rng.ts';

/** A request every minute; each history is 1,000 tokens longer; input = 10,000 + 1.2 × history, all cached but the end. */
function session(count: number, change: (record: RequestRecord, i: number) => Partial<RequestRecord> = () => ({})) {
  return Array.from({ length: count }, (_, i): RequestRecord => {
    const history = (i + 1) * 1000;
    const all = 10_000 + 1.2 * history;
    const record: RequestRecord = {
      at: 2 * i + 1,
      usage: { input: 10, output: 360, cacheRead: i === 0 ? 0 : all - 1210, cacheWrite: i === 0 ? all - 10 : 1200 },
      history,
      answer: 300,
      era: 0,
      timestamp: new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString(),
      model: 'm',
    };
    return { ...record, ...change(record, i) };
  });
}

const found = (records: readonly RequestRecord[]) =>
  checkUsage(records, 'estimated').problems.map(({ code, where }) => [code, where?.index]);
const withUsage = (record: RequestRecord, usage: RequestRecord['usage']) => ({ usage: { ...record.usage, ...usage } });

describe('an ordinary session', () => {
  it('has nothing to say, and its line is found', () => {
    const report = checkUsage(session(40), 'estimated');
    expect(report.problems).toEqual([]);
    expect(report.marks).toEqual([]);
    expect(report.fits).toHaveLength(1);
    expect(report.fits[0]?.factor).toBeCloseTo(1.2, 6);
    expect(report.fits[0]?.base).toBeCloseTo(10_000, 3);
    expect(report.requests[20]).toMatchObject({ at: 41, input: 35_200, expected: 35_200, history: 21_000 });
  });

  it('has nothing to say if nothing is recorded', () => {
    expect(checkUsage([], 'estimated')).toEqual(NO_USAGE);
    const none = session(9, () => ({ usage: { output: 5 } }));
    expect(checkUsage(none, 'estimated').requests).toEqual([]);
  });
});

describe('a fall of the input', () => {
  // From request 20 on the server left 15,000 tokens out.
  const cleared = (from: number, tokens: number) => (record: RequestRecord, i: number) =>
    i < from ? {} : withUsage(record, { cacheRead: (record.usage.cacheRead ?? 0) - tokens });

  it('that nothing explains is found, with its numbers', () => {
    const { problems, marks } = checkUsage(session(40, cleared(20, 15_000)), 'estimated');
    expect(problems).toMatchObject([{ code: 'usage.unexplained_drop', severity: 'warning', where: { index: 41 } }]);
    expect(problems[0]?.text).toContain('fell from 34,000 to 20,200 tokens (−41%)');
    expect(problems[0]?.text).toContain('grew by 1,000 counted tokens since #39');
    expect(problems[0]?.text).toContain('Probably');
    expect(marks).toEqual([{ at: 41, kind: 'drop', label: 'input fell by 41% without a record' }]);
  });

  it('that stays out although the history grew is found: a long answer that was not sent', () => {
    const records = session(40, (record, i) => (i < 20 ? {} : { history: record.history + 8000 }));
    const { problems, marks } = checkUsage(records, 'estimated');
    expect(problems).toMatchObject([{ code: 'usage.unexplained_drop', where: { index: 41 } }]);
    expect(problems[0]?.text).toContain('went from 34,000 to 35,200 tokens only');
    expect(problems[0]?.text).toContain('grew by 9,000 counted tokens');
    expect(marks).toMatchObject([{ at: 41, kind: 'drop' }]);
  });

  it.each<[string, (record: RequestRecord, i: number) => Partial<RequestRecord>]>([
    ['too small', cleared(20, 3000)],
    ['of one request alone', (record, i) => (i === 20 ? cleared(0, 15_000)(record, i) : {})],
    ['after a recorded compaction', (record, i) => ({ ...cleared(20, 15_000)(record, i), era: i < 20 ? 0 : 1 })],
    [
      'that the history explains',
      (record, i) => ({ ...cleared(20, 15_000)(record, i), history: record.history - (i < 20 ? 0 : 12_500) }),
    ],
    ['to another model', (record, i) => ({ ...cleared(20, 15_000)(record, i), model: i < 20 ? 'm' : 'n' })],
    ['back from a peak', (record, i) => (i === 19 ? cleared(0, -15_000)(record, i) : {})],
  ])('is no finding if it is %s', (_name, change) => {
    expect(found(session(40, change)).filter(([code]) => code === 'usage.unexplained_drop')).toEqual([]);
  });
});

describe('a miss of the cache', () => {
  const missed = (record: RequestRecord) => {
    const { input = 0, cacheRead = 0, cacheWrite = 0 } = record.usage;
    return withUsage(record, { cacheRead: 0, cacheWrite: input + cacheRead + cacheWrite - 10 });
  };
  const later = (minutes: number) => (record: RequestRecord, i: number) => {
    const time = Date.parse(record.timestamp ?? '') + (i < 20 ? 0 : minutes * 60_000);
    return { timestamp: new Date(time).toISOString(), ...(i === 20 && missed(record)) };
  };

  it.each<[string, (record: RequestRecord, i: number) => Partial<RequestRecord>, string]>([
    ['within a minute', later(0), 'usage.cache_missed'],
    ['after six minutes', later(6), 'usage.cache_expired'],
    ['after two hours', later(120), 'usage.cache_expired'],
    [
      'by another model',
      (record, i) => ({ ...(i === 20 && missed(record)), model: i < 20 ? 'm' : 'n' }),
      'usage.cache_model',
    ],
    ['without times', (record, i) => ({ timestamp: '', ...(i === 20 && missed(record)) }), 'usage.cache_missed'],
  ])('%s is told with its probable cause', (_name, change, code) => {
    const { problems } = checkUsage(session(40, change), 'estimated');
    expect(problems).toMatchObject([{ code, severity: 'info', where: { index: 41 } }]);
    expect(problems[0]?.text).toContain('33,990 tokens were read again');
    expect(problems[0]?.text).toContain('robably');
  });

  it('is told once for all of a cause, as a warning where it cost much', () => {
    const { problems, marks } = checkUsage(
      session(40, (record, i) => (i % 10 === 9 ? missed(record) : {})),
      'estimated',
    );
    expect(problems).toMatchObject([{ code: 'usage.cache_missed', severity: 'warning', where: { index: 19 } }]);
    expect(problems[0]?.text).toContain('4 requests (#19, #39, #59, #79)');
    expect(marks.map(({ at }) => at)).toEqual([19, 39, 59, 79]);
  });

  it.each<[string, (record: RequestRecord, i: number) => Partial<RequestRecord>]>([
    ['after a recorded compaction', (record, i) => ({ ...(i === 20 && missed(record)), era: i < 20 ? 0 : 1 })],
    ['where no cache is recorded', (record) => ({ usage: { input: 10_000 + 1.2 * record.history } })],
    [
      'if half was found',
      (record, i) => (i === 20 ? withUsage(record, { cacheRead: 20_000, cacheWrite: 15_190 }) : {}),
    ],
  ])('is none %s', (_name, change) => {
    expect(found(session(40, change))).toEqual([]);
  });
});

describe('outputs', () => {
  it('that were recorded before the answer was whole are found', () => {
    const { problems } = checkUsage(
      session(20, (record, i) => (i === 4 ? withUsage(record, { output: 1 }) : {})),
      '',
    );
    expect(problems).toMatchObject([{ code: 'usage.partial_output', severity: 'warning', where: { index: 9 } }]);
    expect(problems[0]?.text).toBe(
      '1 answer (#9) with 300 counted tokens record an output of 1: probably their usage was written before they were whole.',
    );
  });

  it('that hold more than the transcript are told', () => {
    const { problems } = checkUsage(
      session(40, (record) => withUsage(record, { output: 900, reasoning: 500 })),
      '',
    );
    expect(problems).toMatchObject([{ code: 'usage.hidden_output', severity: 'info' }]);
    expect(problems[0]?.text).toContain('36,000 tokens of output, their content amounts to about 14,400');
    expect(problems[0]?.text).toContain('20,000 of them are recorded as reasoning');
  });

  it('recorded twice are told', () => {
    const records = session(20);
    const twice = records.map((record, i) => (i === 7 ? { ...record, usage: records[6]?.usage ?? {} } : record));
    expect(found(twice)).toEqual([['usage.repeated', 15]]);
  });
});

describe('the counts', () => {
  it.each([
    [2.1, 'too low'],
    [0.6, 'too high'],
  ])('are told to be off where a token counted is %s recorded', (factor, words) => {
    const records = session(40, (record) => ({ usage: { input: 5000 + factor * record.history } }));
    const { problems } = checkUsage(records, 'estimated with o200k_base');
    expect(problems).toMatchObject([{ code: 'usage.drift', severity: 'info' }]);
    expect(problems[0]?.text).toContain(`record ${factor.toFixed(2)}: counts here are probably ${words}`);
    expect(problems[0]?.text).toContain('About 5,000 tokens more');
  });

  it('are told to explain nothing where they do not', () => {
    const rng = seededRng(5);
    const records = session(40, () => ({ usage: { input: 10_000 + rng.below(200_000) } }));
    expect(found(records)).toContainEqual(['usage.unrelated', undefined]);
  });
});

describe('the line', () => {
  it('is found though four in ten points are anywhere', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const rng = seededRng(seed);
      const points = Array.from({ length: 60 }, (_, i) => {
        const history = 500 + i * 700;
        return { history, era: 0, input: rng.chance(0.25) ? rng.below(100_000) + 1 : 8000 + 1.3 * history };
      });
      const fit = fitLine(points);
      expect(fit?.factor, `replay: seed ${seed}`).toBeCloseTo(1.3, 1);
    }
  });

  it('has a base for each era: what is encrypted cannot be counted', () => {
    const points = Array.from({ length: 40 }, (_, i) => ({
      history: (i % 20) * 1000 + 100,
      era: i < 20 ? 0 : 1,
      input: (i < 20 ? 5000 : 9000) + (i % 20) * 1000 + 100,
    }));
    const fit = fitLine(points);
    expect([fit?.factor, fit?.base, fit?.baseOf(1), fit?.residual]).toEqual([1, 5000, 9000, 0]);
  });

  it('says how far single requests are from the base: of the first era, the median of them', () => {
    const points = Array.from({ length: 41 }, (_, i) => ({
      history: i * 1000 + 100,
      era: 0,
      input: 5000 + i * 1000 + 100 + [0, 40, -40][i % 3]!,
    }));
    const fit = fitLine(points);
    expect(fit?.base).toBeCloseTo(5000, -2);
    expect(fit?.spread).toBeGreaterThan(20);
    expect(fit?.spread).toBeLessThan(60);
  });

  it.each([
    ['too few points', 4, 1000],
    ['histories that are all alike', 20, 10],
  ])('is not drawn through %s', (_name, count, way) => {
    const points = Array.from({ length: count }, (_, i) => ({ history: i * way, era: 0, input: 1000 + i * way }));
    expect(fitLine(points)).toBeNull();
  });

  it('needs a median of any list', () => {
    expect([median([]), median([3]), median([4, 1, 3]), median([4, 1, 3, 2])]).toEqual([0, 3, 3, 2.5]);
  });
});

describe('what the numbers mean', () => {
  it.each([
    ['Anthropic: read and written beside', [{ input: 4, cacheRead: 9000, cacheWrite: 100 }], false, 9104],
    ['OpenAI: read within', [{ input: 9000, cacheRead: 8000, output: 5, total: 9005 }], true, 9000],
    ['told by the sum', [{ input: 9000, cacheRead: 8000, output: 5, total: 17_005 }], false, 17_000],
    ['no cache', [{ input: 70 }], true, 70],
    ['nothing', [{ input: 0 }], true, null],
  ])('%s', (_name, usages, includes, input) => {
    expect(includesCache(usages)).toBe(includes);
    expect(inputOf(usages[0] ?? {}, includes)).toBe(input);
  });

  it('is the history of the era and what came since', () => {
    const compactions = [{ at: 3, summaryIndex: 3 }, { at: 9, preserved: [1] }, { at: 99 }];
    expect(eraStarts(compactions, 20)).toEqual([0, 4, 9]);
    const eras = [
      { from: 0, tokens: 0 },
      { from: 4, tokens: 70 },
    ];
    const count = (from: number, to: number) => (to - from) * 10;
    expect(requestRecord(3, { usage: { input: 1 } }, eras, count)).toMatchObject({ history: 30, era: 0, answer: 10 });
    expect(requestRecord(6, { usage: { input: 1 } }, eras, count)).toMatchObject({ history: 90, era: 1 });
    expect(requestRecord(6, { usage: { output: 1 } }, eras, count)).toBeNull();
    expect(requestRecord(6, { usage: { input: 1 }, apiError: true }, eras, count)).toBeNull();
  });
});

describe('what the transcript does not record', () => {
  const lineOf = (some: Partial<UsageFit> = {}): UsageFit => ({
    ...{ model: 'm', requests: 20, factor: 1.25, base: 20_000, spread: 300.4, residual: 0.01 },
    ...some,
  });

  it('is the base, with its spread, without what is recorded beside the messages', () => {
    const none = { system: 0, tools: 0 };
    expect(recordedOverhead([lineOf()], none, 'm')).toEqual({ tokens: 20_000, spread: 300, requests: 20, model: 'm' });
    expect(recordedOverhead([lineOf()], { system: 1000, tools: 3000 }, 'm')?.tokens).toBe(15_000);
    expect(recordedOverhead([lineOf()], { system: 1000, tools: 14_900 }, 'm')).toBeNull();
  });

  it('is asked of the model, else of the one with most requests', () => {
    const fits = [lineOf({ model: 'a', base: 1000, requests: 9 }), lineOf({ model: 'b', base: 2000, requests: 30 })];
    const of = (model: string | null) => recordedOverhead(fits, { system: 0, tools: 0 }, model)?.tokens;
    expect([of('a'), of('b'), of('c'), of(null)]).toEqual([1000, 2000, 2000, 2000]);
  });

  it.each<[string, readonly UsageFit[]]>([
    ['no fit', []],
    ['a poor one', [lineOf({ residual: 0.2 })]],
    ['nothing beside', [lineOf({ base: -10 })]],
    ['less than single requests differ', [lineOf({ base: 250 })]],
  ])('is not told of %s', (_name, fits) => {
    expect(recordedOverhead(fits, { system: 0, tools: 0 }, 'm')).toBeNull();
  });
});
