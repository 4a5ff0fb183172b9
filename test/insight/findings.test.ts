// Findings over sessions whose truth is known by how they were made.
import { describe, expect, it } from 'vitest';
import { findingsOf, preventedBy, RefusedFollower } from '../../core/insight/findings/index.ts';
import { Pricing } from '../../core/insight/pricing.ts';
import type { CacheMiss } from '../../core/insight/usage/types.ts';
import { usesOf } from '../../core/insight/uses/index.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import type { Usage } from '../../core/model/message.ts';
import { callPoints } from '../../core/model/turns.ts';
import type { ThinkingCounts } from '../../core/projection/binding/types.ts';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { project } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { TOOL_TABLE } from '../../core/reading/tools.ts';
import { itemText } from '../../core/view/reader.ts';

const say = (role: string, content: string) => JSON.stringify({ role, content });
const call = (id: string, name: string, args: object) =>
  JSON.stringify({
    role: 'assistant',
    content: '',
    tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  });
const result = (id: string, content: string) => JSON.stringify({ role: 'tool', tool_call_id: id, content });

const FILE = `The registry of the harbour holds berth_9917 and the crane at slot ${'quay '.repeat(30)}`;
const PRICE = { model: 'm', input: 5, cachedRead: 0.5, cacheWrite: 6.25, cacheWrite1h: 10 };
const PRICING = Pricing.one({ price: PRICE });

function stagesOf(spec: unknown) {
  const parsed = parseSpec(spec, STAGES);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value.stages;
}

const WINDOW = { version: 1, stages: [{ kind: 'sliding_window', options: { turns: 1 } }] };

function usesUnder(texts: readonly string[], spec: unknown) {
  const source = memorySource(texts);
  return usesOf({ source, stages: stagesOf(spec), pricing: PRICING }, () => {
    throw new Error('no stage asks for anything');
  }).uses;
}

function find(texts: readonly string[], spec: unknown, misses: readonly CacheMiss[] = [], usage: Usage | null = null) {
  const source = memorySource(texts);
  return findingsOf({
    ...{ source, uses: usesUnder(texts, spec), misses, refused: [], callPoints: callPoints(source), pricing: PRICING },
    usageAt: () => usage,
    tokens: () => 1000,
  });
}

const READ = call('a', 'read_file', { path: 'docs/harbour.md' });
const READ_AGAIN = call('b', 'read_file', { path: 'docs/harbour.md' });
const FORGOTTEN = [
  say('user', 'Read the registry of the harbour.'),
  READ,
  result('a', FILE),
  say('assistant', 'I read it.'),
  say('user', 'Now think of something else.'),
  say('assistant', 'I do.'),
  say('user', 'And again of the harbour.'),
  READ_AGAIN,
  result('b', FILE),
  say('assistant', 'Done.'),
];

describe('forgotten and fetched again', () => {
  it('is found where the first result was not in the request, with what it cost and the stage', () => {
    const [first] = find(FORGOTTEN, WINDOW);
    expect(first).toMatchObject({
      kind: 'forgotten',
      at: 7,
      sources: [2],
      certainty: 'certain',
      tokens: expect.any(Number),
    });
    expect(first?.evidence).toContain('docs/harbour.md');
    expect(first?.loss).toMatchObject({ stage: 0, fate: 'dropped' });
    expect(first?.cost).toBeCloseTo(((first?.tokens ?? 0) * 5) / 1e6, 12);
  });
  it('is not found where it was in the request, nor where the result is another one', () => {
    expect(find(FORGOTTEN, 'raw').filter(({ kind }) => kind === 'forgotten')).toEqual([]);
    const changed = FORGOTTEN.with(8, result('b', 'Something else entirely stands there since this morning.'));
    expect(find(changed, WINDOW).filter(({ kind }) => kind === 'forgotten')).toEqual([]);
  });
});

describe('a call that is made again to see what became of something', () => {
  const TESTS = { command: 'npm test -- --run harbour' };
  const tried = (first: [string, object], between: [string, object], again: [string, object] = first) => [
    say('user', 'Repair the crane.'),
    call('a', ...first),
    result('a', FILE),
    call('m', ...between),
    result('m', 'done: the crane turns at berth seven of the eastern quay again'),
    say('user', 'And the berth.'),
    call('b', ...again),
    result('b', FILE),
    say('assistant', 'Done.'),
  ];
  const forgotten = (texts: readonly string[]) => find(texts, WINDOW).filter(({ kind }) => kind === 'forgotten');
  const EDIT: [string, object] = ['edit_file', { path: 'src/crane.ts', new: 'turn()' }];
  it.each([
    ['tests behind an edit', ['bash', TESTS], EDIT, 0],
    ['tests behind another look', ['bash', TESTS], ['read_file', { path: 'src/crane.ts' }], 1],
    ['a screenshot behind a click', ['computer', { action: 'screenshot' }], ['computer', { action: 'click' }], 0],
    ['the state of a work tree behind a commit', ['bash', { command: 'git diff --stat' }], ['bash', TESTS], 0],
    ['a file behind an edit of another', ['read_file', { path: 'docs/harbour.md' }], EDIT, 1],
    ['a file that a shell shows', ['bash', { command: 'cd docs && sed -n 1,80p harbour.md | head -40' }], EDIT, 1],
    ['a manual', ['bash', { command: 'crane turn --help' }], EDIT, 1],
    ['the manual of a program under work', ['bash', { command: 'node src/crane.ts --help' }], EDIT, 0],
    ['a shell that writes what it shows', ['bash', { command: 'cat a.md > b.md' }], EDIT, 0],
  ] as const)('is no forgotten one if something was done before: %s', (_, first, between, count) => {
    const given = (one: readonly [string, object]): [string, object] => [one[0], one[1]];
    expect(forgotten(tried(given(first), given(between)))).toHaveLength(count);
  });
});

describe('a compaction that nobody else can read', () => {
  const compacted = (kind: 'opaque' | 'summary') => {
    const texts = [...FORGOTTEN];
    const found = [{ at: 5, kind, opaqueChars: 900 }];
    return { ...memorySource(texts), compactions: () => (kind === 'opaque' ? found : [{ at: 5 }]) };
  };
  it.each([
    ['opaque', 'suspect'],
    ['summary', 'certain'],
  ] as const)('may hold what seems gone: %s', (kind, certainty) => {
    const loss = { since: 7, fate: 'summarised', stage: 0, stageTitle: 'x', rule: 'recorded_compaction', reason: 'x' };
    const uses = usesUnder(FORGOTTEN, WINDOW).map((use) => ({
      ...use,
      loss: { ...loss, fate: 'summarised' as const },
    }));
    const source = compacted(kind);
    const input = { source, uses, misses: [], refused: [], callPoints: [3, 5, 7, 9], pricing: PRICING };
    const found = findingsOf({ ...input, usageAt: () => null, tokens: () => 1 });
    expect(found.map((one) => [one.kind, one.certainty])).toContainEqual(['forgotten', certainty]);
    expect(found.map((one) => [one.kind, one.certainty])).toContainEqual(['compaction_dropped', certainty]);
  });
});

it('words that only the agent had said are not counted as dropped by a compaction', () => {
  const line = 'cd /srv/harbour/registry && sed -n 1,260p';
  const shell = (id: string, command: string) => call(id, 'bash', { command });
  const said = (fact: string) => [
    say('user', `Look at the harbour. ${fact}`),
    shell('a', `${line} berths.md`),
    result('a', 'nothing of note is written there about any of the berths'),
    say('user', 'Go on.'),
    shell('b', `${line} cranes.md`),
    result('b', 'the cranes are listed by their numbers in the second column'),
    say('assistant', 'Done.'),
  ];
  const dropped = (texts: readonly string[]) => {
    const loss = { since: 4, fate: 'summarised' as const, stage: 0, stageTitle: 'x', rule: null, reason: 'x' };
    const uses = usesUnder(texts, WINDOW).map((use) => ({ ...use, outcome: 'gone' as const, loss }));
    const input = {
      source: memorySource(texts),
      uses,
      misses: [],
      refused: [],
      callPoints: [1, 4, 6],
      pricing: PRICING,
    };
    return findingsOf({ ...input, usageAt: () => null, tokens: () => 1 }).filter(({ kind }) => kind.startsWith('comp'));
  };
  expect(dropped(said(''))).toEqual([]);
  expect(dropped(said('The list is in cranes.md there.'))).toMatchObject([{ at: 4, sources: [0] }]);
});

describe('prevented by', () => {
  it('names the policies in whose request the evidence stood, and no other: held against projections', () => {
    const found = find(FORGOTTEN, WINDOW);
    const specs = ['raw', WINDOW, { version: 1, stages: [{ kind: 'sliding_window', options: { turns: 9 } }] }];
    const policies = specs.map((spec, at) => ({ name: String(at), uses: usesUnder(FORGOTTEN, spec), refused: [] }));
    const names = preventedBy(found, policies);
    const source = memorySource(FORGOTTEN);
    const holds = specs.map((spec) =>
      project(source, stagesOf(spec), 7).view.items.some((item) => itemText(item, source).includes('berth_9917')),
    );
    expect(holds).toEqual([true, false, true]);
    const at = found.findIndex(({ kind }) => kind === 'forgotten');
    expect(names[at]).toEqual(['0', '2']);
  });
  it('says nothing of what is only recorded', () => {
    const miss: CacheMiss = { at: 5, left: 9000, read: 1000, lost: 8000, cause: 'time', why: 'late', diagnosis: null };
    const found = find(FORGOTTEN, 'raw', [miss]);
    const at = found.findIndex(({ kind }) => kind === 'cache_lost');
    const names = preventedBy(found, [{ name: 'raw', uses: [], refused: [] }]);
    expect(names[at]).toEqual([]);
  });
});

describe('a lost cache', () => {
  const miss: CacheMiss = { at: 5, left: 9000, read: 1000, lost: 8000, cause: 'time', why: 'late', diagnosis: null };
  it('is not claimed where a compaction put other words in place, which never were in the cache', () => {
    const found = find(FORGOTTEN, 'raw', [{ ...miss, cause: 'compaction', why: 'a recorded compaction came between' }]);
    expect(found.filter(({ kind }) => kind === 'cache_lost')).toEqual([]);
  });
  it.each([
    [{ cause: 'system', word: 'system_changed' }, 'provider: system prompt changed'],
    [{ cause: 'unknown', word: 'unavailable' }, 'late'],
    [{ cause: null }, 'late'],
  ] as const)('has the provider’s cause where it named one, else ours: %j', (diagnosis, said) => {
    const lost = find(FORGOTTEN, 'raw', [{ ...miss, diagnosis }]).find(({ kind }) => kind === 'cache_lost');
    expect(lost?.evidence).toBe(`8,000 of 9,000 cached tokens not found: ${said}`);
  });
  it.each([
    ['read fresh', null, 5],
    ['written for five minutes', { input: 1, cacheWrite: 8000 }, 6.25],
    ['written for an hour', { input: 1, cacheWrite: 8000, cacheWrite1h: 8000 }, 10],
  ] as const)('costs what the request paid instead: %s', (_, usage, rate) => {
    const lost = find(FORGOTTEN, 'raw', [miss], usage).find(({ kind }) => kind === 'cache_lost');
    expect(lost).toMatchObject({ at: 5, tokens: 8000, certainty: 'recorded' });
    expect(lost?.cost).toBeCloseTo((8000 * (rate - 0.5)) / 1e6, 12);
  });
});

describe('a sub-agent', () => {
  const task = (id: string, prompt: string) => call(id, 'Task', { subagent_type: 'explore', prompt });
  const started = (first: string, second: string, answer: string) => [
    say('user', 'Go.'),
    task('a', first),
    result('a', answer),
    task('b', second),
    result('b', 'It is there.'),
    say('assistant', 'Well.'),
  ];
  const twice = (texts: readonly string[]) => find(texts, 'raw').filter(({ kind }) => kind === 'started_twice');
  it('started twice with the same task is found at the second', () => {
    expect(twice(started('find the crane', 'find  the crane ', 'It is there.'))).toMatchObject([
      { at: 3, sources: [1], tokens: 1000 },
    ]);
  });
  it.each(TOOL_TABLE.flatMap(({ names }) => names.agent ?? []))('by %s is found as well', (name) => {
    const texts = started('find the crane', 'find the crane', 'It is there.');
    expect(twice(texts.map((text) => text.replaceAll('"Task"', `"${name}"`)))).toMatchObject([{ at: 3, sources: [1] }]);
  });
  it('with another task, or because the first failed, is not', () => {
    expect(twice(started('find the crane', 'find the berth', 'It is there.'))).toEqual([]);
    const failed = started('find the crane', 'find the crane', 'x').with(
      2,
      JSON.stringify({ role: 'tool', tool_call_id: 'a', content: 'error: it did not start', is_error: true }),
    );
    expect(twice(failed)).toEqual([]);
  });
  it('two of one message are started on purpose', () => {
    const both = JSON.stringify({
      role: 'assistant',
      content: '',
      tool_calls: ['a', 'b'].map((id) => ({
        id,
        type: 'function',
        function: { name: 'Task', arguments: '{"prompt":"find the crane"}' },
      })),
    });
    expect(twice([say('user', 'Go.'), both, result('a', 'x'), result('b', 'x'), say('assistant', 'Well.')])).toEqual(
      [],
    );
  });
});

it('requests that would be refused are one finding for each run of them', () => {
  const counts = (failing: number): ThinkingCounts => ({
    onMismatch: 'error',
    ...{ sent: 3, failing, foreign: 0, dropped: 0 },
  });
  const follower = new RefusedFollower();
  for (const [at, failing] of [0, 2, 2, 0, 1].entries()) {
    const outcome = {
      ...counts(failing),
      reader: null,
      checks: true,
      enforced: true,
      first: null,
      firstForeign: null,
      runs: [],
    };
    follower.take({ at, thinking: { counts: counts(failing), outcome } });
  }
  expect(follower.runs).toMatchObject([
    { from: 1, to: 2, requests: 2, reason: '2 signed thinking blocks no longer valid' },
    { from: 4, to: 4, requests: 1 },
  ]);
});

it('findings come dearest first, then by tokens, then by place', () => {
  const misses = [3000, 9000, 6000].map(
    (lost, nth): CacheMiss => ({ at: nth, left: lost, read: 0, lost, cause: 'time', why: '', diagnosis: null }),
  );
  const found = find(FORGOTTEN, WINDOW, misses);
  const costs = found.map(({ cost }) => cost ?? -1);
  expect(costs).toEqual(costs.toSorted((a, b) => b - a));
  expect(found.slice(0, 3).map(({ tokens }) => tokens)).toEqual([9000, 6000, 3000]);
});
