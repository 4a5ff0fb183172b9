// Messages of the Gemini API: role model, parts instead of content.
import { describe, expect, it } from 'vitest';
import { partExactText, partText } from '../../core/model/partText.ts';
import { answers, readMessage } from '../../core/model/readMessage.ts';
import { scalarCount } from '../../core/util/chars.ts';
import { removeParts } from '../../core/view/editMessage.ts';

const model = (...parts: unknown[]): unknown => ({ role: 'model', parts });
const user = (...parts: unknown[]): unknown => ({ role: 'user', parts });
const call = { functionCall: { id: 'c1', name: 'ls', args: { dir: '.' } } };
const answer = (response: unknown, more: object = {}): unknown =>
  user({ functionResponse: { id: 'c1', name: 'ls', response }, ...more });

describe('parts', () => {
  it.each([
    ['text', model({ text: 'hé' }), { kind: 'text', category: 'assistant', path: ['parts', 0], chars: 2 }],
    ['text of a person', user({ text: 'h' }), { kind: 'text', category: 'user' }],
    ['a thought', model({ text: 'hm', thought: true }), { kind: 'thinking', category: 'thinking', signed: false }],
    ['a signed text', model({ text: 'x', thoughtSignature: 'S' }), { kind: 'text', signed: true }],
    ['a call', model(call), { kind: 'tool_call', callId: 'c1', name: 'ls', path: ['parts', 0, 'functionCall'] }],
    ['a call in snake case', model({ function_call: { name: 'ls', args: {} } }), { kind: 'tool_call', callId: null }],
    ['a result', answer({ output: 'a' }), { kind: 'tool_result', callId: 'c1', name: 'ls', isError: false, chars: 14 }],
    ['an error', answer({ error: 'no' }), { kind: 'tool_result', isError: true }],
    ['an output that says error', answer({ output: 'Error: no' }), { isError: true }],
    ['a failed status', answer({ output: '' }, { status: 'error' }), { isError: true }],
    ['an image', user({ inlineData: { mimeType: 'image/png', data: 'AAAA' } }), { kind: 'image', category: 'image' }],
    ['a document', user({ inline_data: { mime_type: 'application/pdf', data: 'A' } }), { kind: 'file' }],
    ['a link', user({ fileData: { mimeType: 'image/png', fileUri: 'gs://x' } }), { kind: 'image' }],
    [
      'code',
      model({ executableCode: { code: '1' } }),
      { kind: 'other', category: 'tool_call', name: 'code_execution' },
    ],
    ['a typed part', model({ type: 'text', text: 'x' }), { kind: 'text', chars: 1 }],
  ])('reads %s', (_name, message, part) => {
    const facts = readMessage(message);
    expect(facts.parts).toMatchObject([part]);
    const [read] = facts.parts;
    if (read) expect(scalarCount(partExactText(message, read))).toBe(read.chars);
  });

  it('says what a message is', () => {
    expect(readMessage(model(call))).toMatchObject({ role: 'assistant', signed: false, beginsTurn: false });
    expect(readMessage(model({ ...call, thoughtSignature: 'S' })).signed).toBe(true);
    expect(readMessage(answer({}))).toMatchObject({ role: 'user', beginsTurn: false });
    expect(readMessage(user({ text: 'x' })).beginsTurn).toBe(true);
    expect(readMessage({ role: 'model', content: 'x' }).role).toBe('model');
  });

  it('pairs by id, else by name', () => {
    const [asked] = readMessage(model(call)).parts;
    const [unnamed] = readMessage(user({ functionResponse: { name: 'ls', response: {} } })).parts;
    const [other] = readMessage(user({ functionResponse: { id: 'c2', name: 'ls', response: {} } })).parts;
    if (!asked || !unnamed || !other) throw new Error('no parts');
    expect([answers(unnamed, asked), answers(other, asked)]).toEqual([true, false]);
  });

  it('shows the output alone, and the rest as JSON', () => {
    const shown = (message: unknown): string[] => readMessage(message).parts.map((part) => partText(message, part));
    expect(shown(answer({ output: 'a\nb' }))).toEqual(['a\nb']);
    expect(shown(answer({ output: 'a', more: 1 }))).toEqual(['{"output":"a","more":1}']);
  });

  it('removes parts from the text and leaves the rest as it was', () => {
    const text = '{"parts": [ {"text":"a"}, {"functionCall":{"name":"ls"}} ],"role":"model"}';
    const facts = readMessage(JSON.parse(text));
    expect(JSON.parse(removeParts(text, facts, new Set([1])))).toEqual({ parts: [{ text: 'a' }], role: 'model' });
  });

  it('reads the call a tau2 result names by its own id', () => {
    const result = { role: 'tool', id: 'c1', content: 'x', error: true };
    expect(readMessage({ ...result, requestor: 'assistant' }).parts).toMatchObject([{ callId: 'c1', isError: true }]);
    expect(readMessage(result).parts).toMatchObject([{ callId: null }]);
  });

  it('reads the call a SWE-agent result names in a list', () => {
    const result = { role: 'tool', content: 'x', tool_call_ids: ['c1'] };
    expect(readMessage(result).parts).toMatchObject([{ callId: 'c1' }]);
    expect(readMessage({ ...result, tool_call_ids: ['c1', 'c2'] }).parts).toMatchObject([{ callId: null }]);
  });
});
