// Recorded transcripts go through the engine: rows, details and hashes of real data, whatever is in it. All are imported;
// of those of one format a unit run opens a sample, PARALLAX_ENGINE=full all.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourcesOf } from '../../core/engine/jobs/eventFolder.ts';
import type { EngineClient } from '../../core/protocol/client.ts';
import { sampled } from '../support/lawful.ts';
import { corpusFiles, sharedDir } from '../support/shared.ts';
import { testEngine } from './support.ts';

const FULL = process.env.PARALLAX_ENGINE === 'full';
const OPENED = FULL ? Number.POSITIVE_INFINITY : 4;
const shared = sharedDir();
const formats = shared ? readdirSync(join(shared, 'corpus'), { withFileTypes: true }) : [];
const SPECS = [
  'raw',
  'clean_tool_repair',
  { policy: 'reachability_gc', root_window: 4, min_chars: 100 },
  { policy: 'summary_prefix', keep_last: 3 },
];

async function walk(client: EngineClient, id: string): Promise<number> {
  const info = await client.call('transcript.open', { id });
  let rows = 0;
  for (const spec of info.compactions > 0 ? [...SPECS, 'recorded_compaction'] : SPECS) {
    const projection = await client.call('projection.set', { id, spec, at: null, rows: { from: 0, to: 300 } });
    const { projectionId } = projection;
    expect(projection.prefixHash).toMatch(/^sha256:[0-9a-f]{64}$/);
    const listed = projection.rows?.rows ?? [];
    rows += listed.length;
    expect(listed).toHaveLength(Math.min(300, projection.rowCount));
    for (const row of listed) {
      expect(row.raw === null, `${row.key} of ${id}`).toBe(row.kind === 'synthetic');
      expect(row.raw?.text, `${row.key} of ${id}`).not.toBe('');
      if (row.fate === 'kept') expect(row.projected, `${row.key} of ${id}`).toEqual(row.raw);
    }
    for (let index = 0; index < Math.min(info.messages, 40); index++) {
      const detail = await client.call('projection.detail', { projectionId, index, limit: 2000 });
      expect(
        detail.fate.pointers.every(({ verified }) => verified),
        `#${index} of ${id}`,
      ).toBe(true);
    }
  }
  await client.call('transcript.close', { id });
  return rows;
}

describe.skipIf(shared === null)('the recorded transcripts (skipped where there is no corpus)', () => {
  it.each(formats.filter((entry) => entry.isDirectory()).map(({ name }) => name))('%s', async (format) => {
    const paths = corpusFiles(format);
    const { client } = testEngine();
    const { jobId } = await client.call('import.start', { paths });
    const { outcomes } = await client.call('import.result', { jobId });
    const { transcripts } = await client.call('library.list', {});
    // The events of one conversation, one file each, are one source.
    expect(outcomes).toHaveLength((await sourcesOf(paths)).length);
    expect(outcomes.filter(({ error }) => error !== null)).toEqual([]);
    let rows = 0;
    const opened = sampled(transcripts, OPENED);
    for (const { id } of opened) rows += await walk(client, id);
    expect(rows > 0).toBe(opened.some(({ messages }) => messages > 0));
  });
});
