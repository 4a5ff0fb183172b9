// Whose rules a transcript goes by: as its answers record it, by its format, by its model, by the shape of its messages, in
// this order; the lint and the request that is written choose alike.
import { describe, expect, it } from 'vitest';
import { defaultTarget } from '../../core/reproduce/index.ts';
import { sha256Hex } from '../../core/util/hash.ts';
import { createMemo } from '../../core/view/memo.ts';
import { lintView } from '../../core/wire/lint.ts';
import { TARGETS, WIRE_TARGETS, type WireTarget } from '../../core/wire/types.ts';
import { transcriptOf } from '../support/projecting.ts';

type Shape = 'texts' | 'anthropic' | 'openai' | 'responses' | 'gemini';

/** Messages of each shape; texts alone have none. */
const MESSAGES: Readonly<Record<Shape, readonly unknown[]>> = {
  texts: [
    { role: 'user', content: 'Where is the port?' },
    { role: 'assistant', content: 'In the north.' },
  ],
  anthropic: [
    { role: 'user', content: 'Where?' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'find', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'north' }] },
  ],
  openai: [
    { role: 'user', content: 'Where?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'find', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'north' },
  ],
  responses: [
    { role: 'user', content: 'Where?' },
    { role: 'assistant', content: [{ type: 'output_text', text: 'In the north.' }] },
  ],
  gemini: [
    { role: 'user', parts: [{ text: 'Where?' }] },
    { role: 'model', parts: [{ text: 'In the north.' }] },
  ],
};

const SHAPES = Object.keys(MESSAGES) as Shape[];

/** The target that a shape alone shows; null = none. */
const BY_SHAPE: Readonly<Record<Shape, WireTarget | null>> = {
  ...{ texts: null, anthropic: 'anthropic', openai: 'openai', responses: 'responses', gemini: 'gemini' },
};

const MODELS: readonly (readonly [string | undefined, (shape: Shape) => WireTarget | null])[] = [
  [undefined, (shape) => BY_SHAPE[shape]],
  ['claude-sonnet-4-6', () => 'anthropic'],
  ['anthropic.claude-opus-4-5-v1:0', () => 'anthropic'],
  ['gemini-2.5-pro', () => 'gemini'],
  ['gpt-4o-mini', (shape) => (shape === 'openai' ? 'openai' : 'responses')],
  ['o3', (shape) => (shape === 'openai' ? 'openai' : 'responses')],
  ['mistral-large-latest', () => 'openai'],
  // Whose it is, is not known: the shape decides.
  ['glm-4.6', (shape) => BY_SHAPE[shape]],
];

/** Formats of providers, and some that record whoever is asked. */
const FORMATS: readonly (readonly [string | undefined, WireTarget | null])[] = [
  ...WIRE_TARGETS.flatMap((target) => TARGETS[target].formats.map((format) => [format, target] as const)),
  ['ai-sdk', null],
  ['langfuse', null],
  [undefined, null],
];

function chosen(messages: readonly unknown[], recorded: { readonly format?: string; readonly model?: string }) {
  const source = transcriptOf([...messages]);
  const view = { items: messages.map((_, index) => ({ kind: 'source', index }) as const) };
  const target = { provider: '', modelApi: '', modelId: '' };
  const lint = lintView({ view, source, memo: createMemo(), sha256: sha256Hex, ...target, recorded });
  const at = messages.length;
  return { lint: lint.target, how: lint.how, body: defaultTarget({ source, at, memo: createMemo() }, recorded) };
}

const CASES = FORMATS.flatMap(([format, own]) =>
  MODELS.flatMap(([model, byModel]) =>
    SHAPES.map((shape) => ({ format, model, shape, wanted: own ?? byModel(shape) })),
  ),
);

describe('whose rules a request goes by', () => {
  it.each(CASES)('$format, $model, $shape: $wanted', ({ format, model, shape, wanted }) => {
    const recorded = { ...(format !== undefined && { format }), ...(model !== undefined && { model }) };
    const { lint, body } = chosen(MESSAGES[shape], recorded);
    // Where nothing shows it, the lint has the rules for all others, and a request goes to Anthropic.
    expect(lint).toBe(wanted ?? 'openai');
    expect(body).toBe(wanted ?? 'anthropic');
  });

  it('is what the last answer records before all of these', () => {
    const [asked, answer] = MESSAGES.texts;
    const said = [asked, { ...Object(answer), provider: 'google', api: 'google-generative-ai', model: 'gemini-3-pro' }];
    const { lint, body, how } = chosen(said, { format: 'anthropic-messages', model: 'claude-opus-4-5' });
    expect([lint, body]).toEqual(['gemini', 'gemini']);
    expect(how).toContain('as recorded');
  });

  it('is said with its reason', () => {
    const { texts } = MESSAGES;
    expect(chosen(texts, { format: 'anthropic-messages' }).how).toBe(
      'profile anthropic, by the format of the transcript',
    );
    expect(chosen(texts, { model: 'gpt-5' }).how).toBe('profile openai-responses, by the model gpt-5');
    expect(chosen(texts, {}).how).toBe('profile other, by the shape of the messages');
  });
});
