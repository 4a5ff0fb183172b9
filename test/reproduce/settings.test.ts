// A policy in vendors' settings: what a vendor takes back is the same policy, and what it cannot say is named.
import { expect, test } from 'vitest';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { PRESETS } from '../../core/projection/presets.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { StageSpec } from '../../core/projection/types.ts';
import { type VendorSettings, vendorSettings } from '../../core/reproduce/index.ts';
import {
  anthropicClearThinking,
  anthropicClearToolUses,
  anthropicCompaction,
  openaiCompaction,
  openaiTruncation,
} from '../../core/stages/vendors/index.ts';
import { arrayAt, isRecord, stringAt } from '../../core/util/unknown.ts';

function settingsFor(...stages: readonly StageSpec[]): readonly VendorSettings[] {
  const parsed = parseSpec({ version: 1, stages }, STAGES);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return vendorSettings(parsed.value);
}

const of = (vendor: string, ...stages: readonly StageSpec[]): VendorSettings => {
  const found = settingsFor(...stages).find((each) => each.vendor === vendor);
  if (found === undefined) throw new Error(vendor);
  return found;
};

const EDITS: readonly StageSpec[] = [
  { kind: 'anthropic_clear_thinking' },
  { kind: 'anthropic_clear_thinking', options: { keep: 'all' } },
  { kind: 'anthropic_clear_thinking', options: { turns: 3 } },
  { kind: 'anthropic_clear_tool_uses' },
  {
    kind: 'anthropic_clear_tool_uses',
    options: {
      trigger: { type: 'tool_uses', value: 7 },
      keep: 0,
      clear_at_least: 900,
      exclude_tools: ['a'],
      clear_tool_inputs: ['b', 'c'],
    },
  },
  { kind: 'anthropic_clear_tool_uses', options: { clear_tool_inputs: true } },
  {
    kind: 'anthropic_compaction',
    options: { trigger: 60_000, pause_after_compaction: true, instructions: 'Keep ports.' },
  },
];

const DEFINITIONS = {
  anthropic_clear_thinking: anthropicClearThinking,
  anthropic_clear_tool_uses: anthropicClearToolUses,
  anthropic_compaction: anthropicCompaction,
};

test.each(EDITS.map((edit) => [JSON.stringify(edit), edit] as const))(
  'Anthropic takes %s back as the same stage',
  (_, stage) => {
    const code: unknown = JSON.parse(of('anthropic', stage).code ?? '');
    const management = isRecord(code) && isRecord(code.context_management) ? code.context_management : {};
    const [edit] = arrayAt(management, 'edits') ?? [];
    if (!isRecord(edit)) throw new Error('no edit');
    const { type, ...options } = edit;
    const definition = Object.entries(DEFINITIONS).find(([kind]) => kind === stage.kind)?.[1];
    expect(definition?.aliases).toContain(type);
    expect(definition?.parse(options).params).toEqual(definition?.parse(stage.options ?? {}).params);
  },
);

test('the clearing of thinking comes first, and each edit names its header', () => {
  const { code, notes } = of('anthropic', { kind: 'anthropic_compaction' }, { kind: 'anthropic_clear_thinking' });
  expect(code?.indexOf('clear_thinking_20251015')).toBeLessThan(code?.indexOf('compact_20260112') ?? 0);
  expect(notes[0]).toContain('context-management-2025-06-27');
  expect(notes[0]).toContain('compact-2026-01-12');
  expect(notes.join(' ')).toContain('takes that edit first');
});

test('OpenAI takes its members back', () => {
  const { code } = of(
    'openai',
    { kind: 'openai_truncation' },
    { kind: 'openai_compaction', options: { compact_threshold: 9_000 } },
  );
  const members: unknown = JSON.parse(code ?? '');
  if (!isRecord(members)) throw new Error('no members');
  expect(openaiTruncation.parse({ truncation: stringAt(members, 'truncation') }).params).toMatchObject({
    truncation: 'auto',
  });
  const { context_management } = members;
  expect(openaiCompaction.parse({ context_management }).params).toMatchObject({ compactThreshold: 9_000 });
});

test('what is the client’s own work is not a setting, and the reason says whose', () => {
  const onDemand = of('anthropic', { kind: 'anthropic_compaction', options: { mode: 'on_demand', ask_above: 70_000 } });
  expect(onDemand.code).toBeNull();
  expect(onDemand.unsaid[0]?.why).toContain('above 70,000 tokens');
  expect(of('openai', { kind: 'openai_compaction', options: { standalone: true } }).unsaid[0]?.why).toContain(
    'responses/compact',
  );
  expect(of('openai', { kind: 'hygiene' }).unsaid[0]?.why).toContain('repairs');
});

test('LangChain and the AI SDK', () => {
  const trim = of('langchain', {
    kind: 'langchain_trim_messages',
    options: { max_tokens: 5, start_on: ['human'], include_system: true },
  });
  for (const line of ['maxTokens: 5', 'startOn: ["human"]', 'includeSystem: true', 'strategy: "last"'])
    expect(trim.code).toContain(line);
  const clear = of('langchain', {
    kind: 'langchain_clear_tool_uses',
    options: {
      trigger: [{ tokens: 9, messages: 4 }, { fraction: 0.5 }],
      keep: { tokens: 70 },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a text that is written into code
      placeholder: 'gone `x` ${y}',
    },
  });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a text that is written into code
  for (const part of ['{ tokens: 9, messages: 4 }', '{ fraction: 0.5 }', 'tokens: 70', '"gone `x` ${y}"'])
    expect(clear.code).toContain(part);
  const prune = of('ai-sdk', {
    kind: 'vercel_prune_messages',
    options: { toolCalls: [{ type: 'before-last-4-messages', tools: ['a'] }], reasoning: 'all' },
  });
  for (const part of ['before-last-4-messages', 'tools: ["a"]', 'reasoning: "all"', 'emptyMessages: "remove"'])
    expect(prune.code).toContain(part);
});

test('of every preset each enabled stage is said, or named with the reason', () => {
  for (const { name, spec } of PRESETS) {
    for (const { code, unsaid, vendor } of settingsFor(...spec.stages)) {
      const enabled = spec.stages.filter((stage) => stage.enabled !== false).length;
      expect(unsaid.length, `${name} ${vendor}`).toBeLessThanOrEqual(enabled);
      expect(unsaid.length < enabled, `${name} ${vendor}`).toBe(code !== null);
      for (const { why } of unsaid) expect(why).not.toBe('');
    }
  }
  const vendors = PRESETS.filter(({ group }) =>
    ['Anthropic', 'OpenAI', 'LangChain', 'Vercel AI SDK'].includes(group ?? ''),
  );
  const unsaid = vendors
    .filter(({ spec }) => settingsFor(...spec.stages).every(({ code }) => code === null))
    .map(({ name }) => name);
  // Both are asked for by the client.
  expect(unsaid).toEqual(['anthropic_compaction_on_demand', 'openai_compaction_endpoint']);
});
