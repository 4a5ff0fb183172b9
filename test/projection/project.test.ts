// Stages one after another, and what the projection says of each message in the end.
import { describe, expect, it } from 'vitest';
import { projectedMessages, projectMessages } from '../support/projecting.ts';

const BODY = 'some line\n'.repeat(60);
const calls = (id: string, name: string) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, name, arguments: {} }],
});
const result = (id: string, name: string, content: string) => ({ role: 'tool', tool_call_id: id, name, content });
const user = (content: string) => ({ role: 'user', content });

const MESSAGES = [
  user('start'),
  calls('a', 'run'),
  result('a', 'run', 'Error: no'),
  calls('b', 'run'),
  result('b', 'run', BODY),
  user('middle'),
  user('end'),
];

const spec = (...stages: readonly unknown[]) => ({ version: 1, stages });
const clean = { kind: 'clean_tool_repair' };
const gc = { kind: 'reachability_gc', options: { root_window: 1, min_chars: 100 } };
const summary = (keep_last: number) => ({ kind: 'summary_prefix', options: { keep_last } });
const kindsOf = (stages: unknown) =>
  projectMessages(MESSAGES, stages).fates.map((fate) => `${fate.kind}@${fate.stage}`);

describe('stages compose', () => {
  it('without stages everything is as it was', () => {
    const projection = projectMessages(MESSAGES, spec());
    expect(projectedMessages(MESSAGES, projection)).toEqual(MESSAGES);
    expect(new Set(projection.fates.map((fate) => fate.stage))).toEqual(new Set([null]));
  });

  it('each acts on what the one before left', () => {
    const [passed, weighed, hidden] = ['kept@1', 'kept@0', 'dropped@0'];
    // The turn whose call did not fail was weighed by the first stage, the user's messages by none of the two.
    expect(kindsOf(spec(clean, gc))).toEqual([passed, hidden, hidden, weighed, 'redacted@1', passed, passed]);
  });

  it('dropped by the first stays so; redacted, then summarised, is summarised', () => {
    expect(kindsOf(spec(clean, gc, summary(1)))).toEqual([
      'summarised@2',
      'dropped@0',
      'dropped@0',
      'summarised@2',
      'summarised@2',
      'summarised@2',
      'kept@2',
    ]);
    expect(projectMessages(MESSAGES, spec(clean, gc, summary(1))).pointers).toEqual([]);
  });

  it('counts messages of the view, and speaks of source indices', () => {
    const projection = projectMessages(MESSAGES, spec(clean, summary(2)));
    const [synthetic, ...rest] = projectedMessages(MESSAGES, projection);
    expect(synthetic).toMatchObject({ content: '[3 earlier messages summarized]' });
    expect(rest).toEqual(MESSAGES.slice(5));
    expect(projection.view.items[0]).toMatchObject({ covers: { from: 0, to: 5 }, stage: 1 });
    expect(projection.keptIndices).toEqual([5, 6]);
  });

  it('pointers lead to the raw place of a block that moved', () => {
    const toolUse = (id: string, name: string) => ({ type: 'tool_use', id, name, input: {} });
    const block = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content });
    const messages = [
      { role: 'assistant', content: [toolUse('a', 'run'), toolUse('b', 'ls')] },
      { role: 'user', content: [block('a', 'Error: no'), block('b', BODY)] },
      { role: 'assistant', content: [toolUse('c', 'run')] },
      { role: 'user', content: [block('c', 'fine')] },
      user('end'),
    ];
    const projection = projectMessages(messages, spec(clean, gc));
    expect(projection.pointers.map((pointer) => pointer.source)).toEqual(['transcript.messages[1].content[1].content']);
    expect(projection.fates[1]).toMatchObject({
      kind: 'redacted',
      parts: [
        { part: 0, kind: 'dropped' },
        { part: 1, kind: 'redacted' },
      ],
    });
    expect(projection.fates[1]?.reason).toContain('; then: ');
    expect(projectedMessages(messages, projection)[1]).toMatchObject({
      content: [{ tool_use_id: 'b', content: expect.stringContaining('reclaimed') }],
    });
  });

  it('redacting twice redacts once', () => {
    const once = projectMessages(MESSAGES, spec(gc));
    const twice = projectMessages(MESSAGES, spec(gc, gc));
    expect(projectedMessages(MESSAGES, twice)).toEqual(projectedMessages(MESSAGES, once));
    expect(twice.pointers).toEqual(once.pointers);
  });

  it('what is switched off does nothing, and has its report', () => {
    const projection = projectMessages(MESSAGES, spec({ ...clean, enabled: false }, gc));
    expect(projection.reports.map((report) => [report.stage, report.enabled, report.summary])).toEqual([
      [0, false, 'off'],
      [1, true, '1 result reclaimed'],
    ]);
    expect(projection.droppedIndices).toEqual([]);
  });

  it('one stage refused by provider safety leaves the others their say', () => {
    const signed = { role: 'assistant', content: [{ type: 'thinking', thinking: 'x', signature: 's' }] };
    const messages = [signed, ...MESSAGES];
    const projection = projectMessages(messages, spec(summary(1), clean));
    expect(projection.reports.map((report) => report.blockedBy)).toEqual([0, null]);
    expect(projection.droppedIndices).toEqual([2, 3]);
    expect(projection.providerSafetyBlocked).toBe(true);
  });
});
