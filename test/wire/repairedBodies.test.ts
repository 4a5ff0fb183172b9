// Turns whose results come in several messages, with words and images beside them: the repaired body of every wire is one
// that its lint has nothing against, and what rows show as sent is in it.
import { expect, it } from 'vitest';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import { project } from '../../core/projection/project.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { createMemo } from '../../core/view/memo.ts';
import { lintBody } from '../../core/wire/lintBody.ts';
import { bodyText, toWire } from '../../core/wire/toWire.ts';
import { TARGETS, WIRE_TARGETS, type WireTarget } from '../../core/wire/types.ts';
import { stagesOf } from '../support/projecting.ts';
import { sentTextFaults } from '../support/sentText.ts';

const CASES = Number(process.env.PARALLAX_WIRE_CASES ?? 200);
const sha256 = (text: string): string => nodeSha256().update(text).hex();

const META = { format: 'anthropic-messages' };

type Block = Readonly<Record<string, unknown>>;
type Message = Readonly<{ role: string; content: string | readonly Block[] }>;

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A turn of calls; their results in one to as many messages, with words before, between and behind them. */
function turnOf(rng: Rng, turn: number): readonly Message[] {
  const ids = Array.from({ length: 1 + rng.below(4) }, (_, at) => `call_${turn}_${at}`);
  const calls = ids.map((id): Block => ({ type: 'tool_use', id, name: 'read', input: { id } }));
  const messages: Message[] = [
    { role: 'user', content: `question ${turn}` },
    { role: 'assistant', content: [{ type: 'text', text: `plan ${turn}` }, ...calls] },
  ];
  let rest: readonly string[] = ids;
  while (rest.length > 0) {
    const own = rest.slice(0, 1 + rng.below(rest.length));
    rest = rest.slice(own.length);
    messages.push({ role: 'user', content: resultsOf(rng, own) });
  }
  return [...messages, { role: 'assistant', content: `answer ${turn}` }];
}

function resultsOf(rng: Rng, ids: readonly string[]): readonly Block[] {
  const results = ids.map((id): Block => {
    const text = { type: 'text', text: `result ${id}` };
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } };
    const content = rng.below(4) === 0 ? [text, image] : rng.below(2) === 0 ? [text] : `result ${id}`;
    return { type: 'tool_result', tool_use_id: id, content };
  });
  const words = { type: 'text', text: `by the way, ${ids.join(' ')}` };
  const where = rng.below(4);
  return where === 0 ? [...results, words] : where === 1 ? [words, ...results] : results;
}

function faultsOf(messages: readonly Message[], target: WireTarget): readonly string[] {
  const source = memorySource(messages.map((message) => JSON.stringify(message)));
  const memo = createMemo();
  const stages = stagesOf({ version: 1, stages: [{ kind: 'hygiene', options: { profile: TARGETS[target].profile } }] });
  const projection = project(source, stages, source.length, { memo, sha256: nodeSha256 });
  const body = toWire(projection.view, source, memo, target, { meta: META, strict: true });
  const refused = lintBody(body, sha256, source).filter(({ severity }) => severity === 'error');
  const contents = target === 'gemini' ? JSON.parse(bodyText(body)).contents : [];
  return [
    ...splitTurns(contents),
    ...refused.map(({ code, text }) => `${code} ${text}`),
    ...sentTextFaults(source, projection, memo, target, { meta: META, strict: true }),
  ];
}

/** Gemini takes the responses of a turn in one content, directly behind the calls: as many as were called. */
function splitTurns(contents: readonly { readonly parts: readonly Block[] }[]): readonly string[] {
  const count = (at: number, key: string): number => contents[at]?.parts.filter((part) => key in part).length ?? 0;
  return contents.flatMap((_, at) => {
    const [calls, responses] = [count(at, 'functionCall'), count(at + 1, 'functionResponse')];
    return at + 1 < contents.length && calls !== responses
      ? [`content ${at}: ${calls} calls, ${responses} answers`]
      : [];
  });
}

it(`repairs ${CASES} sessions with words between results for every wire`, () => {
  for (let seed = 1; seed <= CASES; seed++) {
    const rng = seededRng(seed);
    const messages = Array.from({ length: 1 + rng.below(4) }, (_, turn) => turnOf(rng, turn)).flat();
    for (const target of WIRE_TARGETS) {
      expect(faultsOf(messages, target), `replay: seed ${seed}, ${target}`).toEqual([]);
    }
  }
});

it('sends what is said beside the first of two results behind the second, and says so', () => {
  const messages: readonly Message[] = [
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'read', input: {} })),
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: 'A' },
        { type: 'text', text: 'hurry' },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'b', content: 'B' }] },
  ];
  const source = memorySource(messages.map((message) => JSON.stringify(message)));
  const memo = createMemo();
  const { view } = project(source, [], source.length, { memo, sha256: nodeSha256 });
  const body = toWire(view, source, memo, 'openai', { meta: META, strict: true });
  const sent: unknown = JSON.parse(bodyText(body));
  expect(sent).toMatchObject({
    messages: [
      { role: 'user', content: 'go' },
      { role: 'assistant' },
      { role: 'tool', content: 'A' },
      { role: 'tool', content: 'B' },
      { role: 'user', content: 'hurry' },
    ],
  });
  expect(body.losses.filter(({ kind }) => kind === 'order')).toMatchObject([{ position: 2, how: 'changed' }]);
});
