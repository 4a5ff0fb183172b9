import { describe, expect, test } from 'vitest';
import { ESTIMATE, isTokenizerId, loadCounter, loadEncoding, utf8Length } from '../../core/tokens/counters.ts';
import { bareModelId, modelFacts } from '../../core/tokens/models.ts';

describe('modelFacts', () => {
  test.each([
    ['gpt-4o-mini-2024-07-18', 'o200k_base', true, 128_000, 'openai-4o-mini'],
    ['openai/gpt-4o', 'o200k_base', true, 128_000, 'openai'],
    ['gpt-4.1', 'o200k_base', true, 1_047_576, 'openai'],
    ['gpt-4.1-mini-2025-04-14', 'o200k_base', true, 1_047_576, 'openai-patch'],
    ['gpt-5', 'o200k_base', true, 400_000, 'openai-gpt5'],
    ['gpt-5-mini-2025-08-07', 'o200k_base', true, 400_000, 'openai-patch'],
    ['gpt-5-chat-latest', 'o200k_base', true, 128_000, 'openai-gpt5'],
    ['gpt-5.1-codex', 'o200k_base', true, 400_000, 'openai-gpt5'],
    ['gpt-5.3-codex-spark', 'o200k_base', true, 128_000, 'openai-gpt5'],
    ['gpt-5.5', 'o200k_base', true, 1_050_000, 'openai-gpt5'],
    ['gpt-5.9', 'o200k_base', true, null, 'openai-gpt5'],
    ['o1-mini', 'o200k_base', true, 128_000, 'openai-o'],
    ['o3', 'o200k_base', true, 200_000, 'openai-o'],
    ['o4-mini-2025-04-16', 'o200k_base', true, 200_000, 'openai-patch'],
    ['gpt-4', 'cl100k_base', true, 8_192, 'openai'],
    ['gpt-4-0613', 'cl100k_base', true, 8_192, 'openai'],
    ['gpt-4-turbo', 'cl100k_base', true, 128_000, 'openai'],
    ['gpt-3.5-turbo', 'cl100k_base', true, 16_385, 'openai'],
    ['gpt-3.5-turbo-0613', 'cl100k_base', true, 4_096, 'openai'],
    ['claude-sonnet-4-20250514', 'o200k_base', false, 200_000, 'anthropic'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'o200k_base', false, 200_000, 'anthropic'],
    ['claude-sonnet-4-5[1m]', 'o200k_base', false, 1_000_000, 'anthropic'],
    ['claude-3-5-sonnet-20241022', 'o200k_base', false, 200_000, 'anthropic'],
    ['claude-opus-4-1-20250805', 'o200k_base', false, 200_000, 'anthropic'],
    ['claude-opus-4-6', 'o200k_base', false, 1_000_000, 'anthropic'],
    ['claude-opus-4.8', 'o200k_base', false, 1_000_000, 'anthropic-large'],
    ['claude-haiku-4-5-20251001', 'o200k_base', false, 200_000, 'anthropic'],
    ['claude-fable-5', 'o200k_base', false, 1_000_000, 'anthropic-large'],
    ['sonnet', 'o200k_base', false, null, 'anthropic'],
    ['gemini-2.5-flash', 'o200k_base', false, 1_048_576, 'gemini'],
    ['gemini-1.5-pro-002', 'o200k_base', false, 2_097_152, 'gemini'],
    ['llama3.1', 'o200k_base', false, null, 'anthropic'],
    ['', 'o200k_base', false, null, 'anthropic'],
    [null, 'o200k_base', false, null, 'anthropic'],
  ] as const)('%s', (model, tokenizer, exact, window, images) => {
    const label = exact ? `exact with ${tokenizer}` : `estimated with ${tokenizer}`;
    expect(modelFacts(model)).toEqual({ tokenizer, exact, window, images, label });
  });

  test('bareModelId strips provider paths, regions and vendors', () => {
    expect(bareModelId('openrouter/anthropic/Claude-Opus-4.5')).toBe('claude-opus-4-5');
    expect(bareModelId('eu.anthropic.claude-3-haiku')).toBe('claude-3-haiku');
    expect(bareModelId('ft:gpt-4o-mini:org')).toBe('gpt-4o-mini:org');
  });
});

describe('counters', () => {
  test.each([
    ['', 0, 0],
    ['abcd', 4, 1],
    ['abcde', 5, 2],
    ['é', 2, 1],
    ['日本', 6, 2],
    ['😀', 4, 1],
    ['\ud83d', 3, 1],
    ['\ude00\ud83d\ud83d\ude00', 10, 3],
  ])('the estimate of %j is a quarter of its UTF-8 bytes, rounded up', (text, bytes, tokens) => {
    expect(utf8Length(text)).toBe(bytes);
    expect(new TextEncoder().encode(text).length).toBe(bytes);
    expect(ESTIMATE.count(text)).toBe(tokens);
  });

  test('an encoding is loaded once and exact; the estimate is not', async () => {
    expect(await loadEncoding('cl100k_base')).toBe(await loadCounter('cl100k_base'));
    expect((await loadEncoding('cl100k_base')).exact).toBe(true);
    expect((await loadCounter('estimate')).exact).toBe(false);
  });

  test('counts do not depend on what was counted before', async () => {
    const counter = await loadEncoding('o200k_base');
    const texts = ['unbelievablyxq', 'zxqv'.repeat(30), 'a'.repeat(100_000), 'naïveté', 'unbelievablyxq'];
    const once = texts.map((text) => counter.count(text));
    expect(texts.toReversed().map((text) => counter.count(text))).toEqual(once.toReversed());
  });

  test.each([
    ['o200k_base', true],
    ['estimate', true],
    ['gpt2', false],
  ])('isTokenizerId(%s)', (id, known) => expect(isTokenizerId(id)).toBe(known));
});
