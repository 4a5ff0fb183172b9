// The policies, case by case, as the projection spec words them.
import { describe, expect, it } from 'vitest';
import { projectedMessages, projectMessages } from '../support/projecting.ts';

const user = (content: unknown) => ({ role: 'user', content });
const call = (id: string, name: string, input: object = {}) => ({ id, name, arguments: input });
const calls = (...list: unknown[]) => ({ role: 'assistant', content: '', tool_calls: list });
const ok = (id: string, name: string, content: unknown = 'ok') => ({ role: 'tool', tool_call_id: id, name, content });
const failed = (id: string, name: string) => ok(id, name, 'Error: no');
const toolUse = (id: string, name: string) => ({ type: 'tool_use', id, name, input: {} });
const toolResult = (id: string, content: unknown = 'ok') => ({ type: 'tool_result', tool_use_id: id, content });

interface Case {
  readonly name: string;
  readonly messages: readonly unknown[];
  readonly kept: readonly number[];
  /** Differs from the runtime on purpose: the documentation wins (table at the end of the spec). */
  readonly intendedDifference?: true;
}

const CLEAN: readonly Case[] = [
  {
    name: 'a failure repaired later goes with its result',
    messages: [calls(call('a', 'run')), failed('a', 'run'), calls(call('b', 'run')), ok('b', 'run')],
    kept: [2, 3],
  },
  {
    name: 'prose of a turn with one call goes with it',
    messages: [
      { ...calls(call('a', 'run')), content: 'I try.' },
      failed('a', 'run'),
      calls(call('b', 'run')),
      ok('b', 'run'),
    ],
    kept: [2, 3],
  },
  {
    name: 'a success of another tool repairs nothing',
    messages: [calls(call('a', 'run')), failed('a', 'run'), calls(call('b', 'ls')), ok('b', 'ls')],
    kept: [0, 1, 2, 3],
  },
  {
    name: 'an EARLIER success repairs nothing',
    messages: [calls(call('a', 'run')), ok('a', 'run'), calls(call('b', 'run')), failed('b', 'run')],
    kept: [0, 1, 2, 3],
    intendedDifference: true,
  },
  {
    name: 'a success in the same turn is not later',
    messages: [calls(call('a', 'run'), call('b', 'run')), failed('a', 'run'), ok('b', 'run')],
    kept: [0, 1, 2],
    intendedDifference: true,
  },
  {
    name: 'results in user blocks are seen',
    messages: [
      { role: 'assistant', content: [toolUse('a', 'run')] },
      user([toolResult('a', 'Error: x')]),
      { role: 'assistant', content: [toolUse('b', 'run')] },
      user([toolResult('b')]),
    ],
    kept: [2, 3],
    intendedDifference: true,
  },
  {
    name: 'pairs by name where ids are missing',
    messages: [
      calls({ name: 'run' }),
      { role: 'tool', name: 'run', content: 'failed: x' },
      calls({ name: 'run' }),
      { role: 'tool', name: 'run', content: 'ok' },
    ],
    kept: [2, 3],
  },
  {
    name: 'a call without a name cannot be repaired',
    messages: [calls({ id: 'a' }), failed('a', 'run'), calls(call('b', 'run')), ok('b', 'run')],
    kept: [0, 1, 2, 3],
  },
  {
    name: 'a result beyond the next turn answers nothing',
    messages: [calls(call('a', 'run')), calls(call('b', 'run')), ok('b', 'run'), failed('a', 'run')],
    kept: [0, 1, 2, 3],
  },
  {
    name: 'the repaired calls of a turn that all failed take the turn along',
    messages: [
      calls(call('a', 'run'), call('b', 'ls')),
      failed('a', 'run'),
      failed('b', 'ls'),
      calls(call('c', 'run'), call('d', 'ls')),
      ok('c', 'run'),
      ok('d', 'ls'),
    ],
    kept: [3, 4, 5],
  },
  {
    name: 'a chain of failures goes, the success stays',
    messages: [
      calls(call('a', 'run')),
      failed('a', 'run'),
      calls(call('b', 'run')),
      failed('b', 'run'),
      calls(call('c', 'run')),
      ok('c', 'run'),
    ],
    kept: [4, 5],
  },
  {
    name: 'a failure after the last success stays',
    messages: [calls(call('a', 'run')), ok('a', 'run'), user('?'), calls(call('b', 'run')), failed('b', 'run')],
    kept: [0, 1, 2, 3, 4],
    intendedDifference: true,
  },
];

const SQUASH: readonly Case[] = [
  {
    name: 'a turn whose only call failed goes',
    messages: [user('go'), calls(call('a', 'run')), failed('a', 'run'), { role: 'assistant', content: 'Done.' }],
    kept: [0, 3],
  },
  {
    name: 'blank text is no text',
    messages: [{ ...calls(call('a', 'run')), content: ' \n ' }, failed('a', 'run')],
    kept: [],
  },
  {
    name: 'thinking is not visible text',
    messages: [
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm' }, toolUse('a', 'run')] },
      user([toolResult('a', 'error: x')]),
    ],
    kept: [],
    intendedDifference: true,
  },
  {
    name: 'a turn with prose stays, with its result',
    messages: [{ ...calls(call('a', 'run')), content: 'Trying.' }, failed('a', 'run')],
    kept: [0, 1],
    intendedDifference: true,
  },
  {
    name: 'a turn with one good result stays whole',
    messages: [calls(call('a', 'x'), call('b', 'y')), ok('a', 'x'), failed('b', 'y')],
    kept: [0, 1, 2],
    intendedDifference: true,
  },
  {
    name: 'a turn with an unanswered call stays',
    messages: [calls(call('a', 'x'), call('b', 'y')), failed('a', 'x')],
    kept: [0, 1],
    intendedDifference: true,
  },
  {
    name: 'all calls of a turn failed',
    messages: [calls(call('a', 'x'), call('b', 'y')), failed('a', 'x'), failed('b', 'y')],
    kept: [],
  },
  {
    name: 'a user message with more than the results keeps the rest',
    messages: [
      { role: 'assistant', content: [toolUse('a', 'run')] },
      user([toolResult('a', 'error: x'), { type: 'text', text: 'go on' }]),
    ],
    kept: [1],
    intendedDifference: true,
  },
];

const marked = ({ name, intendedDifference }: Case) =>
  intendedDifference ? `${name} [differs from the runtime]` : name;

describe.each([
  ['clean_tool_repair', CLEAN],
  ['squash_failed_calls', SQUASH],
])('%s', (policy, cases) => {
  it.each(cases.map((each) => [marked(each), each] as const))('%s', (_name, { messages, kept }) => {
    const projection = projectMessages(messages, policy);
    expect(projection.keptIndices).toEqual(kept);
    expect(projection.droppedIndices).toEqual(messages.map((_, i) => i).filter((i) => !kept.includes(i)));
    expect(projection.reports[0]?.reason).toBe(policy);
  });
});

describe('clean_tool_repair in parallel turns', () => {
  const messages = [
    { ...calls(call('a', 'run'), call('b', 'ls')), content: 'both' },
    failed('a', 'run'),
    ok('b', 'ls', 'files'),
    calls(call('c', 'run')),
    ok('c', 'run'),
  ];

  it('takes out the failed call and its result, and leaves the siblings', () => {
    const projection = projectMessages(messages, 'clean_tool_repair');
    expect(projectedMessages(messages, projection)[0]).toEqual({ ...calls(call('b', 'ls')), content: 'both' });
    expect(projection.keptIndices).toEqual([0, 2, 3, 4]);
    expect(projection.fates[0]).toMatchObject({
      kind: 'rewritten',
      rule: 'repaired_later',
      chip: 'repaired at #4',
      because: 4,
      parts: [{ part: 1, kind: 'dropped' }],
    });
    expect(projection.fates[1]).toMatchObject({ kind: 'dropped', because: 4 });
  });

  it('takes one block out of a message of results', () => {
    const blocks = [
      { role: 'assistant', content: [toolUse('a', 'run'), toolUse('b', 'ls')] },
      user([toolResult('a', 'Error: x'), toolResult('b', 'files')]),
      { role: 'assistant', content: [toolUse('c', 'run')] },
      user([toolResult('c')]),
    ];
    const projection = projectMessages(blocks, 'clean_tool_repair');
    expect(projectedMessages(blocks, projection)).toEqual([
      { role: 'assistant', content: [toolUse('b', 'ls')] },
      user([toolResult('b', 'files')]),
      blocks[2],
      blocks[3],
    ]);
    expect(projection.fates.map((fate) => fate.kind)).toEqual(['rewritten', 'rewritten', 'kept', 'kept']);
  });
});

describe('at a call point', () => {
  const messages = [calls(call('a', 'run')), failed('a', 'run'), calls(call('b', 'run')), ok('b', 'run')];

  it.each([
    [0, []],
    [2, [0, 1]],
    [3, [0, 1, 2]],
    [4, [2, 3]],
  ])('%i: only what stands before it counts', (at, kept) => {
    expect(projectMessages(messages, 'clean_tool_repair', { at }).keptIndices).toEqual(kept);
  });

  it('there is none beyond the end', () => {
    expect(() => projectMessages(messages, 'raw', { at: 5 })).toThrow(RangeError);
  });
});

describe('summary_prefix', () => {
  const messages = ['a', 'b', 'c'].map((text) => user(text));
  const summaryOf = (options: object, summary?: string) =>
    projectedMessages(
      messages,
      projectMessages(messages, { policy: 'summary_prefix', ...options }, summary ? { summary } : {}),
    );

  it.each([
    [{ keep_last: 1, summary: 'S' }, 'T', 'S'],
    [{ keep_last: 1 }, 'T', 'T'],
    [{ keep_last: 1, summary: '' }, undefined, '[2 earlier messages summarized]'],
    [{}, undefined, '[3 earlier messages summarized]'],
  ])('%j, transcript summary %j → %j', (options, own, content) => {
    expect(summaryOf(options, own)[0]).toEqual({
      role: 'system',
      content,
      _harn_projection: { synthetic: true, policy: 'summary_prefix' },
    });
  });

  it('covers what it replaces, and says so', () => {
    const projection = projectMessages(messages, { policy: 'summary_prefix', keep_last: 1 });
    expect(projection.view.items[0]).toMatchObject({ kind: 'synthetic', covers: { from: 0, to: 2 }, stage: 0 });
    expect(projection.fates.map((fate) => fate.kind)).toEqual(['summarised', 'summarised', 'kept']);
    expect(projection.fates[0]?.reason).toContain('last 1 message (keep_last)');
  });

  it('warns if it cuts between a call and its result, as the runtime does', () => {
    const pair = [user('go'), calls(call('a', 'run')), ok('a', 'run')];
    const { problems } = projectMessages(pair, { policy: 'summary_prefix', keep_last: 1 });
    expect(problems).toMatchObject([{ code: 'projection.split_pair', severity: 'warning', where: { index: 2 } }]);
    expect(projectMessages(pair, { policy: 'summary_prefix', keep_last: 2 }).problems).toEqual([]);
  });
});

describe('provider safety', () => {
  const thinking = { type: 'thinking', thinking: 'x', signature: 's' };
  const signed = [
    { role: 'assistant', content: [thinking, toolUse('a', 'run')] },
    failed('a', 'run'),
    calls(call('b', 'run')),
    ok('b', 'run'),
  ];

  it.each(['clean_tool_repair', 'squash_failed_calls', 'summary_prefix'])('refuses %s as a whole', (policy) => {
    const projection = projectMessages(signed, { policy, reason: 'mine' });
    expect(projection.keptIndices).toEqual([0, 1, 2, 3]);
    expect(projection.providerSafetyBlocked).toBe(true);
    expect(projection.reports[0]).toMatchObject({
      blockedBy: 0,
      reason: `${policy} (blocked: signed reasoning at index 0)`,
    });
    expect(projection.fates[1]).toMatchObject({ kind: 'kept', rule: 'provider_safety', because: 0 });
  });

  it('is off where the caller says so', () => {
    const spec = { policy: 'clean_tool_repair', respect_provider_signatures: false, reason: 'mine' };
    const projection = projectMessages(signed, spec);
    expect(projection.keptIndices).toEqual([2, 3]);
    expect(projection.reports[0]).toMatchObject({ blockedBy: null, reason: 'mine' });
  });

  it('never blocks raw, nor signed messages that stay', () => {
    expect(projectMessages(signed, 'raw').providerSafetyBlocked).toBe(false);
    const tail = [user('x'), user('y'), signed[0]];
    expect(projectMessages(tail, { policy: 'summary_prefix', keep_last: 1 }).providerSafetyBlocked).toBe(false);
  });

  it('refuses to take one call out of a signed turn', () => {
    const parallel = [
      { role: 'assistant', content: [thinking, toolUse('a', 'run'), toolUse('b', 'ls')] },
      failed('a', 'run'),
      ok('b', 'ls'),
      ...signed.slice(2),
    ];
    expect(projectMessages(parallel, 'clean_tool_repair').reports[0]?.blockedBy).toBe(0);
  });
});

describe('a pointer that is longer than the body', () => {
  const body = 'x'.repeat(120);
  const messages = [
    { role: 'assistant', content: '', tool_calls: [{ id: 'a', name: 'read', arguments: {} }] },
    { role: 'tool', tool_call_id: 'a', name: 'read', content: body },
    user('go on'),
  ];
  const projection = projectMessages(messages, { policy: 'reachability_gc', root_window: 1, min_chars: 100 });

  it('is put in its place, as the runtime does, and said to save nothing', () => {
    expect(projection.fates[1]).toMatchObject({ kind: 'redacted', chip: 'nothing saved' });
    expect(projection.fates[1]?.reason).toMatch(
      /the pointer is \d+ characters longer than the body: nothing is saved$/,
    );
    expect(projection.reports[0]).toMatchObject({ reclaimedChars: 0, reclaimedTokens: 0 });
    expect(projection.reports[0]?.summary).toBe('1 result reclaimed · 1 saved nothing');
  });
});
