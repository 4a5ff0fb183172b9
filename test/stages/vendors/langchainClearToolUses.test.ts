// ClearToolUsesEdit: what the library itself did to random histories, and its rules one by one.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { project } from '../../../core/projection/project.ts';
import { createBudget } from '../../../core/tokens/budget.ts';
import { characterTokens } from '../../support/characterTokens.ts';
import { projectedMessages, stagesOf, transcriptOf } from '../../support/projecting.ts';

interface Case {
  readonly messages: readonly Record<string, unknown>[];
  readonly options: Readonly<Record<string, unknown>>;
  /** Numbers of the messages that are left: `3 cleared` = a result with the placeholder, `2 inputs c0` = its calls emptied. */
  readonly kept: readonly string[];
}

const FIXTURE = new URL('./cases/langchainClearToolUses.json', import.meta.url);
const { cases }: { readonly cases: readonly Case[] } = JSON.parse(readFileSync(FIXTURE, 'utf8'));

function run(messages: readonly unknown[], options: Readonly<Record<string, unknown>>) {
  const source = transcriptOf(messages);
  const stages = stagesOf({ version: 1, stages: [{ kind: 'langchain_clear_tool_uses', options }] });
  const budget = createBudget({ window: 1000, reserveOutput: 0, injectionReserve: 0, caps: {} });
  return project(source, stages, source.length, { tokens: characterTokens(messages), budget });
}

describe('as the library did', () => {
  it.each(cases.map((each, at) => [at, each] as const))('case %i', (_at, { messages, options, kept }) => {
    const projection = run(messages, options);
    const fates = projection.keptIndices.map((index) => {
      const fate = projection.fates[index];
      if (fate?.kind === 'redacted') return `${index} cleared`;
      const emptied =
        fate?.kind === 'rewritten' ? (fate.parts ?? []).map(({ part }) => callIdAt(messages, index, part)) : [];
      return emptied.length > 0 ? `${index} inputs ${emptied.sort().join(' ')}` : String(index);
    });
    expect(fates).toEqual(kept);
  });
});

function callIdAt(messages: readonly unknown[], index: number, part: number): string {
  return transcriptOf(messages).facts(index).parts[part]?.callId ?? '';
}

const call = (id: string, name: string) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, name, args: { q: 'a long question' } }],
});
const result = (id: string, content = 'r'.repeat(40)) => ({ role: 'tool', tool_call_id: id, content });

describe('its rules', () => {
  const messages = [
    call('a', 'read'),
    result('a'),
    call('b', 'web'),
    result('b'),
    call('c', 'read'),
    result('c'),
    result('lost'),
  ];

  it.each<[string, Record<string, unknown>, readonly string[]]>([
    ['not reached', { trigger_tokens: 1000 }, ['kept', 'kept', 'kept', 'kept', 'kept', 'kept', 'dropped']],
    [
      'the other trigger reached',
      { trigger: [{ tokens: 1000 }, { tokens: 10, messages: 5 }], keep: 1 },
      ['kept', 'redacted', 'kept', 'redacted', 'kept', 'kept', 'dropped'],
    ],
    [
      'neither reached as a whole',
      { trigger: [{ tokens: 1000 }, { tokens: 10, messages: 9 }], keep: 1 },
      ['kept', 'kept', 'kept', 'kept', 'kept', 'kept', 'dropped'],
    ],
    ['reached', { trigger_tokens: 10, keep: 1 }, ['kept', 'redacted', 'kept', 'redacted', 'kept', 'kept', 'dropped']],
    [
      'both conditions',
      { trigger_tokens: 10, trigger_messages: 9, keep: 0 },
      ['kept', 'kept', 'kept', 'kept', 'kept', 'kept', 'dropped'],
    ],
    [
      'excluded',
      { trigger_tokens: 10, keep: 0, exclude_tools: ['web'] },
      ['kept', 'redacted', 'kept', 'kept', 'kept', 'redacted', 'dropped'],
    ],
    [
      'inputs too',
      { trigger_tokens: 10, keep: 2, clear_tool_inputs: true },
      ['rewritten', 'redacted', 'kept', 'kept', 'kept', 'kept', 'dropped'],
    ],
  ])('%s', (_name, options, kinds) => {
    expect(run(messages, options).fates.map(({ kind }) => kind)).toEqual(kinds);
  });

  it('says why', () => {
    const { fates } = run(messages, { trigger_tokens: 10, keep: 1, exclude_tools: ['web'] });
    expect(fates.map(({ reason }) => reason)).toEqual([
      'kept: it holds no tool result',
      '200 tokens ≥ 10 (trigger_tokens); older than the last 1 tool result (keep)',
      'kept: it holds no tool result',
      'kept: its tool is never cleared (exclude_tools)',
      'kept: it holds no tool result',
      'kept: among the last 1 tool result (keep)',
      'no earlier call asked for this result',
    ]);
  });

  it('the cleared message keeps all else', () => {
    const projection = run(messages, { trigger_tokens: 10, keep: 2, clear_tool_inputs: true });
    expect(projectedMessages(messages, projection).slice(0, 2)).toEqual([
      { role: 'assistant', content: '', tool_calls: [{ id: 'a', name: 'read', args: {} }] },
      { role: 'tool', tool_call_id: 'a', content: '[cleared]' },
    ]);
    expect(projection.pointers).toMatchObject([
      { source: 'transcript.messages[1].content', content_chars: 40, tool_call_id: 'a' },
    ]);
  });
});
