// A system message between turns stays where it is, in every format that can hold one.
import { expect, it } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import { jsonl } from './support.ts';

type Fields = Readonly<Record<string, unknown>>;

const SAID: readonly (readonly [role: string, text: string])[] = [
  ['user', 'Hello?'],
  ['assistant', 'Hello.'],
  ['system', 'Be brief.'],
  ['user', 'More.'],
];
const MESSAGES = SAID.map(([role, content]) => ({ role, content }));
const at = '2026-01-01T00:00:00.000Z';
const each = (make: (role: string, text: string, i: number) => Fields): readonly Fields[] =>
  SAID.map(([role, text], i) => make(role, text, i));
const body = (messages: readonly unknown[]): Fields => ({ model: 'claude-x', max_tokens: 5, system: 's', messages });
const typed = (role: string): string => (role === 'user' ? 'human' : role === 'assistant' ? 'ai' : role);
const source = (role: string): string => (role === 'assistant' ? 'agent' : role);

it.each<readonly [string, string]>([
  ['openai-chat', JSON.stringify(MESSAGES)],
  ['anthropic-messages', JSON.stringify(body(MESSAGES))],
  ['anthropic-messages', jsonl(body(MESSAGES.slice(0, 1)), body(MESSAGES))],
  [
    'openai-responses',
    JSON.stringify({
      model: 'm',
      instructions: 'x',
      input: each((role, content) => ({ type: 'message', role, content })),
    }),
  ],
  ['ai-sdk', JSON.stringify(each((role, text, i) => ({ id: `${i}`, role, parts: [{ type: 'text', text }] })))],
  ['langchain', JSON.stringify(each((role, content) => ({ type: typed(role), data: { content } })))],
  [
    'gemini-contents',
    JSON.stringify(each((role, text) => ({ role: role === 'assistant' ? 'model' : role, parts: [{ text }] }))),
  ],
  [
    'pi',
    jsonl(
      { type: 'session', id: 's', cwd: '/', timestamp: at, version: 1 },
      ...MESSAGES.map((message, i) => ({ type: 'message', id: `e${i}`, timestamp: at, message })),
    ),
  ],
  ['harn', JSON.stringify({ _type: 'transcript', version: 2, id: 't', messages: MESSAGES, events: [] })],
  ['inspect', JSON.stringify({ epoch: 1, id: 1, input: 'x', target: 'y', messages: MESSAGES })],
  ['swe-agent', JSON.stringify({ history: each((role, content) => ({ role, content, agent: 'main' })) })],
  ['mini-swe-agent', JSON.stringify({ trajectory_format: 'mini-swe-agent-1', messages: MESSAGES })],
  [
    'atif',
    JSON.stringify({
      schema_version: 'ATIF-v1.2',
      steps: each((role, message, i) => ({ step_id: i, source: source(role), message })),
    }),
  ],
  [
    'tau2',
    JSON.stringify({ simulations: [{ task_id: '1', termination_reason: 'x', agent_cost: 1, messages: MESSAGES }] }),
  ],
  [
    'codex',
    jsonl(
      { timestamp: at, type: 'session_meta', payload: { id: 's' } },
      ...each((role, text) => ({
        timestamp: at,
        type: 'response_item',
        payload: { type: 'message', role, content: [{ type: 'input_text', text }] },
      })),
    ),
  ],
  [
    'claude-managed-agents',
    jsonl(
      ...each((role, text, i) => ({
        id: `sevt_${i}`,
        type: `${source(role)}.message`,
        processed_at: at,
        content: [{ type: 'text', text }],
      })),
    ),
  ],
  [
    'opencode',
    JSON.stringify(
      each((role, text, i) => ({
        info: { id: `m${i}`, sessionID: 's', role },
        parts: [{ id: `p${i}`, type: 'text', text }],
      })),
    ),
  ],
  ['jido', JSON.stringify({ entries: MESSAGES.map((payload, seq) => ({ kind: 'message', seq, payload })) })],
  [
    'langfuse',
    JSON.stringify({
      trace: { id: 't' },
      observations: [{ id: 'o', traceId: 't', type: 'GENERATION', startTime: at, input: MESSAGES, output: null }],
    }),
  ],
])('%s', (format, text) => {
  const file = importText(text);
  expect(file.format).toBe(format);
  const roles = file.transcripts.flatMap(({ messages }) =>
    messages.map((one) => readMessage(JSON.parse(one.text)).role),
  );
  expect(roles).toEqual(SAID.map(([role]) => role));
});
