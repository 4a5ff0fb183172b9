// The window, the summary and injection, as their seed words them.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import type { SummaryArtifact } from '../../core/model/summary.ts';
import type { PlacedCompaction } from '../../core/model/transcript.ts';
import { project } from '../../core/projection/project.ts';
import type { Projection } from '../../core/projection/types.ts';
import { type Budget, createBudget } from '../../core/tokens/budget.ts';
import { itemText } from '../../core/view/reader.ts';
import { stagesOf } from '../support/projecting.ts';

const user = (content: unknown = 'q') => ({ role: 'user', content });
const says = (content: string) => ({ role: 'assistant', content });
const call = (id: string, name = 't') => ({ role: 'assistant', content: '', tool_calls: [{ id, name }] });
const result = (id: string, content: unknown = 'r') => ({ role: 'tool', tool_call_id: id, content });
const system = (content = 'sys') => ({ role: 'system', content });
const turns = (count: number) => Array.from({ length: count }, (_, i) => [user(`t${i + 1}`), says(`a${i + 1}`)]).flat();
const total = (tokens: number, injectionReserve = 0): Budget =>
  createBudget({ window: tokens + injectionReserve, reserveOutput: 0, injectionReserve, caps: {} });

interface Given {
  readonly budget?: Budget;
  readonly compactions?: readonly PlacedCompaction[];
  readonly summaries?: readonly SummaryArtifact[];
  /** The transcript's own. */
  readonly own?: string;
}

interface Outcome extends Projection {
  readonly messages: readonly unknown[];
  /** First words of each message: contents of the projected view. */
  readonly contents: readonly unknown[];
}

function run(messages: readonly unknown[], kind: string, options: object = {}, given: Given = {}): Outcome {
  const texts = messages.map((message) => JSON.stringify(message));
  const source = memorySource(texts, given.own ?? null, given.compactions ?? [], given.summaries ?? []);
  const stages = stagesOf({ version: 1, stages: [{ kind, options }] });
  const projection = project(source, stages, source.length, { budget: given.budget ?? null });
  const parsed = projection.view.items.map((item): { content?: unknown } => JSON.parse(itemText(item, source)));
  return { ...projection, messages: parsed, contents: parsed.map(({ content }) => content) };
}

describe('the sliding window', () => {
  it.each([
    ['the last turns', turns(4), { turns: 2 }, ['t3', 'a3', 't4', 'a4']],
    ['40 by default', turns(3), {}, ['t1', 'a1', 't2', 'a2', 't3', 'a3']],
    [
      'and what stands before the first',
      [system(), says('hello'), ...turns(3)],
      { turns: 1 },
      ['sys', 'hello', 't3', 'a3'],
    ],
    ['none but the head', [system(), ...turns(2)], { turns: 0 }, ['sys']],
    ['all of a history without turns', [system(), says('a')], { turns: 1 }, ['sys', 'a']],
    ['`window` is another name', turns(3), { window: 1 }, ['t3', 'a3']],
    ['two at a time', turns(6), { turns: 2, every: 3 }, ['t4', 'a4', 't5', 'a5', 't6', 'a6']],
    ['a cap in tokens cuts at a turn', turns(4), { tokens: 5 }, ['t3', 'a3', 't4', 'a4']],
    ['the last turn stays whatever it takes', turns(4), { tokens: 1 }, ['t4', 'a4']],
    ['the head counts for the cap', [system(), ...turns(4)], { tokens: 5 }, ['sys', 't3', 'a3', 't4', 'a4']],
  ])('keeps %s', (_name, messages, options, contents) => {
    expect(run(messages, 'sliding_window', options).contents).toEqual(contents);
  });

  it('fits the budget if it is told to', () => {
    const budget = total(4);
    expect(run(turns(4), 'sliding_window', {}, { budget }).contents).toHaveLength(8);
    expect(run(turns(4), 'sliding_window', { fit_budget: true }, { budget }).contents).toEqual([
      't3',
      'a3',
      't4',
      'a4',
    ]);
  });

  it('drops turns earlier where a tier has a cap', () => {
    const long = [user('x'.repeat(400)), says('a'), ...turns(2)];
    const budget = createBudget({
      window: 1000,
      reserveOutput: 0,
      injectionReserve: 0,
      caps: { user: { share: 0.05 } },
    });
    const { contents, fates } = run(long, 'sliding_window', {}, { budget });
    expect(contents).toEqual(['t1', 'a1', 't2', 'a2']);
    expect(fates[0]).toMatchObject({
      rule: 'over_tier_cap',
      reason: 'dropped: with turn 3 from the end it would be 102 tokens > 50, the cap on user tokens',
    });
  });

  it('says if what cannot go is too much by itself', () => {
    const { problems } = run(turns(4), 'sliding_window', { tokens: 1 });
    expect(problems).toMatchObject([{ code: 'window.over_cap', severity: 'warning' }]);
    expect(problems[0]?.text).toContain('takes 2 tokens: more than 1, the cap (tokens)');
    expect(run(turns(4), 'sliding_window', { tokens: 2 }).problems).toEqual([]);
  });

  it('never cuts between a call and its result', () => {
    const steered = [user('t1'), call('a'), user('t2'), result('a', 'A'), user('t3')];
    expect(run(steered, 'sliding_window', { turns: 2 }).contents).toEqual(['t1', '', 't2', 'A', 't3']);
    expect(run(steered, 'sliding_window', { tokens: 3 }).contents).toEqual(['t3']);
    const answered = [
      call('a'),
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'A' }, 'and'] },
      user('t2'),
    ];
    expect(run(answered, 'sliding_window', { turns: 1 }).messages).toHaveLength(3);
  });

  it('explains every message', () => {
    const { fates } = run([system(), ...turns(3)], 'sliding_window', { turns: 2 });
    expect(fates.map(({ reason }) => reason)).toEqual([
      'kept: comes before the first turn',
      ...Array(2).fill('dropped: turn 3 from the end > 2 turns to keep'),
      ...Array(2).fill('kept: turn 2 from the end ≤ 2 turns to keep'),
      ...Array(2).fill('kept: turn 1 from the end ≤ 2 turns to keep'),
    ]);
  });
});

const written = (to: number, content: string, version = 1): SummaryArtifact => ({
  from: 0,
  to,
  content,
  version,
  origin: 'written',
});

describe('the summary', () => {
  const messages = [system(), ...turns(5)];

  it('does nothing within the budget, or without one', () => {
    const within = run(messages, 'summary', {}, { budget: total(11) });
    expect(within.contents).toHaveLength(11);
    expect(within.fates[3]?.reason).toBe('kept: no summary: 11 tokens ≤ 11 of the budget');
    expect(run(messages, 'summary').reports[0]?.summary).toMatch(/no window is known/);
  });

  it('is a labelled placeholder where none applies, and says for which span one is needed', () => {
    const { contents, reports, view, fates } = run(messages, 'summary', {}, { budget: total(10) });
    expect(contents).toEqual(['sys', '[6 earlier messages summarized]', 't4', 'a4', 't5', 'a5']);
    expect(reports[0]?.needsSummary).toEqual({ from: 1, to: 7 });
    expect(view.items[1]).toMatchObject({
      covers: { from: 1, to: 7 },
      made: { rule: 'summary_placeholder', chip: 'placeholder' },
    });
    expect(fates[1]).toMatchObject({ kind: 'summarised', rule: 'summary_placeholder' });
    expect(fates[1]?.reason).toContain('(11 tokens > 10 of the budget)');
  });

  it('is the transcript’s own where none applies, rather than a placeholder', () => {
    const { contents, reports, fates } = run(messages, 'summary', {}, { budget: total(10), own: 'all so far' });
    expect(contents).toEqual(['sys', 'all so far', 't4', 'a4', 't5', 'a5']);
    expect(reports[0]?.needsSummary).toBeUndefined();
    expect(reports[0]?.summary).toContain('the transcript’s own summary');
    expect(fates[1]).toMatchObject({ kind: 'summarised', rule: 'summary_own' });
    const both = run(messages, 'summary', { when: 'always' }, { summaries: [written(5, 'two turns')], own: 'all' });
    expect(both.contents[1]).toBe('two turns');
  });

  it('is the latest written one that applies', () => {
    const summaries = [
      written(3, 'one turn'),
      written(5, 'two turns'),
      written(5, 'better', 2),
      written(9, 'too much'),
    ];
    const { contents, reports, view } = run(messages, 'summary', { when: 'always' }, { summaries });
    expect(contents).toEqual(['sys', 'better', 't3', 'a3', 't4', 'a4', 't5', 'a5']);
    expect(reports[0]?.needsSummary).toBeUndefined();
    expect(view.items[1]).toMatchObject({
      covers: { from: 0, to: 5 },
      made: { rule: 'summary_written', chip: 'written' },
    });
  });

  it('asks for a longer one where that does not suffice, and cuts nothing for it', () => {
    const { contents, reports } = run(
      messages,
      'summary',
      {},
      { summaries: [written(3, 'one turn')], budget: total(8) },
    );
    expect(contents).toEqual(['sys', 'one turn', 't2', 'a2', 't3', 'a3', 't4', 'a4', 't5', 'a5']);
    expect(reports[0]?.needsSummary).toEqual({ from: 1, to: 7 });
  });

  it('is asked for from the start, whatever was dropped before', () => {
    const stages = [
      { kind: 'sliding_window', options: { turns: 3 } },
      { kind: 'summary', options: { when: 'always' } },
    ];
    const { reports, view } = project(
      memorySource(messages.map((one) => JSON.stringify(one))),
      stagesOf({ version: 1, stages }),
      11,
    );
    expect(reports[1]?.needsSummary).toEqual({ from: 1, to: 7 });
    expect(view.items[1]).toMatchObject({ covers: { from: 5, to: 7 } });
  });

  it('leaves the beginning as it is between two cuts', () => {
    const stages = stagesOf({
      version: 1,
      stages: [{ kind: 'summary', options: { when: 'always', keep_turns: 1, every: 3 } }],
    });
    const many = Array.from({ length: 12 }, (_, turn) => [
      user(`t${turn}`),
      { role: 'assistant', content: `a${turn}` },
    ]).flat();
    const source = memorySource(many.map((one) => JSON.stringify(one)));
    const covered = Array.from({ length: 12 }, (_, turn) => {
      const [first] = project(source, stages, turn * 2 + 1).view.items;
      return first?.kind === 'synthetic' ? first.covers.to / 2 : 0;
    });
    expect(covered).toEqual([0, 0, 0, 3, 3, 3, 6, 6, 6, 9, 9, 9]);
  });

  it('is the recorded one where it stands', () => {
    const compacted = [...messages.slice(0, 5), user('recorded words'), ...messages.slice(5)];
    const compactions = [{ at: 5, summaryIndex: 5 }];
    const { contents, fates } = run(compacted, 'summary', { when: 'always' }, { compactions });
    expect(contents).toEqual(['sys', 'recorded words', 't3', 'a3', 't4', 'a4', 't5', 'a5']);
    expect(fates[1]).toMatchObject({ rule: 'summary_recorded', because: 5 });
    expect(fates[5]?.reason).toBe('kept: the recorded summary of #0–#4; it replaces the messages before it');
  });

  it.each([
    [
      'keep_turns',
      { when: 'always', keep_turns: 4 },
      ['sys', '[2 earlier messages summarized]', 't2', 'a2', 't3', 'a3', 't4', 'a4', 't5', 'a5'],
    ],
    ['nothing older', { when: 'always', keep_turns: 5 }, messages.map(({ content }) => content)],
    ['nothing kept', { when: 'always', keep_turns: 0 }, ['sys', '[10 earlier messages summarized]']],
  ])('%s', (_name, options, contents) => {
    expect(run(messages, 'summary', options).contents).toEqual(contents);
  });

  it('has the role it is given, and the shape of the history', () => {
    expect(run(messages, 'summary', { when: 'always', role: 'user' }).messages[1]).toMatchObject({ role: 'user' });
    const gemini = ['a', 'b', 'c'].map((text) => ({ role: 'user', parts: [{ text }] }));
    expect(run(gemini, 'summary', { when: 'always' }).messages[0]).toEqual({
      role: 'user',
      parts: [{ text: '[1 earlier messages summarized]' }],
    });
  });

  it('tells of kept messages why', () => {
    const { fates } = run(messages, 'summary', { when: 'always' }, { summaries: [written(5, 'two')] });
    expect([0, 6, 8].map((index) => fates[index]?.reason)).toEqual([
      'kept: the system prompt stays before the summary',
      'kept: the written summary, version 1, of #0–#4 ends before it',
      'kept: among the last 2 turns (keep_turns)',
    ]);
  });
});

describe('injection', () => {
  const messages = [system(), user('t1'), says('a1'), user('t2'), call('c'), result('c')];
  const entries = { memory: { text: 'remember' }, plan: { text: 'the plan', role: 'system' }, none: { text: '' } };

  it.each([
    ['before', ['sys', 't1', 'a1', 'remember', 'the plan', 't2', '', 'r'], 3],
    ['after', ['sys', 't1', 'a1', 't2', 'remember', 'the plan', '', 'r'], 4],
  ])('stands right %s the last user message', (place, contents, index) => {
    const projection = run(messages, 'injection', { entries, place });
    expect(projection.contents).toEqual(contents);
    expect(projection.view.items[place === 'before' ? 3 : 4]).toMatchObject({
      covers: { from: index, to: index },
      made: { rule: 'injected', chip: 'memory' },
    });
  });

  it('stands at the end where no user has spoken', () => {
    expect(run([system()], 'injection', { entries: { a: 'x' } }).contents).toEqual(['sys', 'x']);
  });

  it('over its reserve is an error that names the entry, and nothing is reduced for it', () => {
    const { problems, contents } = run(messages, 'injection', { entries }, { budget: total(100, 3) });
    expect(contents).toHaveLength(8);
    expect(problems).toMatchObject([
      { code: 'injection.over_reserve', severity: 'error', where: { path: 'entries.plan' } },
    ]);
    expect(problems[0]?.text).toContain(
      'plan takes 2 tokens, 1 more than what is left of budget.injection_reserve (1)',
    );
  });

  it('may have a reserve of its own', () => {
    const own = { memory: { text: 'remember', reserve: 1 }, plan: { text: 'p', reserve: 1 } };
    const { problems } = run(messages, 'injection', { entries: own }, { budget: total(100, 50) });
    expect(problems.map(({ where }) => where?.path)).toEqual(['entries.memory']);
    expect(problems[0]?.text).toContain('1 more than its reserve (1)');
  });
});
