// A turn-scoped message costs the same, and nothing, whoever is asked: projection, series, command line.
import { expect, test } from 'vitest';
import { aboutOf } from '../../cli/support/inputs.ts';
import { withProjector } from '../../cli/support/projecting.ts';
import { projectRequest } from '../../cli/support/result.ts';
import { parsedOrFail } from '../../cli/support/spec.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import type { Series } from '../../core/protocol/types.ts';
import { testEngine } from './support.ts';

const words = (n: number) => 'word '.repeat(n).trim();
const MESSAGES = [0, 1, 2, 3].flatMap((n) => [
  { role: 'user', content: `${words(40)} ${n}` },
  { role: 'system', content: [{ type: 'text', text: `${words(50)} ${n}` }], clear_at: 'next_user_message' },
  { role: 'assistant', content: `${words(20)} ${n}` },
]);
const text = JSON.stringify({ model: 'claude-opus-5-5', max_tokens: 9, messages: MESSAGES });
const SPECS = ['raw', { version: 1, stages: [{ kind: 'sliding_window', options: { turns: 3 } }] }] as const;

async function fromCli(spec: unknown, at: number): Promise<number | undefined> {
  const [transcript] = importText(text).transcripts;
  if (transcript === undefined) throw new Error('no transcript');
  const source = MemoryTranscript.of(transcript);
  const request = { source, parsed: parsedOrFail(spec), at, about: aboutOf(transcript), tokens: true };
  const { tokens } = await withProjector((projector) => projectRequest(projector, request));
  return tokens?.projected.total;
}

test.each(SPECS)('under %j', async (spec) => {
  const { client, add } = testEngine();
  const id = await add('request.json', text);
  await client.call('transcript.open', { id });
  const done = new Promise<Series>((resolve) => {
    let points: Series['points'] = [];
    client.on('series', (piece) => {
      points = [...points.slice(0, piece.from), ...piece.points];
      if (piece.complete) resolve({ ...piece, points });
    });
  });
  for (const at of [2, 5, 8, 11, 12]) {
    let info = await client.call('projection.set', { id, spec, at });
    while (!info.final) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      info = await client.call('projection.set', { id, spec, at });
    }
    expect([at, info.projected.total]).toEqual([at, await fromCli(spec, at)]);
  }
  await client.call('series.start', { id, spec, samples: 240 });
  const { points } = await done;
  for (const { at, byCategory, cache } of points) {
    const total = byCategory.reduce((sum, tokens) => sum + tokens, 0);
    expect([at, total]).toEqual([at, await fromCli(spec, at)]);
    if (spec === 'raw' && at > 2 && at < 12)
      expect(cache?.brokenBy).toMatchObject({ kind: 'turn_scoped', rule: 'turn_scoped_cleared' });
  }
});
