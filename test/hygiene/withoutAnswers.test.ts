// A request may hold no answer: the first one, and the first behind a compaction. It goes where the transcript's answers went.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { project } from '../../core/projection/project.ts';
import { sha256Hex } from '../../core/util/hash.ts';
import { createMemo } from '../../core/view/memo.ts';
import { lintView } from '../../core/wire/lint.ts';
import { stagesOf } from '../support/projecting.ts';

const user = (content: string) => ({ role: 'user', content });
const calls = (id: string) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: {} }] });
const result = (id: string) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] });
const MESSAGES = [user('go'), calls('a'), result('a'), calls('b'), user('the summary'), user('go on'), calls('c')];
/** Its summary is message 4: the request of the answer #6 holds #4 and #5. */
const SOURCE = memorySource(
  MESSAGES.map((message) => JSON.stringify(message)),
  null,
  [{ at: 4, summaryIndex: 4 }],
);

describe('the lint of a request without an answer', () => {
  const linted = (at: number, spec: unknown, source = SOURCE) => {
    const memo = createMemo();
    const { view } = project(source, stagesOf(spec), at, { memo });
    const target = { provider: '', modelApi: '', modelId: '' };
    return lintView({ view, source, memo, sha256: sha256Hex, ...target });
  };

  it('goes by the answers before it: two turns of a user are one too many there', () => {
    const report = linted(6, 'recorded_compaction');
    expect(report).toMatchObject({ wire: 'Anthropic Messages', target: 'anthropic' });
    expect(report.findings.map(({ code }) => code)).toEqual(['lint.no_alternation']);
    // The same with the answers in it.
    expect(linted(6, 'raw').wire).toBe(report.wire);
  });

  it('goes by the answer it got, where it is the first', () => {
    expect(linted(1, 'raw').wire).toBe('Anthropic Messages');
  });

  it('goes by nothing where there is none at all', () => {
    const source = memorySource([JSON.stringify(user('alone'))]);
    expect(linted(1, 'raw', source).how).toContain('other');
  });
});

it('hygiene behind a compaction repairs for the provider that answered before it', () => {
  const spec = { version: 1, stages: ['recorded_compaction', 'hygiene'] };
  const { view, reports } = project(SOURCE, stagesOf(spec), 6, { memo: createMemo() });
  expect(view.items).toHaveLength(1);
  expect(JSON.stringify(reports)).toContain('anthropic');
});
