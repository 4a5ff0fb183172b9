import { describe, expect, it } from 'vitest';
import { countFacets, matchFacets } from '../../core/library/filter.ts';
import { parseLibraryFilter } from '../../core/library/language.ts';
import { matchText } from '../../core/library/matchText.ts';
import { distinguish, groupTranscripts, sortTranscripts } from '../../core/library/order.ts';
import { NO_FACETS, type SortKey, toggleFlag, toggleValue } from '../../core/library/query.ts';
import type { SurveySums } from '../../core/protocol/types.ts';
import { clicked } from '../../renderer/library/selection.ts';
import { tagLines } from '../../renderer/library/tagLines.ts';
import { describeBase } from '../../renderer/library/words.ts';
import { makeSummary } from '../renderer/support.ts';

const day = (n: number) => `2026-01-0${n}T00:00:00Z`;
const library = [
  makeSummary({
    id: 'a',
    title: 'Fix login',
    project: '/w/my-api',
    endedAt: day(2),
    tokens: 10,
    errors: 2,
    tags: ['Hot'],
  }),
  makeSummary({
    id: 'b',
    title: 'Dark mode 10',
    format: 'codex',
    model: 'gpt',
    endedAt: day(5),
    files: ['/x/rollout.jsonl'],
  }),
  makeSummary({ id: 'c', title: 'dark mode 9', endedAt: day(9), tokens: 300, notes: 1, noteText: 'look at the Fuse' }),
  makeSummary({ id: 'd', title: 'Rate limits', project: '/w/my-api', startedAt: day(4), tokens: 20, errors: 1 }),
];
const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id).join('');

// Some systems decompose the names of files: what somebody types is composed.
describe('a name with accents', () => {
  const decomposed = 'Re\u0301sume\u0301';
  const named = [
    makeSummary({
      id: 'a',
      title: decomposed,
      project: '/w/Cafe\u0301',
      files: ['/x/u\u0308ber/a.jsonl'],
      tags: ['E\u0301t\u00e9'],
    }),
    makeSummary({ id: 'b', title: 'other' }),
  ];
  it.each([
    'r\u00e9sum\u00e9',
    'title:R\u00c9SUM\u00c9',
    'project:caf\u00e9',
    '/\u00fcber/',
    'tag:\u00e9te\u0301',
    decomposed,
    'rsm\u00e9',
  ])('is found by %s', (filter) => expect(ids(matchText(named, filter))).toBe('a'));
});

describe('the language of the list', () => {
  const survey: SurveySums = {
    ...{
      findings: [],
      looksAtCache: true,
      again: { tokens: 0, cost: null },
      provenance: 'exact',
      cost: null,
      unpriced: 0,
      failure: null,
    },
    tools: ['Bash'],
  };
  const lost = { kind: 'cache_lost', count: 3, tokens: 10, cost: 2 } as const;
  const looked = [
    makeSummary({ id: 'a', title: 'one', survey: { ...survey, findings: [lost], cost: 2.5 }, tokens: 5000 }),
    makeSummary({ id: 'b', title: 'two', survey, tokens: 50, messages: 9, endedAt: day(3) }),
    makeSummary({ id: 'c', title: 'three: http://x', survey: null, endedAt: day(9) }),
    makeSummary({ id: 'd', title: 'four', survey: { ...survey, failure: 'it broke', tools: [] } }),
  ];
  const now = { time: Date.parse(day(9)), zoneMinutes: 0 };
  it.each([
    ['finding:cache_lost', 'a'],
    ['finding:any', 'a'],
    ['finding:none', 'b'],
    // What was not looked through, or could not be, has not none.
    ['finding:unknown', 'cd'],
    ['findings>=3', 'a'],
    ['findings<1', 'b'],
    ['-finding:any', 'bcd'],
    ['cost>2', 'a'],
    ['tokens>1k OR messages=9', 'ab'],
    ['tool:bash -one', 'b'],
    ['after:7d', 'bc'],
    ['before:2026-01-05 two', 'b'],
    ['http://x', 'c'],
    ['(one OR two) finding:none', 'b'],
    ['finding:cache', 'abcd'],
  ])('%s keeps %s', (text, expected) => expect(ids(matchText(looked, text, undefined, now))).toBe(expected));

  it('says what is wrong, and what was probably meant', () => {
    const [problem] = parseLibraryFilter('fnding:any', now).problems;
    expect(problem).toMatchObject({ severity: 'error', instead: 'finding:any' });
    expect(parseLibraryFilter('finding:cache', now).problems[0]?.instead).toBe('finding:cache_lost');
  });
});

describe('the filter', () => {
  it.each([
    ['', 'abcd'],
    ['login', 'a'],
    ['MY-API limits', 'd'],
    ['rollout', 'b'],
    ['#hot', 'a'],
    ['fuse', 'c'],
    ['codex gpt', 'b'],
    ['ratlmts', 'd'],
    ['dk', ''],
    ['nothing like it', ''],
    ['project:my-api', 'ad'],
    ['PROJECT:"my-api" tag:hot', 'a'],
    ['title:"dark mode"', 'bc'],
    ['tool:codex', 'b'],
    ['model:gpt file:rollout', 'b'],
    ['note:fuse', 'c'],
    ['project:', 'ad'],
    ['nosuch:field', ''],
  ])('“%s” keeps %s', (text, expected) => expect(ids(matchText(library, text))).toBe(expected));

  it('takes letters in order only if nothing has the words', () => {
    const twins = [makeSummary({ id: 'x', title: 'log in' }), makeSummary({ id: 'y', title: 'login' })];
    expect([ids(matchText(twins, 'login')), ids(matchText(twins, 'lgin'))]).toEqual(['y', 'xy']);
  });
});

describe('facets', () => {
  const errors = toggleFlag(NO_FACETS, 'errors');
  it.each([
    ['flags', errors, 'ad'],
    ['values of one facet as alternatives', toggleValue(toggleValue(NO_FACETS, 'model', 'gpt'), 'model', ''), 'abcd'],
    ['facets together', toggleValue(errors, 'tag', 'Hot'), 'a'],
    ['what is not known', toggleValue(NO_FACETS, 'project', ''), 'bc'],
    ['chosen and not chosen again', toggleFlag(errors, 'errors'), 'abcd'],
  ])('%s', (_name, facets, expected) => expect(ids(matchFacets(library, facets))).toBe(expected));

  it('count what each value would show beside the other facets', () => {
    const counts = countFacets(library, toggleValue(errors, 'project', '/w/my-api'));
    expect(counts.values.project).toEqual([{ value: '/w/my-api', count: 2, chosen: true }]);
    expect(counts.values.format).toEqual([{ value: 'claude-code', count: 2, chosen: false }]);
    expect(counts.flags).toMatchObject({ errors: 2, notes: 0 });
  });

  it('keep a chosen value that nothing has any more', () => {
    const { values } = countFacets(library, toggleValue(NO_FACETS, 'tag', 'gone'));
    expect(values.tag).toContainEqual({ value: 'gone', count: 0, chosen: true });
  });
});

describe('the order', () => {
  it.each<[SortKey, boolean, string]>([
    ['activity', true, 'cbda'],
    ['activity', false, 'adbc'],
    ['title', false, 'cbad'],
    ['tokens', true, 'cdab'],
    ['tokens', false, 'adcb'],
    ['errors', true, 'adcb'],
    ['model', false, 'bcda'],
  ])('by %s, descending %s: %s', (sort, descending, expected) => {
    expect(ids(sortTranscripts(library, { sort, descending }))).toBe(expected);
  });

  it('groups in the order of the first of each, days by time, what has no value last', () => {
    const sorted = sortTranscripts(library, { sort: 'tokens', descending: true });
    const by = (group: 'project' | 'day' | 'none') =>
      groupTranscripts(sorted, group).map((one) => `${one.value} ${ids(one.transcripts)}`);
    expect(by('project')).toEqual(['/w/my-api da', ' cb']);
    expect(by('day')).toEqual(['2026-01-09 c', '2026-01-05 b', '2026-01-04 d', '2026-01-02 a']);
    expect(by('none')).toEqual([' cdab']);
  });

  it('tells transcripts of one title apart by the first thing in which they differ', () => {
    const twin = (id: string, over: object) => makeSummary({ id, title: 'same', ...over });
    const words = (...twins: readonly ReturnType<typeof twin>[]) => [...distinguish(twins).values()];
    expect(words(twin('a', { firstText: 'one' }), twin('b', { firstText: 'two' }))).toEqual(['one', 'two']);
    expect(words(twin('a', { endedAt: day(1) }), twin('b', { endedAt: day(2) }))).toEqual([
      '2026-01-01 00:00',
      '2026-01-02 00:00',
    ]);
    expect(words(twin('a', { files: ['/x/1.json'] }), twin('b', { files: ['/x/2.json'] }))).toEqual([
      '1.json',
      '2.json',
    ]);
    expect(words(twin('a', {}))).toEqual([]);
  });
});

describe('choosing', () => {
  const order = ['a', 'b', 'c', 'd'];
  const held = (keys: string) => ({ shiftKey: keys.includes('S'), ctrlKey: keys.includes('C'), metaKey: false });
  it.each([
    ['C', '', null, 'b', 'b'],
    ['C', 'b', 'b', 'd', 'bd'],
    ['C', 'bd', 'd', 'b', 'd'],
    ['S', '', 'b', 'd', 'bcd'],
    ['S', 'a', 'd', 'b', 'bcd'],
    ['SC', 'a', 'c', 'd', 'acd'],
    ['S', '', null, 'c', 'c'],
    ['', 'ab', 'a', 'c', null],
  ])('%s, chosen “%s”, from %s to %s: %s', (keys, before, anchor, id, expected) => {
    const after = clicked(order, new Set(before), anchor, id, held(keys));
    expect(after === null ? null : [...after].sort().join('')).toBe(expected);
  });
});

describe('tags to give or take', () => {
  const tags = ['blue', 'bluer', 'red'].map((name, color) => ({ name, color, count: 1 }));
  const states = (typed: string) =>
    tagLines(tags, [['red', 'bluer'], ['red']], typed).map((one) => `${one.name} ${one.state}`);
  it.each([
    ['', ['bluer some', 'red all', 'blue none']],
    ['BLUE', ['blue none', 'bluer some']],
    ['blu', ['bluer some', 'blue none', 'blu new']],
    [' new  tag ', ['new tag new']],
  ])('“%s”', (typed, expected) => expect(states(typed)).toEqual(expected));
});

describe('what a transcript begins with', () => {
  const words = (messages: number, shared: number, of: number) =>
    describeBase(makeSummary({ messages, base: { id: 'x', shared, messages: of } }), () => 'Other');
  it.each([
    [5, 5, 5, 'Copy of “Other”, 5 messages'],
    [8, 5, 5, 'Continues “Other”: its 5 messages come first'],
    [8, 5, 9, 'Begins like “Other”: 5 of 8 messages the same'],
  ])('%i messages, %i shared of %i: %s', (messages, shared, of, expected) => {
    expect(words(messages, shared, of)).toBe(expected);
  });
});
