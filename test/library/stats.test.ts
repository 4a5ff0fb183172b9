// Sums over the library are the sums of what was kept of each transcript, however they are grouped.
import { describe, expect, test } from 'vitest';
import { slotsCost } from '../../core/insight/survey/index.ts';
import type { HeldSlot, SurveyFigures, UsageSlot } from '../../core/insight/survey/types.ts';
import { LibraryStats } from '../../core/library/stats.ts';
import type { StatsInfo, SurveySums } from '../../core/protocol/types.ts';
import { makeSummary } from '../renderer/support.ts';

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

const SUMS: SurveySums = {
  findings: [],
  looksAtCache: true,
  again: { tokens: 0, cost: 0 },
  provenance: 'exact',
  cost: null,
  unpriced: 0,
  tools: [],
  failure: null,
};

function randomLibrary(seed: number) {
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  return Array.from({ length: 40 }, (_, at) => {
    const slots = Array.from({ length: Math.floor(random() * 9) }, (): UsageSlot => {
      const recorded = Math.floor(random() * 4);
      return {
        slot: random() < 0.1 ? null : 1_972_000 + Math.floor(random() * 400),
        model: pick(['opus', 'gpt', null]),
        requests: recorded + 1,
        recorded,
        input: recorded * 1000,
        cacheRead: recorded * 700,
        cacheWrite: 0,
        output: recorded * 10,
        cost: recorded === 0 || random() < 0.2 ? null : recorded * 0.25,
      };
    });
    const held = Array.from(
      { length: 4 },
      (): HeldSlot => ({
        slot: random() < 0.1 ? null : 1_972_000 + Math.floor(random() * 400),
        model: pick(['opus', 'gpt', null]),
        messages: 1 + Math.floor(random() * 30),
        compactions: Math.floor(random() * 2),
        findings: Math.floor(random() * 3),
      }),
    );
    const of = (what: 'messages' | 'compactions' | 'findings') => held.reduce((all, one) => all + one[what], 0);
    const figures: SurveyFigures | null =
      random() < 0.2
        ? null
        : { turns: 1, slots, held, tools: [{ name: pick(['Bash', 'Read']), calls: 3, errors: 1, tokens: 5 }] };
    const survey: SurveySums | null =
      figures === null
        ? null
        : {
            ...SUMS,
            cost: slotsCost(slots),
            findings: of('findings') === 0 ? [] : [{ kind: 'cache_lost', count: of('findings'), tokens: 9, cost: 1 }],
          };
    const transcript = makeSummary({
      ...{ id: `t${at}`, survey, project: pick(['/a', '/b', '/c', '/d', '/e', null]) },
      ...{ messages: of('messages'), compactions: of('compactions') },
      endedAt: '2026-03-04T05:00:00Z',
    });
    return { transcript, figures };
  });
}

function statsOf(library: ReturnType<typeof randomLibrary>, zone = 'Europe/Berlin'): StatsInfo {
  const stats = new LibraryStats(zone);
  for (const one of library) stats.add(one);
  return stats.info(library.length);
}

const sum = (values: readonly (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0);

describe('sums over the library', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('are those of its transcripts, by whatever they are grouped (%i)', (seed) => {
    const library = randomLibrary(seed);
    const info = statsOf(library);
    expect(info.total.cost ?? 0).toBeCloseTo(sum(library.map(({ transcript }) => transcript.survey?.cost ?? null)), 9);
    const slots = library.flatMap(({ figures }) => figures?.slots ?? []);
    expect(info.total.requests).toBe(sum(slots.map(({ requests }) => requests)));
    expect(info.total.input ?? 0).toBe(sum(slots.map(({ input }) => input)));
    for (const { groups } of [info.days, info.projects, info.models]) {
      for (const measure of [
        'cost',
        'input',
        'output',
        'cacheRead',
        'requests',
        'findings',
        'messages',
        'compactions',
      ] as const) {
        expect(sum(groups.map(({ figures }) => figures[measure]))).toBeCloseTo(info.total[measure] ?? 0, 6);
      }
    }
    for (const { figures, stack } of info.days.groups) {
      expect(sum(stack.map(({ cost }) => cost))).toBeCloseTo(figures.cost ?? 0, 9);
      expect(sum(stack.map(({ input }) => input))).toBe(figures.input ?? 0);
    }
    expect(info.looked).toBe(library.filter(({ figures }) => figures !== null).length);
    expect(info.looked + info.due).toBe(library.length);
  });

  test('what was not looked through has a day where it went over one alone', () => {
    const daysOf = (startedAt: string) => {
      const one = makeSummary({ survey: null, messages: 9, startedAt, endedAt: '2026-03-04T12:00:00Z' });
      const { groups } = statsOf([{ transcript: one, figures: null }], 'UTC').days;
      return groups.map(({ value, figures }) => [value, figures.transcripts, figures.messages]);
    };
    expect(daysOf('2026-03-04T01:00:00Z')).toEqual([['2026-03-04', 1, 9]]);
    expect(daysOf('2026-03-03T23:00:00Z')).toEqual([
      ['2026-03-04', 1, 0],
      ['', 0, 9],
    ]);
  });

  test('a bundle is left out: its requests are those of the session it was made of', () => {
    const inputs = randomLibrary(3).map(({ transcript, figures }) => ({ transcript, figures }));
    const bundle = { ...inputs[0]!, transcript: { ...inputs[0]!.transcript, id: 'b', format: 'parallax-bundle' } };
    expect(statsOf([...inputs, bundle])).toEqual({ ...statsOf(inputs), of: inputs.length + 1, bundles: 1 });
  });

  test('what is not recorded is not nothing', () => {
    const info = statsOf([{ transcript: makeSummary({ id: 'x', survey: null }), figures: null }]);
    expect(info.total).toMatchObject({ transcripts: 1, input: null, cost: null, recordedTranscripts: 0 });
    expect(info.looked).toBe(0);
  });

  test('a day is one of the time zone that was asked for', () => {
    const at = Date.parse('2026-03-04T23:30:00Z') / 900_000;
    const slot = { model: null, requests: 1, recorded: 1, input: 1, cacheRead: 0, cacheWrite: 0, output: 1, cost: 1 };
    const one = {
      transcript: makeSummary({ id: 'x', survey: { ...SUMS, cost: 1 }, endedAt: '2026-03-04T23:30:00Z' }),
      figures: { turns: 1, slots: [{ ...slot, slot: at }], held: [], tools: [] },
    };
    const dayOf = (zone: string) => statsOf([one], zone).days.groups.map(({ value }) => value);
    expect([dayOf('UTC'), dayOf('Asia/Tokyo'), dayOf('America/Los_Angeles')]).toEqual([
      ['2026-03-04'],
      ['2026-03-05'],
      ['2026-03-04'],
    ]);
  });
});
