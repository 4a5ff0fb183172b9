// What drawer and rows say of signed thinking agrees with what the engine answers, and with the request's body: blocks that
// the provider drops are in it and not called signed and no more; what a stage drops is not in it.
import { describe, expect, it } from 'vitest';
import { thinkingPart } from '../../renderer/parts/thinkingPart.ts';
import { isSealed, sealedPart } from '../../renderer/timeline/rowText.ts';
import { testEngine } from './support.ts';

const turn = (n: number) => [
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: '', signature: `sig-${n}` },
      { type: 'tool_use', id: `t${n}`, name: 'read', input: { path: `${n}.ts` } },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${n}`, content: `body ${n} `.repeat(40) }] },
];
const REQUEST = {
  model: 'claude-fable-5-1',
  max_tokens: 500,
  thinking: { type: 'enabled', budget_tokens: 400 },
  messages: [{ role: 'user', content: 'Look.' }, ...[1, 2, 3, 4, 5].flatMap(turn)],
};
const clearing = { kind: 'langchain_clear_tool_uses', options: { trigger_tokens: 10, keep: 1 } };

describe('the chip on signed thinking behind cleared results', () => {
  it.each([
    ['error', 'signed, no longer valid', /refuses the request \(400\)/],
    ['drop_block', 'signed, dropped by provider', /dropped by the provider/],
  ])('under %s: %s', async (preserved_thinking, broken, why) => {
    const { add, client } = testEngine();
    const id = await add('request.json', JSON.stringify(REQUEST));
    const spec = { version: 1, preserved_thinking, stages: [clearing] };
    const { projectionId, thinking } = await client.call('projection.set', { id, spec, at: null });
    const said: (string | null)[] = [];
    for (const index of [1, 3, 5, 9]) {
      const detail = await client.call('projection.detail', { projectionId, index });
      const part = detail.parts.find((each) => each.signed);
      if (part === undefined) throw new Error(`#${index} has no signed part`);
      const fate = detail.fate.parts.find((each) => each.part === part.part) ?? detail.fate;
      const { word, title } = thinkingPart(thinking, index, { ...part, isEncrypted: false }, fate);
      said.push(word);
      if (index > 1) expect(title).toMatch(why);
    }
    expect(said).toEqual(['signed, bound', broken, broken, broken]);
  });
});

describe('what is said of thinking and the body of the request', () => {
  const thinking = [
    { type: 'thinking', thinking: 'First I look.', signature: 'sig-open' },
    { type: 'redacted_thinking', data: 'sig-hidden' },
  ];
  const session = {
    ...REQUEST,
    messages: [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: [...thinking, { type: 'tool_use', id: 't0', name: 'read', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't0', content: 'body' }] },
      ...[1, 2, 3, 4, 5].flatMap(turn),
      { role: 'user', content: 'And now?' },
    ],
  };
  const SPECS = [
    { version: 1, stages: [] },
    { version: 1, preserved_thinking: 'error', stages: [clearing] },
    { version: 1, preserved_thinking: 'drop_block', stages: [clearing] },
    { version: 1, preserved_thinking: { mode: 'drop_block', model: 'claude-opus-4-5' }, stages: [clearing] },
    { version: 1, stages: [{ kind: 'anthropic_clear_thinking', options: { keep: 'thinking_turns', turns: 1 } }] },
    { version: 1, stages: [{ kind: 'sliding_window', options: { turns: 1 } }] },
  ];

  it.each(SPECS)('agree: %j', async (spec) => {
    const { add, client } = testEngine();
    const id = await add('request.json', JSON.stringify(session));
    const set = await client.call('projection.set', { id, spec, at: null });
    const { rows } = await client.call('projection.rows', { projectionId: set.projectionId, from: 0, to: 200 });
    const body = (await client.call('wire.text', { id, spec, at: null, target: 'anthropic' })).text;
    const sealed = rows.filter(isSealed);
    expect(sealed).toHaveLength(7);
    const said = await Promise.all(
      sealed.map(async (row) => {
        const inRow = thinkingPart(set.thinking, row.index, sealedPart(row), { kind: row.fate, reason: row.reason });
        const detail = await client.call('projection.detail', { projectionId: set.projectionId, index: row.index });
        const part = detail.parts.find((each) => each.part === row.part);
        if (part === undefined) throw new Error(`#${row.index} has no part ${row.part}`);
        const fate = detail.fate.parts.find((each) => each.part === part.part) ?? detail.fate;
        const isEncrypted = part.kind === 'opaque';
        expect(thinkingPart(set.thinking, row.index, { ...part, isEncrypted }, fate).word).toBe(inRow.word);
        const recorded: unknown = JSON.parse(detail.rawJson);
        const signature = /sig-\w+/g;
        const own = [...JSON.stringify(recorded).matchAll(signature)][row.part]?.[0] ?? '';
        return [inRow.word, body.includes(own)] as const;
      }),
    );
    for (const [word, isInBody] of said)
      expect([word, isInBody]).toEqual([word, !/(^|, )(dropped|not sent)$/.test(word ?? '')]);
  });
});
