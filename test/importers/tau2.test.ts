import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { corpusFiles } from '../support/shared.ts';
import { addsUp, importFile, texts } from './support.ts';

const simulation = (...messages: object[]): object => ({ id: 's', task_id: '1', reward_info: { reward: 1 }, messages });
const read = (...messages: object[]) => importText(JSON.stringify({ simulations: [simulation(...messages)] }));
const user = (content: string | null, more: object = {}): object => ({ role: 'user', content, ...more });
const call = { id: 'u', name: 'f', arguments: {}, requestor: 'user' };

describe('tau2', () => {
  it.each([
    ['simulations', { simulations: [simulation(user('x'))] }],
    ['tasks before them', { tasks: [{ id: '1', user_scenario: {} }], simulations: [simulation(user('x'))] }],
    ['splits', { splits: { test: [{ messages: [user('x')], simulation_id: 's' }] } }],
    ['a simulation alone', simulation(user('x'))],
  ])('recognises %s', (_name, document) => {
    const file = importText(JSON.stringify(document));
    expect(file.format).toBe('tau2');
    expect(texts(file)).toEqual([JSON.stringify(user('x'))]);
    expect(addsUp(file)).toBe(true);
  });

  it('keeps what the simulated user does with his own tools out of what the agent saw', () => {
    const file = read(
      user('a'),
      user(null, { tool_calls: [call] }),
      { role: 'tool', id: 'u', content: 'x', requestor: 'user' },
      user('with a text', { tool_calls: [call] }),
      { role: 'tool', id: 'c', content: 'y', requestor: 'assistant' },
    );
    expect(texts(file).map((text) => JSON.parse(text).content)).toEqual(['a', 'with a text', 'y']);
    const events = file.transcripts[0]?.events.map(({ kind, at }) => [kind, at]);
    expect(events).toEqual([
      ['user_tool_call', 1],
      ['user_tool_result', 1],
      ['result', 3],
    ]);
  });

  it('takes usage from answers only', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2 };
    const file = read(user('a', { usage }), { role: 'assistant', content: 'b', usage });
    expect(file.transcripts[0]?.messages.map(({ meta }) => meta)).toEqual([{}, { usage: { input: 1, output: 2 } }]);
  });
});

const files = corpusFiles('tau2').map((path) => [basename(path), path] as const);

describe.skipIf(files.length === 0)('real results (skipped where there is no shared material)', () => {
  it.each(files)('%s: every message of every simulation', (_name, path) => {
    const { transcripts } = importFile(path);
    const said = transcripts.flatMap(({ messages, events }) => [
      ...messages.map(({ text }) => text),
      ...events.filter(({ kind }) => kind.startsWith('user_tool')).map(({ json }) => json),
    ]);
    const source = readFileSync(path, 'utf8');
    expect(source.match(/"role": "(system|user|assistant|tool)",?\s/g)?.length ?? 0).toBeGreaterThan(1000);
    for (const text of said.slice(0, 200)) expect(source.includes(text)).toBe(true);
    expect(said).toHaveLength(path.includes('sft') ? 1917 : 1474);
  });
});
