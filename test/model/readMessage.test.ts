import { describe, expect, it } from 'vitest';
import type { MessageFacts } from '../../core/model/message.ts';
import { partExactText, partText } from '../../core/model/partText.ts';
import { answers, callsOf, readMessage, resultsOf } from '../../core/model/readMessage.ts';

/** One line per part: kind, path, chars and what only some parts have. */
function brief(facts: MessageFacts): string[] {
  return facts.parts.map((part) => {
    const id = part.callId === undefined ? '' : ` id=${part.callId}`;
    const name = part.name === undefined ? '' : ` name=${part.name}`;
    const error = part.isError ? ' error' : '';
    const signed = part.signed ? ' signed' : '';
    return `${part.kind}/${part.category} ${part.path.join('.')} ${part.chars}${id}${name}${error}${signed}`;
  });
}

describe('calls of every shape are read alike', () => {
  it.each([
    ['OpenAI', { tool_calls: [{ id: 'c', type: 'function', function: { name: 'run', arguments: '{"a":1}' } }] }],
    ['Harn', { tool_calls: [{ id: 'c', name: 'run', arguments: { a: 1 } }] }],
    ['tool_call_id', { tool_calls: [{ tool_call_id: 'c', name: 'run', arguments: { a: 1 } }] }],
    ['Anthropic', { content: [{ type: 'tool_use', id: 'c', name: 'run', input: { a: 1 } }] }],
    ['toolCall', { content: [{ type: 'toolCall', id: 'c', name: 'run', arguments: { a: 1 } }] }],
    ['toolUse', { content: [{ type: 'toolUse', id: 'c', name: 'run', input: { a: 1 } }] }],
    ['functionCall', { content: [{ type: 'functionCall', id: 'c', name: 'run', arguments: { a: 1 } }] }],
  ])('%s', (_shape, fields) => {
    const calls = callsOf(readMessage({ role: 'assistant', ...fields }));
    expect(calls.map(({ part }) => [part.callId, part.name, part.chars])).toEqual([['c', 'run', 7]]);
  });

  it('reads what OpenAI’s own patch tool is to do as its arguments', () => {
    const operation = { type: 'update_file', path: 'a.ts', diff: '@@\n-x\n+y\n' };
    const message = { role: 'assistant', content: [{ type: 'apply_patch_call', call_id: 'c', operation }] };
    const facts = readMessage(message);
    const text = JSON.stringify(operation);
    expect(brief(facts)).toEqual([`tool_call/tool_call content.0 ${text.length} id=c name=apply_patch`]);
    expect(partExactText(message, facts.parts[0]!)).toBe(text);
  });

  it('lists tool_calls before blocks, whatever the order of the parts', () => {
    const facts = readMessage({
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'block', name: 'b' }],
      tool_calls: [{ id: 'field', name: 'a' }],
    });
    expect(callsOf(facts).map(({ part, at }) => [part.callId, at])).toEqual([
      ['field', 1],
      ['block', 0],
    ]);
  });

  it('reads a legacy function_call, which has no id', () => {
    const facts = readMessage({ role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } });
    expect(brief(facts)).toEqual(['tool_call/tool_call function_call 2 id=null name=f']);
  });
});

describe('results of every shape are read alike', () => {
  it.each([
    ['tool', { role: 'tool', tool_call_id: 'c', name: 'run', content: 'ok' }],
    ['tool_result', { role: 'tool_result', tool_use_id: 'c', name: 'run', content: 'ok' }],
    ['toolResult', { role: 'toolResult', toolCallId: 'c', toolName: 'run', content: 'ok' }],
    ['block', { role: 'user', name: 'run', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'ok' }] }],
    [
      'block tool_call_id',
      { role: 'user', content: [{ type: 'tool_result', tool_call_id: 'c', name: 'run', content: 'ok' }] },
    ],
    ['block id', { role: 'user', content: [{ type: 'tool_result', id: 'c', name: 'run', content: 'ok' }] }],
    [
      'wrapped block',
      { role: 'tool', content: [{ type: 'tool_result', tool_use_id: 'c', name: 'run', content: 'ok' }] },
    ],
  ])('%s', (_shape, message) => {
    const facts = readMessage(message);
    expect(resultsOf(facts).map(({ part }) => [part.callId, part.name, part.chars, part.isError])).toEqual([
      ['c', 'run', 2, false],
    ]);
    expect(facts.beginsTurn).toBe(false);
  });

  it('a tool message is one result, whatever blocks it holds, unless only they name their calls', () => {
    const content = [{ type: 'tool_result', content: 'x', is_error: false }];
    const inner = JSON.stringify(content).length;
    expect(brief(readMessage({ role: 'tool', name: 'run', content }))).toEqual([
      `tool_result/tool_result  ${inner} id=null name=run`,
    ]);
  });

  it('a result with a missing name or id has null', () => {
    expect(brief(readMessage({ role: 'tool', content: 'x' }))).toEqual([
      'tool_result/tool_result  1 id=null name=null',
    ]);
  });

  it('pairs by id if both have one, by name only if one has none', () => {
    const call = { kind: 'tool_call', category: 'tool_call', path: [], chars: 0, callId: 'a', name: 'run' } as const;
    const result = { ...call, kind: 'tool_result' } as const;
    expect(answers(result, call)).toBe(true);
    expect(answers({ ...result, callId: 'b' }, call)).toBe(false);
    expect(answers({ ...result, callId: null }, call)).toBe(true);
    expect(answers({ ...result, callId: null, name: 'ls' }, call)).toBe(false);
    expect(answers({ ...result, callId: null, name: null }, { ...call, name: null })).toBe(false);
  });
});

describe('the error test', () => {
  it.each([
    [{ is_error: true, content: 'x' }, true],
    [{ is_error: false, error: true, content: 'x' }, false],
    [{ is_error: 'true', content: 'x' }, false],
    [{ error: true, content: 'x' }, true],
    [{ error: 'boom', content: 'x' }, false],
    [{ isError: true, content: 'x' }, true],
    [{ status: 'failed', content: 'x' }, true],
    [{ status: 'denied', is_error: false, content: 'x' }, true],
    [{ status: 'ok', content: 'x' }, false],
    [{ content: ' \n\u3000ERROR: no' }, true],
    [{ content: 'Tool errored' }, true],
    [{ content: 'failed: no' }, true],
    [{ content: 'failed to run' }, false],
    [{ content: '\ufefferror: a byte order mark is no white space' }, false],
    [{ content: 'no error: here' }, false],
    [{ content: { is_error: true } }, true],
    [{ content: [{ type: 'text', text: 'Error: inside a block' }] }, false],
    [{ content: `${' '.repeat(5000)}error: late` }, true],
    [{}, false],
  ])('%j → %s', (node, expected) => {
    expect(resultsOf(readMessage({ role: 'tool', ...node }))[0]?.part.isError).toBe(expected);
    const block = { type: 'tool_result', ...node };
    expect(resultsOf(readMessage({ role: 'user', content: [block] }))[0]?.part.isError).toBe(expected);
  });
});

describe('reasoning and its signatures', () => {
  it.each([
    [
      { content: [{ type: 'thinking', thinking: 'hm', signature: 's' }] },
      ['thinking/thinking content.0 2 signed'],
      true,
    ],
    [{ content: [{ type: 'thinking', thinking: 'hm' }] }, ['thinking/thinking content.0 2'], false],
    [{ content: [{ type: 'thinking', thinking: '', signature: 's' }] }, ['opaque/thinking content.0 0 signed'], true],
    [{ content: [{ type: 'redacted_thinking', data: 'xx' }] }, ['opaque/thinking content.0 0 signed'], true],
    [
      { content: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'ab' }] }] },
      ['thinking/thinking content.0 2'],
      false,
    ],
    [{ content: 'x', thinking_signature: 's' }, ['text/assistant content 1'], true],
    [
      { content: 'x', reasoning_content: 'why' },
      ['thinking/thinking reasoning_content 3', 'text/assistant content 1'],
      false,
    ],
  ])('%j', (fields, parts, signed) => {
    const facts = readMessage({ role: 'assistant', ...fields });
    expect([brief(facts), facts.signed]).toEqual([parts, signed]);
  });
});

describe('other content', () => {
  it.each([
    [{ role: 'user', content: 'a😀' }, ['text/user content 2']],
    [{ role: 'system', content: 'x' }, ['text/system content 1']],
    [{ role: 'developer', content: 'x' }, ['text/system content 1']],
    [{ role: 'assistant', content: null }, []],
    [{ role: 'assistant' }, []],
    [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:' } }] }, ['image/image content.0 0']],
    [
      { role: 'user', content: [{ type: 'input_image' }, { type: 'image' }] },
      ['image/image content.0 0', 'image/image content.1 0'],
    ],
    [{ role: 'user', content: [{ type: 'document' }] }, ['file/user content.0 0']],
    [{ role: 'user', content: ['loose', { text: 'untyped' }] }, ['text/user content.0 5', 'text/user content.1 7']],
    [{ role: 'user', content: [{ type: 'novelty', a: 1 }, 7] }, ['other/user content.0 24', 'other/user content.1 1']],
    [
      { role: 'assistant', content: [{ type: 'server_tool_use', name: 'web' }, { type: 'web_search_tool_result' }] },
      ['other/tool_call content.0 39 name=web', 'other/tool_result content.1 33 name=web_search'],
    ],
    [{ role: 'user', content: { type: 'text', text: 'lone' } }, ['text/user content 4']],
    [{ role: 7, content: 8 }, ['other/user content 1']],
    ['just text', ['other/user  9']],
    [null, ['other/user  4']],
  ])('%j', (message, parts) => {
    expect(brief(readMessage(message))).toEqual(parts);
  });

  it('survives nesting that exhausts a recursive printer', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
    expect(readMessage({ role: 'tool', content: deep }).parts[0]?.chars).toBe(40_000);
  });
});

describe('a user message that holds only results begins no turn', () => {
  const result = { type: 'tool_result', tool_use_id: 'c', content: 'ok' };
  it.each([
    [{ role: 'user', content: 'hi' }, true],
    [{ role: 'user', content: '' }, true],
    [{ role: 'user', content: [result] }, false],
    [{ role: 'user', content: [result, { type: 'text', text: 'and' }] }, true],
    [{ role: 'assistant', content: 'hi' }, false],
  ])('%j → %s', (message, expected) => {
    expect(readMessage(message).beginsTurn).toBe(expected);
  });
});

describe('the text of a part', () => {
  it('is exact for counting and readable for people', () => {
    const blocks = [
      { type: 'text', text: 'a' },
      { type: 'image', source: {} },
    ];
    const message = { role: 'tool', tool_call_id: 'c', content: blocks };
    const part = readMessage(message).parts[0]!;
    expect(partExactText(message, part)).toBe(JSON.stringify(blocks));
    expect(partText(message, part)).toBe('a\n[image]');
  });

  it('is as long as chars says', () => {
    const message = {
      role: 'assistant',
      reasoning_content: 'why',
      content: [
        { type: 'text', text: 'é😀' },
        { type: 'thinking', thinking: 't' },
        { type: 'new', x: 1 },
      ],
      tool_calls: [{ id: 'c', function: { name: 'run', arguments: '{ "a": 1 }' } }],
    };
    for (const part of readMessage(message).parts) {
      expect([...partExactText(message, part)].length).toBe(part.chars);
    }
  });
});
