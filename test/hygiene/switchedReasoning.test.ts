// Reasoning items of the Responses API after a switch of provider, API or model: what was made before it goes.
import { describe, expect, it, test } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { project } from '../../core/projection/project.ts';
import { lint, RULES, type Target } from '../../core/stages/hygiene/index.ts';
import { seededRng } from '../../core/util/rng.ts';
import { itemText } from '../../core/view/reader.ts';
import { PAUSE } from '../../core/view/types.ts';
import { compareFollowed } from '../oracle/followedStage.ts';
import { cases } from '../support/cases.ts';
import { stagesOf } from '../support/projecting.ts';
import { contextWith, draftsOf } from './support.ts';

const text = (words: string) => ({ type: 'text', text: words });
const reasoning = { type: 'thinking', thinking: 'th', thinkingSignature: '{"type":"reasoning","id":"rs_1"}' };
const user = { role: 'user', content: [text('ask')] };
const ROUTE = { provider: 'openai', api: 'openai-responses' };
const answer = (model: string, ...content: readonly unknown[]) => ({
  role: 'assistant',
  content: content.length > 0 ? content : [reasoning, text('said')],
  ...ROUTE,
  model,
});
const bare = (model: string) => answer(model, text('said'));

const to = (modelId: string, own: Partial<Target> = {}): Target => {
  return { provider: 'openai', modelApi: 'openai-responses', modelId, ...own };
};
const NOWHERE = to('', { provider: '', modelApi: '' });

describe('the rule', () => {
  test.each<[string, readonly unknown[], Target, readonly unknown[]]>([
    ['one model: stays', [user, answer('a'), user], NOWHERE, [user, answer('a'), user]],
    ['the request goes on to it: stays', [user, answer('a'), user], to('A'), [user, answer('a'), user]],
    ['the request goes elsewhere', [user, answer('a'), user], to('b'), [user, bare('a'), user]],
    ['to another provider of it', [answer('a'), user], to('a', { provider: 'azure' }), [bare('a'), user]],
    ['over another API', [answer('a')], to('a', { modelApi: 'openai-codex-responses' }), [bare('a')]],
    ['an earlier switch', [answer('a'), user, answer('b'), user], NOWHERE, [bare('a'), user, answer('b'), user]],
    [
      'there and back: all before the last',
      [answer('a'), answer('b'), answer('a')],
      NOWHERE,
      [bare('a'), bare('b'), answer('a')],
    ],
    ['a turn that held nothing else goes', [user, answer('a', reasoning), user], to('b'), [user, user]],
    [
      'thinking of others is not its business',
      [answer('a', { type: 'thinking', thinking: 't' })],
      to('b'),
      [answer('a', { type: 'thinking', thinking: 't' })],
    ],
    [
      'answers that name no route stand with those around them',
      [{ role: 'assistant', content: [reasoning, text('x')] }, answer('a')],
      to('b'),
      [{ role: 'assistant', content: [text('x')] }, bare('a')],
    ],
  ])('%s', (_name, messages, route, after) => {
    const result = RULES.switched_reasoning.fix(draftsOf(messages), contextWith({ route }));
    expect(result.messages.map((draft): unknown => JSON.parse(draft.text))).toEqual(after);
  });

  it('says which switch, and does nothing to the same list', () => {
    const drafts = draftsOf([user, answer('gpt-5'), user]);
    const context = contextWith({ route: to('o4-mini') });
    const { messages, changes } = RULES.switched_reasoning.fix(drafts, context);
    expect(changes.map(({ objection, done }) => `${objection}; ${done}`)).toEqual([
      'the reasoning was made before a switch (gpt-5 → o4-mini); the item was dropped',
    ]);
    expect(RULES.switched_reasoning.fix(messages, context).messages).toBe(messages);
  });

  it('is a finding of the lint, which it mends', () => {
    const context = contextWith({ route: to('o4-mini') });
    const drafts = draftsOf([user, answer('gpt-5'), user]);
    const found = lint({ messages: drafts, wire: 'openai-responses', context });
    expect(found).toMatchObject([
      { code: 'lint.switched_reasoning', severity: 'warning', index: 1, repair: 'switched_reasoning' },
    ]);
    const { messages } = RULES.switched_reasoning.fix(drafts, context);
    expect(lint({ messages, wire: 'openai-responses', context })).toEqual([]);
  });
});

describe('the stage', () => {
  const run = (messages: readonly unknown[], options: Readonly<Record<string, unknown>>) => {
    const source = memorySource(messages.map((message) => JSON.stringify(message)));
    const projection = project(source, stagesOf({ version: 1, stages: [{ kind: 'hygiene', options }] }), source.length);
    return {
      ...projection,
      messages: projection.view.items.map((item): unknown => JSON.parse(itemText(item, source))),
    };
  };

  it.each([true, false])('drops it with make_valid %s, and tells the fate', (valid) => {
    const options = { make_valid: valid, provider: 'openai', api: 'openai-responses', model: 'o4-mini' };
    const { messages, fates } = run([user, answer('gpt-5'), user], options);
    expect(messages).toEqual([user, bare('gpt-5'), user]);
    expect(fates[1]).toMatchObject({ kind: 'rewritten', rule: 'switched_reasoning' });
  });

  it('goes by what answers record where nobody names a route', () => {
    expect(run([answer('a'), user, answer('b'), user], {}).messages).toEqual([bare('a'), user, answer('b'), user]);
    expect(run([answer('a'), user], {}).messages).toEqual([answer('a'), user]);
  });

  it('leaves it alone for other APIs, which take no such items', () => {
    expect(run([answer('a'), user], { profile: 'openai', model: 'b' }).messages).toEqual([answer('a'), user]);
  });
});

test('along the call points it is the stage run anew at each', () => {
  for (let seed = 1; seed <= cases(150, 60); seed++) {
    const rng = seededRng(seed);
    const steady = rng.chance(0.3);
    const messages = Array.from({ length: 4 + rng.below(40) }, () => {
      if (rng.chance(0.4)) return user;
      if (rng.chance(0.15)) return { role: 'assistant', content: [reasoning, text('x')] };
      const model = steady || rng.chance(0.8) ? 'a' : rng.pick(['b', 'c']);
      const content = rng.pick([[reasoning, text('x')], [reasoning], [text('x')]]);
      const { provider: _provider, ...unnamed } = answer(model, ...content);
      return rng.chance(0.1) ? unnamed : answer(model, ...content);
    });
    const named = rng.pick([{}, {}, { provider: 'openai', api: 'openai-responses', model: rng.pick(['a', 'b']) }]);
    const options = { profile: rng.chance(0.5) ? 'openai-responses' : 'auto', make_valid: rng.chance(0.5), ...named };
    const before = rng.pick<readonly unknown[]>([
      [],
      [{ kind: 'sliding_window', options: { max_turns: 1 + rng.below(4) } }],
    ]);
    const source = memorySource(messages.map((message) => JSON.stringify(message)));
    const stages = stagesOf({ version: 1, stages: [...before, { kind: 'hygiene', options }] });
    const points = Array.from({ length: source.length + 1 }, (_, at) => at);
    compareFollowed({ source, stages, host: () => PAUSE }, points, (found, expected) => {
      expect(found, `seed ${seed}, at ${found.at}`).toEqual(expected);
    });
  }
});
