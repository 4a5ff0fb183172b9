import { describe, expect, it } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { addsUp, codes, jsonl, texts } from './support.ts';

const user = { role: 'user', content: 'hi' };
const tool = { role: 'tool_result', tool_use_id: 't', content: 'r' };
const derived = (kind: string): object => ({ kind, role: 'user', visibility: 'public', text: 'x' });

describe('harn transcripts', () => {
  const value = {
    _type: 'transcript',
    version: 2,
    id: 'tr_1',
    summary: 'so far',
    metadata: { system_prompt: 'be brief' },
    messages: [user, tool],
    events: [
      { kind: 'system_prompt', role: 'system', visibility: 'internal', text: 'sha' },
      derived('message'),
      {
        kind: 'compaction',
        visibility: 'internal',
        text: 'c',
        metadata: { mode: 'auto', estimated_tokens_before: 90, estimated_tokens_after: 9 },
      },
      derived('tool_result'),
      {
        kind: 'transcript.projection',
        role: 'system',
        visibility: 'internal',
        text: 'raw_passthrough',
        metadata: { policy: 'raw' },
      },
    ],
    assets: [
      {
        _type: 'transcript_asset',
        id: 'as_1',
        kind: 'image',
        mime_type: 'image/png',
        visibility: 'private',
        storage: { path: 'p' },
      },
    ],
  };
  const events = [
    ['system_prompt', 0, 'internal'],
    ['message', 0, 'public'],
    ['compaction', 1, 'internal'],
    ['tool_result', 1, 'public'],
    ['transcript.projection', 2, 'internal'],
    ['asset', 2, 'private'],
  ];

  it.each([
    ['a document', JSON.stringify(value, null, 2)],
    ['a document on one line', JSON.stringify(value)],
    ['without a version', JSON.stringify({ ...value, version: undefined })],
    ['lines', jsonl(value, { ...value, id: 'tr_2' })],
  ])('reads %s', (_name, text) => {
    const file = importText(text, { chunkSize: 100 });
    const [transcript] = file.transcripts;
    expect(transcript?.messages.map((message) => message.value)).toEqual([user, tool]);
    expect(transcript?.meta).toMatchObject({
      sessionId: 'tr_1',
      summary: 'so far',
      systemJson: '"be brief"',
      title: 'hi',
    });
    expect(transcript?.events.map((event) => [event.kind, event.at, event.visibility])).toEqual(events);
    expect(transcript?.compactions).toEqual([{ at: 1, trigger: 'auto', preTokens: 90, postTokens: 9 }]);
    expect(codes(file)).toEqual([]);
    expect(addsUp(file)).toBe(true);
  });

  it('places events the same when they stand before the messages', () => {
    const { events: list, messages, ...rest } = value;
    const file = importText(JSON.stringify({ ...rest, events: list, messages }));
    expect(file.transcripts[0]?.events.filter((event) => event.kind !== 'asset').map((event) => event.at)).toEqual([
      0, 0, 1, 1, 2,
    ]);
  });

  it.each([
    ['a document', JSON.stringify({ ...value, version: 3 })],
    ['a line', jsonl({ ...value, version: '3.1' }, { ...value, version: '3.1' })],
  ])('refuses a newer version in %s as a whole', (_name, text) => {
    const file = importText(text);
    expect(file.transcripts).toEqual([]);
    expect(file.problems).toMatchObject([{ code: 'import.newer_version', severity: 'error' }]);
    expect(addsUp(file)).toBe(true);
  });
});

describe('harn run records', () => {
  it('reads stages as events and their transcripts as transcripts', () => {
    const stage = {
      id: 'st',
      visible_text: 'did it',
      transcript: { _type: 'transcript', id: 'tr_s', messages: [user] },
    };
    const run = {
      _type: 'run_record',
      id: 'run',
      workflow_name: 'w',
      task: 'the task',
      status: 'completed',
      stages: [stage],
      transcript: { messages: [tool] },
    };
    for (const text of [JSON.stringify(run, null, 1), jsonl(run, run).split('\n')[0] ?? '']) {
      const file = importText(text);
      expect(
        file.transcripts.map((transcript) => [
          transcript.key,
          transcript.messages.length,
          transcript.events.map((event) => event.kind),
        ]),
      ).toEqual([
        ['main', 1, ['stage', 'run_record']],
        ['stage st', 1, []],
      ]);
      expect(file.transcripts[0]?.meta).toMatchObject({ sessionId: 'run', title: 'the task' });
      expect(addsUp(file)).toBe(true);
    }
  });
});

describe('harn logs', () => {
  const event = (type: string, extra: object): object => ({
    index: 0,
    emitted_at_ms: 1735000000000,
    type,
    session_id: 's',
    ...extra,
  });

  it('rebuilds a conversation from agent events, by exact slices', () => {
    const lines = [
      event('turn_start', {}),
      event('agent_thought_chunk', { content: 'th' }),
      event('agent_thought_chunk', { content: 'ink' }),
      event('agent_message_chunk', { content: 'I look' }),
      event('tool_call', { tool_call_id: 'c1', tool_name: 'get', status: 'pending', raw_input: { n: 1 } }),
      event('tool_call_update', { tool_call_id: 'c1', tool_name: 'get', status: 'in_progress' }),
      event('tool_call_update', {
        tool_call_id: 'c1',
        tool_name: 'get',
        status: 'completed',
        raw_output: { ok: true },
        error: null,
      }),
      event('tool_call', { tool_call_id: 'c2', tool_name: 'put', raw_input: {} }),
      event('tool_call_update', { tool_call_id: 'c2', tool_name: 'put', status: 'failed', error: 'no' }),
      event('agent_message_chunk', { content: 'so' }),
      event('turn_end', {}),
    ];
    const file = importText(jsonl(...lines));
    expect(texts(file)).toEqual([
      '{"role":"assistant","content":[{"type":"thinking","thinking":"think"},{"type":"text","text":"I look"},{"type":"tool_use","id":"c1","name":"get","input":{"n":1}}]}',
      '{"role":"tool_result","tool_use_id":"c1","name":"get","content":{"ok":true}}',
      '{"role":"assistant","content":[{"type":"tool_use","id":"c2","name":"put","input":{}}]}',
      '{"role":"tool_result","tool_use_id":"c2","name":"put","content":"no","is_error":true}',
      '{"role":"assistant","content":[{"type":"text","text":"so"}]}',
    ]);
    expect(file.transcripts[0]?.events).toHaveLength(lines.length);
    expect(file.transcripts[0]?.meta.startedAt).toBe('2024-12-24T00:26:40.000Z');
    expect(addsUp(file)).toBe(true);
  });

  it('reads a tape as the answers it holds', () => {
    const file = importText(
      '{"match":"*a*","text":"x\\u0079"}\n{"match":"*b*","tool_calls":[{"name":"read","args":{"path":"p"}}]}\n',
    );
    expect(texts(file)).toEqual([
      '{"role":"assistant","content":"x\\u0079"}',
      '{"role":"assistant","content":null,"tool_calls":[{"name":"read","args":{"path":"p"}}]}',
    ]);
    expect(file.transcripts[0]?.events.map((each) => [each.kind, each.text, each.at])).toEqual([
      ['tape', '*a*', 0],
      ['tape', '*b*', 1],
    ]);
    expect(addsUp(file)).toBe(true);
  });
});

describe('harn values that carry a transcript', () => {
  const inner = {
    _type: 'transcript',
    version: 2,
    id: 'tr_w',
    state: 'active',
    metadata: { system_prompt: { content: 'be brief', sha256: 'x' }, ticket: 1.0 },
    messages: [user],
    events: [],
  };

  it.each([
    ['a snapshot of a worker', { _type: 'worker_snapshot', id: 'w', transcript: inner }, 'worker_snapshot'],
    ['without a type', { worker_id: 'w', transcript: inner }, 'snapshot'],
    ['deeper', { type: 'job', worker: { transcript: inner } }, 'job'],
  ])('%s, as a document and as a line', (_name, value, kind) => {
    for (const text of [JSON.stringify(value, null, 1), `${JSON.stringify(value)}\n${JSON.stringify(value)}\n`]) {
      const file = importText(text);
      const [transcript] = file.transcripts;
      expect(transcript?.messages[0]?.value).toEqual(user);
      expect(transcript?.meta).toMatchObject({ sessionId: 'tr_w', state: 'active', systemJson: '"be brief"' });
      expect(JSON.parse(transcript?.meta.metadataJson ?? '')).toEqual({ ticket: 1 });
      expect(transcript?.events.map((event) => event.kind)).toContain(kind);
      expect(addsUp(file)).toBe(true);
    }
  });
});

describe('what a compaction archived', () => {
  const old = { _type: 'transcript', id: 'old', messages: [user, tool], events: [derived('message')] };
  const asset = (data: unknown, kind = 'transcript_snapshot') => ({
    _type: 'transcript_asset',
    id: 'snap',
    kind,
    data,
  });
  const read = (...assets: readonly object[]) =>
    importText(JSON.stringify({ _type: 'transcript', id: 'now', messages: [user], events: [], assets }));

  it.each([
    ['an object', old],
    ['JSON text', JSON.stringify(old)],
    ['base64', btoa(JSON.stringify(old))],
    ['a list of messages', old.messages],
  ])('kept as %s is a transcript that belongs to the one that goes on', (_name, data) => {
    const file = read(asset(data));
    expect(file.transcripts.map(({ key, messages }) => [key, messages.length])).toEqual([
      ['main', 1],
      ['snapshot snap', 2],
    ]);
    expect(file.transcripts[1]?.meta).toMatchObject({ parentKey: 'main', archivedAs: 'snap' });
    expect(file.transcripts[0]?.events.map(({ kind }) => kind)).toEqual(['asset']);
    expect([addsUp(file), codes(file)]).toEqual([true, []]);
  });

  it.each([
    ['an image', asset('iVBORw0KGgo=', 'image')],
    ['no JSON', asset('{"messages": [')],
    ['something else', asset({ some: 'thing' })],
    ['a picture that is called a snapshot', asset('////')],
  ])('%s is an asset and no transcript', (_name, held) => {
    const file = read(held);
    expect(file.transcripts.map(({ key }) => key)).toEqual(['main']);
    expect(file.transcripts[0]?.events.map(({ kind }) => kind)).toEqual(['asset']);
  });
});
