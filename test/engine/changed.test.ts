// A transcript that goes back or is amended while it is open: nothing remembered of it may show what is gone.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EngineClient } from '../../core/protocol/client.ts';
import { FORK, relatedGrowth } from '../support/relatedSessions.ts';
import { nextEvent, type TestEngine, testEngine, whenCounted } from './support.ts';

const { before: BEFORE, rest: REST } = relatedGrowth();
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

async function follow(
  { client, dir }: TestEngine,
  content: string,
): Promise<{ readonly path: string; readonly id: string }> {
  const path = join(dir, 'session.jsonl');
  writeFileSync(path, content);
  const { jobId } = await client.call('follow.start', { path });
  const { outcomes } = await client.call('import.result', { jobId });
  const id = outcomes[0]?.transcripts[0]?.id;
  if (id === undefined) throw new Error('nothing was imported');
  await client.call('transcript.open', { id });
  return { path, id };
}

/** All that the screen asks of an open transcript, but for what is named after the engine. */
async function shown(client: EngineClient, id: string) {
  const spec = { version: 1, stages: [{ kind: 'reachability_gc' }] };
  const window = { from: 0, to: 500 };
  const { projectionId, ms: _ms, ...info } = await client.call('projection.set', { id, spec, at: null, rows: window });
  const counted = await client.call('transcript.open', { id });
  const last = counted.messages - 1;
  const { origins: _origins, ...detail } = await client.call('projection.detail', { projectionId, index: last });
  const { callPoints } = await client.call('series.start', { id, spec: 'raw', samples: 50 });
  // Ids are made of the file's first bytes, which are others.
  const rows = info.rows?.rows.map(({ spawned, ...row }) => ({ ...row, spawned: spawned?.title }));
  return { info: { ...info, rows }, detail, callPoints };
}

describe('a followed session', () => {
  test('that goes back shows what one imported at once shows', async () => {
    const live = testEngine();
    const { path, id } = await follow(live, text(BEFORE));
    await whenCounted(live.client, id);
    const before = await shown(live.client, id);
    expect(before.info.rows?.some(({ raw }) => raw?.text === 'Oak it is.')).toBe(true);

    const changed = nextEvent(live.client, 'transcript', (event) => event.id === id && event.reason === 'changed');
    appendFileSync(path, text(REST));
    expect((await changed).info?.messages).toBeGreaterThanOrEqual(FORK);
    await whenCounted(live.client, id);
    const after = await shown(live.client, id);

    const whole = testEngine();
    const at = await whole.add('session.jsonl', text([...BEFORE, ...REST]));
    await whenCounted(whole.client, at);
    const expected = await shown(whole.client, at);
    const unnamed = ({ info: { transcriptId: _, ...info }, ...rest }: typeof after) => ({ ...rest, info });
    expect(unnamed(after)).toEqual(unnamed(expected));

    const { branches } = await live.client.call('transcript.relatives', { id });
    expect(branches.map(({ active, at, lastText }) => [active, at, lastText])).toEqual([
      [true, null, 'Stone it is.'],
      [false, FORK, 'Oak it is.'],
    ]);
  });

  test('that takes a branch up again says where who reads that branch finds it', async () => {
    const live = testEngine();
    const { path, id } = await follow(live, text([...BEFORE, ...REST]));
    const { branches } = await live.client.call('transcript.relatives', { id });
    const left = branches.find(({ active }) => !active)?.id ?? '';
    await live.client.call('transcript.open', { id: left });
    await live.client.call('projection.set', { id: left, spec: 'raw', at: null, rows: { from: 0, to: 1 } });
    const gone = nextEvent(live.client, 'transcript', (event) => event.id === left && event.reason === 'removed');
    const last: unknown = JSON.parse(BEFORE.at(-1) ?? '');
    const more = {
      type: 'user',
      uuid: 'more',
      parentUuid: 'l31',
      message: { role: 'user', content: 'Oak after all.' },
    };
    appendFileSync(path, text([JSON.stringify(Object.assign({}, last, more))]));
    expect((await gone).instead).toBe(id);
    const after = await live.client.call('transcript.relatives', { id });
    expect(after.branches.map(({ active, lastText }) => [active, lastText])).toEqual([
      [true, 'Oak after all.'],
      [false, 'Stone it is.'],
    ]);
  });

  test('whose last message is completed shows it whole', async () => {
    const live = testEngine();
    const answer = (uuid: string, parent: string, block: object) =>
      JSON.stringify({
        ...JSON.parse(BEFORE[1]!),
        uuid,
        parentUuid: parent,
        message: { role: 'assistant', id: 'msg_parts', type: 'message', model: 'claude-sonnet-4-5', content: [block] },
      });
    const first = answer('p0', JSON.parse(BEFORE[0]!).uuid, { type: 'text', text: 'First half.' });
    const second = answer('p1', 'p0', { type: 'text', text: 'Second half.' });
    const { path, id } = await follow(live, text([BEFORE[0]!, first]));
    expect((await shown(live.client, id)).detail.parts.map(({ text: words }) => words)).toEqual(['First half.']);
    const changed = nextEvent(live.client, 'transcript', (event) => event.id === id && event.reason === 'changed');
    appendFileSync(path, text([second]));
    await changed;
    const { detail } = await shown(live.client, id);
    expect(detail.parts.map(({ text: words }) => words)).toEqual(['First half.', 'Second half.']);
  });
});
