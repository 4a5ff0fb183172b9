/**
 * `walkAlone.ts LIBRARY`: all call points of the one transcript of a library under the policy of every stage, in an engine
 * in a thread of its own, as both hosts have it. Prints {@link WalkTimes} as JSON. A program of its own, so that it runs in
 * either host's runtime.
 */
import { performance } from 'node:perf_hooks';
import { spawnEngine } from '../../core/engine/client.ts';
import { presetNamed } from '../../core/projection/presets.ts';
import type { EngineClient } from '../../core/protocol/client.ts';
import { createClient } from '../../core/protocol/createClient.ts';
import { wholeSeries } from './engineCalls.ts';

/** Milliseconds of the first walk after the first projection, and of the one after it; memory of the process in MB. */
export interface WalkTimes {
  readonly first: number;
  readonly next: number;
  readonly callPoints: number;
  readonly memory: number;
}

async function walkAlone(dir: string): Promise<WalkTimes> {
  const engine = spawnEngine({ dir });
  const client = createClient(engine.connect());
  const [id = ''] = (await client.call('library.list', {})).transcripts.map((transcript) => transcript.id);
  const spec = presetNamed('all_steps')?.spec;
  if (spec === undefined) throw new Error('there is no preset all_steps');
  await client.call('transcript.open', { id });
  await client.call('projection.set', { id, spec, at: null });
  const first = await walk(client, id, spec);
  const next = await walk(client, id, spec);
  await engine.dispose();
  const memory = process.resourceUsage().maxRSS / 1024;
  return { first: first.took, next: next.took, callPoints: first.callPoints, memory };
}

async function walk(client: EngineClient, id: string, spec: unknown) {
  const begun = performance.now();
  const { callPoints } = await wholeSeries(client, id, spec);
  return { took: performance.now() - begun, callPoints };
}

console.log(JSON.stringify(await walkAlone(process.argv[2] ?? '')));
