import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { arrayAt, isRecord } from '../../core/util/unknown.ts';
import { corpusFiles } from '../support/shared.ts';
import { addsUp, importFile, texts } from './support.ts';

const step = (more: object = {}): object => ({
  action: 'ls',
  observation: 'a',
  response: 'I list',
  thought: 't',
  ...more,
});
const message = (role: string, more: object = {}): object => ({ role, content: role, agent: 'main', ...more });

describe('swe-agent', () => {
  it.each([
    ['trajectory first', { trajectory: [step()], history: [message('user'), message('assistant')], info: {} }],
    ['history first', { history: [message('user'), message('assistant')], trajectory: [step()], info: {} }],
    ['history alone', { history: [message('user'), message('assistant')] }],
  ])('reads the history, %s', (_name, document) => {
    const file = importText(JSON.stringify(document));
    expect(file.format).toBe('swe-agent');
    expect(texts(file)).toEqual([JSON.stringify(message('user')), JSON.stringify(message('assistant'))]);
    expect(addsUp(file)).toBe(true);
  });

  it.each([
    ['no history', { trajectory: [step()], info: { exit_status: null } }],
    ['an empty history', { trajectory: [step()], history: [] }],
  ])('reads the steps where there is %s', (_name, document) => {
    expect(texts(importText(JSON.stringify(document)))).toEqual([
      '{"role":"assistant","content":"I list"}',
      '{"role":"user","content":"a"}',
    ]);
  });

  it('takes what follows an answer under the role user for output, and nothing before', () => {
    const roles = ['system', 'user', 'user', 'assistant', 'user', 'tool'];
    const file = importText(JSON.stringify({ history: roles.map((role) => message(role)) }));
    const injected = file.transcripts[0]?.messages.map(({ meta }) => meta.injected === true);
    expect(injected).toEqual([false, false, false, false, true, false]);
  });

  it('takes the model from a configuration that is text or an object, and none from a broken one', () => {
    const modelOf = (config: unknown): unknown =>
      importText(JSON.stringify({ history: [message('user')], replay_config: config })).transcripts[0]?.meta.models;
    const config = { agent: { model: { name: 'm' } } };
    expect([config, JSON.stringify(config), '{"agent":', null].map(modelOf)).toEqual([
      ['m'],
      ['m'],
      undefined,
      undefined,
    ]);
  });
});

describe('mini-swe-agent', () => {
  it('is not taken for chat messages, nor they for it', () => {
    const list = (system: string, answer: string): string =>
      JSON.stringify([
        { role: 'system', content: system },
        { role: 'user', content: 'q' },
        { role: 'assistant', content: 'a' },
        { role: 'user', content: answer },
      ]);
    const block = 'Use\n```bash\nls\n```';
    expect(importText(list(block, '<returncode>0</returncode>')).format).toBe('mini-swe-agent');
    expect(importText(list(block, 'thanks')).format).toBe('openai-chat');
    expect(importText(list('Be brief', '<output>x')).format).toBe('openai-chat');
  });

  it('names the call whose return code is not 0', () => {
    const output = (id: string, returncode: number): object => ({
      role: 'tool',
      tool_call_id: id,
      content: 'x',
      extra: { returncode },
    });
    const run = {
      trajectory_format: 'mini-swe-agent-1',
      messages: [output('a', 0), output('b', 127), output('c', -1)],
    };
    const failed = importText(JSON.stringify(run)).transcripts[0]?.messages.map(({ meta }) => meta.failedCallIds);
    expect(failed).toEqual([undefined, ['b'], ['c']]);
  });
});

const swe = corpusFiles('swe-agent').map((path) => [basename(path), path] as const);
const mini = corpusFiles('mini-swe-agent').map((path) => [basename(path), path] as const);

describe.skipIf(swe.length === 0)('real runs (skipped where there is no shared material)', () => {
  const counted = (path: string, key: string): number => {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const list = isRecord(value) ? arrayAt(value, key) : Array.isArray(value) ? value : undefined;
    return list?.length ?? -1;
  };
  const notes = (path: string, kind: string): number =>
    importFile(path).transcripts.flatMap(({ events }) => events.filter((event) => event.kind === kind)).length;

  it.each(swe)('%s: every message of the history, demonstrations as such', (_name, path) => {
    expect(texts(importFile(path)).length).toBe(counted(path, 'history'));
    const messages = importFile(path).transcripts.flatMap((one) => one.messages);
    const demos = messages.filter(({ value }) => isRecord(value) && value.is_demo === true);
    expect(messages.filter(({ meta }) => meta.provenance?.kind === 'demonstration')).toEqual(demos);
  });

  it.each(mini)('%s: every message, the exit beside them', (_name, path) => {
    expect(texts(importFile(path)).length + notes(path, 'exit')).toBe(counted(path, 'messages'));
  });
});
