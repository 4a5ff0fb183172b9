import { describe, expect, it } from 'vitest';
import {
  anthropicDiagnosis,
  type CacheDiagnosis,
  openaiDiagnosis,
  saysChanged,
} from '../../core/model/cacheDiagnosis.ts';

const missed = (type: string, tokens?: number) => ({
  diagnostics: { cache_miss_reason: { type, ...(tokens !== undefined && { cache_missed_input_tokens: tokens }) } },
});

describe('a diagnosis of the Claude API', () => {
  it.each<[unknown, CacheDiagnosis | undefined]>([
    [{}, undefined],
    [null, undefined],
    [{ diagnostics: 'x' }, undefined],
    [{ diagnostics: {} }, undefined],
    [{ diagnostics: null }, { cause: null }],
    [{ diagnostics: { cache_miss_reason: null } }, { cause: 'unknown', word: 'pending' }],
    [missed('model_changed', 5), { cause: 'model', word: 'model_changed', missedTokens: 5 }],
    [missed('system_changed', 5), { cause: 'system', word: 'system_changed', missedTokens: 5 }],
    [missed('tools_changed', 5), { cause: 'tools', word: 'tools_changed', missedTokens: 5 }],
    [missed('messages_changed', 5), { cause: 'messages', word: 'messages_changed', missedTokens: 5 }],
    [missed('previous_message_not_found'), { cause: 'unknown', word: 'previous_message_not_found' }],
    [missed('unavailable'), { cause: 'unknown', word: 'unavailable' }],
    [missed('constructor'), { cause: 'unknown', word: 'constructor' }],
  ])('%j', (message, diagnosis) => {
    expect(anthropicDiagnosis(message)).toEqual(diagnosis);
  });
});

describe('a diagnosis of OpenAI', () => {
  const told = (prompt_cache_diagnostics: unknown) => openaiDiagnosis({ prompt_cache_diagnostics });
  it.each<[unknown, CacheDiagnosis | undefined]>([
    [undefined, undefined],
    [{ type: 'cache_hit' }, { cause: null }],
    [
      { type: 'cache_miss', reason: 'model_changed' },
      { cause: 'model', word: 'model_changed' },
    ],
    [
      { type: 'cache_miss', reason: 'tools_changed' },
      { cause: 'tools', word: 'tools_changed' },
    ],
    [
      { type: 'cache_miss', reason: 'input_changed', cache_missed_tokens: 7 },
      { cause: 'input', word: 'input_changed', missedTokens: 7 },
    ],
    [
      { type: 'cache_miss', reason: 'context_compacted' },
      { cause: 'compaction', word: 'context_compacted' },
    ],
    [
      { type: 'cache_miss', reason: 'verbosity_changed' },
      { cause: 'parameter', word: 'verbosity_changed' },
    ],
    [{ type: 'comparison_response_not_found' }, { cause: 'unknown', word: 'comparison_response_not_found' }],
    [{ type: 'unavailable' }, { cause: 'unknown', word: 'unavailable' }],
  ])('%j', (diagnostics, diagnosis) => {
    expect(told(diagnostics)).toEqual(diagnosis);
  });
});

it('says that something changed only where it names it', () => {
  expect([null, 'unknown', 'system'].map((cause) => saysChanged({ cause } as CacheDiagnosis))).toEqual([
    false,
    false,
    true,
  ]);
});
