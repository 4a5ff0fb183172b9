// Tools that are loaded on the way: the app and `parallax sweep` say the same number at the same call point, wherever it
// stands: overhead, bars, budget, what stages save, the table of policies; and the walk says what a projection says.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { callPoints } from '../../core/model/turns.ts';
import { CallPointSums, followCallPoints } from '../../core/projection/allCallPoints.ts';
import { LoadedTools } from '../../core/projection/loadedTools.ts';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { project } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { EngineClient } from '../../core/protocol/client.ts';
import type { Series } from '../../core/protocol/types.ts';
import { seededRng } from '../../core/util/rng.ts';
import { createMemo } from '../../core/view/memo.ts';
import { runCli } from '../support/cli.ts';
import { transcriptOf } from '../support/projecting.ts';
import { testEngine } from './support.ts';

const tool = (name: string, size: number, deferred: boolean) => ({
  name,
  description: `${name} finds what it is asked for. `.repeat(size),
  input_schema: { type: 'object', properties: {} },
  ...(deferred && { defer_loading: true }),
});
const NAMES = ['grep', 'edit', 'fetch', 'plan'];
const TOOLS = [tool('search', 1, false), ...NAMES.map((name, at) => tool(name, 10 + 7 * at, true))];
const reference = (name: string) => ({ type: 'tool_reference', tool_name: name });
const call = (id: string) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'search', input: {} }] });
const found = (id: string, ...names: string[]) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: names.map(reference) }],
});
const said = (role: string, text: string) => ({ role, content: [{ type: 'text', text }] });
const MESSAGES = [
  said('user', 'Find the port.'),
  call('t1'),
  found('t1', 'grep', 'edit'),
  said('assistant', 'It is in the file.'),
  said('user', 'And the host?'),
  call('t2'),
  found('t2', 'edit', 'fetch'),
  said('assistant', 'There.'),
  said('user', 'Thanks. '.repeat(40)),
  said('assistant', 'Well.'),
];
const BODY = JSON.stringify({ model: 'claude-opus-5', max_tokens: 9, tools: TOOLS, messages: MESSAGES });
const stagesOf = (...stages: unknown[]) => ({ version: 1, stages });
const SPECS: readonly unknown[] = [
  'raw',
  stagesOf({ kind: 'sliding_window', options: { keep_turns: 1 } }),
  stagesOf({ kind: 'langchain_clear_tool_uses', options: { trigger: { tokens: 1 }, keep: { messages: 1 } } }),
];

async function finalOf(client: EngineClient, id: string, spec: unknown, at: number) {
  for (;;) {
    const info = await client.call('projection.set', { id, spec, at });
    if (info.final) return info;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function seriesOf(client: EngineClient, id: string, spec: unknown): Promise<Series['points']> {
  const done = new Promise<Series['points']>((resolve) => {
    let points: Series['points'] = [];
    client.on('series', (piece) => {
      points = [...points.slice(0, piece.from), ...piece.points];
      if (piece.complete) resolve(points);
    });
  });
  await client.call('series.start', { id, spec, samples: 240 });
  return done;
}

interface Swept {
  readonly at: number;
  readonly tokens: { readonly total: number };
  readonly beside: { readonly total: number };
  readonly loadedTools: { readonly names: readonly string[]; readonly tokens: number };
  readonly cache: { readonly prefixTokens: number; readonly servedTokens: number } | null;
}

describe.each(SPECS.map((spec, number) => [number, spec] as const))('under policy %i', (_number, spec) => {
  it('every figure of the app is that of sweep', async () => {
    const { client, add, dir } = testEngine();
    const id = await add('body.json', BODY);
    await client.call('transcript.open', { id });
    const file = join(dir, 'swept.json');
    writeFileSync(file, BODY);
    const { stdout } = await runCli(['sweep', file, '--spec', JSON.stringify(spec)]);
    const lines: Swept[] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.some(({ loadedTools }) => loadedTools.tokens > 0)).toBe(true);
    for (const { at, tokens, beside, loadedTools } of lines) {
      const info = await finalOf(
        client,
        id,
        { ...(typeof spec === 'object' ? spec : stagesOf()), budget: { window: 9_000 } },
        at,
      );
      const whole = tokens.total + beside.total + loadedTools.tokens;
      expect(info.beside.loaded ?? { names: [], tokens: 0 }, `overhead at ${at}`).toEqual(loadedTools);
      expect(info.projected.total + info.beside.total, `request at ${at}`).toBe(whole);
      expect(info.budget, `budget at ${at}`).toMatchObject({ used: whole, room: 9_000 - whole + tokens.total });
      const saved = info.savedTokens.reduce<number>((sum, each) => sum + (each ?? 0), 0);
      expect(saved, `saved at ${at}`).toBe(
        info.raw.total + (info.beside.rawLoaded ?? 0) - tokens.total - loadedTools.tokens,
      );
    }
    const points = await seriesOf(client, id, spec);
    expect(points.map(({ at, loaded = 0 }) => [at, loaded])).toEqual(
      lines.map((line) => [line.at, line.loadedTools.tokens]),
    );
    for (const [position, { cache }] of points.entries()) {
      const swept = lines[position]?.cache ?? null;
      expect(cache && [cache.prefixTokens, cache.servedTokens]).toEqual(
        swept && [swept.prefixTokens, swept.servedTokens],
      );
    }
  });
});

test('the table of policies counts them, at this turn and along all', async () => {
  const { client, add } = testEngine();
  const id = await add('body.json', BODY);
  await client.call('transcript.open', { id });
  const info = await finalOf(client, id, 'raw', 9);
  const { figures } = await client.call('budget.presets', { id, at: 9, window: 9_000, firstOver: true, sums: true });
  const raw = figures.find(({ name }) => name === 'raw');
  expect(info.beside.loaded?.names).toEqual(['grep', 'edit', 'fetch']);
  expect(raw?.beside).toBe(info.beside.total);
  expect(raw?.sums?.peak.tokens).toBeGreaterThanOrEqual(info.projected.total + info.beside.total);
});

test('over random histories and policies the walk says what a projection says at each call point', () => {
  const rng = seededRng(11);
  for (let round = 0; round < 40; round++) {
    const messages = Array.from({ length: 4 + rng.below(6) }, (_, turn) => [
      said('user', `ask ${turn}`),
      call(`t${turn}`),
      found(`t${turn}`, ...NAMES.filter(() => rng.below(3) === 0)),
      said('assistant', `answer ${turn}`),
    ]).flat();
    const source = transcriptOf(messages);
    const parsed = parseSpec(
      rng.pick([
        stagesOf({ kind: 'sliding_window', options: { keep_turns: 1 + rng.below(3) } }),
        stagesOf({
          kind: 'anthropic_clear_tool_uses',
          options: { trigger: { type: 'tool_uses', value: 1 }, keep: { type: 'tool_uses', value: rng.below(3) } },
        }),
        stagesOf(
          { kind: 'tool_result_retention', options: {} },
          { kind: 'hygiene', options: { profile: 'anthropic' } },
        ),
      ]),
      STAGES,
    );
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
    const { stages } = parsed.value;
    const loads = new LoadedTools(JSON.stringify(TOOLS), (text) => text.length).read(source);
    let sums: CallPointSums | null = null;
    const run = followCallPoints(
      { source, stages, points: callPoints(source), options: { memo: createMemo() } },
      (point) => {
        sums ??= new CallPointSums(source, point, () => ({ blocks: 1, marks: [] }), loads);
        return sums.take(point);
      },
    );
    for (let step = run.next(null); step.done !== true; step = run.next(null)) {
      if (step.value.kind !== 'point') continue;
      const { at, loaded, prefix } = step.value.figures;
      const { view } = project(source, stages, at);
      expect(loaded, `round ${round}, call point ${at}`).toEqual(loads.inView(view.items));
      expect(prefix?.tokens ?? 0).toBeLessThanOrEqual(loaded?.tokens ?? 0);
    }
  }
});
