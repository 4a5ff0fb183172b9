// Sentences of stages that were false of some message, each with the least transcript that shows it.
import { expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import type { SummaryArtifact } from '../../core/model/summary.ts';
import { project } from '../../core/projection/project.ts';
import type { Projection } from '../../core/projection/types.ts';
import { createBudget, type Tier } from '../../core/tokens/budget.ts';
import { stagesOf } from '../support/projecting.ts';

const long = 'x'.repeat(400);
const system = (content = 'be brief') => ({ role: 'system', content });
const user = (content: unknown = 'q') => ({ role: 'user', content });
const says = (content = 'a') => ({ role: 'assistant', content });
const call = (...ids: readonly string[]) => ({
  role: 'assistant',
  content: '',
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: id.slice(0, 4), arguments: '{}' } })),
});
const result = (id: string, content = long) => ({ role: 'tool', tool_call_id: id, content });
const failed = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'no', is_error: true });
/** Somebody speaks while a tool runs: a cut before it would part the call from its result. */
const INTERRUPTED = [user(), says(long), user(), call('read1'), user(), result('read1')];

type Given = Readonly<{ caps?: Readonly<Partial<Record<Tier, number>>>; window?: number; summary?: SummaryArtifact }>;

function run(messages: readonly unknown[], stages: readonly object[], given: Given = {}): Projection {
  const { caps = {}, window = 100_000, summary } = given;
  const tokens = Object.fromEntries(Object.entries(caps).map(([tier, cap]) => [tier, { tokens: cap }]));
  const budget = createBudget({ window, reserveOutput: 0, injectionReserve: 0, caps: tokens });
  const texts = messages.map((message) => JSON.stringify(message));
  const source = memorySource(texts, null, [], summary === undefined ? [] : [summary]);
  return project(source, stagesOf({ version: 1, stages }), source.length, { budget });
}

const reason = ({ fates }: Projection, index: number) => fates[index]?.reason;
const problem = ({ problems }: Projection) => problems[0]?.text;

it('a window says which turn one is bound to that would fit by itself', () => {
  const messages = [user(), says(long), user(), call('read1'), user(), result('read1', 'ok'), user()];
  const tokens = run([...messages], [{ kind: 'sliding_window', options: { tokens: 3 } }]);
  expect(reason(tokens, 4)).toMatch(
    /^dropped: a call and its result bind turn 2 from the end to turn 3; with both it would be \d+ tokens > 3, the cap/,
  );
});

it('a window says what it cannot drop, and no more than that', () => {
  const all = (options: object) => problem(run(INTERRUPTED, [{ kind: 'sliding_window', options }]));
  expect(all({ tokens: 5 })).toMatch(/^What a window cannot drop, the last 2 turns, takes/);
  const head = run([says(long), user()], [{ kind: 'sliding_window', options: { turns: 0, tokens: 5 } }]);
  expect(problem(head)).toMatch(/^What a window cannot drop, the beginning, takes/);
});

it('a window says why turns stay that are older than those to keep', () => {
  const card = (messages: readonly unknown[], options: object) =>
    run(messages, [{ kind: 'sliding_window', options }]).reports[0]?.summary;
  const four = Array.from({ length: 4 }, () => [user(), says()]).flat();
  expect(card(four, { turns: 2, every: 3 })).toBe(
    'nothing to drop: 4 turns, 2 to keep; the cut moves 3 turns at a time (every)',
  );
  expect(card(INTERRUPTED.slice(2), { turns: 1 })).toBe(
    'nothing to drop: 2 turns, 1 to keep; each cut before those would part a call from its result',
  );
  expect(card(four, { turns: 4 })).toBe('nothing to drop: 4 turns, 4 to keep');
});

it('a summary says of turns that a cut cannot part why they stay', () => {
  const given = [{ kind: 'summary', options: { when: 'always', keep_turns: 1 } }];
  const kept = run(INTERRUPTED, given);
  expect([2, 3, 4].map((index) => kept.fates[index]?.rule)).toEqual(['behind_cut', 'behind_cut', 'in_tail']);
  expect(reason(kept, 2)).toBe(
    'kept: older than the last 1 turn, and behind the cut, which parts no call from its result',
  );
  const bound = run(INTERRUPTED.slice(2), given);
  expect(reason(bound, 0)).toBe(
    'kept: no summary: each cut before the last 1 turn (keep_turns) would part a call from its result',
  );
  const waiting = run(
    [user(), user(), user()],
    [{ kind: 'summary', options: { when: 'always', keep_turns: 1, every: 3 } }],
  );
  expect(reason(waiting, 0)).toBe(
    'kept: no summary: only 2 turns are older than the last 1 turn (keep_turns), and the cut moves 3 at a time (every)',
  );
});

it('what retention judged before it acted last it judges whatever turns are gone since', () => {
  const messages = [call('read1'), result('read1'), ...Array.from({ length: 6 }, () => user())];
  const { fates } = run(messages, [
    { kind: 'sliding_window', options: { turns: 1 } },
    { kind: 'tool_result_retention', options: { value: 1, every: 4 } },
  ]);
  expect(fates[1]?.reason).not.toContain('before this result');
});

it('results that are not longer than their placeholder are not said to have no body', () => {
  const messages = [user(), call('read1', 'read2'), result('read1', 'ok'), result('read2', 'ok')];
  const { problems } = run(messages, [{ kind: 'tool_result_retention' }], { caps: { tool_result: 1 } });
  expect(problems[0]?.text).toBe(
    'Tool results take 2 tokens, 1 over their cap of 1; what is left is not longer than the words in place of a result. Raise the cap.',
  );
});

it('results in Gemini’s shape expire early only where the words in their place take less', () => {
  const called = (name: string) => ({ role: 'model', parts: [{ functionCall: { name, args: {} } }] });
  const answered = (name: string, output: string) => ({
    role: 'user',
    parts: [{ functionResponse: { name, response: { output } } }],
  });
  const messages = [user(), called('read'), answered('read', 'result 7'), called('look'), answered('look', long)];
  const { fates, problems, reports } = run(messages, [{ kind: 'tool_result_retention' }], { caps: { tool_result: 1 } });
  expect(fates.map(({ kind }) => kind)).toEqual(['kept', 'kept', 'kept', 'kept', 'redacted']);
  expect(problems[0]?.text).toMatch(/^Tool results take 14 tokens, 13 over their cap of 1;/);
  expect(reports[0]?.summary).toBe('1 result expired, 1 of them early (tier cap) · −384 chars');
});

it('thinking is signed only where a signature is its own', () => {
  const called = { functionCall: { name: 'read', args: {} }, thoughtSignature: 's' };
  const thinks = { role: 'model', parts: [{ thought: true, text: long }, called] };
  const beside = run([user(), thinks], [{ kind: 'tier_caps' }], { caps: { thinking: 1 } });
  expect(beside.fates[1]?.rule).toBe('locked_beside_signed');
  expect(reason(beside, 1)).not.toContain('signed thinking');
});

it('of a repaired turn the calls that succeeded are not said to have failed', () => {
  const messages = [
    ...[user(), call('read1', 'edit1'), failed('read1'), result('edit1', 'done')],
    ...[call('read2'), result('read2', 'ok')],
  ];
  const repaired = run(messages, [{ kind: 'clean_tool_repair' }]);
  expect(repaired.fates[2]?.kind).toBe('dropped');
  expect(reason(repaired, 3)).toBe(
    'kept: another call of this turn failed and succeeded later; only failed calls are hidden',
  );
});

it('a request that was too large and could not be compacted is not said to have been smaller', () => {
  const messages = [user(long), says(long), user()];
  const pi = { kind: 'pi_compaction', options: { window: 100, reserve_tokens: 10, keep_recent_tokens: 20_000 } };
  const kept = run(messages, [pi]);
  expect(reason(kept, 0)).toBe(
    'kept: a request held 201 tokens (estimated) > 90 (window 100 − 10 reserve_tokens), but nothing comes before what is kept of it',
  );
  const asked = { mode: 'on_demand', ask_above: 100, background: 9 };
  const waits = run(messages, [{ kind: 'anthropic_compaction', options: asked }]);
  expect(reason(waits, 0)).toMatch(/; its summary is not there yet \(background\)$/);
});

it('ADK’s overlap is what there was, and a prompt that was too large is said', () => {
  const turns = [1, 2, 3].flatMap(() => [user(), says(long)]);
  const first = run(turns, [{ kind: 'adk_compaction', options: { compaction_interval: 3, overlap_size: 2 } }]);
  expect(reason(first, 0)).toBe('3 new invocations ≥ 3 (compaction_interval) were complete; a placeholder replaces it');
  const options = { compaction_interval: 0, token_threshold: 50, event_retention_size: 100 };
  expect(reason(run(turns, [{ kind: 'adk_compaction', options }]), 0)).toMatch(
    /^kept: a prompt held \d+ tokens ≥ 50 \(token_threshold\), but nothing came before its latest 100 messages/,
  );
});

it('the call of a cleared use is not said to be among the last', () => {
  const messages = [user(), ...['1', '2'].flatMap((n) => [call(`read${n}`), result(`read${n}`)])];
  const edited = run(messages, [{ kind: 'inspect_edit', options: { threshold: 2, keep_tool_uses: 1 } }]);
  expect(edited.fates.map(({ kind }) => kind)).toEqual(['kept', 'kept', 'redacted', 'kept', 'kept']);
  expect(reason(edited, 1)).toBe('kept: the result of its call was cleared, the call stays (keep_tool_inputs)');
});

it('the last message stays in a window that does not hold it', () => {
  const messages = [user(), says(), user(long)];
  const { fates } = run(messages, [{ kind: 'openai_truncation', options: { window: 50 } }]);
  expect(fates[2]?.reason).toBe('kept: the last message stays, though it takes 100 tokens (estimated) > 50 (window)');
});

it('truncation counts what it drops apart from what it takes parts of', () => {
  const two = {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'a', content: 'r' },
      { type: 'text', text: 'and?' },
    ],
  };
  const use = {
    role: 'assistant',
    content: [
      { type: 'text', text: long },
      { type: 'tool_use', id: 'a', name: 'read', input: {} },
    ],
  };
  const { reports } = run([user(), use, two], [{ kind: 'openai_truncation', options: { window: 20 } }]);
  expect(reports[0]?.summary).toBe('2 messages dropped, and parts of 1');
});

it('trimming counts the system message that it keeps, and gives no advice that does not help', () => {
  const messages = [system(long), user(), says(long), user()];
  const kept = run(messages, [{ kind: 'langchain_trim_messages', options: { max_tokens: 150, include_system: true } }]);
  expect(reason(kept, 2)).toBe(
    'not among the last 150 tokens (max_tokens), of which the system message takes 100 (include_system)',
  );
  const pair = [user(), call('read1'), result('read1')];
  const trim = (options: object) => problem(run(pair, [{ kind: 'langchain_trim_messages', options }]));
  expect(trim({ max_tokens: 100 })).toContain('With start_on human it would begin with a message of a person.');
  expect(trim({ max_tokens: 5, strategy: 'first' })).toBe(
    'a call stays without its result (read): a provider would reject the request.',
  );
});

it('results that stay for a share of no window are not said to fit', () => {
  const messages = [user(), ...['1', '2', '3', '4'].flatMap((n) => [call(`read${n}`), result(`read${n}`)])];
  const options = { trigger_tokens: 1, keep_unit: 'fraction', keep: 0.000001 };
  const { fates } = run(messages, [{ kind: 'langchain_clear_tool_uses', options }]);
  expect(fates[8]?.reason).toBe(
    'kept: among the last 3 tool results: keep is a share of the window that comes to no tokens',
  );
});

it('messages before the cut of a compaction are not said to be among the last', () => {
  const messages = [
    user(long),
    says(long),
    user(),
    call('read1'),
    result('read1'),
    result('read1'),
    result('read1'),
    user(),
  ];
  const pause = { trigger: 50_000, pause_after_compaction: true };
  const large = messages.with(0, user('x'.repeat(240_000)));
  const kept = run(large, [{ kind: 'anthropic_compaction', options: pause }]);
  expect(
    kept.fates.flatMap((fate, index) => (/kept: among the last 3 messages/.test(fate.reason) ? [index] : [])),
  ).toEqual([5, 6, 7]);
});

it('messages of results alone that no call asked for are not counted', () => {
  const orphan = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'r' });
  const messages = [user(), user([orphan('a'), orphan('b')]), says()];
  const { fates } = run(messages, [{ kind: 'langchain_clear_tool_uses', options: { trigger_messages: 3 } }]);
  expect(fates[0]?.reason).toMatch(/^kept: 2 messages < 3 \(trigger_messages\)/);
});

it('results that follow their call out of a trimmed conversation are not said to be among its oldest share', () => {
  const messages = [user(), call('read1'), result('read1'), says(), user()];
  const { fates } = run(messages, [{ kind: 'inspect_trim', options: { threshold: 2, preserve: 0.75 } }]);
  expect(fates.map(({ rule }) => rule)).toEqual(['input', 'trimmed', 'unpaired', 'preserved', 'preserved']);
});

it('a system prompt is not said to be among the turns of the user', () => {
  const hygiene = { kind: 'hygiene', options: { profile: 'openai', history_limit: 2 } };
  const { fates } = run([system(), user(), says()], [hygiene]);
  expect(fates[0]?.reason).toMatch(
    /^kept: within the limit of 2 user turns \(history_limit\), and no rule objects to it/,
  );
});

/** Sentences and card of a hygiene stage. */
function repaired(messages: readonly unknown[], options: object) {
  const { fates, reports } = run(messages, [{ kind: 'hygiene', options }]);
  return { reasons: fates.map(({ reason: said }) => said), card: reports[0]?.summary };
}

it('an image over the limits that stays is not said to be within them, and is no repair', () => {
  const messages = [user([{ type: 'image', data: 'QUJDQUJD', mimeType: 'image/png' }])];
  const { reasons, card } = repaired(messages, { profile: 'other', image_max_bytes: 2 });
  expect(reasons[0]).toBe(
    'kept: Images: an image is over the limits: of unknown size, 6 bytes; allowed are 1,200 px and 2 bytes; left as it is: no image library is available here',
  );
  expect(card).toBe('profile other: 1 message left as it is');
  const unread = repaired(messages, { profile: 'other' });
  expect(unread.reasons[0]).toContain('the size of an image cannot be read, so it may be over the limits');
});

it('a call that a result was put in for is not said to meet no objection', () => {
  const { reasons, card } = repaired([user(), call('read1'), user()], { profile: 'openai' });
  expect(reasons[1]).toBe(
    'kept: Calls and results: the call of read ("read1") has no result; a synthetic error result was put in; nobody gave it',
  );
  expect(card).toBe('profile openai: 1 repair, 1 put in');
});

it('two messages that are joined are one repair', () => {
  expect(repaired([user(), user()], { profile: 'anthropic' }).card).toBe('profile anthropic: 1 repair');
});

it('why an id is rewritten is what the profile asks for', () => {
  const pair = [call('call_1'), result('call_1')];
  expect(repaired([user(), ...pair], { profile: 'google' }).reasons[1]).toBe(
    'Tool call ids: a tool id is not of letters and digits, 40 at most: "call_1" is now "call1"; it was rewritten, and is the same on a call and its result',
  );
  const twice = repaired([user(), ...pair, user(), ...pair], { profile: 'openai' });
  expect(twice.reasons[1]).toMatch(/no rule objects to it/);
  expect(twice.reasons[4]).toMatch(/^Tool call ids: another call or result has the same tool id: "call_1" is now /);
});

it('a result that was made up gives way to the real one, and says so', () => {
  const made =
    '[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.';
  const messages = [user(), call('read1'), result('read1', made), user(), result('read1')];
  const { reasons } = repaired(messages, { profile: 'anthropic' });
  expect(reasons[2]).toContain('nobody gave this result, and the call "read1" has a real one; it was dropped');
});

it('blank thinking that is removed is not said to be sent as text', () => {
  const thinks = (thinking: string) => ({ type: 'thinking', thinking });
  const said = { role: 'assistant', content: [thinks(' '), { type: 'text', text: 'a' }] };
  const { reasons } = repaired([user(), said], { profile: 'anthropic' });
  expect(reasons[1]).toBe('Unsigned thinking: a thinking block has no signature; a blank one was removed');
});

it('a window that what is reserved does not fit leaves no room, not less than none', () => {
  const pi = { kind: 'pi_compaction', options: { window: 100, reserve_tokens: 184, keep_recent_tokens: 0 } };
  const { fates } = run([user(long), says(long), user()], [pi]);
  expect(fates[0]?.reason).toMatch(/ > 0 \(window 100 − 184 reserve_tokens: no room\); a placeholder replaces it$/);
  expect(fates[2]?.reason).toBe(
    'kept: the last message before the request stays with keep_recent_tokens 0 too: a cut comes before a message',
  );
});

it('a prompt that no invocation has ended with is not said to have been smaller', () => {
  const options = { compaction_interval: 0, token_threshold: 50 };
  expect(reason(run([user(long), call('read1'), result('read1')], [{ kind: 'adk_compaction', options }]), 0)).toBe(
    'kept: no invocation ended with a prompt of 50 tokens or more (token_threshold)',
  );
});

it('a share of a window that comes to no tokens is no unknown window', () => {
  const options = { trigger_tokens: 0, trigger_fraction: 0.5, window: 1 };
  const messages = [user(), call('read1'), result('read1')];
  expect(reason(run(messages, [{ kind: 'langchain_clear_tool_uses', options }]), 0)).toBe(
    'kept: trigger_fraction is a share of the window that comes to no tokens',
  );
});

it('a result in Gemini’s shape is not said to have no body', () => {
  const called = { role: 'model', parts: [{ functionCall: { name: 'read', args: {} } }] };
  const answered = { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output: long } } }] };
  const gc = { kind: 'reachability_gc', options: { root_window: 1, min_chars: 1 } };
  expect(reason(run([user(), called, answered, user()], [gc]), 2)).toBe(
    'kept: no pointer can name its body, which is in neither content nor a block of content',
  );
});

it('a context policy that reserves more than it has leaves no tokens, not less than none', () => {
  const options = { max_input_tokens: 100, reserve_output_tokens: 184, keep_last_turns: 1 };
  const { fates } = run([user(long), says(long), user(), says()], [{ kind: 'context_policy', options }]);
  expect(fates.map(({ reason: said }) => said).join('\n')).not.toMatch(/of -\d/);
  expect(fates[0]?.reason).toContain(' of 0 tokens (max_input_tokens 100 − ');
});
