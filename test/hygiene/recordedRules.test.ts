// Small cases on which a second reading of the published rules disagreed with this one: each names what it is about.
import { describe, expect, it } from 'vitest';
import {
  detect,
  lint,
  policyOf,
  profileOf,
  RULES,
  type RuleContext,
  type RuleName,
  repair,
} from '../../core/stages/hygiene/index.ts';
import { MISSING_RESULT } from '../../core/stages/hygiene/shape.ts';
import { sha256Hex } from '../../core/util/hash.ts';
import { contextWith, draftsOf } from './support.ts';

type Options = Partial<RuleContext['options']>;

function fixed(rule: RuleName, messages: readonly unknown[], options: Options = {}): readonly unknown[] {
  const result = RULES[rule].fix(draftsOf(messages), contextWith(options));
  return result.messages.map(({ text }): unknown => JSON.parse(text));
}

const call = (id: string, name = 'read') => ({ type: 'toolCall', id, name, arguments: {} });
const turn = (...content: readonly unknown[]) => ({ role: 'assistant', content });
const result = (id: string, text: string) => ({
  role: 'toolResult',
  toolCallId: id,
  toolName: 'read',
  content: [{ type: 'text', text }],
  isError: false,
});
const user = (text: string) => ({ role: 'user', content: text });
const text = (words: string) => ({ type: 'text', text: words });

describe('inter-session marker', () => {
  const routed = (...content: readonly unknown[]) => [
    { role: 'user', content, provenance: { kind: 'inter_session', sourceTool: 't' } },
  ];

  it('goes to the first block that has a text', () => {
    expect(fixed('inter_session_marker', routed({ type: 'text' }, { type: 'text', text: 5 }, text('a')))).toEqual(
      routed({ type: 'text' }, { type: 'text', text: 5 }, text('[Inter-session message] sourceTool=t\na')),
    );
  });

  it('stands alone where no block has one', () => {
    expect(fixed('inter_session_marker', routed({ type: 'text', text: null }))).toEqual(
      routed(text('[Inter-session message] sourceTool=t'), { type: 'text', text: null }),
    );
  });
});

describe('ids', () => {
  it('of a result are taken by the provider, also where its call has none', () => {
    const messages = [turn({ type: 'toolCall', name: 'read', arguments: {} }), result('call_1', 'ok')];
    expect(fixed('tool_ids', messages, { idMode: 'strict' })).toEqual([messages[0], result('call1', 'ok')]);
  });
});

describe('calls and results', () => {
  const made = { ...result('a', MISSING_RESULT), isError: true };

  it('a real result wins over one that a runtime made up and recorded', () => {
    const messages = [turn(call('a')), made, user('u'), result('a', 'real')];
    expect(fixed('pairing', messages)).toEqual([turn(call('a')), result('a', 'real'), user('u')]);
  });

  it('also behind another turn that calls', () => {
    const messages = [turn(call('a')), made, turn(call('b')), result('b', 'b'), result('a', 'real')];
    expect(fixed('pairing', messages)).toEqual([
      turn(call('a')),
      result('a', 'real'),
      turn(call('b')),
      result('b', 'b'),
    ]);
  });

  it('two that were made up are one', () => {
    expect(fixed('pairing', [turn(call('a')), made, made])).toEqual([turn(call('a')), made]);
  });

  it('a result without an id does not answer the only call if it names another tool', () => {
    const stray = { role: 'toolResult', toolName: 'exec', content: [text('z')] };
    expect(fixed('pairing', [turn(call('a')), stray])).toMatchObject([{}, { content: [text(MISSING_RESULT)] }]);
  });

  it('all results of a failed turn go as orphans where they are dropped', () => {
    const failed = { ...turn(call('a')), stopReason: 'error' };
    const { changes } = RULES.pairing.fix(
      draftsOf([failed, result('a', '1'), result('a', '2')]),
      contextWith({ erroredResults: 'drop' }),
    );
    expect(changes.map(({ chip }) => chip)).toEqual(['orphan', 'orphan']);
  });
});

describe('ids in the order in which they stand', () => {
  const inOrder: Options = { camelCallsOnly: true, idMode: 'strict' };
  const x = [turn(call('x_1')), result('x_1', '1'), turn(call('x_1')), result('x_1', '2')];
  const ids = (messages: readonly unknown[]): readonly unknown[] =>
    messages.flatMap((message) => {
      const list = JSON.stringify(message).matchAll(/"(?:toolCallId|id)":"([^"]*)"/g);
      return [...list].map(([, id]) => id);
    });

  it('a result without an open call gets one of its own, and keeps it', () => {
    const once = fixed('tool_ids', [...x, result('x_1', '3'), result('gone', '4')], inOrder);
    expect(ids(once)).toEqual(['x1', 'x1', 'x12', 'x12', 'x1toolresult1', 'gonetoolresult1']);
    expect(fixed('tool_ids', once, inOrder)).toEqual(once);
  });

  it('results take the oldest open call', () => {
    const messages = [turn(call('x_1')), turn(call('x_1')), result('x_1', '1'), result('x_1', '2')];
    expect(ids(fixed('tool_ids', messages, inOrder))).toEqual(['x1', 'x12', 'x1', 'x12']);
  });
});

describe('malformed calls', () => {
  it('a list that names no tool allows any, and its names may have white space', () => {
    expect(fixed('malformed_calls', [turn(call('a'))], { allowedTools: [] })).toEqual([turn(call('a'))]);
    expect(fixed('malformed_calls', [turn(call('a'))], { allowedTools: [' Read '] })).toEqual([turn(call('a'))]);
  });

  it('a turn with reasoning goes whole, signed or not', () => {
    const thinking = { type: 'thinking', thinking: 't' };
    const whole: Options = { keepSignedTurnsWhole: true };
    const broken = turn(thinking, call('a'), { type: 'toolCall', id: 'b', name: 'read' });
    const kept = turn(thinking, call('a'));
    expect(fixed('malformed_calls', [broken, user('n')], whole)).toEqual([user('n')]);
    expect(fixed('malformed_calls', [turn(thinking, call('a', ' read '))], whole)).toEqual([]);
    expect(fixed('malformed_calls', [kept, kept], whole)).toEqual([kept]);
    expect(fixed('malformed_calls', [turn(thinking, call('a'), call('a'))], whole)).toEqual([]);
  });
});

describe('the lint of a call that was cut off', () => {
  const found = (...messages: readonly unknown[]) =>
    lint({ messages: draftsOf(messages), wire: 'anthropic', context: contextWith() }).map(({ code, repair }) => [
      code,
      repair,
    ]);
  const cut = { type: 'toolCall', id: 'a', name: 'read' };

  it('names what the stage does to it, with a result or without', () => {
    expect(found(user('u'), turn(cut), user('so'))).toEqual([['lint.malformed_call', 'malformed_calls']]);
    expect(found(user('u'), turn(cut), result('a', 'ok'))).toEqual([['lint.malformed_call', 'malformed_calls']]);
    expect(found(user('u'), turn(call('a')), user('so'))).toEqual([['lint.unanswered_call', 'pairing']]);
  });

  it('knows name and input of a custom tool of chat completions', () => {
    const custom = (...inputs: readonly string[]) => ({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'exec', ...(inputs[0] && { input: inputs[0] }) } }],
    });
    const whole = [user('u'), custom('ls'), { role: 'tool', tool_call_id: 'a', content: 'ok' }];
    expect(found(...whole)).toEqual([]);
    expect(fixed('malformed_calls', whole)).toEqual(whole);
    expect(draftsOf(whole)[1]?.facts.parts).toMatchObject([{ name: 'exec', chars: 2 }]);
    expect(found(user('u'), custom())).toEqual([['lint.malformed_call', 'malformed_calls']]);
  });

  it('leaves a lacking id to the rule that gives one', () => {
    expect(found(user('u'), turn(call('')), user('so'))).toEqual([
      ['lint.unanswered_call', 'pairing'],
      ['lint.missing_id', 'tool_ids'],
    ]);
  });
});

describe('reasoning', () => {
  const rs = { type: 'thinking', thinking: 'r', thinkingSignature: '{"id":"rs_1","type":"reasoning"}' };

  it('in a thinking block is alone if nothing follows in its own message', () => {
    expect(fixed('orphan_reasoning', [turn(rs), turn(text('a'))])).toEqual([turn(text('a'))]);
  });

  it('that is gone shortens ids of any call', () => {
    expect(fixed('function_call_pairs', [turn(call('x|fc_1')), result('x|fc_1', 'ok')])).toEqual([
      turn(call('x')),
      result('x', 'ok'),
    ]);
  });
});

describe('empty turns', () => {
  it('go with blank text, but for failed ones', () => {
    const failed = { ...turn(), stopReason: 'error' };
    expect(fixed('blank_text', [turn(), failed, turn(null, text(' '))])).toEqual([failed, turn(null)]);
    expect(fixed('antigravity_thinking', [turn(), user('u')])).toEqual([user('u')]);
  });

  it('and blank strings go when content is normalised', () => {
    const blank = { role: 'user', content: [text('a'), text(' ')] };
    const messages = [{ role: 'assistant', content: ' ' }, blank, { role: 'user', content: [] }];
    expect(fixed('normalize_content', messages)).toEqual([{ role: 'user', content: [text('a')] }]);
  });

  it('and failed turns say so, but at the end they go', () => {
    const failed = { ...turn(), stopReason: 'error' };
    const unsaid = { role: 'assistant', content: null, stopReason: 'error' };
    const said = { ...turn(text('[assistant turn failed before producing content]')), stopReason: 'error' };
    expect(fixed('normalize_content', [failed, user('u'), unsaid, user(' '), said])).toEqual([said, user('u')]);
    expect(fixed('normalize_content', [unsaid, turn(text('a')), failed])).toEqual([said, turn(text('a'))]);
  });

  it('and a turn that ran out of tokens while it thought goes, unless it says or calls something', () => {
    const thought = [
      { type: 'thinking', thinking: 'hm' },
      { type: 'redacted_thinking', data: 'x' },
    ];
    const cut = (...content: readonly unknown[]) => ({ ...turn(...content), stopReason: 'length' });
    const kept = [cut(), cut(...thought, text('a')), cut(...thought, call('a')), turn(...thought)];
    expect(fixed('normalize_content', [cut(...thought), ...kept, user('u')])).toEqual([...kept, user('u')]);
    const failed = { ...turn(), stopReason: 'error' };
    expect(fixed('normalize_content', [user('u'), failed, cut(...thought)])).toEqual([user('u')]);
  });

  it('and blank text of a failed turn goes where a turn that did not fail takes it in', () => {
    const failed = { ...turn(text(' '), text('a')), stopReason: 'error' };
    const later = { ...turn(text('b')), stopReason: 'stop' };
    expect(fixed('merge_assistant_turns', [failed, later])).toEqual([{ ...later, content: [text('a'), text('b')] }]);
    expect(fixed('merge_assistant_turns', [later, failed])).toEqual([
      { ...failed, content: [text('b'), text(' '), text('a')] },
    ]);
  });
});

describe('signatures', () => {
  it('in one spelling or in both', () => {
    const block = { type: 'text', text: 'a', thought_signature: '?', thoughtSignature: '?' };
    expect(fixed('thought_signatures', [turn(block)], { signatures: 'base64' })).toEqual([turn(text('a'))]);
    expect(fixed('thought_signatures', [turn(block)], { signatures: 'base64_snake' })).toEqual([
      turn({ type: 'text', text: 'a', thoughtSignature: '?' }),
    ]);
  });
});

describe('images', () => {
  it('lose the white space around them', () => {
    const data = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
    const image = (payload: string) => ({
      role: 'user',
      content: [{ type: 'image', data: payload, mimeType: 'image/gif' }],
    });
    expect(fixed('images', [image(` ${data}\n`)])).toEqual([image(data)]);
  });
});

describe('the matrix', () => {
  it('tells the mode of ids also where OpenAI wins', () => {
    const target = { provider: 'openai', modelApi: 'openai-completions', modelId: 'mistral-large' };
    expect(policyOf(detect(target))).toMatchObject({ sanitizeToolCallIds: false, toolCallIdMode: 'strict9' });
  });

  it('counts Antigravity by its API', () => {
    const target = { provider: 'google-antigravity', modelApi: 'openai-completions', modelId: 'claude' };
    expect(policyOf(detect(target))).toMatchObject({ sanitizeMode: 'images-only', preserveSignatures: true });
  });
});

describe('a whole profile', () => {
  const google = profileOf(detect({ provider: 'google', modelApi: 'google-generative-ai', modelId: 'gemini' }), false);
  const run = (messages: readonly unknown[]): readonly unknown[] => {
    const step = repair(draftsOf(messages), google, sha256Hex).next();
    if (step.done !== true) throw new Error('no image is over the limits');
    return step.value.messages.map((draft): unknown => JSON.parse(draft.text));
  };

  it('keeps the result of a call that is merged into a turn that broke off', () => {
    const messages = [user('u'), { ...turn(), stopReason: 'error' }, turn(call('c')), result('c', 'ok')];
    expect(run(messages)).toEqual([user('u'), turn(call('c')), result('c', 'ok')]);
  });

  it('leaves no call of a failed turn open', () => {
    const messages = [user('u'), { ...turn(text('a'), call('c')), stopReason: 'aborted' }, result('c', 'part')];
    expect(run(messages)).toEqual([user('u'), { ...turn(text('a')), stopReason: 'aborted' }]);
  });

  it('has nothing left to do after a blank turn was merged', () => {
    const once = run([user('u'), { role: 'assistant', content: ' ' }, turn(text('a'))]);
    expect(once).toEqual([user('u'), turn(text('a'))]);
    expect(run(once)).toEqual(once);
  });
});
