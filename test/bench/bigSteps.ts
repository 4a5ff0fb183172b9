// One step of the big-session bench in a process of its own, so that its memory is its own: node bigSteps.ts import|open
// LIBRARY FILE. The engine runs in its thread and its jobs in theirs, as in the hosts. Prints one JSON line.
import { spawnEngine } from '../../core/engine/client.ts';
import type { EngineClient } from '../../core/protocol/client.ts';
import { createClient } from '../../core/protocol/createClient.ts';
import { seededRng } from '../../core/util/rng.ts';
import { quantile } from './measure.ts';

/** What an import of one file was like. Times in ms from the call, memory in MB. */
export interface BigImport {
  readonly importMs: number;
  /** Until rows could be seen, while the rest was being read; null if that was not before the end. */
  readonly firstRowsMs: number | null;
  readonly peakMb: number;
  readonly transcripts: number;
  readonly problems: number;
  readonly error: string | null;
}

/** What exploring the largest transcript of a library is like, in a fresh process. Times in ms, memory in MB. */
export interface BigOpen {
  readonly messages: number;
  /** From the start of the engine until 60 rows were there. */
  readonly firstRowsMs: number;
  readonly openMs: number;
  readonly setMs: number;
  readonly seriesMs: number;
  readonly scrubMedianMs: number;
  readonly scrubP95Ms: number;
  readonly policyScrubMedianMs: number;
  readonly policyScrubP95Ms: number;
  readonly rowsMedianMs: number;
  readonly rowsP95Ms: number;
  /** Right after all of that, and after a quiet while. */
  readonly busyMb: number;
  readonly restMb: number;
  readonly peakMb: number;
}

const PLACES = 50;
const WINDOW = 60;
const QUIET_MS = 12_000;
/** Keeps results, takes what failed and was tried again: a policy that asks for little, so the rest is what is measured. */
const POLICY = 'clean_tool_repair';

async function importStep(client: EngineClient, path: string): Promise<BigImport> {
  const startedAt = performance.now();
  let firstRowsMs: number | null = null;
  let looking = false;
  client.on('job', (job) => {
    const [id] = job.transcriptIds;
    if (job.state !== 'running' || id === undefined || looking) return;
    looking = true;
    void firstRows(client, id).then((seen) => {
      if (seen) firstRowsMs = performance.now() - startedAt;
      else looking = false;
    });
  });
  const { jobId } = await client.call('import.start', { paths: [path] });
  const { outcomes } = await client.call('import.result', { jobId });
  const [outcome] = outcomes;
  return {
    importMs: performance.now() - startedAt,
    firstRowsMs,
    peakMb: peakMb(),
    transcripts: outcome?.transcripts.length ?? 0,
    problems: outcome?.problems.length ?? 0,
    error: outcome?.error?.text ?? null,
  };
}

async function firstRows(client: EngineClient, id: string): Promise<boolean> {
  await client.call('transcript.open', { id });
  const { rows } = await client.call('projection.set', { id, spec: 'raw', at: null, rows: { from: 0, to: WINDOW } });
  await client.call('transcript.close', { id });
  return (rows?.rows.length ?? 0) > 0;
}

async function openStep(client: EngineClient, startedAt: number): Promise<BigOpen> {
  const { transcripts } = await client.call('library.list', {});
  const largest = transcripts.reduce((a, b) => (b.messages > a.messages ? b : a));
  const { id, messages } = largest;
  const openMs = await timed(() => client.call('transcript.open', { id }));
  const set = (spec: unknown, at: number | null) =>
    client.call('projection.set', { id, spec, at, hash: 'later', rows: { from: 0, to: WINDOW } });
  const began = performance.now();
  const { projectionId, rowCount } = await set('raw', null);
  const setMs = performance.now() - began;
  const firstRowsMs = performance.now() - startedAt;
  const rng = seededRng(messages);
  const rows = await times(async () => {
    const from = rng.below(Math.max(1, rowCount - WINDOW));
    await client.call('projection.rows', { projectionId, from, to: from + WINDOW });
  });
  const seriesMs = await timed(() => client.call('series.start', { id, spec: 'raw', samples: 400 }));
  const scrub = await times(() => set('raw', rng.below(messages)));
  const policyScrub = await times(() => set(POLICY, rng.below(messages)));
  const busyMb = await rssMb(client);
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  return {
    messages,
    firstRowsMs,
    openMs,
    setMs,
    seriesMs,
    scrubMedianMs: quantile(scrub, 0.5),
    scrubP95Ms: quantile(scrub, 0.95),
    policyScrubMedianMs: quantile(policyScrub, 0.5),
    policyScrubP95Ms: quantile(policyScrub, 0.95),
    rowsMedianMs: quantile(rows, 0.5),
    rowsP95Ms: quantile(rows, 0.95),
    busyMb,
    restMb: await rssMb(client),
    peakMb: peakMb(),
  };
}

async function rssMb(client: EngineClient): Promise<number> {
  const { rssBytes } = await client.call('engine.info', {});
  return rssBytes / 1e6;
}

/** The most this process ever had resident (VmHWM). */
function peakMb(): number {
  return (process.resourceUsage().maxRSS * 1024) / 1e6;
}

async function times(run: () => Promise<unknown>): Promise<readonly number[]> {
  const all: number[] = [];
  for (let round = 0; round < PLACES; round++) all.push(await timed(run));
  return all;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

const [, , step, dir, path] = process.argv;
if ((step !== 'import' && step !== 'open') || dir === undefined || path === undefined) {
  throw new Error('usage: bigSteps.ts import|open LIBRARY FILE');
}
const startedAt = performance.now();
const engine = spawnEngine({ dir });
engine.onCrash(({ message }) => console.error(message));
const client = createClient(engine.connect(), { clock: () => performance.now() });
const result = step === 'import' ? await importStep(client, path) : await openStep(client, startedAt);
console.log(JSON.stringify(result));
await engine.dispose();
