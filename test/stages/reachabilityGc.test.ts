import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { project } from '../../core/projection/project.ts';
import { createMemo } from '../../core/view/memo.ts';
import { projectedMessages, projectMessages, stagesOf, transcriptOf } from '../support/projecting.ts';

const BODY = 'some line\n'.repeat(60);
const gc = (options: object = {}) => ({ policy: 'reachability_gc', root_window: 1, min_chars: 100, ...options });
const user = (content: unknown) => ({ role: 'user', content });
const result = (fields: object = {}) => ({ role: 'tool', name: 'lookup', content: BODY, ...fields });
const redactedOf = (messages: readonly unknown[], options: object = {}) =>
  projectMessages(messages, gc(options)).redactedIndices;

describe('what keeps a result alive', () => {
  it.each([
    ['nothing', {}, 'go on', [0]],
    ['its name', {}, 'use lookup again', []],
    ['a reference field, whatever it looks like', { data: { object_id: 'widget' } }, 'the widget', []],
    ['not another field', { data: { title: 'widget' } }, 'the widget', [0]],
    ['a number under a reference field', { data: { issue_number: 12 } }, 'issue 12', []],
    ['a whole token only', { data: { issue_number: 2 } }, 'issue 12', [0]],
    ['an identifier in its text', { content: `src/a.ts\n${BODY}` }, 'see src/a.ts.', []],
    ['not a word of its text', { content: `alpha\n${BODY}` }, 'alpha', [0]],
    ['domain kinds', { data: { kind: 'CustomerRecord' } }, 'CustomerRecord', []],
    ['not the words of the envelope', { _harn: { kind: 'some_kind', schema: 'agent.v1' } }, 'some_kind agent.v1', [0]],
    ['being an error', { is_error: true }, 'go on', []],
    ['being short', { content: 'x'.repeat(99) }, 'go on', []],
    ['not being just long enough', { content: '😀'.repeat(100) }, 'go on', [0]],
    ['having no content', { content: undefined }, 'go on', []],
  ])('%s', (_name, fields, last, expected) => {
    expect(redactedOf([result(fields), user(last)])).toEqual(expected);
  });

  it('content that is a number is as long as it is written', () => {
    const source = memorySource(['{"role":"tool","content":1e16}', '{"role":"user","content":"go"}']);
    const redacted = (min_chars: number) => project(source, stagesOf(gc({ min_chars })), 2).redactedIndices;
    expect([redacted(4), redacted(5)]).toEqual([[0], []]);
  });

  it('roles and block types of the protocol name nothing', () => {
    const block = { type: 'tool_result', tool_use_id: 'a', content: BODY };
    const live = { type: 'tool_result', tool_use_id: 'b', content: 'x' };
    expect(
      redactedOf([
        { ...result(), role: 'tool_result' },
        { role: 'tool_result', content: 'x' },
      ]),
    ).toEqual([0]);
    expect(redactedOf([user([block]), user([live])])).toEqual([0]);
  });

  it('the arguments of its call, however they are written', () => {
    const asText = { id: 'c', function: { name: 'f', arguments: '{"path":"widget"}' } };
    const asObject = { id: 'c', name: 'f', arguments: { path: 'widget' } };
    for (const call of [asText, asObject]) {
      const messages = [{ role: 'assistant', content: '', tool_calls: [call] }, result({ tool_call_id: 'c' })];
      expect(redactedOf([...messages, user('widget')])).toEqual([]);
      expect(redactedOf([...messages, user('gadget')])).toEqual([1]);
    }
  });

  it('texts of the caller', () => {
    const messages = [result({ data: { object_id: 'widget' } }), user('go')];
    for (const name of [
      'roots',
      'active_plan',
      'scratchpad',
      'pending_tool_args',
      'unresolved_findings',
      'barrier_refs',
    ]) {
      expect(redactedOf(messages, { [name]: { deep: ['see widget'] } }), name).toEqual([]);
    }
    expect(redactedOf(messages, { roots: 'gadget' })).toEqual([0]);
  });

  it('the envelope of a root names nothing', () => {
    const messages = [result({ data: { object_id: 'widget' } }), { ...user('go'), _harn: { note: 'widget' } }];
    expect(redactedOf(messages)).toEqual([0]);
  });
});

describe('roots consulted', () => {
  const messages = [result(), user('a'), user('b')];
  const rootsOf = (options: object) => projectMessages(messages, gc(options)).reports[0]?.rootsConsulted;

  it.each([
    [{}, ['last_1_messages']],
    [{ root_window: 99 }, ['last_3_messages']],
    [{ root_window: 0 }, []],
    [{ roots: 'x', write_barrier_refs: ['y'], barrier_refs: 'z' }, ['last_1_messages', 'roots', 'write_barrier']],
    [{ roots: ' ', scratchpad: [1, null] }, ['last_1_messages']],
    [
      { write_barrier: 'x', require_write_barrier: true },
      ['last_1_messages', 'write_barrier', 'write_barrier_required'],
    ],
  ])('%j → %j', (options, expected) => {
    expect(rootsOf(options)).toEqual(expected);
  });

  it('a required barrier that is missing leaves everything', () => {
    const projection = projectMessages(messages, gc({ require_barrier: true, roots: 'no barrier' }));
    expect(projection.redactedIndices).toEqual([]);
    expect(projection.reports[0]?.reason).toBe('reachability_gc_write_barrier_missing');
  });

  it.each([
    ['context_gc', {}],
    ['tool_result_gc', {}],
    ['reachability_gc', { root_window: undefined, recent_messages: 1 }],
    ['reachability_gc', { root_window: null, keep_last: 1, min_chars: undefined, min_reclaim_chars: 100 }],
    ['reachability_gc', { min_chars: undefined, tool_result_min_chars: 100 }],
  ])('under its other names: %s %j', (policy, options) => {
    expect(projectMessages(messages, { ...gc(options), policy }).redactedIndices).toEqual([0]);
  });
});

describe('what stands in place of a body', () => {
  it('on a message: pointer and mark, all else as it was', () => {
    const messages = [{ ...result(), tool_call_id: 'c', extra: { n: 1 } }, user('go')];
    const projection = projectMessages(messages, gc());
    const [pointer] = projection.pointers;
    expect(pointer).toMatchObject({ source: 'transcript.messages[0].content', content_chars: 600, tool_call_id: 'c' });
    expect(projectedMessages(messages, projection)[0]).toEqual({
      ...messages[0],
      content: `[tool result reclaimed by reachability_gc; source_index=0; content_hash=${pointer?.content_hash}; estimated_tokens_reclaimed=150. Raw content remains in the transcript audit trail.]`,
      _harn_projection: { redacted: true, policy: 'reachability_gc', redaction_pointer: pointer },
    });
  });

  it('on blocks: a mark on each, all pointers on the message, an earlier mark kept', () => {
    const blocks = ['a', 'b'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: BODY }));
    const messages = [
      { ...user(blocks), _harn_projection: { note: 1, redaction_pointers: [{ old: 1.5 }] } },
      user('go'),
    ];
    const projection = projectMessages(messages, gc());
    const pointers = projection.pointers;
    expect(pointers.map((pointer) => pointer.source_block_index)).toEqual([0, 1]);
    expect(projectedMessages(messages, projection)[0]).toMatchObject({
      content: pointers.map((pointer) => ({ _harn_projection: { redacted: true, redaction_pointer: pointer } })),
      _harn_projection: {
        note: 1,
        redacted: true,
        policy: 'reachability_gc',
        redaction_pointers: [{ old: 1.5 }, ...pointers],
      },
    });
  });

  it('content that is no string is hashed and counted as compact JSON', () => {
    const content = [{ type: 'text', text: BODY }];
    const { pointers, redactedIndices } = projectMessages([result({ content }), user('go')], gc());
    expect([redactedIndices, pointers[0]?.content_chars]).toEqual([[0], JSON.stringify(content).length]);
  });

  it('counts what is reclaimed, never less than nothing', () => {
    const report = projectMessages([result(), user('go')], gc()).reports[0];
    expect(report).toMatchObject({ reclaimedChars: 600 - 228, reclaimedTokens: 93 });
    const tiny = projectMessages([result({ content: 'x' }), user('go')], gc({ min_chars: 0 })).reports[0];
    expect(tiny).toMatchObject({ counts: { redacted: 1 }, reclaimedChars: 0, reclaimedTokens: 0 });
  });
});

describe('every decision explains itself', () => {
  const messages = [
    result({ content: `src/live.ts\n${BODY}` }),
    result({ content: `src/old.ts src/older.ts\n${BODY}` }),
    result({ content: 'short' }),
    result({ status: 'failed' }),
    user('go on with src/live.ts'),
  ];

  it('what was kept: the identifier and where it is named', () => {
    const { fates } = projectMessages(messages, gc());
    expect(fates[0]).toMatchObject({ kind: 'kept', rule: 'reachable', evidence: 'src/live.ts', because: 4 });
    expect(fates[0]?.reason).toBe('kept: `src/live.ts` is named in #4, within the last 1 message (root_window)');
    expect(fates[2]?.reason).toBe('kept: 5 characters, fewer than 100 (min_chars)');
    expect(fates[3]?.reason).toBe('kept: error results stay');
  });

  it('what was reclaimed: window, size and how many identifiers were looked for', () => {
    const { fates } = projectMessages(messages, gc());
    expect(fates[1]).toMatchObject({ kind: 'redacted', rule: 'stale_tool_result_unreachable', chip: '−396' });
    expect(fates[1]?.reason).toBe(
      'older than the last 1 message (root_window), 624 chars ≥ 100 (min_chars), none of its 3 identifiers is named there',
    );
  });

  it('a text of the caller by its option’s name', () => {
    const { fates } = projectMessages(messages, gc({ scratchpad: 'src/old.ts' }));
    expect(fates[1]?.reason).toBe('kept: `src/old.ts` is named in scratchpad');
  });

  it('the same whatever was remembered from other options', () => {
    const source = transcriptOf(messages);
    const memo = createMemo();
    for (const options of [{ root_window: 0, min_chars: 0 }, { root_window: 4 }, { scratchpad: 'src/old.ts' }]) {
      project(source, stagesOf(gc(options)), source.length, { memo });
    }
    const remembering = project(source, stagesOf(gc()), source.length, { memo });
    expect(remembering).toEqual(projectMessages(messages, gc()));
  });
});
