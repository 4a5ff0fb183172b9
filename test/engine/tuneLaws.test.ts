// Laws of a sweep: every point is what its spec gives by itself, walked alone and summed up plainly, whatever it was tried
// together with, and by however many threads.
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { aboutImported, SessionRequests } from '../../core/engine/requests/index.ts';
import { Sweep } from '../../core/engine/tune/index.ts';
import { type ImportedTranscript, importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { PRICES } from '../../core/insight/prices.ts';
import type { TunedPoint } from '../../core/insight/tune/point.ts';
import { readVariation, type Variation } from '../../core/insight/tune/vary.ts';
import { followCallPoints } from '../../core/projection/allCallPoints.ts';
import { NO_SCOPES } from '../../core/projection/contextScopes.ts';
import { type ParsedSpec, parseSpec } from '../../core/projection/parseSpec.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { claudeCodeFile } from '../support/generate.ts';
import { corpusFiles } from '../support/shared.ts';

function parsed(value: unknown): ParsedSpec {
  const read = parseSpec(value, STAGES);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

const SPEC = parsed({ version: 1, stages: ['clean_tool_repair', 'reachability_gc', 'sliding_window'] });
const VARY = ['reachability_gc.root_window=1,4', 'sliding_window.turns=2,5'];

function variation(given: string): Variation {
  const read = readVariation(given, SPEC.spec, STAGES);
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

const CACHE_POINTS = 'auto' as const;

async function swept(transcript: ImportedTranscript, threads: number): Promise<readonly TunedPoint[]> {
  const sweep = new Sweep({
    question: { spec: SPEC.spec, variations: VARY.map(variation), conditions: {}, seed: 1, starts: 1 },
    sessions: [{ name: 'one', source: { from: 'memory', transcript }, scopes: NO_SCOPES }],
    options: { tokens: true, plain: false, cachePoints: CACHE_POINTS, prices: PRICES, texts: [] },
    threads,
  });
  return (await sweep.run()).points;
}

/** The spec walked alone. */
async function alone(transcript: ImportedTranscript, spec: unknown) {
  const source = MemoryTranscript.of(transcript);
  const about = aboutImported(transcript, false);
  const session = { source, meta: transcript.meta, about };
  const requests = await SessionRequests.open(session, { tokens: true, cachePoints: CACHE_POINTS });
  const own = parsed(spec);
  const { take, summer } = requests.summer(await requests.limits(own));
  const uses = requests.uses();
  const options = await requests.inputs(own);
  const run = followCallPoints({ source, stages: own.stages, points: requests.points, options }, (point) => {
    take(point);
    uses.take(point);
  });
  for (let step = run.next(null); step.done !== true; step = run.next(null));
  const { tokens, cost, cacheBreaks, firstOver, over, refused } = summer.sums;
  return { tokens, cost, cacheBreaks, firstOver, over, refused, usesGone: uses.summary.gone };
}

const SMALL = 400_000;
const files = ['claude-code', 'codex', 'openai-chat', 'anthropic-messages']
  .flatMap((format) =>
    corpusFiles(format)
      .filter((path) => statSync(path).size < SMALL)
      .slice(0, 1),
  )
  .map((path) => [basename(path), () => readFileSync(path)] as const);
const samples = [3, 4].map((seed) => [`seed ${seed}`, () => claudeCodeFile({ messages: 70, seed })] as const);

describe('each point of a sweep is its spec by itself', () => {
  it.each([...samples, ...files])('%s', async (_, read) => {
    const [transcript] = importText(read(), { unpack: unpackZlib }).transcripts;
    if (transcript === undefined) throw new Error('no transcript');
    const points = await swept(transcript, 2);
    expect(points).toHaveLength(4);
    for (const { spec, values, ...figures } of points) {
      const { tokens, cost, ...others } = await alone(transcript, spec);
      expect({ values, ...figures }).toMatchObject({ values, ...others });
      expect(figures.tokens.p95).toBe(tokens.p95);
      expect(figures.tokens.peak).toBe(tokens.peak);
      expect(figures.tokens.mean).toBeCloseTo(tokens.mean, 6);
      if (cost === null) expect(figures.cost).toBeNull();
      else expect(figures.cost).toBeCloseTo(cost, 9);
    }
    expect(await swept(transcript, 1)).toEqual(points);
  });
});
