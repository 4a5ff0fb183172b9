// What the drawer says of signed thinking agrees with what the engine answers: blocks that the provider drops are not called
// signed and no more.
import { describe, expect, it } from 'vitest';
import { thinkingPart } from '../../renderer/drawer/thinkingPart.ts';
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
    ['drop_block', 'signed, dropped', /dropped by the provider/],
  ])('under %s: %s', async (preserved_thinking, broken, why) => {
    const { add, client } = testEngine();
    const id = await add('request.json', JSON.stringify(REQUEST));
    const spec = { version: 1, preserved_thinking, stages: [clearing] };
    const { projectionId, thinking } = await client.call('projection.set', { id, spec, at: null });
    const said: string[] = [];
    for (const index of [1, 3, 5, 9]) {
      const detail = await client.call('projection.detail', { projectionId, index });
      const part = detail.parts.find((each) => each.signed);
      if (part === undefined) throw new Error(`#${index} has no signed part`);
      const fate = detail.fate.parts.find((each) => each.part === part.part) ?? detail.fate;
      const { word, title } = thinkingPart(thinking, index, part, fate);
      said.push(word);
      if (index > 1) expect(title).toMatch(why);
    }
    expect(said).toEqual(['signed, bound', broken, broken, broken]);
  });
});
