// trimMessages against @langchain/core itself, with the same counter on both sides, and by its reference's examples.
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  trimMessages,
} from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import { project } from '../../../core/projection/project.ts';
import { type Rng, seededRng } from '../../../core/util/rng.ts';
import { isRecord } from '../../../core/util/unknown.ts';
import { itemText } from '../../../core/view/reader.ts';
import type { StageTokens } from '../../../core/view/types.ts';
import { characterTokens } from '../../support/characterTokens.ts';
import { stagesOf, transcriptOf } from '../../support/projecting.ts';

interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly { readonly type: 'text'; readonly text: string }[];
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly args: Record<string, unknown>;
  }[];
  readonly tool_call_id?: string;
}

interface Options {
  readonly strategy: 'first' | 'last';
  readonly maxTokens: number;
  readonly startOn?: ('human' | 'ai' | 'system' | 'tool')[];
  readonly endOn?: ('human' | 'ai' | 'system' | 'tool')[];
  readonly includeSystem?: boolean;
  readonly allowPartial?: boolean;
}

function toLangChain(message: Message, at: number): BaseMessage {
  const content =
    typeof message.content === 'string' ? message.content : message.content.map((block) => ({ ...block }));
  const id = String(at);
  if (message.role === 'system') return new SystemMessage({ content, id });
  if (message.role === 'user') return new HumanMessage({ content, id });
  if (message.role === 'tool') return new ToolMessage({ content, id, tool_call_id: message.tool_call_id ?? '' });
  return new AIMessage({ content, id, tool_calls: (message.tool_calls ?? []).map((call) => ({ ...call })) });
}

/** Characters for tokens, on both sides. */
function countTheirs(messages: readonly BaseMessage[]): number {
  let count = 0;
  for (const message of messages) {
    count += textOf(message.content).length;
    if (message instanceof AIMessage)
      for (const { name, args } of message.tool_calls ?? []) count += name.length + JSON.stringify(args).length;
  }
  return count;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((block: unknown) => (isRecord(block) ? String(block.text) : '')).join('');
}

/** What is kept: each message's number with its blocks or its text; blocks without an order, the library turns them. */
type Kept = readonly (readonly [number, string])[];

function contentKey(content: unknown): string {
  return Array.isArray(content)
    ? JSON.stringify(content.map((block: unknown) => textOf([block])).sort())
    : String(content);
}

function ours(messages: readonly Message[], options: Options): Kept {
  const source = transcriptOf(messages);
  const stages = stagesOf({ version: 1, stages: [{ kind: 'langchain_trim_messages', options }] });
  const { view } = project(source, stages, source.length, { tokens: characterTokens(messages) });
  return view.items.map((item) => {
    const message: unknown = JSON.parse(itemText(item, source));
    return [item.kind === 'source' ? item.index : -1, contentKey(isRecord(message) ? message.content : null)];
  });
}

async function theirs(messages: readonly Message[], options: Options): Promise<Kept> {
  const kept = await trimMessages(messages.map(toLangChain), { ...options, tokenCounter: countTheirs });
  // With no message to start on the library loses the system message that the reference says it spares, if it fits.
  const list: readonly (BaseMessage | undefined)[] = kept;
  const head = messages.slice(0, 1).map(toLangChain);
  const spared = countTheirs(head) <= options.maxTokens ? head : [];
  const whole = list.includes(undefined) ? spared : kept;
  return whole.map((message) => [Number(message.id), contentKey(message.content)]);
}

function randomMessages(rng: Rng): Message[] {
  const messages: Message[] = rng.chance() ? [{ role: 'system', content: words(rng, 3) }] : [];
  for (let turn = 0; turn < 1 + rng.below(5); turn++) {
    if (rng.chance(0.7)) messages.push({ role: 'user', content: body(rng) });
    for (let i = 0; i < rng.below(3); i++) {
      const id = `${turn}.${i}`;
      const tool_calls = rng.chance() ? [{ id, name: 'run', args: { text: words(rng, 4) } }] : [];
      messages.push({ role: 'assistant', content: body(rng), ...(tool_calls.length > 0 && { tool_calls }) });
      if (tool_calls.length > 0) messages.push({ role: 'tool', tool_call_id: id, content: words(rng, 20) });
    }
  }
  return messages;
}

function words(rng: Rng, most: number): string {
  return Array.from({ length: 1 + rng.below(most) }, () => rng.pick(['one', 'two', 'three', 'four'])).join(' ');
}

// At most two blocks: of three, the library puts pieces of a partial message into the list twice.
function body(rng: Rng): Message['content'] {
  const lines = Array.from({ length: 1 + rng.below(4) }, () => words(rng, 6));
  return rng.chance(0.3) ? lines.slice(0, 2).map((text) => ({ type: 'text' as const, text })) : lines.join('\n');
}

function randomOptions(rng: Rng): Options {
  const types = ['human', 'ai', 'system', 'tool'] as const;
  const some = () => rng.shuffle(types).slice(0, 1 + rng.below(2));
  const strategy = rng.pick(['first', 'last', 'last'] as const);
  return {
    strategy,
    maxTokens: rng.below(220),
    ...(strategy === 'last' && rng.chance(0.4) && { startOn: some() }),
    ...(rng.chance(0.4) && { endOn: some() }),
    ...(strategy === 'last' && { includeSystem: rng.chance() }),
    allowPartial: rng.chance(),
  };
}

it('keeps what the library keeps, on random histories', async () => {
  for (let seed = 1; seed <= 800; seed++) {
    const rng = seededRng(seed);
    const messages = randomMessages(rng);
    const options = randomOptions(rng);
    const expected = await theirs(messages, options);
    expect(ours(messages, options), `replay: seed ${seed}, ${JSON.stringify(options)}`).toEqual(expected);
  }
});

describe('the examples of the reference', () => {
  // Four tokens a text, and six around each message: here one more character for each of them.
  const text = 'This is a 4 token text. The full message is 10 tokens.';
  const blocks = ['This is the FIRST 4 token block.', 'This is the SECOND 4 token block.'];
  const messages: Message[] = [
    { role: 'system', content: text },
    { role: 'user', content: text },
    { role: 'assistant', content: blocks.map((block) => ({ type: 'text' as const, text: block })) },
    { role: 'user', content: text },
    { role: 'assistant', content: text },
  ];
  const counts = (value: string): number => (value === text ? 10 : 7);
  const source = transcriptOf(messages);
  const parts = (index: number) => source.facts(index).parts.map(({ chars }) => (chars === text.length ? 10 : 7));
  const sum = (index: number) => parts(index).reduce((total, each) => total + each, 0);
  const range = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => sum(from + at)).reduce((a, b) => a + b, 0);
  const tokens: StageTokens = { tokenizer: 'example', exact: true, image: 0, parts, message: sum, range, text: counts };

  it.each<[string, Options, readonly (number | string)[]]>([
    ['first 30', { strategy: 'first', maxTokens: 30 }, [0, 1]],
    ['first 30, partial', { strategy: 'first', maxTokens: 30, allowPartial: true }, [0, 1, 'FIRST']],
    [
      'first 30, partial, end on human',
      { strategy: 'first', maxTokens: 30, allowPartial: true, endOn: ['human'] },
      [0, 1],
    ],
    ['last 30 and system', { strategy: 'last', maxTokens: 30, includeSystem: true }, [0, 3, 4]],
    [
      'last 40 and system, partial',
      { strategy: 'last', maxTokens: 40, includeSystem: true, allowPartial: true },
      [0, 'FIRST', 3, 4],
    ],
    [
      'last 30 and system, partial, end on human',
      { strategy: 'last', maxTokens: 30, includeSystem: true, allowPartial: true, endOn: ['human'] },
      [0, 'FIRST', 3],
    ],
    [
      'last 40 and system, partial, start on human',
      { strategy: 'last', maxTokens: 40, includeSystem: true, allowPartial: true, startOn: ['human'] },
      [0, 3, 4],
    ],
  ])('%s', (_name, options, expected) => {
    const stages = stagesOf({ version: 1, stages: [{ kind: 'langchain_trim_messages', options }] });
    const { view } = project(source, stages, source.length, { tokens });
    const kept = view.items.map((item) => {
      if (item.kind !== 'source') return -1;
      return item.text === undefined ? item.index : (/FIRST|SECOND/.exec(item.text)?.[0] ?? '');
    });
    expect(kept).toEqual(expected);
  });
});

it('says when it keeps one half of a pair', () => {
  const messages: Message[] = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: '', tool_calls: [{ id: 'a', name: 'run', args: {} }] },
    { role: 'tool', tool_call_id: 'a', content: 'done' },
    { role: 'user', content: 'on' },
  ];
  const run = (options: Record<string, unknown>) =>
    project(
      transcriptOf(messages),
      stagesOf({ version: 1, stages: [{ kind: 'langchain_trim_messages', options }] }),
      4,
      { tokens: characterTokens(messages) },
    );
  expect(run({ max_tokens: 6 }).problems).toMatchObject([{ code: 'projection.split_pair', where: { index: 2 } }]);
  const whole = run({ max_tokens: 6, start_on: ['human'] });
  expect(whole.problems).toEqual([]);
  expect(whole.fates[2]?.reason).toBe('not among the last 6 tokens (max_tokens), with start_on human');
});
