// The rules of the context policy as tables. `say(n)` makes a message that the heuristic counts as n tokens.
import { describe, expect, test } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import type { SummaryArtifact } from '../../core/model/summary.ts';
import type { PlacedCompaction } from '../../core/model/transcript.ts';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { project } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { itemText } from '../../core/view/reader.ts';
import { PENDING_ENTRIES } from '../support/pendingEntries.ts';
import { stagesOf } from '../support/projecting.ts';

type Message = Record<string, unknown>;
type Options = Record<string, unknown>;

const say = (role: string, tokens: number): Message => ({ role, content: 'x'.repeat((tokens - 10) * 4) });
const user = (tokens = 20) => say('user', tokens);
const answer = (tokens = 20) => say('assistant', tokens);
const call = (...ids: string[]): Message => ({
  role: 'assistant',
  content: '',
  tool_calls: ids.map((id) => ({ id, name: 'look', arguments: {} })),
});
const result = (id: string, tokens = 20): Message => ({
  role: 'tool',
  tool_call_id: id,
  content: 'y'.repeat((tokens - 10) * 4),
});

interface Beside {
  readonly summaries?: readonly SummaryArtifact[];
  readonly compactions?: readonly PlacedCompaction[];
  readonly own?: string;
  readonly at?: number;
}

function run(messages: readonly Message[], options: Options, beside: Beside = {}) {
  const texts = messages.map((message) => JSON.stringify(message));
  const source = memorySource(texts, beside.own ?? null, beside.compactions ?? [], beside.summaries ?? []);
  const stages = stagesOf({ version: 1, stages: [{ kind: 'context_policy', options }] });
  const projection = project(source, stages, beside.at ?? source.length);
  const view = projection.view.items.map((item): { role: string; content: string } =>
    JSON.parse(itemText(item, source)),
  );
  const [report] = projection.reports;
  if (report === undefined) throw new Error('no report');
  return { projection, view, report, meta: report.meta ?? {}, kept: projection.keptIndices, fates: projection.fates };
}

const TIGHT = { max_input_tokens: 150, reserve_output_tokens: 50, keep_last_turns: 0 };
const chat = (turns: number) => Array.from({ length: turns }, () => [user(), answer()]).flat();

describe('window', () => {
  test.each<[string, readonly Message[], Options, readonly number[]]>([
    ['all of it fits', chat(2), TIGHT, [0, 1, 2, 3]],
    ['tokens from the newest: 5 × 20 fill 100', chat(4), TIGHT, [3, 4, 5, 6, 7]],
    ['one token less, one message less', chat(4), { ...TIGHT, max_input_tokens: 149 }, [4, 5, 6, 7]],
    ['the last turns win over the budget of 100', chat(4), { ...TIGHT, keep_last_turns: 3 }, [2, 3, 4, 5, 6, 7]],
    ['up to the hard total of 150', chat(8), { ...TIGHT, keep_last_turns: 8 }, [9, 10, 11, 12, 13, 14, 15]],
    ['max_messages goes before the last turns', chat(4), { ...TIGHT, keep_last_turns: 3, max_messages: 2 }, [6, 7]],
    [
      'no reserve: budget is the hard total',
      chat(8),
      { ...TIGHT, reserve_output_tokens: 0 },
      [9, 10, 11, 12, 13, 14, 15],
    ],
    [
      'a reserve that takes all leaves the last turns',
      chat(3),
      { ...TIGHT, reserve_output_tokens: 900, keep_last_turns: 1 },
      [4, 5],
    ],
  ])('%s', (_name, messages, options, kept) => {
    expect(run(messages, options).kept).toEqual(kept);
  });

  test('a turn is a user message and all up to the next one, however many calls it holds', () => {
    const messages = [
      user(),
      answer(),
      user(),
      call('a'),
      result('a'),
      call('b'),
      result('b'),
      call('c'),
      result('c'),
      answer(),
    ];
    expect(
      run(messages, { ...TIGHT, max_input_tokens: 400, reserve_output_tokens: 390, keep_last_turns: 1 }).kept,
    ).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('a user message of tool results begins no turn', () => {
    const blocks = [
      user(),
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'found' }] },
      answer(),
    ];
    const { kept } = run([...chat(1), ...blocks], {
      max_input_tokens: 400,
      reserve_output_tokens: 400,
      keep_last_turns: 1,
    });
    expect(kept).toEqual([2, 3, 4, 5]);
  });

  test('pending begins no turn: it is not committed', () => {
    const options = { max_input_tokens: 400, reserve_output_tokens: 380, keep_last_turns: 1, pending: 'so?' };
    expect(run(chat(3), options).kept).toEqual([4, 5]);
  });
});

describe('atomic units', () => {
  // A call counts 10, its arguments {} nothing; two calls 20; each result 20.
  const messages = [user(), call('a', 'b'), result('a'), result('b'), answer()];

  test.each([
    [80, [1, 2, 3, 4]],
    [79, [4]],
    [100, [0, 1, 2, 3, 4]],
  ])('with %i tokens a call and its results go or stay together', (budget, kept) => {
    expect(run(messages, { max_input_tokens: budget, reserve_output_tokens: 0, keep_last_turns: 0 }).kept).toEqual(
      kept,
    );
  });

  test('a result that comes late holds what stands between', () => {
    const late = [user(), call('a'), user(), answer(), result('a'), answer()];
    const { kept } = run(late, { max_input_tokens: 100, reserve_output_tokens: 0, keep_last_turns: 0 });
    expect(kept).toEqual([1, 2, 3, 4, 5]);
    expect(run(late, { max_input_tokens: 89, reserve_output_tokens: 0, keep_last_turns: 0 }).kept).toEqual([5]);
  });

  test('calls in messages of their own belong to their results', () => {
    const items = [user(), call('a'), call('b'), result('a'), result('b')];
    expect(run(items, { max_input_tokens: 59, reserve_output_tokens: 0, keep_last_turns: 0 }).kept).toEqual([]);
    expect(run(items, { max_input_tokens: 60, reserve_output_tokens: 0, keep_last_turns: 0 }).kept).toEqual([
      1, 2, 3, 4,
    ]);
  });

  test('a pair stays whole where a summary ends between call and result', () => {
    const summaries = [{ from: 0, to: 2, content: 's', version: 1, origin: 'written' as const }];
    const { kept, fates } = run([user(), call('a'), result('a'), answer()], {}, { summaries });
    expect(kept).toEqual([1, 2, 3]);
    expect(fates[0]?.rule).toBe('covered_by_summary');
  });
});

describe('segments', () => {
  test('system, summary, history, pending stand in this order', () => {
    const summaries = [{ from: 0, to: 2, content: 'They met.', version: 1, origin: 'written' as const }];
    const { view, meta } = run(chat(2), { system_prompt: 'Be brief.', pending: 'And now?' }, { summaries });
    expect(view.map(({ role }) => role)).toEqual(['system', 'system', 'user', 'assistant', 'user']);
    expect(view[0]?.content).toBe('Be brief.');
    expect(view[1]?.content).toBe('Summary of earlier conversation:\nThey met.');
    expect(view[4]?.content).toBe('And now?');
    expect(meta).toMatchObject({ summary_used: true, pending_count: 1, truncated: false, needs_summary: false });
  });

  test('system messages at the head are the system segment unless the policy has a prompt', () => {
    const messages = [say('system', 30), ...chat(4)];
    const { kept } = run(messages, TIGHT);
    expect(kept).toEqual([0, 6, 7, 8]);
    const own = run(messages, { ...TIGHT, system_prompt: 'Be brief.' });
    expect(own.fates[0]).toMatchObject({ kind: 'dropped', rule: 'system_prompt' });
    expect(own.view[0]?.content).toBe('Be brief.');
  });

  test('pending must fit the budget', () => {
    const fits = run(chat(1), { ...TIGHT, pending: 'x'.repeat(4 * 90) });
    expect(fits.report.problems).toMatchObject([{ code: 'context.newest_left_out', severity: 'warning' }]);
    const { report, kept, view } = run(chat(1), { ...TIGHT, pending: 'x'.repeat(4 * 91) });
    expect(report.problems).toMatchObject([{ code: 'context.pending_too_large', severity: 'error' }]);
    expect(report.problems[0]?.text).toContain('takes 101 tokens and must fit, but 100 are left');
    expect([kept, view.length]).toEqual([[0, 1], 2]);
  });

  test('entries are pending as a thread has them: calls of one answer in one message, each result its own', () => {
    const { view, meta, projection } = run(chat(1), { pending: PENDING_ENTRIES });
    expect(view.slice(2)).toEqual([
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { id: 'p1', name: 'look', arguments: { at: 1.5 } },
          { id: 'p2', name: 'look', arguments: {} },
        ],
      },
      { role: 'tool', tool_call_id: 'p1', content: '{"n":1}' },
      { role: 'tool', tool_call_id: 'p2', content: '{"error":"timeout"}', is_error: true },
      { role: 'system', content: 'Be quick.' },
      { role: 'user', content: 'And what of the other one?' },
    ]);
    expect(meta).toMatchObject({ pending_count: 6, entries_included: 2 });
    expect(projection.view.items.slice(2)).toMatchObject(
      Array.from({ length: 5 }, () => ({ kind: 'synthetic', covers: { from: 2, to: 2 }, made: { rule: 'pending' } })),
    );
  });

  test('a list of one text is that text; an empty one is nothing', () => {
    const [text, list, bare] = ['So?', ['So?'], [{ role: 'user', content: 'So?' }]].map((pending) =>
      run(chat(2), { ...TIGHT, pending }),
    );
    for (const other of [list, bare]) expect([other?.view, other?.meta]).toEqual([text?.view, text?.meta]);
    for (const pending of [[], '', [''], [{ role: 'user', content: '' }]]) {
      expect(run(chat(1), { pending }).meta).toMatchObject({ pending_count: 0 });
    }
  });

  test('entries must fit the budget, all of them', () => {
    const entry = { kind: 'message', payload: { role: 'user', content: 'x'.repeat(4 * 40) } };
    expect(run(chat(1), { ...TIGHT, pending: [entry, entry] }).report.problems).toMatchObject([
      { severity: 'warning' },
    ]);
    const problems = run(chat(1), { ...TIGHT, pending: [entry, entry, 'x'] }).report.problems;
    expect(problems).toMatchObject([{ code: 'context.pending_too_large', severity: 'error' }]);
  });

  test.each([
    [7, 'pending', 'Option pending must be a string or a list of entries; given: 7 (number).'],
    [['a', 7], 'pending[1]', 'Option pending[1] must be a text or an entry {kind, payload, refs}; given: 7 (number).'],
    [
      [{ kind: 'summary', payload: {} }],
      'pending[0].kind',
      'Option pending[0].kind must be one of message, tool_call, tool_result; given: "summary" (string).',
    ],
    [[{ kind: 'message' }], 'pending[0].payload', 'Option pending[0].payload must be an object; it is missing.'],
    [
      [{ kind: 'message', payload: { role: 'robot', content: 'x' } }],
      'pending[0].payload.role',
      'Option pending[0].payload.role must be one of system, developer, user, assistant, tool; given: "robot" (string).',
    ],
    [
      [{ role: 'user', content: 3 }],
      'pending[0].content',
      'Option pending[0].content must be a text or a list of blocks; given: 3 (number).',
    ],
    [
      [{ kind: 'tool_call', payload: {} }],
      'pending[0].payload.name',
      'Option pending[0].payload.name must be the name of a tool; it is missing.',
    ],
    [
      [{ kind: 'tool_result', payload: { name: 'look' } }],
      'pending[0].payload.result',
      'Option pending[0].payload.result must be the result of a call; it is missing.',
    ],
  ])('what is pending is refused with its place: %j', (pending, path, text) => {
    const parsed = parseSpec({ version: 1, stages: [{ kind: 'context_policy', options: { pending } }] }, STAGES);
    const problems = parsed.ok ? [] : parsed.error;
    expect(problems).toMatchObject([{ text, where: { path: `stages[0].options.${path}` } }]);
  });

  test('a system prompt over the budget is an error too', () => {
    expect(run(chat(1), { ...TIGHT, system_prompt: 'x'.repeat(400) }).report.problems).toMatchObject([
      { code: 'context.system_too_large', severity: 'error' },
    ]);
  });
});

describe('summaries', () => {
  const written = (to: number, content = 's'): SummaryArtifact => ({
    from: 0,
    to,
    content,
    version: 1,
    origin: 'written',
  });
  const recorded: Beside = { compactions: [{ at: 4, summaryIndex: 4, preserved: [3] }] };
  const withSummary = [...chat(2), { role: 'system', content: 'They met.' }, ...chat(1)];

  test.each<[string, Options, readonly string[], readonly number[]]>([
    ['the recorded one is presented at the head', {}, ['system', 'assistant', 'user', 'assistant'], [3, 5, 6]],
    ['under the role asked for', { summary_role: 'user' }, ['user', 'assistant', 'user', 'assistant'], [3, 5, 6]],
    ['which may be an atom', { summary_role: ':user' }, ['user', 'assistant', 'user', 'assistant'], [3, 5, 6]],
    [
      'as may be whether there is one',
      { summarization: ':none' },
      ['user', 'assistant', 'user', 'assistant', 'user', 'assistant'],
      [0, 1, 2, 3, 5, 6],
    ],
    [
      'with none it leaves, and what it covered is history',
      { summarization: 'none' },
      ['user', 'assistant', 'user', 'assistant', 'user', 'assistant'],
      [0, 1, 2, 3, 5, 6],
    ],
    [
      'so it does if the kind is left out',
      { include_kinds: ['message', 'tool_call', 'tool_result'] },
      ['user', 'assistant', 'user', 'assistant', 'user', 'assistant'],
      [0, 1, 2, 3, 5, 6],
    ],
  ])('%s', (_name, options, roles, kept) => {
    const made = run(withSummary, options, recorded);
    expect(made.view.map(({ role }) => role)).toEqual(roles);
    expect(made.kept).toEqual(kept);
  });

  test('its message is merged into the segment, what it covers is summarised', () => {
    const { fates } = run(withSummary, {}, recorded);
    expect(fates.map(({ kind }) => kind)).toEqual([
      'summarised',
      'summarised',
      'summarised',
      'kept',
      'merged',
      'kept',
      'kept',
    ]);
    expect(fates[0]?.reason).toContain('the recorded summary of the messages before #4');
  });

  test('the latest counts; one that ends after the call point does not', () => {
    const summaries = [written(2, 'early'), written(4, 'late'), written(8, 'too late')];
    const { view, kept } = run(chat(4), {}, { summaries, at: 6 });
    expect(view[0]?.content).toContain('late');
    expect(view[0]?.content).not.toContain('too late');
    expect(kept).toEqual([4, 5]);
  });

  test('one that does not fit is left out, and said', () => {
    const { report, meta } = run(chat(4), TIGHT, { summaries: [written(2, 'x'.repeat(400))] });
    expect(report.problems).toMatchObject([{ code: 'context.summary_too_large', severity: 'warning' }]);
    expect(meta.summary_used).toBe(false);
  });

  const ROOMY = { max_input_tokens: 10_000, keep_last_turns: 1 };
  test.each<[string, Options, Beside, string | undefined]>([
    ['after more entries than the threshold', { summarize_threshold: 7 }, {}, 'summarize_threshold'],
    ['not at the threshold itself', { summarize_threshold: 8 }, {}, undefined],
    ['counted from the last summary', { summarize_threshold: 4 }, { summaries: [written(4, 'four')] }, undefined],
    ['of what came since', { summarize_threshold: 3 }, { summaries: [written(4, 'four')] }, 'summarize_threshold'],
    ['above so many tokens of the thread', { max_thread_tokens: 159 }, {}, 'max_thread_tokens'],
    ['not at so many', { max_thread_tokens: 160 }, {}, undefined],
    ['nor where summaries are not wanted', { max_thread_tokens: 1, summarization: 'none' }, {}, undefined],
  ])('is asked for %s', (_name, options, beside, trigger) => {
    const { meta, report } = run(chat(4), { ...ROOMY, ...options }, beside);
    expect(meta.summary_trigger).toBe(trigger);
    expect(meta.needs_summary).toBe(trigger !== undefined);
    expect(report.needsSummary).toEqual(trigger === undefined ? undefined : { from: 0, to: 6 });
  });

  test('what a runtime would have a model do has no effect, and is told', () => {
    const { report } = run(chat(2), { ...ROOMY, auto_summarize: true, summarization_model: 'gpt-4o' });
    expect(report.needsSummary).toBeUndefined();
    const parsed = parseSpec(
      { version: 1, stages: [{ kind: 'context_policy', options: { auto_summarize: true } }] },
      STAGES,
    );
    expect(parsed.ok && parsed.value.warnings.map(({ code }) => code)).toEqual(['context.no_model_called']);
  });

  test('request_new asks for one where history is cut off and none applies', () => {
    const { report, view, meta, fates, kept } = run(chat(8), { ...TIGHT, summarization: 'request_new' });
    expect(view[0]).toEqual({ role: 'system', content: '[12 earlier messages summarized]' });
    expect(kept).toEqual([12, 13, 14, 15]);
    expect(report.needsSummary).toEqual({ from: 0, to: 12 });
    expect(meta).toMatchObject({ needs_summary: true, summary_used: false, truncated: true });
    expect(fates[0]?.kind).toBe('summarised');
    expect(run(chat(8), TIGHT).report.needsSummary).toBeUndefined();
    expect(run(chat(2), { ...TIGHT, summarization: 'request_new' }).report.needsSummary).toBeUndefined();
  });

  test('the transcript’s own summary stands where none applies, rather than a placeholder', () => {
    const options = { ...TIGHT, summarization: 'request_new' };
    const { report, view, meta, fates } = run(chat(8), options, { own: 'They met.' });
    expect(view[0]).toEqual({ role: 'system', content: 'Summary of earlier conversation:\nThey met.' });
    expect(report.needsSummary).toBeUndefined();
    expect(meta).toMatchObject({ needs_summary: false, summary_used: true, truncated: true });
    expect(fates[0]).toMatchObject({ kind: 'summarised' });
    expect(fates[0]?.reason).toContain('the transcript’s own summary replaces it');
    expect(run(chat(8), TIGHT, { own: 'They met.' }).meta).toMatchObject({ summary_used: false });
  });

  test('a summary that an earlier stage put there is used as it is', () => {
    const source = memorySource(chat(4).map((message) => JSON.stringify(message)));
    const spec = {
      version: 1,
      stages: [
        { kind: 'summary_prefix', options: { keep_last: 4 } },
        { kind: 'context_policy', options: TIGHT },
      ],
    };
    const projection = project(source, stagesOf(spec), 8);
    expect(projection.reports[1]?.meta).toMatchObject({ summary_used: true });
    expect(projection.view.items[0]).toMatchObject({ kind: 'synthetic', stage: 0 });
  });
});

describe('kinds', () => {
  const messages = [
    user(),
    { role: 'assistant', content: 'Looking.', tool_calls: [{ id: 'a', name: 'look', arguments: {} }] },
    result('a'),
    answer(),
  ];

  test.each<[string, readonly string[], readonly number[], readonly string[]]>([
    ['messages only', ['message'], [0, 1, 3], ['kept', 'rewritten', 'dropped', 'kept']],
    ['calls and results only', ['tool_call', 'tool_result'], [1, 2], ['dropped', 'rewritten', 'kept', 'dropped']],
    ['half a pair is none', ['message', 'tool_result'], [0, 1, 3], ['kept', 'rewritten', 'dropped', 'kept']],
    ['nothing', [], [], ['dropped', 'dropped', 'dropped', 'dropped']],
  ])('%s', (_name, include_kinds, kept, fates) => {
    const made = run(messages, { include_kinds });
    expect(made.kept).toEqual(kept);
    expect(made.fates.map(({ kind }) => kind)).toEqual(fates);
  });
});

describe('estimate and meta', () => {
  test('a quarter of the bytes, rounded down, and 10 for each entry', () => {
    const messages = [
      { role: 'user', content: 'äöü' }, // 6 bytes: 1 + 10
      {
        role: 'assistant',
        content: 'ok!!', // 1 + 10
        tool_calls: [
          { id: 'a', name: 'look', arguments: '{"a":1}' }, // 7 bytes: 1 + 10
          { id: 'b', name: 'look', arguments: '{"a":12}' }, // 8 bytes: 2 + 10
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'abc' }, // 0 + 10
    ];
    const { meta } = run(messages, {});
    expect(meta).toMatchObject({ estimated_tokens: 11 + 11 + 11 + 12 + 10, entries_included: 5, entries_total: 5 });
  });

  test('exact counts with the tokenizer, and without one as the context estimates', () => {
    expect(run(chat(2), { token_estimator: 'exact' }).meta).toMatchObject({
      estimated_tokens: 40,
      token_estimator: 'exact',
    });
  });

  test('meta names the basis', () => {
    expect(run(chat(4), TIGHT, { at: 6 }).meta).toMatchObject({
      basis_rev: 6,
      basis_last_seq: 5,
      pending_count: 0,
      truncated: true,
      estimated_tokens: 100,
      entries_included: 5,
      entries_total: 6,
    });
  });

  test('a model gives the total unless a number is given', () => {
    expect(run(chat(1), { model: 'anthropic:claude-sonnet-4' }).meta.max_input_tokens).toBe(200_000);
    expect(run(chat(1), { model: 'gpt-4o', max_input_tokens: 900 }).meta.max_input_tokens).toBe(900);
    const auto = run(chat(1), { model: 'auto' });
    expect(auto.meta.max_input_tokens).toBe(8000);
    expect(auto.report.problems).toMatchObject([{ code: 'context.window_unknown' }]);
  });
});

test('every message says why it stays or leaves, with value and threshold', () => {
  const { fates } = run(chat(8), { ...TIGHT, keep_last_turns: 1 });
  expect(fates.map(({ rule }) => rule)).toEqual([
    ...Array(11).fill('token_budget'),
    ...Array(3).fill('token_budget'),
    'keep_last_turns',
    'keep_last_turns',
  ]);
  expect(fates[10]?.reason).toBe(
    'left out: with it history would take 120 of 100 tokens (max_input_tokens 150 − reserve_output_tokens 50); it would need max_input_tokens 170, or keep_last_turns 3 (it is 1)',
  );
  expect(fates[0]?.reason).toContain('left out: older than #10, where the window ended');
  expect(fates[12]?.reason).toContain('kept: with all that is newer it takes 80 of 100 tokens');
  expect(fates[15]?.reason).toContain('kept: the last turn, keep_last_turns is 1');
});
