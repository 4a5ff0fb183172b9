import { beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../core/engine/sandbox/sandbox.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import { project } from '../../core/projection/project.ts';
import { itemText } from '../../core/view/reader.ts';
import type { RunUserCode, UserCodeAnswer } from '../../core/view/types.ts';
import { projectedMessages, projectMessages, stagesOf } from '../support/projecting.ts';

const MESSAGES = [
  { role: 'user', content: 'same' },
  { role: 'tool', content: 'Traceback (most recent call last)' },
  { role: 'user', content: 'same' },
  { role: 'assistant', content: 'done' },
];

/** As if the user's function had returned this value. */
function returning(value: unknown): (request: RunUserCode) => UserCodeAnswer {
  return () => ({ ok: true, resultJson: JSON.stringify(value), steps: 1, logs: [] });
}

const run = (value: unknown, options: object = {}) =>
  projectMessages(MESSAGES, { policy: 'custom', projector: '(m) => m', ...options }, { runUserCode: returning(value) });

describe('what the function wrote to its console', () => {
  const logs = ['one', 'two'];
  it.each([
    ['done', { ok: true, resultJson: '[]', steps: 1, logs } as const],
    ['failed', { ok: false, code: 'threw', message: 'no', line: 1, column: 2, logs } as const],
  ])('is in the report of a run that is %s', (_name, answer) => {
    const projection = projectMessages(
      MESSAGES,
      { policy: 'custom', projector: '(m) => m' },
      { runUserCode: () => answer },
    );
    const lines = projection.reports[0]?.problems.filter(({ code }) => code === 'custom.log') ?? [];
    expect(lines.map(({ text, severity }) => [text, severity])).toEqual([
      ['one', 'info'],
      ['two', 'info'],
    ]);
  });
});

describe('what the function returned is found again', () => {
  it.each([
    ['all', MESSAGES, [0, 1, 2, 3]],
    ['some', [MESSAGES[0], MESSAGES[3]], [0, 3]],
    ['equal ones in order', [MESSAGES[2], MESSAGES[2]], [0, 2]],
    ['keys in another order', [{ content: 'done', role: 'assistant' }], [3]],
    ['nothing before the last match', [MESSAGES[3], MESSAGES[0]], [3]],
    ['none', [], []],
  ])('%s', (_name, returned, kept) => {
    const projection = run(returned);
    expect(projection.keptIndices).toEqual(kept);
    expect(projection.reports[0]).toMatchObject({ reason: 'custom', problems: [] });
  });

  it('a new message is synthetic, and stands where it was put', () => {
    const added = { role: 'system', content: 'note' };
    const projection = run([MESSAGES[0], added, MESSAGES[3]]);
    expect(projectedMessages(MESSAGES, projection)).toEqual([MESSAGES[0], added, MESSAGES[3]]);
    expect(projection.view.items[1]).toMatchObject({ kind: 'synthetic', covers: { from: 1, to: 1 } });
    expect(projection.fates.map((fate) => fate.kind)).toEqual(['kept', 'dropped', 'dropped', 'kept']);
  });

  it('with indices given, a changed message is the old one rewritten', () => {
    const changed = { role: 'tool', content: 'short' };
    const projection = run({ messages: [changed, MESSAGES[3]], kept_indices: [1, 3], reason: 'mine' });
    expect(projection.fates.map((fate) => fate.kind)).toEqual(['dropped', 'rewritten', 'dropped', 'kept']);
    expect(projection.reports[0]?.reason).toBe('mine');
    expect(projectedMessages(MESSAGES, projection)[0]).toEqual(changed);
  });

  it.each([
    ['not increasing', [3, 1]],
    ['out of range', [1, 4]],
    ['too few', [1]],
    ['no integers', [1, 'x']],
    ['no list', 1],
  ])('indices that are %s are not believed', (_name, kept_indices) => {
    const projection = run({ messages: [MESSAGES[0], MESSAGES[3]], kept_indices });
    expect(projection.keptIndices).toEqual([0, 3]);
  });

  it('dropped_indices that disagree are reported', () => {
    const problems = (dropped_indices: readonly number[]) => run({ messages: [MESSAGES[0]], dropped_indices }).problems;
    expect(problems([1, 2, 3])).toEqual([]);
    expect(problems([1])).toMatchObject([{ code: 'custom.dropped_indices', severity: 'warning' }]);
  });

  it('the raw text of a message stays, which JavaScript would print otherwise', () => {
    const text = '{"role":"user", "content":"x","n":1.0,"big":12345678901234567890}';
    const source = memorySource([text]);
    const stages = stagesOf({ policy: 'custom', projector: 'f' });
    const projection = project(source, stages, 1, { runUserCode: returning([JSON.parse(text)]) });
    expect(projection.view.items.map((item) => itemText(item, source))).toEqual([text]);
    expect(projection.fates[0]?.kind).toBe('kept');
  });
});

describe('a function that fails changes nothing, and the report says why', () => {
  it.each([
    [{ messages: 3 }, 'custom.result'],
    [{}, 'custom.result'],
    ['text', 'custom.result'],
    [[1], 'custom.result'],
  ])('it returned %j', (value, code) => {
    const projection = run(value);
    expect(projection.keptIndices).toEqual([0, 1, 2, 3]);
    expect(projection.problems).toMatchObject([{ code, severity: 'error' }]);
  });

  it('it threw', () => {
    const failure: UserCodeAnswer = { ok: false, code: 'threw', message: 'boom', line: 2, column: 5, logs: [] };
    const options = { runUserCode: () => failure };
    const projection = projectMessages(MESSAGES, { policy: 'custom', projector: 'f' }, options);
    expect(projection.view.items).toHaveLength(4);
    expect(projection.problems).toEqual([
      { code: 'custom.threw', severity: 'error', text: 'boom', where: { line: 2, column: 5 } },
    ]);
  });

  it('there was no sandbox', () => {
    const projection = projectMessages(MESSAGES, { policy: 'custom', projector: 'f' });
    expect(projection.problems[0]?.text).toContain('no sandbox');
  });
});

describe('in the sandbox', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createSandbox();
  });

  it('the example of the documentation works', () => {
    const projector = `(messages) => ({
      messages: messages.filter((m) => !(m.role === 'tool' && m.content.startsWith('Traceback'))),
      reason: 'traceback_squashed',
    })`;
    const runUserCode = ({ code, messagesJson }: RunUserCode): UserCodeAnswer => {
      const result = sandbox.run(code, messagesJson);
      return result.ok ? { ok: true, ...result.value } : { ok: false, ...result.error };
    };
    const projection = projectMessages(MESSAGES, { policy: 'custom', projector }, { runUserCode });
    expect(projection.droppedIndices).toEqual([1]);
    expect(projection.reports[0]?.reason).toBe('traceback_squashed');
  });
});

it('provider safety guards what the function leaves out', () => {
  const signed = [{ role: 'assistant', content: [{ type: 'redacted_thinking', data: 'x' }] }, MESSAGES[0]];
  const options = { runUserCode: returning([MESSAGES[0]]) };
  const projection = projectMessages(signed, { policy: 'custom', projector: 'f' }, options);
  expect(projection.reports[0]).toMatchObject({
    blockedBy: 0,
    reason: 'custom (blocked: signed reasoning at index 0)',
  });
});
