// What a provider, an API or a model named alone stands for: the rules and the wire format of its own requests.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { WIRES } from '../../core/stages/hygiene/index.ts';
import { sha256Hex } from '../../core/util/hash.ts';
import { createMemo } from '../../core/view/memo.ts';
import { rawView } from '../../core/view/reader.ts';
import { lintView } from '../../core/wire/lint.ts';

const MESSAGES = [{ role: 'user', content: 'hi' }];

function linted(
  target: { provider?: string; modelApi?: string; modelId?: string },
  messages: readonly unknown[] = MESSAGES,
) {
  const source = memorySource(messages.map((message) => JSON.stringify(message)));
  const memo = createMemo();
  const view = rawView(source, source.length, memo);
  return lintView({ view, source, memo, sha256: sha256Hex, provider: '', modelApi: '', modelId: '', ...target });
}

const { anthropic, gemini, 'openai-chat': chat, 'openai-responses': responses } = WIRES;

describe('the wire format of a target', () => {
  it.each([
    [{ provider: 'anthropic' }, anthropic],
    [{ provider: 'Claude' }, anthropic],
    [{ provider: 'minimax' }, anthropic],
    [{ provider: 'minimax', modelApi: 'openai-completions' }, chat],
    [{ provider: 'google' }, gemini],
    [{ provider: ' Gemini ' }, gemini],
    [{ provider: 'google-gemini-cli' }, gemini],
    [{ provider: 'google-antigravity', modelId: 'claude-opus-4-6' }, gemini],
    [{ provider: 'google', modelApi: 'openai-completions' }, chat],
    [{ provider: 'openai' }, chat],
    [{ provider: 'openai-codex' }, responses],
    [{ provider: 'openai', modelApi: 'responses' }, responses],
    [{ provider: 'azure', modelApi: 'openai-responses' }, responses],
    [{ modelApi: 'anthropic' }, anthropic],
    [{ modelApi: 'responses' }, responses],
    [{ modelApi: 'gemini' }, gemini],
    [{ modelApi: 'chat' }, chat],
    [{ modelId: 'claude-sonnet-4-5' }, anthropic],
    [{ modelId: 'models/gemini-2.5-pro' }, gemini],
    [{ modelId: 'gpt-5' }, chat],
    [{ provider: 'openrouter', modelId: 'anthropic/claude-sonnet-4-5' }, chat],
    [{ provider: 'amazon-bedrock', modelId: 'anthropic.claude-v2' }, chat],
    [{ provider: 'mistral' }, chat],
  ])('%j', (target, wire) => {
    expect(linted(target).wire).toBe(wire.title);
  });

  it('is that of the last answer’s provider where nobody names one', () => {
    const answer = {
      role: 'assistant',
      content: [{ type: 'text', text: 'hi' }],
      provider: 'google',
      model: 'gemini-3',
    };
    expect(linted({}, [...MESSAGES, answer])).toMatchObject({
      wire: gemini.title,
      how: 'google · google-generative-ai · gemini-3, as recorded',
    });
  });
});

it('says of a name that it has no rules of its own: it may be misspelt', () => {
  expect(linted({ provider: 'antrhopic' }).how).toBe('antrhopic, which has no specific rules');
  expect(linted({ provider: 'openrouter', modelId: 'gemini-3' }).how).toBe('openrouter · gemini-3');
});
