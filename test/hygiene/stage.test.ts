import { describe, expect, it } from 'vitest';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { detect, lint, policyOf, RULE_NAMES, RULES } from '../../core/stages/hygiene/index.ts';
import { projectedMessages, projectMessages } from '../support/projecting.ts';
import { contextWith, draftsOf } from './support.ts';

const spec = (options: Record<string, unknown>) => ({ version: 1, stages: [{ kind: 'hygiene', options }] });
const call = (id: string) => ({ type: 'toolCall', id, name: 'read', arguments: {} });
const result = (id: string, text: string) => ({
  role: 'toolResult',
  toolCallId: id,
  toolName: 'read',
  content: [{ type: 'text', text }],
});

const BROKEN = [
  { role: 'user', content: 'go' },
  { role: 'assistant', content: [call('c1'), call('c2')] },
  { role: 'user', content: 'one thing more' },
  result('c2', 'late'),
  { role: 'user', content: 'and another' },
  result('gone', 'nobody asked'),
];

describe('the stage', () => {
  it('says of every message what became of it, and why', () => {
    const projection = projectMessages(BROKEN, spec({ profile: 'anthropic' }));
    expect(projection.fates.map(({ kind, rule }) => [kind, rule])).toEqual([
      ['kept', 'not_concerned'],
      ['kept', 'pairing'],
      ['rewritten', 'merge_user_turns'],
      ['merged', 'pairing'],
      ['merged', 'merge_user_turns'],
      ['dropped', 'pairing'],
    ]);
    expect(projection.fates[0]?.reason).toBe('kept: no rule objects to it (profile anthropic)');
    expect(projection.fates[3]?.reason).toBe(
      'Calls and results: the result of read does not follow its turn directly; it was moved up to its call at #1',
    );
    expect(projection.fates[3]).toMatchObject({ chip: 'moved up', because: 1 });
    expect(projection.view.items.map((item) => (item.kind === 'source' ? item.index : item.covers))).toEqual([
      0,
      1,
      { from: 2, to: 2 },
      { from: 3, to: 4 },
      2,
    ]);
    expect(projection.view.items[2]).toMatchObject({ made: { rule: 'pairing', chip: 'synthetic result' } });
    expect(projectedMessages(BROKEN, projection)[4]).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'one thing more' },
        { type: 'text', text: 'and another' },
      ],
    });
  });

  it('leaves ids that Anthropic made to Anthropic, unless told otherwise, and to no one else', () => {
    const own = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [call('toolu_01A')] },
      result('toolu_01A', 'ok'),
    ];
    const idUnder = (options: Record<string, unknown>) =>
      JSON.stringify(projectedMessages(own, projectMessages(own, spec(options)))).match(/toolu_?01A/)?.[0];
    expect(idUnder({ profile: 'anthropic' })).toBe('toolu_01A');
    expect(idUnder({ profile: 'anthropic', keep_native_ids: false })).toBe('toolu01A');
    expect(idUnder({ profile: 'google' })).toBe('toolu01A');
  });

  it('does nothing where there is nothing to do, and touches no byte', () => {
    const fine = [{ role: 'user', content: 'go' }, { role: 'assistant', content: [call('c1')] }, result('c1', 'ok')];
    for (const profile of ['anthropic', 'google', 'other']) {
      const { view, reports } = projectMessages(fine, spec({ profile }));
      expect(view.items.every((item) => item.kind === 'source' && item.text === undefined)).toBe(true);
      expect(reports[0]?.summary).toBe(`profile ${profile}: nothing to object to in 3 messages`);
    }
  });

  it('finds the provider out: as told, as recorded, by the shape', () => {
    const how = (messages: readonly unknown[], options = {}) =>
      projectMessages(messages, spec(options)).reports[0]?.summary.split(':')[0];
    const answer = {
      role: 'assistant',
      content: [{ type: 'text', text: 'hi' }],
      provider: 'anthropic',
      api: 'x',
      model: 'm',
    };
    expect(how([answer])).toBe('anthropic · x · m, as recorded');
    expect(how([{ role: 'model', parts: [{ text: 'hi' }] }])).toBe('profile google, by the shape of the messages');
    expect(how([answer], { provider: 'mistral' })).toBe('mistral');
  });

  it('leaves rules out and adds others', () => {
    const off = projectMessages(
      BROKEN,
      spec({ profile: 'anthropic', off: ['pairing', 'pairing_again', 'merge_user_turns'] }),
    );
    expect(off.fates.every(({ kind }) => kind === 'kept')).toBe(true);
    const on = projectMessages(BROKEN, spec({ profile: 'other', on: 'merge_user_turns' }));
    expect(on.fates[4]?.kind).toBe('merged');
  });

  it('does only what the matrix promises when told so', () => {
    const { fates } = projectMessages(BROKEN, spec({ profile: 'openai', make_valid: false }));
    expect(fates.every(({ kind }) => kind === 'kept')).toBe(true);
  });

  it('names what it does not know', () => {
    const parsed = parseSpec(spec({ profile: 'nobody', off: ['no_rule'] }), STAGES);
    if (parsed.ok) throw new Error('the options are wrong');
    expect(parsed.error.map(({ where }) => where?.path)).toEqual([
      'stages[0].options.profile',
      'stages[0].options.off',
    ]);
  });

  it('keeps the last turns of the user and drops what is older', () => {
    const messages = [...BROKEN, { role: 'assistant', content: 'done' }, { role: 'user', content: 'next' }];
    const { fates } = projectMessages(messages, spec({ profile: 'google', history_limit: 2 }));
    const kinds = ['dropped', 'dropped', 'dropped', 'dropped', 'kept', 'dropped', 'kept', 'kept'];
    expect(fates.map(({ kind }) => kind)).toEqual(kinds);
    expect(fates[0]?.reason).toBe(
      'History limit: it is older than the last 2 user turns (history_limit); it was dropped',
    );
    expect(fates[7]?.reason).toBe(
      'kept: within the limit of 2 user turns (history_limit), and no rule objects to it (profile google)',
    );
  });
});

describe('detection', () => {
  it('combines what holds; OpenAI wins', () => {
    const target = { provider: 'google', modelApi: 'google-generative-ai', modelId: 'codestral' };
    expect(policyOf(detect(target))).toMatchObject({ toolCallIdMode: 'strict9', validateGeminiTurns: true });
    expect(detect({ ...target, provider: 'openai' })).toMatchObject({ openai: true, google: false, mistral: false });
    expect(detect({ provider: ' OpenCode-Zen ', modelApi: '', modelId: 'gemini-3' }).routedGemini).toBe(true);
  });
});

describe('rules', () => {
  it('object to exactly what they mend, and are all described', () => {
    const drafts = draftsOf(BROKEN);
    for (const name of RULE_NAMES) {
      const rule = RULES[name];
      expect(rule.name).toBe(name);
      expect(rule.help.endsWith('.')).toBe(true);
      const { changes, messages } = rule.fix(drafts, contextWith());
      expect(rule.check(drafts, contextWith()).length).toBe(changes.length);
      if (changes.length === 0) expect(messages).toBe(drafts);
    }
  });
});

describe('the lint', () => {
  const codes = (messages: readonly unknown[], wire: 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini') =>
    lint({ messages: draftsOf(messages), wire, context: contextWith() }).map(
      ({ code, position }) => `${position} ${code.slice(5)}`,
    );

  it('finds torn pairs in every wire format, and the place of results where it counts', () => {
    const torn = ['1 unanswered_call', '3 displaced_result', '5 orphan_result'];
    expect(codes(BROKEN, 'openai-chat')).toEqual(torn);
    expect(codes(BROKEN, 'gemini')).toEqual(torn);
    expect(codes(BROKEN, 'anthropic')).toEqual(torn);
    expect(codes(BROKEN, 'openai-responses')).toEqual(['1 unanswered_call', '5 orphan_result']);
  });

  it('finds ids, empty content, order and thinking', () => {
    const messages = [
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'tool_use', id: 'a b', name: 'x', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: ' ' },
          { type: 'tool_result', tool_use_id: 'a b', content: 'ok' },
        ],
      },
      { role: 'user', content: '' },
    ];
    expect(codes(messages, 'anthropic')).toEqual([
      '0 bad_id',
      '0 unsigned_thinking',
      '1 blank_text',
      '1 results_not_first',
      '2 no_alternation',
      '2 empty_message',
    ]);
    expect(codes(messages, 'gemini')).toEqual(['0 assistant_first', '2 empty_message']);
  });

  it('finds reasoning that nothing follows', () => {
    const alone = [
      { role: 'assistant', content: [{ type: 'reasoning', id: 'rs_1', summary: [] }] },
      { role: 'user', content: 'x' },
    ];
    expect(codes(alone, 'openai-responses')).toEqual(['0 orphan_reasoning']);
  });
});
