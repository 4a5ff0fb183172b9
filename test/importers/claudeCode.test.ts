import { describe, expect, it } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { addsUp, codes, jsonl, texts } from './support.ts';

let serial = 0;
const base = { sessionId: 's', isSidechain: false, version: '2.0.0', cwd: '/w', timestamp: '2026-01-01T00:00:00.000Z' };

function user(content: unknown, extra: object = {}): object {
  return {
    ...base,
    type: 'user',
    uuid: `u${serial++}`,
    parentUuid: null,
    message: { role: 'user', content },
    ...extra,
  };
}

function assistant(id: string, content: unknown, extra: object = {}, message: object = {}): object {
  const inner = { id, type: 'message', role: 'assistant', model: 'claude-x', content, stop_reason: null, ...message };
  return { ...base, type: 'assistant', uuid: `a${serial++}`, parentUuid: null, message: inner, ...extra };
}

const text = (value: string): object => ({ type: 'text', text: value });
const call = (id: string): object => ({ type: 'tool_use', id, name: 'Read', input: {} });
const result = (id: string): object => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });

describe('claude-code messages', () => {
  it('takes role and content exactly as they are in the line', () => {
    const line =
      '{"type":"user","uuid":"u","parentUuid":null,"sessionId":"s","isSidechain":false,"message":{"content":[ {"type":"text", "text":"\\u00e9 1.0"} ],"role":"user","x":1},"toolUseResult":{"message":{"content":"no"}}}\n';
    const file = importText(line);
    expect(texts(file)).toEqual(['{"role":"user","content":[ {"type":"text", "text":"\\u00e9 1.0"} ]}']);
    expect(file.transcripts[0]?.messages[0]?.origins).toEqual([{ line: 1, byteStart: 0, byteEnd: line.length - 1 }]);
  });

  it('joins the lines of one answer, results in between or not, in the place of its first line', () => {
    const file = importText(
      jsonl(
        user('go'),
        assistant('m1', [text('I read')], {}, { usage: { output_tokens: 1 } }),
        assistant('m1', [call('t1')], {}, { usage: { output_tokens: 1 } }),
        user([result('t1')]),
        assistant('m1', [call('t2')], {}, { usage: { output_tokens: 9, input_tokens: 5 }, stop_reason: 'tool_use' }),
        user([result('t2')]),
        assistant('m2', [text('done')]),
      ),
    );
    expect(texts(file)).toEqual([
      '{"role":"user","content":"go"}',
      `{"role":"assistant","content":[${[text('I read'), call('t1'), call('t2')].map((block) => JSON.stringify(block)).join(',')}]}`,
      `{"role":"user","content":[${JSON.stringify(result('t1'))}]}`,
      `{"role":"user","content":[${JSON.stringify(result('t2'))}]}`,
      '{"role":"assistant","content":[{"type":"text","text":"done"}]}',
    ]);
    const joined = file.transcripts[0]?.messages[1];
    expect(joined?.meta).toMatchObject({ id: 'm1', stopReason: 'tool_use', usage: { input: 5, output: 9 } });
    expect(joined?.origins.map((origin) => origin.line)).toEqual([2, 3, 5]);
    expect(JSON.parse(joined?.text ?? '')).toEqual(joined?.value);
  });

  it('joins an answer again that other answers began after, and says so when it is too late', () => {
    const other = (n: number): object => assistant(`o${n}`, [text(`o${n}`)]);
    const near = importText(jsonl(assistant('m', [text('a')]), other(1), other(2), assistant('m', [text('b')])));
    expect(texts(near)).toHaveLength(3);
    expect(texts(near)[0]).toContain('{"type":"text","text":"a"},{"type":"text","text":"b"}');
    const far = importText(
      jsonl(assistant('m', [text('a')]), ...[1, 2, 3, 4, 5].map(other), assistant('m', [text('b')])),
    );
    expect(texts(far)).toHaveLength(7);
    expect(texts(far).at(-1)).toContain('"b"');
    expect(codes(far)).toEqual(['import.late_block']);
  });

  it('does not take a scrubbed id for an identity', () => {
    const file = importText(jsonl(assistant('REDACTED', [text('a')]), assistant('REDACTED', [text('b')])));
    expect(texts(file)).toHaveLength(2);
  });

  it('notes what the client injected, its own error texts and what was summarised', () => {
    const file = importText(
      jsonl(
        user('caveat', { isMeta: true }),
        assistant('x', [text('API Error')], { isApiErrorMessage: true }),
        user('the story so far', { isCompactSummary: true }),
      ),
    );
    const [transcript] = file.transcripts;
    expect(
      transcript?.messages.map((message) => [
        message.meta.injected,
        message.meta.apiError,
        message.meta.compactSummary,
      ]),
    ).toEqual([
      [true, undefined, undefined],
      [undefined, true, undefined],
      [undefined, undefined, true],
    ]);
    expect(transcript?.compactions).toEqual([{ at: 2, summaryIndex: 2 }]);
  });

  it('reads a compaction with its boundary, its summary and what was preserved', () => {
    const kept = assistant('m', [text('kept')]);
    const boundary = {
      ...base,
      type: 'system',
      subtype: 'compact_boundary',
      uuid: 'b',
      parentUuid: null,
      compactMetadata: {
        trigger: 'auto',
        preTokens: 900,
        postTokens: 40,
        preservedMessages: { uuids: [(kept as { uuid: string }).uuid, 'gone'] },
      },
    };
    const file = importText(
      jsonl(
        user('one'),
        kept,
        boundary,
        { type: 'mode', mode: 'x' },
        user('sum', { isCompactSummary: true }),
        user('two'),
      ),
    );
    const [transcript] = file.transcripts;
    expect(transcript?.compactions).toEqual([
      { at: 2, trigger: 'auto', preTokens: 900, postTokens: 40, summaryIndex: 2, preserved: [1] },
    ]);
    expect(transcript?.events.map((event) => [event.kind, event.at])).toEqual([
      ['compaction', 2],
      ['mode', 2],
    ]);
    expect(transcript?.messages).toHaveLength(4);
  });

  it.each([
    ['<system-reminder>x</system-reminder>', true],
    ['<command-name>/model</command-name>\n<command-message>model</command-message> ', true],
    ['<local-command-stdout></local-command-stdout>', true],
    ['<task-notification>\n<task-id>1</task-id>\n</task-notification>', true],
    ['Caveat: The messages below were generated', true],
    ['<system-reminder>x</system-reminder> and mine', undefined],
    ['<system-reminder>never closed', undefined],
    ['<div>mine</div>', undefined],
    ['', undefined],
    ['mine', undefined],
  ])('tells what the client wrote from what a person wrote: %j', (content, injected) => {
    for (const each of [content, [text(content)]]) {
      const [message] = importText(jsonl(user(each))).transcripts[0]?.messages ?? [];
      expect(message?.meta.injected).toBe(injected);
    }
  });

  it('takes long tags in its stride', () => {
    const many = '<system-reminder>a</system-reminder>'.repeat(5_000);
    expect(importText(jsonl(user(`${many}z`))).transcripts[0]?.messages[0]?.meta.injected).toBeUndefined();
  });

  it('reads a micro-compaction as results that were cleared', () => {
    const record = {
      ...base,
      type: 'system',
      subtype: 'microcompact_boundary',
      microcompactMetadata: { trigger: 'auto', preTokens: 900, tokensSaved: 300, compactedToolIds: ['t1', 't2', 3] },
    };
    const file = importText(jsonl(user('a'), assistant('m', [text('x')]), record, assistant('m', [text('y')])));
    const [transcript] = file.transcripts;
    expect(transcript?.compactions).toEqual([
      { kind: 'cleared', at: 2, trigger: 'auto', preTokens: 900, postTokens: 600, clearedCallIds: ['t1', 't2'] },
    ]);
    expect(transcript?.events).toMatchObject([
      { kind: 'compaction', at: 2, text: 'micro-compaction, 300 tokens saved' },
    ]);
    expect(transcript?.messages).toHaveLength(2);
  });

  it('keeps a record written twice once, and both of a uuid with two contents', () => {
    const one = user('one');
    const file = importText(
      jsonl(one, { ...one, sessionId: 'resumed' }, { ...one, message: { role: 'user', content: 'other' } }),
    );
    expect(texts(file)).toEqual(['{"role":"user","content":"one"}', '{"role":"user","content":"other"}']);
    expect(file.ignored).toMatchObject([{ line: 2 }]);
    expect(codes(file)).toEqual(['import.uuid_reused']);
    expect(addsUp(file)).toBe(true);
  });
});

describe('claude-code sub-agents', () => {
  it('gives inline side chains transcripts of their own, named by their first record', () => {
    const side = { isSidechain: true };
    const file = importText(
      jsonl(
        user('main'),
        assistant('m', [call('t')]),
        user('task A', { ...side, uuid: 'rootA' }),
        user('task B', { ...side, uuid: 'rootB' }),
        assistant('ma', [text('A')], { ...side, uuid: 'a1', parentUuid: 'rootA' }),
        assistant('mb', [text('B')], { ...side, parentUuid: 'rootB' }),
        assistant('ma', [text('A2')], { ...side, parentUuid: 'a1' }),
        user([result('t')]),
      ),
    );
    expect(
      file.transcripts.map((transcript) => [transcript.key, transcript.messages.length, transcript.meta.parentKey]),
    ).toEqual([
      ['main', 3, undefined],
      ['rootA', 2, 'main'],
      ['rootB', 2, 'main'],
    ]);
    expect(texts(file, 1)[1]).toContain('"A"},{"type":"text","text":"A2"');
    expect(file.transcripts[1]?.messages[0]?.meta.sidechain).toBe(true);
    expect(addsUp(file)).toBe(true);
  });

  it('reads agent progress as the messages of that agent', () => {
    const progress = (inner: object): object => ({
      ...base,
      type: 'progress',
      uuid: `p${serial++}`,
      parentUuid: null,
      parentToolUseID: 'toolu_1',
      data: { type: 'agent_progress', agentId: 'ag1', message: inner },
    });
    const file = importText(
      jsonl(
        user('main'),
        progress({ type: 'user', uuid: 'x1', message: { role: 'user', content: 'task' } }),
        progress({ type: 'assistant', uuid: 'x2', message: { id: 'm', role: 'assistant', content: [text('on it')] } }),
        { ...base, type: 'progress', uuid: 'p', parentUuid: null, data: { type: 'bash_progress', output: 'out' } },
      ),
    );
    const [main, agent] = file.transcripts;
    expect(main?.events.map((event) => event.kind)).toEqual(['progress.bash_progress']);
    expect(agent).toMatchObject({ key: 'ag1', meta: { agentId: 'ag1', parentCallId: 'toolu_1', parentKey: 'main' } });
    expect(texts(file, 1)).toEqual([
      '{"role":"user","content":"task"}',
      '{"role":"assistant","content":[{"type":"text","text":"on it"}]}',
    ]);
  });

  it('finds the call that started an inline agent by its prompt, each call once', () => {
    const task = (id: string): object => ({ type: 'tool_use', id, name: 'Task', input: { prompt: 'do A', n: 1 } });
    const side = { isSidechain: true };
    const file = importText(
      jsonl(
        user('main'),
        assistant('m', [task('t1')]),
        user('do A', { ...side, uuid: 'r1' }),
        assistant('n', [task('t2')]),
        user([text('do A')], { ...side, uuid: 'r2' }),
        user('do A', { ...side, uuid: 'r3' }),
      ),
    );
    expect(file.transcripts.map(({ key, meta }) => [key, meta.parentKey, meta.parentCallId])).toEqual([
      ['main', undefined, undefined],
      ['r1', 'main', 't1'],
      ['r2', 'main', 't2'],
      ['r3', 'main', undefined],
    ]);
  });

  it('names the agent a result speaks of, unless a scrubber took the name', () => {
    const answered = (id: string, agentId: unknown): object => user([result(id)], { toolUseResult: { agentId } });
    const file = importText(
      jsonl(
        user('main'),
        assistant('m', [call('t1')]),
        answered('t1', 'ag1'),
        answered('t2', 'REDACTED'),
        answered('t3', 7),
      ),
    );
    expect(file.transcripts[0]?.spawns).toEqual([{ callId: 't1', agentId: 'ag1' }]);
  });

  it('reads a file that is one agent as that agent, with its events', () => {
    const side = { isSidechain: true, agentId: 'abc' };
    const file = importText(
      jsonl({ type: 'summary', summary: 'T', leafUuid: 'l' }, user('task', side), assistant('m', [text('x')], side)),
    );
    expect(file.transcripts).toMatchObject([{ key: 'abc', meta: { agentId: 'abc' }, events: [{ kind: 'title' }] }]);
    expect(file.transcripts[0]?.messages).toHaveLength(2);
  });
});

describe('claude-code branches', () => {
  const chain = (uuid: string, parentUuid: string | null): object => ({ uuid, parentUuid });

  it('does not take parallel calls for a fork', () => {
    const file = importText(
      jsonl(
        user('go', chain('1', null)),
        assistant('m', [call('t1')], chain('2', '1')),
        assistant('m', [call('t2')], chain('3', '2')),
        user([result('t1')], chain('4', '2')),
        user([result('t2')], chain('5', '3')),
        assistant('n', [text('done')], chain('6', '5')),
      ),
    );
    expect(codes(file)).toEqual([]);
  });

  it.each([
    [
      'an edited prompt',
      [
        user('go', chain('1', null)),
        assistant('m', [text('a')], chain('2', '1')),
        user('b', chain('3', '2')),
        user('c', chain('4', '2')),
      ],
      'branch 3',
      2,
    ],
    [
      'a second answer',
      [
        user('go', chain('1', null)),
        assistant('m', [text('a')], chain('2', '1')),
        assistant('n', [text('b')], chain('3', '1')),
      ],
      'branch 2',
      1,
    ],
    [
      'an edit below a note',
      [
        user('go', chain('1', null)),
        { ...base, type: 'attachment', ...chain('n', '1'), attachment: { type: 'file' } },
        assistant('m', [text('a')], chain('2', 'n')),
        assistant('k', [text('b')], chain('3', '1')),
      ],
      'branch 2',
      1,
    ],
  ])('says so of %s and keeps all', (_name, records, branch, at) => {
    const file = importText(jsonl(...records));
    expect(codes(file)).toEqual(['import.branches']);
    expect(file.problems[0]?.text).toContain('is another branch');
    expect(file.transcripts.map(({ key, meta }) => [key, meta.branchOf, meta.branchAt])).toEqual([
      ['main', undefined, undefined],
      [branch, 'main', at],
    ]);
    expect(addsUp(file)).toBe(true);
  });

  it('takes up a branch again that was left, and cuts it off where the conversation goes on from inside it', () => {
    const file = importText(
      jsonl(
        user('go', chain('1', null)),
        assistant('m', [text('a')], chain('2', '1')),
        user('b', chain('3', '2')),
        assistant('n', [text('b1')], chain('4', '3')),
        user('c', chain('5', '2')),
        assistant('o', [text('c1')], chain('6', '5')),
        user('d', chain('7', '4')),
        user('e', chain('8', '6')),
        assistant('p', [text('b2')], chain('9', '3')),
      ),
    );
    const ids = file.transcripts.map(({ key, messages }) => [key, messages.map(({ meta }) => meta.id).join(' ')]);
    expect(ids).toEqual([
      ['main', '1 m 3 p'],
      ['branch 7', '1 m 3 n 7'],
      ['branch 8', '1 m 5 o 8'],
    ]);
    expect(file.transcripts.map(({ meta }) => meta.branchAt)).toEqual([undefined, 3, 2]);
    expect(addsUp(file)).toBe(true);
  });

  it('takes an edited first prompt for a branch only if the records name their parents', () => {
    const edited = [
      user('go', chain('1', null)),
      assistant('m', [text('a')], chain('2', '1')),
      user('b', chain('3', null)),
    ];
    expect(importText(jsonl(...edited)).transcripts.map(({ key }) => key)).toEqual(['main', 'branch 2']);
    const plain = [user('go'), assistant('m', [text('a')]), user('b')];
    expect(importText(jsonl(...plain)).transcripts.map(({ key }) => key)).toEqual(['main']);
  });

  it('reads on as if nothing had happened where a file would make too many branches', () => {
    const lines = Array.from({ length: 500 }, (_none, i) => [
      user('a', chain(`a${i}`, i === 0 ? null : `b${i - 1}`)),
      user('b', chain(`b${i}`, i === 0 ? null : `b${i - 1}`)),
    ]).flat();
    const file = importText(jsonl(...lines));
    expect(file.transcripts.length).toBeGreaterThan(100);
    expect(file.transcripts.length).toBeLessThan(500);
    expect(file.problems[0]?.text).toMatch(/there are \d+ other branches.* \d+ times more it went back/);
    expect(addsUp(file)).toBe(true);
  });

  it('keeps an answer written again after an API error in one line with it', () => {
    const file = importText(
      jsonl(
        user('go', chain('1', null)),
        assistant('e', [text('API Error')], { ...chain('2', '1'), isApiErrorMessage: true }, { model: '<synthetic>' }),
        assistant('m', [text('a')], chain('3', '1')),
        user('a note', { ...chain('4', '1'), isMeta: true }),
        user('more', chain('5', '3')),
      ),
    );
    expect(file.transcripts.map(({ messages }) => messages.length)).toEqual([5]);
    expect(codes(file)).toEqual([]);
  });
});

describe('claude-code audit', () => {
  it.each([
    [{ type: 'system', subtype: 'turn_duration', durationMs: 5 }, 'system.turn_duration', 'turn duration'],
    [
      { type: 'system', subtype: 'microcompact_boundary', microcompactMetadata: { tokensSaved: 7, preTokens: 9 } },
      'compaction',
      'micro-compaction, 7 tokens saved',
    ],
    [
      { type: 'attachment', attachment: { type: 'todo_reminder' } },
      'attachment.todo_reminder',
      'todo_reminder: sent by the client, but its words are not recorded',
    ],
    [{ type: 'queue-operation', operation: 'enqueue', content: 'later' }, 'queue-operation', 'enqueue: later'],
    [{ type: 'custom-title', customTitle: 'Mine' }, 'title', 'Mine'],
    [{ type: 'file-history-snapshot', snapshot: {} }, 'file-history-snapshot', 'file history snapshot'],
    [{ type: 'brand-new' }, 'unknown:brand-new', 'a record of the unknown type "brand-new"'],
    [42, 'unknown:number', 'a record of the unknown type "number"'],
  ])('%j', (record, kind, line) => {
    const file = importText(jsonl(user('hi'), record));
    expect(file.transcripts[0]?.events).toMatchObject([{ kind, text: line, at: 1, json: JSON.stringify(record) }]);
    expect(addsUp(file)).toBe(true);
  });

  it('tells of unknown types once each, with the count and the first line', () => {
    const file = importText(jsonl(user('hi'), { type: 'a' }, { type: 'b' }, { type: 'a' }));
    expect(
      file.problems.map((problem) => [problem.severity, problem.text.split(' which')[0], problem.where?.line]),
    ).toEqual([
      ['info', '2 records have the type "a",', 2],
      ['info', '1 record has the type "b",', 3],
    ]);
  });

  it.each([
    [
      'a given title',
      [user('first'), { type: 'summary', summary: 'S', leafUuid: 'x' }, { type: 'custom-title', customTitle: 'C' }],
      'C',
    ],
    ['the tool’s title', [{ type: 'summary', summary: 'S', leafUuid: 'x' }, user('first')], 'S'],
    [
      'the first words',
      [user('<command-name>x</command-name>'), user('caveat', { isMeta: true }), user('do\n it')],
      'do it',
    ],
    ['nothing', [user([result('t')])], undefined],
  ])('is titled by %s', (_name, records, title) => {
    expect(importText(jsonl(...records)).transcripts[0]?.meta.title).toBe(title);
  });

  it('goes on after broken lines, and takes a line cut off at the end for what it is', () => {
    const file = importText(
      `${jsonl(user('one'))}{"type":"user","mess\n\n${jsonl(user('two'))}{"type":"assistant","uu`,
    );
    expect(texts(file)).toHaveLength(2);
    expect(file.problems.map((problem) => [problem.code, problem.where?.line])).toEqual([
      ['import.broken_line', 2],
      ['import.truncated', 5],
    ]);
    expect(file.counts).toMatchObject({ records: 4, broken: 2, blankLines: 1 });
    expect(addsUp(file)).toBe(true);
  });

  it('keeps a message without content as an event', () => {
    const file = importText(jsonl(user('x'), { ...base, type: 'user', uuid: 'q', message: 'error' }));
    expect(file.transcripts[0]?.events).toMatchObject([{ kind: 'unknown:user' }]);
    expect(codes(file)).toEqual(['import.message_without_content']);
  });
});
