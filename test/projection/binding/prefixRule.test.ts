// The table of "Preserved thinking", row by row: a change between the request that made the blocks and this one.
import { describe, expect, it } from 'vitest';
import { readsThinkingOf } from '../../../core/projection/binding/models.ts';
import { runPrefix } from '../../support/vectors/providers/prefix.ts';

type Message = Readonly<Record<string, unknown>>;

const thinking = (n: number) => ({ type: 'thinking', thinking: '', signature: `sig-${n}` });
const call = (id: string, input: object) => ({ type: 'tool_use', id, name: 'read', input });
const result = (id: string, content: unknown) => ({ type: 'tool_result', tool_use_id: id, content });
const user = (content: unknown): Message => ({ role: 'user', content });
const assistant = (...content: unknown[]): Message => ({ role: 'assistant', content });

const FIRST = user('Fix a.py.');
const TURNS: readonly Message[] = [
  FIRST,
  assistant(thinking(1), call('t1', { path: 'a.py', lines: 20 })),
  user([result('t1', 'one\ntwo')]),
  assistant(thinking(2), { type: 'text', text: 'Line two is wrong.' }),
  user('Then mend it.'),
  assistant(thinking(3), call('t2', { path: 'b.py' })),
  user([result('t2', 'four')]),
];
const READ = { name: 'read', description: 'Reads.', input_schema: { type: 'object' } };
const GREP = { name: 'grep', description: 'Searches.', input_schema: { type: 'object' } };
const RECORDED = { system: 'Careful.', tools: [READ], messages: TURNS };
const COMPACTION = { type: 'compaction', content: 'a.py: line two.', signature: 'csig', encrypted_content: null };
const NOTE = { role: 'system', content: [{ type: 'text', text: '3 left.' }], clear_at: 'next_user_message' };

const ALL = ['messages.1.content.0', 'messages.3.content.0', 'messages.5.content.0'];
const AFTER_FIRST = ALL.slice(1);

const at = (index: number, message: Message): readonly Message[] => TURNS.with(index, message);
const without = (...indices: number[]) => TURNS.filter((_, index) => !indices.includes(index));
const blocksOf = (message: Message = {}): readonly object[] => message.content as object[];
const quiet = (index: number): Message => ({
  ...TURNS[index],
  content: blocksOf(TURNS[index]).slice(1),
});
const marked = (message: Message): Message => ({
  ...message,
  content: blocksOf(message).map((block) => ({ ...block, cache_control: { type: 'ephemeral' } })),
});

interface Row {
  readonly name: string;
  readonly sent?: Readonly<Record<string, unknown>>;
  readonly messages?: readonly Message[];
  readonly recorded?: readonly Message[];
  readonly summarises?: readonly [number, number];
  readonly fails: readonly string[];
}

const ROWS: readonly Row[] = [
  { name: 'nothing', fails: [] },
  { name: 'messages appended', messages: [...TURNS, assistant(thinking(4)), user('Go on.')], fails: [] },
  {
    name: 'text added to the last user turn',
    messages: at(6, user([result('t2', 'four'), { type: 'text', text: 'x' }])),
    fails: [],
  },
  { name: 'cache marks added', messages: at(2, marked(TURNS[2] ?? {})), fails: [] },
  {
    name: 'order of keys',
    messages: at(1, assistant(thinking(1), call('t1', { lines: 20, path: 'a.py' }))),
    fails: [],
  },
  { name: 'a text as one block', messages: at(0, user([{ type: 'text', text: 'Fix a.py.' }])), fails: [] },
  { name: 'parameters beside', sent: { max_tokens: 5, tool_choice: { type: 'none' } }, fails: [] },
  {
    name: 'a deferred tool that nothing refers to',
    sent: { tools: [READ, { ...GREP, defer_loading: true }] },
    fails: [],
  },
  { name: 'a tool added', sent: { tools: [READ, GREP] }, fails: ALL },
  {
    name: 'context editing by the server',
    sent: { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } },
    fails: [],
  },
  {
    name: 'a signed URL signed again',
    recorded: [user([{ type: 'image', source: { type: 'url', url: 'https://x/a.png?sig=1' } }]), ...TURNS.slice(1)],
    messages: [user([{ type: 'image', source: { type: 'url', url: 'https://x/a.png?sig=2' } }]), ...TURNS.slice(1)],
    fails: [],
  },
  {
    name: 'another URL',
    recorded: [user([{ type: 'image', source: { type: 'url', url: 'https://x/a.png' } }]), ...TURNS.slice(1)],
    messages: [user([{ type: 'image', source: { type: 'url', url: 'https://x/b.png' } }]), ...TURNS.slice(1)],
    fails: ALL,
  },
  { name: 'thinking taken out at the front', messages: at(1, quiet(1)), fails: [] },
  { name: 'thinking taken out at the end', messages: at(5, quiet(5)), fails: [] },
  { name: 'thinking taken out in the middle', messages: at(3, quiet(3)), fails: ['messages.5.content.0'] },
  {
    name: 'all thinking taken out',
    messages: TURNS.map((message, index) => (index % 2 === 1 ? quiet(index) : message)),
    fails: [],
  },
  { name: 'the first message edited', messages: at(0, user('Fix b.py.')), fails: ALL },
  {
    name: 'an answer edited',
    messages: at(3, assistant(thinking(2), { type: 'text', text: 'Line 2.' })),
    fails: ['messages.5.content.0'],
  },
  { name: 'a result cleared', messages: at(2, user([result('t1', '[cleared]')])), fails: AFTER_FIRST },
  {
    name: 'a value in a call changed',
    messages: at(1, assistant(thinking(1), call('t1', { path: 'a.py', lines: 21 }))),
    fails: AFTER_FIRST,
  },
  {
    name: 'a reminder taken from an earlier turn',
    recorded: TURNS.with(
      4,
      user([
        { type: 'text', text: 'Then mend it.' },
        { type: 'text', text: 'reminder' },
      ]),
    ),
    messages: at(4, user([{ type: 'text', text: 'Then mend it.' }])),
    fails: ['messages.5.content.0'],
  },
  { name: 'the system prompt', sent: { system: 'Careless.' }, fails: ALL },
  { name: 'a tool renamed', sent: { tools: [{ ...READ, name: 'open' }] }, fails: ALL },
  { name: 'a tool taken away', sent: { tools: [] }, fails: ALL },
  { name: 'oldest turns trimmed', messages: TURNS.slice(4), fails: ['messages.1.content.0'] },
  { name: 'a turn left out', messages: without(3, 4), fails: ['messages.3.content.0'] },
  {
    name: 'compaction by the client, with a tail',
    messages: [user('Summary: a.py'), ...TURNS.slice(4)],
    fails: ['messages.2.content.0'],
  },
  { name: 'compaction by the client, without', messages: [user('Summary: a.py. Then mend it.')], fails: [] },
  {
    name: 'compaction on demand, tail kept',
    messages: [assistant(COMPACTION), ...TURNS.slice(4)],
    summarises: [0, 4],
    fails: [],
  },
  {
    name: 'its block in the first kept message',
    messages: [user([COMPACTION, { type: 'text', text: 'Then mend it.' }]), ...TURNS.slice(5)],
    summarises: [0, 4],
    fails: [],
  },
  {
    name: 'a kept turn edited',
    messages: [assistant(COMPACTION), user('Mend it.'), ...TURNS.slice(5)],
    summarises: [0, 4],
    fails: ['messages.2.content.0'],
  },
  {
    name: 'a kept turn left out',
    messages: [assistant(COMPACTION), ...TURNS.slice(5)],
    summarises: [0, 4],
    fails: ['messages.1.content.0'],
  },
  {
    name: 'a note to clear, left in place',
    recorded: [...TURNS.slice(0, 5), NOTE, ...TURNS.slice(5)],
    messages: [...TURNS.slice(0, 5), NOTE, ...TURNS.slice(5), user('Go on.')],
    fails: [],
  },
  {
    name: 'a note to clear, deleted',
    recorded: [...TURNS.slice(0, 5), NOTE, ...TURNS.slice(5)],
    messages: TURNS,
    fails: ['messages.5.content.0'],
  },
  {
    name: 'a compaction by the server between',
    recorded: [
      ...TURNS.slice(0, 3),
      assistant(COMPACTION, thinking(2), { type: 'text', text: 'Line two.' }),
      ...TURNS.slice(4),
    ],
    messages: [assistant(COMPACTION, thinking(2), { type: 'text', text: 'Line two.' }), ...TURNS.slice(4)],
    fails: [],
  },
];

describe('a thinking block stands behind what it was made behind', () => {
  it.each(ROWS)('$name', ({ sent = {}, messages = TURNS, recorded = TURNS, summarises, fails }) => {
    const [first] = fails;
    const refusal = first === undefined ? null : { at: first, contains: 'bound to a different conversation' };
    const expected = {
      fails,
      error_mode: refusal && { status: 400, type: 'invalid_request_error', ...refusal },
      drop_block_mode: { dropped: fails, reason: first === undefined ? null : 'prefix_binding_mismatch' },
    };
    const outcome = runPrefix({
      id: 'row',
      model: 'claude-fable-5-1',
      account_created: '2026-09-15',
      recorded: { ...RECORDED, messages: recorded },
      sent: { ...RECORDED, messages, ...sent },
      ...(summarises && { summarises }),
      accept: [expected],
    });
    expect(outcome.report).toEqual([]);
  });
});

const READERS = [
  ['claude-fable-5-1', 'claude-opus-5', true],
  ['claude-fable-5-1', 'claude-mythos-5-1', true],
  ['claude-fable-5-1', 'claude-opus-5-5', true],
  ['claude-fable-5-1', 'claude-3-7-sonnet-20250219', true],
  ['claude-mythos-5-1', 'claude-fable-5-1', true],
  ['claude-opus-5-5', 'claude-opus-5', true],
  ['claude-opus-5-5', 'claude-haiku-4-5-20251001', true],
  ['claude-opus-5-5', 'claude-fable-5-1', false],
  ['claude-opus-5-5', 'claude-mythos-5', false],
  ['claude-opus-5', 'claude-fable-5-1', false],
  ['claude-opus-4-20250514', 'claude-opus-5-5', false],
  ['claude-sonnet-5', 'claude-mythos-5-1', false],
  ['claude-sonnet-5', 'claude-opus-4-6', true],
  ['us.anthropic.claude-fable-5-1-v1:0', 'claude-fable-5-1', true],
  ['claude-haiku-5-5', 'claude-opus-5', false],
  ['claude-haiku-5-5', 'claude-haiku-5-5-20261001', true],
  ['claude-sonnet-5-5', 'claude-opus-5', null],
  ['gpt-5', 'claude-opus-5', null],
] as const;

describe('whose thinking a model reads', () => {
  it.each(READERS)('%s reads %s: %s', (reader, maker, expected) => {
    expect(readsThinkingOf(reader, maker)).toBe(expected);
  });
});
