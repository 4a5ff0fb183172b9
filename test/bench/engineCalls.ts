// What several groups ask of an engine.
import type { EngineClient } from '../../core/protocol/client.ts';
import type { Series } from '../../core/protocol/types.ts';

/** Imports a file and waits until all is done that follows an import; the id of its first transcript. */
export async function importAndCount(client: EngineClient, path: string): Promise<string> {
  const { jobId } = await client.call('import.start', { paths: [path] });
  const { outcomes } = await client.call('import.result', { jobId });
  await idle(client, 300);
  return outcomes[0]?.transcripts[0]?.id ?? '';
}

/** Waits until no job is queued or running, and `ms` milliseconds at least: counting edits is no job. */
export async function idle(client: EngineClient, ms: number): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    const { jobs } = await client.call('job.list', {});
    if (jobs.every(({ state }) => state !== 'running' && state !== 'queued')) return;
  }
}

/** Asks for the chart of all call points and waits for its end. Throws if it ends with a problem. */
export async function wholeSeries(client: EngineClient, id: string, spec: unknown): Promise<Series> {
  let ended: (series: Series) => void = () => {};
  const end = new Promise<Series>((resolve) => {
    ended = resolve;
  });
  const complete: Series[] = [];
  let seriesId: string | null = null;
  const off = client.on('series', (series) => {
    if (!series.complete) return;
    complete.push(series);
    if (series.seriesId === seriesId) ended(series);
  });
  const first = await client.call('series.start', { id, spec, samples: 240 });
  ({ seriesId } = first);
  const early = first.complete ? first : complete.find((series) => series.seriesId === seriesId);
  const last = early ?? (await end);
  off();
  if (last.problem !== undefined) throw new Error(last.problem);
  return last;
}
