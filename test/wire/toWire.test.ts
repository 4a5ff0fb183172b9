// What each target makes of messages of every shape, and what it says it cannot carry.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { createMemo } from '../../core/view/memo.ts';
import { rawView } from '../../core/view/reader.ts';
import { bodyText, toWire } from '../../core/wire/toWire.ts';
import { WIRE_TARGETS, type WireBody, type WireOptions, type WireTarget } from '../../core/wire/types.ts';

type Meta = WireOptions['meta'];

function write(
  target: WireTarget,
  texts: readonly string[],
  meta: Partial<Meta> = {},
  more: Partial<WireOptions> = {},
): WireBody {
  const source = memorySource(texts);
  const memo = createMemo();
  return toWire(rawView(source, texts.length, memo), source, memo, target, {
    meta: { format: 'harn', ...meta },
    ...more,
  });
}

function bodyOf(target: WireTarget, messages: readonly unknown[], meta: Partial<Meta> = {}) {
  const body = write(
    target,
    messages.map((message) => JSON.stringify(message)),
    meta,
  );
  const losses = body.losses.map(({ kind, how, index, path }) => `${kind} ${how} ${index} ${path}`.trim());
  return { body: JSON.parse(bodyText(body)), losses };
}

const CHAT = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'look' },
  {
    role: 'assistant',
    content: 'I look.',
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"n":1.0}' } }],
  },
  { role: 'tool', tool_call_id: 'call_1', content: 'text' },
  { role: 'developer', content: 'Be briefer.' },
];

const ANTHROPIC = [
  { role: 'user', content: [{ type: 'text', text: 'look', cache_control: { type: 'ephemeral' } }] },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      { type: 'tool_use', id: 'toolu_1', name: 'shot', input: { n: 1 } },
    ],
  },
  {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 'toolu_1',
        is_error: true,
        content: [
          { type: 'text', text: 'seen' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        ],
      },
      { type: 'text', text: 'well?' },
    ],
  },
];

describe('to Anthropic Messages', () => {
  it('chat completions: system beside the turns, results in a user message', () => {
    const { body, losses } = bodyOf('anthropic', CHAT);
    expect(body.system).toBe('Be brief.');
    expect(body.messages).toEqual([
      { role: 'user', content: 'look' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'call_1', name: 'read', input: { n: 1 } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'text' }] },
      { role: 'user', content: [{ type: 'text', text: 'Be briefer.' }] },
    ]);
    expect(losses).toEqual(['role changed 4']);
  });

  it('results in a row make one message', () => {
    const { body } = bodyOf('anthropic', [
      {
        role: 'assistant',
        content: null,
        tool_calls: ['a', 'b'].map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '' } })),
      },
      { role: 'tool', tool_call_id: 'a', content: '1' },
      { role: 'tool', tool_call_id: 'b', content: '2', is_error: true },
    ]);
    expect(body.messages[1].content).toEqual([
      { type: 'tool_result', tool_use_id: 'a', content: '1' },
      { type: 'tool_result', tool_use_id: 'b', content: '2', is_error: true },
    ]);
  });

  it('Responses items: custom tools take an object, encrypted reasoning stays behind', () => {
    const { body, losses } = bodyOf('anthropic', [
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', summary: [], encrypted_content: 'gAAAA' },
          { type: 'output_text', text: 'done', annotations: [{ type: 'url_citation', url: 'u' }] },
          { type: 'custom_tool_call', call_id: 'c', name: 'patch', input: '*** Begin' },
        ],
      },
    ]);
    expect(body.messages[0].content).toEqual([
      { type: 'text', text: 'done' },
      { type: 'tool_use', id: 'c', name: 'patch', input: { input: '*** Begin' } },
    ]);
    expect(losses).toEqual([
      'encrypted left_out 0 content[0]',
      'citation left_out 0 content[1].annotations',
      'custom_tool changed 0 content[2]',
    ]);
  });

  it('Gemini parts: calls without ids get that of their result', () => {
    const { body, losses } = bodyOf('anthropic', [
      { role: 'model', parts: [{ functionCall: { name: 'ls', args: { a: 1 } }, thoughtSignature: 's' }] },
      { role: 'user', parts: [{ functionResponse: { id: 'ls-1', name: 'ls', response: { output: 'a.txt' } } }] },
    ]);
    expect(body.messages).toEqual([
      { role: 'assistant', content: [{ type: 'tool_use', id: 'ls-1', name: 'ls', input: { a: 1 } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'ls-1', content: 'a.txt' }] },
    ]);
    expect(losses).toEqual(['signature left_out 0 parts[0].thoughtSignature', 'id changed 0 parts[0].functionCall']);
  });

  it('reasoning with a signature goes only back to who signed it', () => {
    const message = { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: 's' }] };
    expect(bodyOf('anthropic', [message], { models: ['claude-opus-4-5'] }).losses).toEqual([]);
    const other = bodyOf('anthropic', [message], { models: ['gpt-5'] });
    expect(other.losses).toEqual(['thinking left_out 0 content[0]', 'message left_out 0']);
    expect(other.body.messages).toEqual([]);
  });

  it('pi: signatures under another name', () => {
    const { body } = bodyOf('anthropic', [
      { role: 'user', content: 'a', timestamp: 1 },
      {
        role: 'assistant',
        provider: 'anthropic',
        api: 'anthropic-messages',
        model: 'claude-opus-4-5',
        content: [
          { type: 'thinking', thinking: 'hm', thinkingSignature: 'sig' },
          { type: 'toolCall', id: 'c', name: 'ls', arguments: { a: 1 } },
        ],
      },
      { role: 'toolResult', toolCallId: 'c', toolName: 'ls', content: [{ type: 'text', text: 'x' }], isError: false },
    ]);
    expect(body.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'sig' },
          { type: 'tool_use', id: 'c', name: 'ls', input: { a: 1 } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'x' }] }],
      },
    ]);
  });
});

describe('to OpenAI chat completions', () => {
  it('Anthropic: each result a message, its image in a user message behind', () => {
    const { body, losses } = bodyOf('openai', ANTHROPIC);
    expect(body.messages).toEqual([
      { role: 'user', content: 'look' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'toolu_1', type: 'function', function: { name: 'shot', arguments: '{"n":1}' } }],
      },
      { role: 'tool', tool_call_id: 'toolu_1', content: 'seen' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
      { role: 'user', content: 'well?' },
    ]);
    expect(losses).toEqual([
      'cache_control left_out 0 content[0].cache_control',
      'thinking left_out 1 content[0]',
      'error_flag left_out 2 content[0]',
      'image changed 2 content[0].content[1]',
    ]);
  });

  it('arguments keep their digits both ways', () => {
    const call =
      '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{"big":12345678901234567890,"one":1.0}}]}';
    const chat = bodyText(write('openai', [call]));
    expect(chat).toContain(String.raw`{\"big\":12345678901234567890,\"one\":1.0}`);
    const again = JSON.parse(chat).messages.map((message: unknown) => JSON.stringify(message));
    expect(bodyText(write('anthropic', again))).toContain('"input":{"big":12345678901234567890,"one":1.0}');
  });
});

describe('to OpenAI Responses', () => {
  it('Anthropic: items, images inside outputs', () => {
    const { body } = bodyOf('responses', ANTHROPIC);
    expect(body.input).toEqual([
      { role: 'user', content: 'look' },
      { type: 'function_call', call_id: 'toolu_1', name: 'shot', arguments: '{"n":1}' },
      {
        type: 'function_call_output',
        call_id: 'toolu_1',
        output: [
          { type: 'input_text', text: 'seen' },
          { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,AAAA' },
        ],
      },
      { role: 'user', content: 'well?' },
    ]);
  });

  it('blocks of an answer become its items again; outputs are named after their calls', () => {
    const answer = {
      role: 'assistant',
      content: [
        { type: 'reasoning', summary: [], encrypted_content: 'g' },
        { type: 'output_text', text: 'a' },
        { type: 'output_text', text: 'b' },
        { type: 'custom_tool_call', call_id: 'c', name: 'patch', input: 'x' },
      ],
    };
    const { body, losses } = bodyOf('responses', [answer, { role: 'tool', tool_call_id: 'c', content: 'ok' }], {
      format: 'codex',
    });
    expect(body.input).toEqual([
      answer.content[0],
      { type: 'message', role: 'assistant', content: [answer.content[1], answer.content[2]] },
      answer.content[3],
      { type: 'custom_tool_call_output', call_id: 'c', output: 'ok' },
    ]);
    expect(losses).toEqual([]);
  });
});

describe('to Gemini', () => {
  it('Anthropic: responses carry the name of their call, thoughts go without the signature', () => {
    const { body, losses } = bodyOf('gemini', ANTHROPIC);
    expect(body.contents).toEqual([
      { role: 'user', parts: [{ text: 'look' }] },
      {
        role: 'model',
        parts: [{ text: 'hm', thought: true }, { functionCall: { id: 'toolu_1', name: 'shot', args: { n: 1 } } }],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'toolu_1', name: 'shot', response: { error: 'seen' } } },
          { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
          { text: 'well?' },
        ],
      },
    ]);
    expect(losses).toContain('signature changed 1 content[0]');
  });
});

describe('what nobody should write', () => {
  it('a call by a user, a blank system text', () => {
    const { body, losses } = bodyOf('anthropic', [
      {
        role: 'user',
        content: [
          { type: 'tool_use', id: 'a', name: 'f', input: {} },
          { type: 'text', text: 'go' },
        ],
      },
      { role: 'system', content: '' },
      { role: 'system', content: [{ type: 'text', text: '' }] },
    ]);
    expect(body.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'go' }] }]);
    expect(losses).toEqual(['server_tool left_out 0 content[0]']);
  });

  it('answers that follow each other because what stood between was left out: one content', () => {
    const { body, losses } = bodyOf('gemini', [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://x/y.png' } }] },
      { role: 'assistant', content: 'c' },
    ]);
    expect(body.contents[1]).toEqual({ role: 'model', parts: [{ text: 'b' }, { text: 'c' }] });
    expect(losses).toEqual(['image_url left_out 2 content[0]', 'message left_out 2']);
  });
});

describe('what stands around the messages', () => {
  const TOOLS = {
    anthropic: [{ name: 'f', description: 'd', input_schema: { type: 'object', properties: {} } }],
    openai: [
      { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object', properties: {} } } },
    ],
    responses: [
      { type: 'function', name: 'f', description: 'd', parameters: { type: 'object', properties: {} }, strict: false },
    ],
    gemini: [
      {
        functionDeclarations: [
          { name: 'f', description: 'd', parametersJsonSchema: { type: 'object', properties: {} } },
        ],
      },
    ],
  };
  it.each(WIRE_TARGETS.flatMap((from) => WIRE_TARGETS.map((to) => [from, to] as const)))(
    'tools of %s for %s',
    (from, to) => {
      const { body, losses } = bodyOf(to, [], { toolsJson: JSON.stringify(TOOLS[from]) });
      expect(body.tools).toEqual(TOOLS[to]);
      expect(losses).toEqual([]);
    },
  );

  it('tools that a provider runs are told, grammars are moved', () => {
    const tools = [
      { type: 'web_search_20250305', name: 'web_search' },
      { type: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 's' } },
    ];
    const { body, losses } = bodyOf('openai', [], { toolsJson: JSON.stringify(tools) });
    expect(body.tools).toEqual([
      {
        type: 'custom',
        custom: { name: 'patch', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 's' } } },
      },
    ]);
    expect(losses).toEqual(['tool left_out null tools[0]']);
  });

  it('Gemini’s schemas become JSON schemas', () => {
    const tools = [
      { functionDeclarations: [{ name: 'f', parameters: { type: 'OBJECT', properties: { a: { type: 'STRING' } } } }] },
    ];
    const { body } = bodyOf('anthropic', [], { toolsJson: JSON.stringify(tools) });
    expect(body.tools).toEqual([
      { name: 'f', input_schema: { type: 'object', properties: { a: { type: 'string' } } } },
    ]);
  });

  it('the system prompt in each form', () => {
    const systemJson = JSON.stringify([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b', cache_control: { type: 'ephemeral' } },
    ]);
    expect(bodyOf('anthropic', [], { systemJson }).body.system).toEqual(JSON.parse(systemJson));
    expect(bodyOf('openai', [], { systemJson }).body.messages).toEqual([{ role: 'system', content: 'a\n\nb' }]);
    expect(bodyOf('gemini', [], { systemJson }).body.systemInstruction).toEqual({
      parts: [{ text: 'a' }, { text: 'b' }],
    });
    const { body, losses } = bodyOf('responses', [], { systemJson });
    expect(body.instructions).toBe('a\n\nb');
    expect(losses).toEqual(['cache_control left_out null system[1].cache_control']);
  });

  it('what is not recorded is chosen and said', () => {
    const body = write('anthropic', []);
    expect(body.chosen.map(({ field, value }) => [field, value])).toEqual([
      ['model', 'claude-sonnet-4-5'],
      ['max_tokens', '8192'],
    ]);
    expect(write('anthropic', [], {}, { model: 'm', maxTokens: 5 }).chosen).toEqual([]);
    expect(write('gemini', [], { models: ['gemini-3-pro'] }).url).toMatch(/models\/gemini-3-pro:generateContent$/);
  });
});

describe('recorded on the very wire', () => {
  const odd = '{ "role":"user", "content":"a\\u0041", "custom":1.0 }';
  it('goes out byte for byte', () => {
    const body = write('openai', [odd], { format: 'openai-chat' });
    expect(bodyText(body)).toContain(odd);
    expect(body.losses).toEqual([]);
  });
  it('but strictly without what the types do not know', () => {
    const body = write('openai', [odd], { format: 'openai-chat' }, { strict: true });
    expect(JSON.parse(bodyText(body)).messages).toEqual([{ role: 'user', content: 'aA' }]);
    expect(body.losses).toMatchObject([{ kind: 'metadata', index: 0, path: 'custom' }]);
  });
});

it('gives no text for what a tool search found, where a stage put one in its place', () => {
  const call = { type: 'tool_search_call', call_id: 's1', status: 'completed', execution: 'client', arguments: {} };
  const messages = [
    { role: 'assistant', content: [call] },
    { role: 'tool', tool_call_id: 's1', content: '[tool result cleared]' },
  ];
  const { body, losses } = bodyOf('responses', messages, { format: 'codex' });
  expect(body.input.at(-1)).toEqual({ type: 'tool_search_output', call_id: 's1', tools: [] });
  expect(losses).toEqual(['tool left_out 1']);
});
