// The rules over a whole request, for the Lint tab: the same findings as those of the request on screen and of
// `export --wire`, each once beside what the lint of the messages says.
import { describe, expect, it, test } from 'vitest';
import type { LintInfo, RequestLintInfo } from '../../core/protocol/types.ts';
import { WIRE_TARGETS } from '../../core/wire/types.ts';
import { groupFindings, withRequest } from '../../renderer/lint/groups.ts';
import { failureOf, testEngine } from './support.ts';

const TOOL = { name: 'grep', description: 'Finds.', input_schema: { type: 'object' }, defer_loading: true };
const BODY = JSON.stringify({
  model: 'claude-opus-5',
  max_tokens: 9,
  tools: [TOOL],
  messages: [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'no such name', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_2', name: 'grep', input: {} }] },
    { role: 'user', content: 'well?' },
  ],
});
const SPECS: readonly unknown[] = [
  'raw',
  { version: 1, stages: [{ kind: 'sliding_window', options: { keep_turns: 1 } }] },
  { version: 1, stages: [{ kind: 'hygiene', options: { profile: 'anthropic' } }] },
];

async function opened() {
  const engine = testEngine();
  const id = await engine.add('body.json', BODY);
  await engine.client.call('transcript.open', { id });
  return { ...engine, id };
}

describe.each(WIRE_TARGETS)('for %s', (target) => {
  it('they are those of the request on screen, and none that the lint of the messages lists', async () => {
    const { client, id } = await opened();
    for (const spec of SPECS) {
      const asked = { id, spec, at: null, target };
      const { findings, total } = await client.call('lint.request', asked);
      const dialog = await client.call('wire.export', asked);
      expect(findings).toEqual(dialog.findings.filter(({ code }) => code.startsWith('wire.')));
      expect(total).toBe(findings.length);
      const lint = await client.call('lint.run', { id, spec, at: null });
      expect(lint.findings.filter(({ code }) => code.startsWith('wire.'))).toEqual([]);
    }
  });
});

test('the tab has both: every rule of the request dialog once, for the wire that the lint found out', async () => {
  const { client, id } = await opened();
  const lint = await client.call('lint.run', { id, spec: 'raw', at: null });
  expect(lint.target).toBe('anthropic');
  const request = await client.call('lint.request', { id, spec: 'raw', at: null, target: 'anthropic' });
  const codes = withRequest(lint, request).findings.map(({ code, index }) => `${code} ${index}`);
  expect(codes).toEqual(
    expect.arrayContaining([
      'wire.tools_all_deferred null',
      'wire.tool_not_loaded 3',
      'wire.tool_name 1',
      'lint.unanswered_call 3',
    ]),
  );
  expect(new Set(codes).size).toBe(codes.length);
  expect(await client.call('lint.request', { id, spec: 'raw', at: null, target: 'anthropic' })).toEqual(request);
});

test('a question about another request takes the place of one that is under way', async () => {
  const { client, id } = await opened();
  const first = failureOf(client.call('lint.request', { id, spec: 'raw', at: 2, target: 'anthropic' }));
  const second = client.call('lint.request', { id, spec: 'raw', at: 3, target: 'anthropic' });
  expect((await first).code).toBe('request.superseded');
  expect((await second).total).toBeGreaterThan(0);
});

test('findings of the whole request are a group of their own, which no rule mends', () => {
  const lint: LintInfo = { wire: 'W', source: '', how: '', target: 'anthropic', total: 0, findings: [], repairs: [] };
  const request: RequestLintInfo = {
    total: 2,
    findings: [
      { code: 'wire.beta_missing', severity: 'info', text: 'W: a header', index: null },
      { code: 'wire.tool_name', severity: 'warning', text: 'W: a name', index: 4 },
    ],
  };
  const info = withRequest(lint, request);
  expect(info.total).toBe(2);
  expect(groupFindings(info)).toMatchObject([
    { key: 'request', rule: null, severity: 'warning', title: 'The whole request' },
  ]);
  expect(withRequest(lint, null)).toBe(lint);
});
