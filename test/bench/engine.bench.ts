/** What a person waits for while exploring: one engine in this thread, its answers timed as a client sees them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine } from '../../core/engine/inProcess.ts';
import { writeClaudeCodeFile } from '../support/generate.ts';
import { idle, importAndCount } from './engineCalls.ts';
import { median } from './measure.ts';
import type { BenchOptions, BenchRow } from './types.ts';

const GROUP = 'engine';
const SLIDER = [9, 10, 11, 12, 13, 14, 15];

/** Projections, rows and details of large transcripts. */
export async function benchEngine({ quick }: BenchOptions): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const messages of quick ? [2_000] : [10_000, 100_000]) {
    const dir = mkdtempSync(join(tmpdir(), 'parallax-bench-'));
    try {
      rows.push(...(await benchSize(dir, messages)));
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  }
  return rows;
}

async function benchSize(dir: string, messages: number): Promise<readonly BenchRow[]> {
  const path = join(dir, 'session.jsonl');
  writeClaudeCodeFile(path, { messages });
  const opened = openEngine(join(dir, 'library'));
  if (!opened.ok) throw new Error(opened.error.text);
  const client = opened.value.connect();
  const id = await importAndCount(client, path);
  const rows: BenchRow[] = [];
  const say = (name: string, value: number, aimMs?: number) => {
    const aim = aimMs === undefined ? {} : { aim: `under ${aimMs} ms`, ok: value < aimMs };
    rows.push({ group: GROUP, name: `${name}, ${messages} messages`, value: Math.round(value), unit: 'ms', ...aim });
  };
  const middle = Math.floor(messages / 2);
  const set = (spec: unknown) =>
    client.call('projection.set', { id, spec, at: null, rows: { from: middle, to: middle + 60 } });
  say('open', await timed(() => client.call('transcript.open', { id })));
  say('first projection, raw', await timed(() => set('raw')));
  say('first projection, reachability_gc', await timed(() => set({ policy: 'reachability_gc', root_window: 8 })));
  await idle(client, 1500);
  const moves: number[] = [];
  for (const root_window of SLIDER) moves.push(await timed(() => set({ policy: 'reachability_gc', root_window })));
  say('slider of reachability_gc, 60 rows', median(moves), 200);
  const { projectionId, rowCount } = await set('clean_tool_repair');
  const clicks: number[] = [];
  for (let i = 0; i < 20; i++) {
    const from = Math.floor((rowCount * i) / 20);
    clicks.push(
      await timed(async () => {
        await client.call('projection.rows', { projectionId, from, to: from + 60 });
        await client.call('projection.detail', { projectionId, index: Math.floor((messages * i) / 20) });
      }),
    );
  }
  say('60 rows and a detail', median(clicks), 50);
  say('search', await timed(() => client.call('search.text', { projectionId, text: 'no such words', limit: 100 })));
  const { rssBytes } = await client.call('engine.info', {});
  rows.push({ group: GROUP, name: `memory, ${messages} messages`, value: Math.round(rssBytes / 1e6), unit: 'MB' });
  await opened.value.dispose();
  return rows;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
