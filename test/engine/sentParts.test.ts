// Rows under hygiene: a renamed call, a dropped blank block, a merged turn are shown where they stand.
import { describe, expect, it } from 'vitest';
import type { Row } from '../../core/protocol/types.ts';
import { sessionFile, testEngine } from './support.ts';

/** A session of pi, whose messages hygiene knows best. */
function piFile(messages: readonly Record<string, unknown>[]): string {
  const head = { type: 'session', version: 3, id: 's', timestamp: '2026-02-01T00:00:00.000Z', cwd: '/w' };
  const lines = messages.map((message, at) => ({
    type: 'message',
    id: `0000000${at + 1}`,
    parentId: at === 0 ? null : `0000000${at}`,
    timestamp: `2026-02-01T00:00:0${at + 1}.000Z`,
    message: { ...message, timestamp: at + 1 },
  }));
  return [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
}

const text = (words: string) => ({ type: 'text', text: words });
const call = (id: string, args: unknown = { p: id }) => ({
  type: 'toolCall',
  id,
  name: 'read',
  ...(args !== null && { arguments: args }),
});
const answer = (...content: readonly unknown[]) => ({
  role: 'assistant',
  content,
  api: 'google-generative-ai',
  provider: 'google',
  model: 'gemini-2.5-pro',
  stopReason: 'toolUse',
});
const result = (id: string) => ({
  role: 'toolResult',
  toolCallId: id,
  toolName: 'read',
  content: [text(`R ${id}`)],
  isError: false,
});

const HYGIENE = (profile: string) => ({ version: 1, stages: [{ kind: 'hygiene', options: { profile } }] });

async function rowsOf(file: string, spec: unknown, ghosts = true) {
  const { add, client } = testEngine();
  const id = await add('session.jsonl', file);
  const info = await client.call('projection.set', { id, spec, at: null, ghosts, rows: { from: 0, to: 100 } });
  return { client, info, rows: info.rows?.rows ?? [] };
}

/** `0.1 look → look (rewritten)`. */
function line({ index, part, raw, projected, fate, elsewhere, kind }: Row): string {
  const name = kind === 'part' ? `${index}.${part}` : kind;
  const right = projected?.text ?? (elsewhere === undefined ? '-' : `in row ${elsewhere}`);
  return `${name} ${raw?.text ?? '-'} → ${right} (${fate})`;
}

describe('what is shown as sent under hygiene', () => {
  it('a blank block goes; the text behind it stays where it is, though its call was renamed', async () => {
    const { rows } = await rowsOf(
      piFile([
        { role: 'user', content: [text('q')] },
        answer(text('  '), text('look'), call('call_1')),
        result('call_1'),
        answer(text('done')),
      ]),
      HYGIENE('google'),
    );
    const own = rows.filter(({ index }) => index === 1).map(line);
    expect(own).toEqual([
      '1.0 (empty text) → - (dropped)',
      '1.1 look → look (kept)',
      '1.2 read call_1 → read call_1 (rewritten)',
    ]);
  });

  it('of calls whose ids were rewritten the one without arguments is gone, the others are not', async () => {
    const { rows, client, info } = await rowsOf(
      piFile([
        { role: 'user', content: [text('q')] },
        answer(text('look'), call('call_1'), call('call_2', null), call('call_3')),
        result('call_1'),
        result('call_3'),
        answer(text('done')),
      ]),
      HYGIENE('google'),
    );
    const own = rows
      .filter(({ index, kind }) => index === 1 && kind === 'part')
      .map(({ part, projected }) => [part, projected !== null]);
    expect(own).toEqual([
      [0, true],
      [1, true],
      [2, false],
      [3, true],
    ]);
    const detail = await client.call('projection.detail', { projectionId: info.projectionId, index: 1 });
    expect(detail.parts.map(({ sent }) => (sent === null ? 'gone' : 'sent'))).toEqual(['sent', 'sent', 'gone', 'sent']);
  });

  it('merged turns keep their rows; the message says where it is sent', async () => {
    const file = sessionFile([
      { role: 'user', content: 'first in a row' },
      { role: 'user', content: 'second in a row' },
      { role: 'assistant', content: [text('answer')] },
      { role: 'user', content: 'last' },
    ]);
    const { rows, client, info } = await rowsOf(file, HYGIENE('anthropic'));
    expect(rows.map(line)).toEqual([
      '0.0 first in a row → first in a row (rewritten)',
      '1.0 second in a row → second in a row (merged)',
      '2.0 answer → answer (kept)',
      '3.0 last → last (kept)',
    ]);
    const detail = await client.call('projection.detail', { projectionId: info.projectionId, index: 1 });
    expect(detail.sentIn).toEqual({ index: 0 });
    expect(detail.projectedJson).toContain('second in a row');
  });

  it('the Model view shows the same, and nothing that is not sent', async () => {
    const file = piFile([
      { role: 'user', content: [text('first')] },
      { role: 'user', content: [text('second')] },
      answer(text(' '), text('look'), call('call_1')),
      result('call_1'),
      answer(text('done')),
    ]);
    const { rows } = await rowsOf(file, HYGIENE('anthropic'), false);
    expect(rows.map(({ projected }) => projected?.text)).toEqual([
      'first',
      'second',
      'look',
      'read call_1',
      'R call_1',
      'done',
    ]);
  });

  it('a result that was moved up is shown there; its own row leads to it', async () => {
    const file = sessionFile([
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Read', input: { p: 1 } }] },
      { role: 'user', content: 'in between' },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'the file' }] },
      { role: 'assistant', content: [text('thanks')] },
    ]);
    const { rows } = await rowsOf(file, HYGIENE('anthropic'));
    const shown = rows.filter(({ projected }) => projected !== null).map(({ projected }) => projected?.text);
    // The result and the turn behind it are one message of the user now, that nobody wrote as it is.
    expect(shown).toEqual(['go', 'Read {"p":1}', 'the file · in between', 'thanks']);
    for (const index of [2, 3]) {
      const own = rows.find((row) => row.index === index && row.kind === 'part');
      expect(own).toMatchObject({ projected: null });
      expect(rows[own?.elsewhere ?? -1]?.projected?.text).toBe('the file · in between');
    }
  });
});
