// System prompt and tools beside the messages, in an open transcript: estimated until they are counted, counted once.
import { expect, it } from 'vitest';
import type { EngineClient } from '../../core/protocol/client.ts';
import type { ProjectionInfo, Series } from '../../core/protocol/types.ts';
import { loadCounter } from '../../core/tokens/counters.ts';
import { nextEvent, testEngine } from './support.ts';

const TOOL = {
  type: 'function',
  function: {
    name: 'stock',
    description: 'Says how many bicycles of a kind there are, and where they stand.',
    parameters: { type: 'object', properties: { kind: { type: 'string', description: 'as on the price list' } } },
  },
};
const INSTRUCTIONS = 'You look after a small shop that sells bicycles, and answer briefly.';
const input = Array.from({ length: 6 }, (_, turn) => [
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: `Question ${turn}: how many are left?` }] },
  { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: `Answer ${turn}: seven.` }] },
]).flat();
const BODY = JSON.stringify({ model: 'gpt-4o', instructions: INSTRUCTIONS, tools: [TOOL], input });

const show = (client: EngineClient, id: string, budget: object = {}): Promise<ProjectionInfo> =>
  client.call('projection.set', { id, spec: { version: 1, stages: [], budget }, at: null });

async function counted() {
  const { count } = await loadCounter('o200k_base');
  const [system, tools] = [count(INSTRUCTIONS), count(JSON.stringify(TOOL))];
  return { system, tools, total: system + tools };
}

async function opened() {
  const engine = testEngine();
  const done = nextEvent(engine.client, 'job', (job) => job.kind === 'tokens' && job.state === 'done');
  const id = await engine.add('body.json', BODY);
  await done;
  await engine.client.call('transcript.open', { id });
  return { ...engine, id };
}

it('are exact once they are counted, and count against the budget', async () => {
  const { client, id } = await opened();
  const { system, tools, total } = await counted();
  const info = await show(client, id, { window: 1000, overhead: 30 });
  expect(info.beside).toMatchObject({ system, tools, overhead: 30, total: total + 30, provenance: 'exact' });
  expect(info.budget).toMatchObject({ total: 1000, room: 1000 - total - 30, used: info.projected.total + total + 30 });
  expect(info.raw.total).toBe(info.projected.total);
});

it('are told of without a window too', async () => {
  const { client, add } = testEngine();
  const id = await add('body.json', BODY.replace('gpt-4o', 'some-model'));
  const info = await show(client, id);
  expect(info.budget).toBeNull();
  expect(info.beside.total).toBeGreaterThan(0);
  expect(info.beside.provenance).toBe('estimated');
});

it('are estimated under a tokenizer that nothing was counted with yet', async () => {
  const { client, id } = await opened();
  const { beside } = await client.call('projection.set', {
    id,
    spec: { version: 1, stages: [] },
    at: null,
    tokenizer: 'cl100k_base',
  });
  const quarter = Math.ceil(INSTRUCTIONS.length / 4) + Math.ceil(JSON.stringify(TOOL).length / 4);
  expect(beside).toMatchObject({ total: quarter, provenance: 'estimated' });
});

it('are kept: who opens the library again has them before anything is counted', async () => {
  const { dir, dispose, id } = await opened();
  await dispose();
  const again = testEngine(dir);
  await again.client.call('transcript.open', { id });
  const { beside } = await show(again.client, id);
  expect(beside).toMatchObject({ ...(await counted()), provenance: 'exact' });
});

it('decide what fits under each preset, and where it ceases to', async () => {
  const { client, id } = await opened();
  const { total } = await counted();
  const messages = (await show(client, id)).projected.total;
  const ask = async (window: number, overhead: number) => {
    const params = { id, at: null, window, overhead, firstOver: true };
    const { figures } = await client.call('budget.presets', params);
    return figures.find(({ name }) => name === 'raw');
  };
  const whole = messages + total;
  expect(await ask(whole, 0)).toMatchObject({ beside: total, fits: true, firstOver: null });
  expect(await ask(whole - 1, 0)).toMatchObject({ fits: false, firstOver: { at: input.length, tokens: whole } });
  expect(await ask(whole, 1)).toMatchObject({ beside: total + 1, fits: false, firstOver: { tokens: whole + 1 } });
});

it('stand at the beginning of what requests have in common', async () => {
  const { client, id } = await opened();
  const { total } = await counted();
  const complete = new Promise<Series>((resolve) => {
    client.on('series', (series) => series.complete && resolve(series));
  });
  const spec = { version: 1, stages: [{ kind: 'sliding_window', options: { turns: 1 } }] };
  const first = await client.call('series.start', { id, spec, samples: 10, tokenizer: null });
  expect(first.beside).toBe(total);
  const { points } = await complete;
  // Nothing of the messages is there again, system prompt and tools are.
  expect(points.find(({ at }) => at === input.length - 1)?.cache).toMatchObject({
    prefixMessages: 0,
    prefixTokens: total,
  });
});
