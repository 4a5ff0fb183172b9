// Files read by a mapping: what each rule gives, exact to the letter, and nothing lost.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { genericFormat, mappingHash } from '../../core/importers/formats/generic/format.ts';
import { formats } from '../../core/importers/formats/index.ts';
import { type ImportedFile, importText } from '../../core/importers/memory.ts';
import { FormatRegistry } from '../../core/importers/registry.ts';
import { sniff } from '../../core/importers/sniff.ts';
import { readMapping } from '../../core/model/mapping/read.ts';
import type { Mapping } from '../../core/model/mapping/types.ts';
import { addsUp, codes, texts } from './support.ts';

function mappingOf(value: object): Mapping {
  const { mapping, faults } = readMapping({
    mapping: 1,
    name: 'test',
    at: '$[*]',
    messages: [{ role: { path: '@.r' }, text: '@.t' }],
    ...value,
  });
  if (mapping === null) throw new Error(JSON.stringify(faults));
  return mapping;
}

function read(mapping: Mapping, text: string, chunkSize?: number): ImportedFile {
  const format = genericFormat(mapping);
  const size = chunkSize === undefined ? {} : { chunkSize };
  return importText(text, { registry: new FormatRegistry([format]), format: format.id, ...size });
}

const one = (rule: object) => mappingOf({ messages: [{ role: { path: '@.r' }, ...rule }] });

describe('what a message is made of', () => {
  test.each<[what: string, mapping: Mapping, record: string, messages: readonly string[]]>([
    [
      'its text, letter for letter',
      one({ text: '@.t' }),
      '{"r":"user","t":"a\\u00e9\\/b"}',
      ['{"role":"user","content":"a\\u00e9\\/b"}'],
    ],
    [
      'several texts',
      one({ text: '@.p[*].t' }),
      '{"r":"user","p":[{"t":"a"},{"t":"b"}]}',
      ['{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}'],
    ],
    [
      'blocks as they stand',
      one({ text: '@.t' }),
      '{"r":"user","t":[{"type":"text","text":"a" }]}',
      ['{"role":"user","content":[{"type":"text","text":"a" }]}'],
    ],
    [
      'text and blocks',
      one({ text: '@.t', blocks: '@.b' }),
      '{"r":"user","t":"a","b":[{"type":"image","url":"u"}]}',
      ['{"role":"user","content":[{"type":"text","text":"a"},{"type":"image","url":"u"}]}'],
    ],
    [
      'reasoning',
      one({ text: '@.t', reasoning: '@.w' }),
      '{"r":"assistant","t":"a","w":"b"}',
      ['{"role":"assistant","reasoning_content":"b","content":"a"}'],
    ],
    [
      'reasoning in pieces',
      one({ text: '@.t', reasoning: '@.w' }),
      '{"r":"assistant","t":"a","w":["b","c"]}',
      [
        '{"role":"assistant","content":[{"type":"reasoning","text":"b"},{"type":"reasoning","text":"c"},{"type":"text","text":"a"}]}',
      ],
    ],
    [
      'calls; arguments keep their digits, ids become texts',
      one({ text: '@.t', calls: { at: '@.c[*]', id: '@.i', name: '@.n', arguments: '@.a' } }),
      '{"r":"assistant","t":null,"c":[{"i":7,"n":"ls","a":{"x":1.0}}]}',
      [
        '{"role":"assistant","content":[],"tool_calls":[{"id":"7","type":"function","function":{"name":"ls","arguments":{"x":1.0}}}]}',
      ],
    ],
    [
      'a result of its own',
      one({ text: '@.t', results: { callId: '@.for', error: '@.bad' } }),
      '{"r":"tool","t":"out","for":7,"bad":true}',
      ['{"role":"tool","tool_call_id":"7","content":"out","is_error":true}'],
    ],
    [
      'results in a list',
      one({ text: '@.t', results: { at: '@.o[*]', callId: '@.c', text: '@.x', error: '@.s' } }),
      '{"r":"assistant","t":"a","o":[{"c":"1","x":"y","s":"ok"},{"c":"2","x":{"z":1},"s":"failed"}]}',
      [
        '{"role":"assistant","content":"a"}',
        '{"role":"tool","tool_call_id":"1","content":"y"}',
        '{"role":"tool","tool_call_id":"2","content":{"z":1},"is_error":true}',
      ],
    ],
    [
      'a message that is only results',
      one({ text: '@.t', results: { at: '@.o[*]', callId: '@.c', text: '@.x' } }),
      '{"r":"user","o":[{"c":"1","x":"y"}]}',
      ['{"role":"user","content":[]}', '{"role":"tool","tool_call_id":"1","content":"y"}'].slice(1),
    ],
    [
      'question and answer',
      mappingOf({
        messages: [
          { role: { constant: 'user' }, text: '@.q' },
          { role: { constant: 'assistant' }, text: '@.a' },
        ],
      }),
      '{"q":"x","a":"y"}',
      ['{"role":"user","content":"x"}', '{"role":"assistant","content":"y"}'],
    ],
    [
      'a question without an answer',
      mappingOf({
        messages: [
          { role: { constant: 'user' }, text: '@.q' },
          { role: { constant: 'assistant' }, text: '@.a' },
        ],
      }),
      '{"q":"x","a":null}',
      ['{"role":"user","content":"x"}'],
    ],
    [
      'roles by a flag',
      mappingOf({ messages: [{ role: { path: '@.me', values: { true: 'user', false: 'assistant' } }, text: '@.t' }] }),
      '{"me":false,"t":"x"}',
      ['{"role":"assistant","content":"x"}'],
    ],
    [
      'any other role',
      mappingOf({ messages: [{ role: { path: '@.r', otherwise: 'user' }, text: '@.t' }] }),
      '{"r":"Ann","t":"x"}',
      ['{"role":"user","content":"x"}'],
    ],
  ])('%s', (_what, mapping, record, messages) => {
    const file = read(mapping, `[${record}]`);
    expect(texts(file)).toEqual(messages);
    expect(addsUp(file)).toBe(true);
  });
});

test('time, model, tokens and ids are told beside the text', () => {
  const mapping = one({
    text: '@.t',
    time: '@.at',
    model: '@.m',
    id: '@.id',
    usage: { input: '@.u.in', output: '@.u.out', total: '@.u.none' },
  });
  const file = read(mapping, '[{"r":"assistant","t":"x","at":1700000000,"m":"m-1","id":5,"u":{"in":3,"out":4}}]');
  expect(file.transcripts[0]?.messages[0]?.meta).toEqual({
    timestamp: '2023-11-14T22:13:20.000Z',
    model: 'm-1',
    usage: { input: 3, output: 4 },
    id: '5',
  });
  expect(file.transcripts[0]?.meta).toMatchObject({ format: 'generic-json', models: ['m-1'] });
});

test('what has no role, or one without meaning, is kept as an event and told', () => {
  const file = read(mappingOf({}), '[{"r":"user","t":"a"},{"r":"alien","t":"b"},{"x":1},3,{"r":"user","t":"c"}]');
  expect(texts(file)).toEqual(['{"role":"user","content":"a"}', '{"role":"user","content":"c"}']);
  expect(file.transcripts[0]?.events.map(({ at, json }) => [at, json])).toEqual([
    [1, '{"r":"alien","t":"b"}'],
    [1, '{"x":1}'],
    [1, '3'],
  ]);
  expect(file.problems.map(({ code, text }) => [code, text])).toEqual([
    ['mapping.unknown_role', '1 record has the role "alien", which the mapping gives no meaning; kept as events.'],
    ['mapping.no_role', '2 records have no role where the mapping looks for it; kept as events.'],
  ]);
});

describe('transcripts', () => {
  const doc =
    '{"chats":[{"id":"c1","topic":"One","turns":[{"r":"user","t":"a"}]},{"id":"c2","topic":"Two","turns":[]},{"id":"c3","turns":[{"r":"user","t":"b"}]}]}';
  const chats = mappingOf({
    transcripts: { at: '$.chats[*]', id: '@.id', title: '@.topic' },
    at: '$.chats[*].turns[*]',
  });

  test('stand in a list; id and title stand with them', () => {
    const file = read(chats, doc);
    expect(file.transcripts.map(({ meta, messages }) => [meta.sessionId, meta.title, messages.length])).toEqual([
      ['c1', 'One', 1],
      ['c3', 'b', 1],
    ]);
    expect(addsUp(file)).toBe(true);
  });

  test('are lines', () => {
    const mapping = mappingOf({ transcripts: { at: '$', id: '@.id' }, at: '$.turns[*]' });
    const file = read(mapping, '{"id":1,"turns":[{"r":"user","t":"a"}]}\n{"id":2,"turns":[{"r":"user","t":"b"}]}\n');
    expect(file.transcripts.map(({ meta }) => meta.sessionId)).toEqual(['1', '2']);
  });

  test('are known by what their messages share, also where they take turns', () => {
    const mapping = mappingOf({ transcripts: { by: '@.s' }, at: '$' });
    const file = read(mapping, ['x', 'y', 'x'].map((s, i) => `{"r":"user","t":"${i}","s":"${s}"}\n`).join(''));
    expect(file.transcripts.map(({ key, messages }) => [key, messages.length])).toEqual([
      ['x', 2],
      ['y', 1],
    ]);
  });

  test('leave a branch where a message names an earlier parent', () => {
    const mapping = mappingOf({
      at: '$',
      messages: [{ role: { path: '@.r' }, text: '@.t', id: '@.id', parent: '@.p' }],
    });
    const lines = [
      '{"id":"a","r":"user","t":"q"}',
      '{"id":"b","p":"a","r":"assistant","t":"1"}',
      '{"id":"c","p":"a","r":"assistant","t":"2"}',
    ];
    const file = read(mapping, `${lines.join('\n')}\n`);
    expect(texts(file)).toEqual(['{"role":"user","content":"q"}', '{"role":"assistant","content":"2"}']);
    expect(file.transcripts[1]?.meta).toMatchObject({ branchOf: 'main', branchAt: 1 });
    expect(codes(file)).toEqual(['import.branches']);
  });

  test('stand in an object by ids', () => {
    const mapping = mappingOf({
      transcripts: { at: '$[*]', title: '@.title' },
      at: '$[*].mapping.*',
      messages: [{ role: { path: '@.message.role' }, text: '@.message.parts[*]' }],
    });
    const file = read(
      mapping,
      '[{"title":"T","mapping":{"a":{"message":null},"b":{"message":{"role":"user","parts":["x"]}}}}]',
    );
    expect(texts(file)).toEqual(['{"role":"user","content":"x"}']);
    expect(file.transcripts[0]?.meta.title).toBe('T');
  });
});

test('a file without a message has no transcript, and the reason names the path and the keys', () => {
  const file = read(mappingOf({ at: '$.turns[*]' }), '{"who":"x"}\n{"who":"y"}\n');
  expect(file.transcripts).toEqual([]);
  expect(codes(file)).toEqual(['mapping.no_messages']);
  expect(file.problems[0]?.text).toContain('($.turns[*])');
  expect(file.problems[0]?.text).toContain('keys who');
  expect(addsUp(file)).toBe(true);
});

test('the name does not change what a file is read as, any other field does', () => {
  const mapping = mappingOf({});
  expect(mappingHash({ ...mapping, name: 'other' })).toBe(mappingHash(mapping));
  expect(mappingHash({ ...mapping, at: '$.x[*]' })).not.toBe(mappingHash(mapping));
});

test('no mapping is among the formats, and a mapping that fits scores below every one', () => {
  expect(formats.all.map(({ id }) => id)).not.toContain('generic-json');
  const bytes = new TextEncoder().encode('[{"role":"user","content":"x"}]');
  const { score } = genericFormat(mappingOf({ messages: [{ role: { path: '@.role' }, text: '@.content' }] })).detect(
    sniff(bytes, true),
  );
  expect(score).toBeGreaterThan(0);
  expect(score).toBeLessThanOrEqual(0.1);
});

const leaf = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('user', 'assistant', 'tool', 'x'),
);
const record = fc.oneof(
  leaf,
  fc.record(
    {
      r: leaf,
      t: fc.oneof(leaf, fc.array(leaf, { maxLength: 3 })),
      c: fc.array(fc.record({ i: leaf, n: leaf, a: leaf }, { requiredKeys: [] }), { maxLength: 2 }),
      o: fc.array(leaf, { maxLength: 2 }),
      id: leaf,
      p: leaf,
      s: leaf,
    },
    { requiredKeys: [] },
  ),
  fc.array(leaf, { maxLength: 3 }),
);
const EVERYTHING = [
  {
    role: { path: '@.r' },
    text: '@.t',
    calls: { at: '@.c[*]', id: '@.i', name: '@.n', arguments: '@.a' },
    results: { at: '@.o[*]', text: '@' },
    id: '@.id',
    parent: '@.p',
  },
];

describe('every record is accounted for, however the file comes in pieces', () => {
  const mappings = [
    mappingOf({ at: '$', messages: EVERYTHING, transcripts: { by: '@.s' } }),
    mappingOf({ at: '$[*]', messages: EVERYTHING }),
    mappingOf({ at: '$.x[*].y[*]', messages: EVERYTHING, transcripts: { at: '$.x[*]', title: '@.t' } }),
    mappingOf({ at: '$.x.*', messages: EVERYTHING }),
  ];
  const shapes: readonly ((records: readonly unknown[]) => string)[] = [
    (records) => records.map((one) => `${JSON.stringify(one)}\n`).join(''),
    (records) => JSON.stringify(records),
    (records) => JSON.stringify({ x: [{ t: 'title', y: records }, { y: records.slice(1) }] }, null, 1),
    (records) => JSON.stringify({ x: Object.fromEntries(records.map((one, i) => [`k${i}`, one])) }),
  ];
  test.each(mappings.map((mapping, i) => [mapping.at, mapping, shapes[i]] as const))(
    'messages at %s',
    (_at, mapping, shape) => {
      fc.assert(
        fc.property(
          fc.array(record, { minLength: 1, maxLength: 12 }),
          fc.integer({ min: 1, max: 40 }),
          (records, size) => {
            const text = shape?.(records) ?? '';
            const whole = read(mapping, text);
            expect(addsUp(whole)).toBe(true);
            for (const { messages } of whole.transcripts)
              for (const { text: message, value } of messages) expect(JSON.parse(message)).toEqual(value);
            expect(read(mapping, text, size)).toEqual(whole);
          },
        ),
        { seed: 20261120, numRuns: 150 },
      );
    },
  );
});
