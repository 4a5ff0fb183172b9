import { describe, expect, it } from 'vitest';
import type { WireInfo } from '../../core/protocol/wireTypes.ts';
import {
  curlLine,
  describeLint,
  findingGroups,
  lintTargetOf,
  lossGroups,
  shownText,
  targetFor,
  WIRE_TARGETS,
} from '../../renderer/wire/wireText.ts';

const INFO: WireInfo = {
  target: 'responses',
  title: 'OpenAI Responses',
  url: 'https://api.openai.com/v1/responses',
  model: 'gpt-5',
  json: '{}',
  shown: { messages: 40, of: 1812, shortened: 3 },
  bytes: 4_100_000,
  tokens: {
    total: 1,
    byCategory: { system: 0, user: 1, assistant: 0, thinking: 0, tool_call: 0, tool_result: 0, image: 0 },
    provenance: 'exact',
  },
  strict: false,
  chosen: [],
  losses: [
    { kind: 'thinking', how: 'left_out', index: 3, path: 'content[0]', text: 'reasoning' },
    { kind: 'tool', how: 'changed', index: null, path: 'tools[1]', text: 'a tool' },
  ],
  lossKinds: [
    { kind: 'thinking', count: 900 },
    { kind: 'tool', count: 1 },
  ],
  findings: [
    { code: 'a', severity: 'error', text: 'OpenAI Responses: one', index: 1 },
    { code: 'b', severity: 'warning', text: 'OpenAI Responses: two', index: null },
    { code: 'b', severity: 'warning', text: 'OpenAI Responses: two', index: 9 },
  ],
  findingCounts: { error: 1, warning: 2, info: 0 },
  problems: [],
};

describe('words of the wire dialog', () => {
  it('says how much is shown', () => {
    expect(shownText(INFO)).toBe('Shown: the first 40 of 1,812 items, 3 long texts shortened. The whole is 4.1 MB.');
    const all = { ...INFO, target: 'gemini', shown: { messages: 1, of: 1, shortened: 0 }, bytes: 12 } as const;
    expect(shownText(all)).toBe('Shown: all 1 message. The whole is 12 B.');
  });

  it('groups losses by kind, with those that are not listed', () => {
    const groups = lossGroups(INFO);
    expect(groups.map(({ title, count, lines }) => [title, count, lines.length])).toEqual([
      ['Reasoning', 900, 1],
      ['Tool definitions', 1, 1],
    ]);
    expect(groups[1]?.lines).toMatchObject([{ index: null, place: 'tools[1]', text: 'changed: a tool' }]);
    expect(groups[0]?.lines).toMatchObject([{ index: 3, place: '#3 content[0]' }]);
  });

  it('groups findings by what they say', () => {
    expect(describeLint(INFO)).toBe('1 error, 2 warnings');
    expect(describeLint({ ...INFO, findingCounts: { error: 0, warning: 0, info: 4 } })).toBe('no errors, 4 notes');
    expect(describeLint({ ...INFO, findingCounts: { error: 0, warning: 5, info: 1 } })).toBe('5 warnings, 1 note');
    expect(findingGroups(INFO).map(({ title, count }) => [title, count])).toEqual([
      ['two', 2],
      ['one', 1],
    ]);
  });

  it('writes a command that sends the saved file, without a key in it', () => {
    expect(curlLine(INFO, "it's.json")).toBe(
      [
        'curl https://api.openai.com/v1/responses \\',
        '  -H "authorization: Bearer $OPENAI_API_KEY" \\',
        '  -H "content-type: application/json" \\',
        `  --data-binary @'it'\\''s.json'`,
      ].join('\n'),
    );
  });

  it('begins with the transcript’s own wire, else with its model’s vendor', () => {
    expect(targetFor('codex', [])).toBe('responses');
    expect(targetFor('gemini-cli', [])).toBe('gemini');
    expect(targetFor('pi', ['gpt-5.1'])).toBe('openai');
    expect(targetFor('pi', ['gemini-3-pro'])).toBe('gemini');
    expect(targetFor('claude-code', [])).toBe('anthropic');
  });

  it('names each target to the hygiene', () => {
    const providers = WIRE_TARGETS.map(({ value }) => lintTargetOf(value).provider);
    expect(providers).toEqual(['anthropic', 'openai', 'openai', 'google']);
  });
});
