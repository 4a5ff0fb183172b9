// A projection held against its budget by the engine; summaries written through it.
import { describe, expect, it } from 'vitest';
import type { SeriesPoint } from '../../core/protocol/types.ts';
import { compactedSession } from '../support/compactedSession.ts';
import { failureOf, nextEvent, sessionFile, testEngine, whenCounted } from './support.ts';

async function opened(count = 12) {
  const engine = testEngine();
  const messages = Array.from({ length: count }, (_, turn) => [
    { role: 'user', content: [{ type: 'text', text: `question ${turn}` }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: `t${turn}`, name: turn % 2 ? 'Read' : 'Bash', input: {} }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `t${turn}`, content: 'line of a file\n'.repeat(60) }],
    },
    { role: 'assistant', content: [{ type: 'text', text: `answer ${turn}` }] },
  ]).flat();
  const counted = nextEvent(engine.client, 'job', (job) => job.kind === 'tokens' && job.state === 'done');
  const id = await engine.add('one.jsonl', sessionFile(messages));
  await counted;
  await engine.client.call('transcript.open', { id });
  const set = (stages: readonly unknown[], budget: object = {}, window: number | null = null) =>
    engine.client.call('projection.set', { id, spec: { version: 1, stages, budget }, at: null, window });
  // The tokenizer is loaded when it is first asked for: what is edited is counted only then.
  const ready = nextEvent(engine.client, 'transcript', (event) => event.reason === 'counted');
  await set(['tool_result_retention']);
  await ready;
  return { ...engine, id, set };
}

describe('the budget of a projection', () => {
  it('is the model’s window, less what the spec reserves', async () => {
    const { set } = await opened();
    const own = await set([]);
    expect(own.budget).toMatchObject({ window: 200_000, total: 200_000, overflow: null, used: own.raw.total });
    const reserved = await set([], { reserve_output: 8000, injection_reserve: 2000 });
    expect(reserved.budget).toMatchObject({ window: 200_000, total: 190_000 });
    expect((await set([], { window: 5000 }, 3000)).budget?.window).toBe(3000);
  });

  it('says by how much it is over, and from which message on', async () => {
    const { set } = await opened();
    const { budget, raw } = await set([], { window: 1000 });
    expect(budget?.overflow?.tokens).toBe(raw.total - 1000);
    expect(budget?.overflow?.fromIndex).toBe(budget?.overflow?.fromPosition);
    expect(budget?.tiers.find(({ tier }) => tier === 'tool_result')?.tokens).toBe(raw.byCategory.tool_result);
  });

  it('tells what each stage saved, and what it added', async () => {
    const { set } = await opened();
    const off = { kind: 'sliding_window', enabled: false };
    const injection = { kind: 'injection', options: { entries: { a: 'remember this' } } };
    const { savedTokens, raw, projected, budget } = await set(['tool_result_retention', off, injection], {
      injection_reserve: 9,
    });
    const [retention = 0, window, injected = 0] = savedTokens;
    expect(window).toBeNull();
    expect(retention).toBeGreaterThan(500);
    expect(injected).toBeLessThan(0);
    expect(projected.total).toBe(raw.total - (retention ?? 0) - (injected ?? 0));
    expect(budget?.injected).toBe(-(injected ?? 0));
  });

  it('is what stages go by', async () => {
    const { set } = await opened();
    const caps = { caps: { tool_result: 400 } };
    const capped = await set([{ kind: 'tool_result_retention', options: { mode: 'never' } }], caps);
    expect(capped.counts.redacted).toBe(0);
    const cut = await set([{ kind: 'tool_result_retention', options: { value: 100 } }], caps);
    expect(cut.counts.redacted).toBeGreaterThan(3);
    expect(cut.budget?.tiers.find(({ tier }) => tier === 'tool_result')).toMatchObject({ cap: 400, over: 0 });
  });

  it('is another projection if its window is another', async () => {
    const { set } = await opened();
    const [wide, narrow] = [await set(['summary'], {}, 100_000), await set(['summary'], {}, 1000)];
    expect([wide.counts.summarised, narrow.counts.summarised]).toEqual([0, 40]);
    expect(narrow.reports[0]?.needsSummary).toEqual({ from: 0, to: 40 });
    expect(wide.projectionId).not.toBe(narrow.projectionId);
  });
});

describe('summaries', () => {
  it('are written, used at once, listed and taken away', async () => {
    const { client, id, set } = await opened();
    const spec = [{ kind: 'summary', options: { when: 'always' } }];
    const before = await set(spec);
    const told = nextEvent(client, 'summaries', (event) => event.id === id);
    const written = await client.call('summaries.set', { id, from: 0, to: 40, content: 'What was asked first.' });
    expect(await told).toEqual({ id });
    expect(written).toMatchObject({ version: 1, summaries: [{ from: 0, to: 40, origin: 'written', state: 'here' }] });
    const after = await set(spec);
    expect(after.projectionId).not.toBe(before.projectionId);
    expect(after.reports[0]?.needsSummary).toBeUndefined();
    expect(after.reports[0]?.summary).toContain('written summary, version 1');
    expect((await client.call('summaries.remove', { id, from: 0, to: 40 })).summaries).toEqual([]);
    await client.call('summaries.set', { id, from: 0, to: 40, content: 'Other words.' });
    const other = await set(spec);
    const { text } = await client.call('projection.text', { projectionId: other.projectionId, what: 'messages' });
    expect([text.includes('Other words.'), text.includes('What was asked first.')]).toEqual([true, false]);
    await client.call('summaries.remove', { id, from: 0, to: 40, version: 1 });
    expect((await set(spec)).reports[0]?.needsSummary).toEqual({ from: 0, to: 40 });
  });

  it('need a span that is there', async () => {
    const { client, id } = await opened(3);
    const beyond = client.call('summaries.set', { id, from: 0, to: 400, content: 'x' });
    expect((await failureOf(beyond)).code).toBe('transcript.no_such_place');
    const none = client.call('summaries.remove', { id, from: 0, to: 4 });
    expect((await failureOf(none)).code).toBe('summary.unknown');
  });
});

describe('a bundle', () => {
  it('of stages that count is verified as the same', async () => {
    const { client, id } = await opened();
    await client.call('summaries.set', { id, from: 0, to: 16, content: 'What was asked first.' });
    const stages = ['tool_result_retention', { kind: 'sliding_window', options: { tokens: 4000 } }, 'summary'];
    const spec = { version: 1, budget: { window: 3000, caps: { tool_result: '40%' } }, stages };
    const { path } = await client.call('export.write', { id, spec, at: null, path: null });
    expect(await client.call('verify.file', { path })).toMatchObject({ same: true, differences: [] });
  });
});

describe('tools of a transcript', () => {
  it('are listed, the most called first', async () => {
    const { client, id } = await opened(5);
    expect(await client.call('transcript.tools', { id })).toEqual({
      tools: [
        { name: 'Bash', calls: 3 },
        { name: 'Read', calls: 2 },
      ],
    });
  });
});

describe('what is said of requests and not recorded', () => {
  it('is kept with the transcript, over a restart, until the transcript is deleted', async () => {
    const first = testEngine();
    const id = await first.add('one.jsonl', sessionFile());
    expect(await first.client.call('transcript.open', { id })).toMatchObject({ overhead: null });
    await first.client.call('transcript.setOverhead', { id, tokens: 21_340 });
    expect(await first.client.call('transcript.open', { id })).toMatchObject({ overhead: 21_340 });
    await first.dispose();
    const { client } = testEngine(first.dir);
    expect(await client.call('transcript.open', { id })).toMatchObject({ overhead: 21_340 });
    await client.call('transcript.setOverhead', { id, tokens: 0 });
    expect(await client.call('transcript.open', { id })).toMatchObject({ overhead: 0 });
  });

  it('and so is what a person chose: policy, window and tokenizer, as far as it still parses', async () => {
    const first = testEngine();
    const id = await first.add('one.jsonl', sessionFile());
    const spec = { version: 1, name: 'mine', stages: [{ kind: 'sliding_window', options: { turns: 7 } }] };
    const choice = { spec, window: 200_000, tokenizer: 'o200k_base' };
    expect(await first.client.call('transcript.open', { id })).toMatchObject({ choice: null });
    await first.client.call('transcript.setChoice', { id, choice });
    await first.dispose();
    const { client } = testEngine(first.dir);
    expect(await client.call('transcript.open', { id })).toMatchObject({ choice });
    await client.call('transcript.setChoice', { id, choice: { ...choice, spec: { stages: [{ kind: 'none such' }] } } });
    expect(await client.call('transcript.open', { id })).toMatchObject({ choice: { ...choice, spec: null } });
    await client.call('transcript.setChoice', { id, choice: { spec: null, window: null, tokenizer: null } });
    expect(await client.call('transcript.open', { id })).toMatchObject({ choice: null });
  });

  it('belongs to a transcript that is there', async () => {
    const { client } = testEngine();
    const call = client.call('transcript.setOverhead', { id: 'none', tokens: 1 });
    expect(await failureOf(call)).toMatchObject({ code: 'transcript.unknown', expected: true });
  });
});

describe('the table of policies', () => {
  const CUSTOM = (code: string) => ({ version: 1, stages: [{ kind: 'custom', options: { projector: code } }] });
  const policies = [
    { name: 'current', title: 'This policy', spec: { version: 1, stages: [{ kind: 'reachability_gc' }] } },
    {
      name: 'saved:Mine',
      title: 'Mine',
      spec: { version: 1, name: 'Mine', stages: [{ kind: 'tool_result_retention' }] },
    },
    { name: 'saved:Broken', title: 'Broken', spec: { version: 1, stages: [{ kind: 'none such' }] } },
    { name: 'saved:Throws', title: 'Throws', spec: CUSTOM('function project() { throw new Error("no"); }') },
  ];

  it('has the person’s own first; one that does not run says why', async () => {
    const { client, add } = testEngine();
    const id = await add('one.jsonl', compactedSession().text);
    await whenCounted(client, id);
    const { figures } = await client.call('budget.presets', { id, at: null, policies, sums: true });
    const lines = figures
      .slice(0, 4)
      .map(({ name, title, tokens, problem }) => [name, title, tokens === null, problem]);
    expect(lines).toEqual([
      ['current', 'This policy', false, null],
      ['saved:Mine', 'Mine', false, null],
      ['saved:Broken', 'Broken', true, expect.stringContaining('none such')],
      ['saved:Throws', 'Throws', true, expect.stringContaining('no')],
    ]);
    expect(figures[4]?.name).toBe('raw');
    const total = (name: string) => figures.find((one) => one.name === name)?.tokens?.total;
    expect(total('current')).toBe(total('reachability_gc'));
  });

  it('sums up what the scrubber shows: peak and breaks of every request, and what the input of those made costs', async () => {
    const { client, add } = testEngine();
    const id = await add('one.jsonl', compactedSession().text);
    await whenCounted(client, id);
    const { figures } = await client.call('budget.presets', { id, at: null, policies, sums: true });
    const mine = figures.find(({ name }) => name === 'saved:Mine');
    const points: SeriesPoint[] = [];
    client.on('series', (piece) => points.push(...piece.points));
    const done = nextEvent(client, 'series', ({ complete }) => complete);
    const first = await client.call('series.start', { id, spec: policies[1]?.spec, samples: 100 });
    const last = await done;
    const whole = points.map(({ at, byCategory }) => ({
      at,
      tokens: byCategory.reduce((sum, one) => sum + one, first.beside),
    }));
    const most = Math.max(...whole.map(({ tokens }) => tokens));
    expect(mine?.sums?.peak).toMatchObject(whole.find(({ tokens }) => tokens === most) ?? {});
    const { messages } = await client.call('transcript.open', { id });
    const made = points.filter(({ at }) => at < messages);
    expect(mine?.sums?.breaks).toBe(made.filter(({ cache }) => cache?.brokenBy).length);
    const price = last.models[0]?.price ?? null;
    if (price === null) throw new Error('the session names a model without a price');
    const [begun, ...rest] = made;
    const size = ({ byCategory }: SeriesPoint) => byCategory.reduce((sum, one) => sum + one, first.beside);
    const paid = rest.map((point) => {
      const { servedTokens = 0, writtenTokens = 0 } = point.cache ?? {};
      const fresh = size(point) - servedTokens - writtenTokens;
      return fresh * price.input + servedTokens * price.cachedRead + writtenTokens * price.cacheWrite;
    });
    // The first request is all written to the cache, or none of it.
    const rests = paid.reduce((sum, one) => sum + one, 0) / 1e6;
    const firsts = [price.input, price.cacheWrite].map((rate) => (size(begun!) * rate) / 1e6);
    const cost = mine?.sums?.cost ?? 0;
    expect(firsts.some((one) => Math.abs(one + rests - cost) < 1e-9)).toBe(true);
  });
});
