// What clients are told of open transcripts when several things happen at once: growth as growth, each once, and nothing
// else as such; and nothing that another call has noticed before is left untold.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FORK, relatedGrowth, writeRelatedSessions } from '../support/relatedSessions.ts';
import { arrive, type ManualEngine, manualEngine, toldTo } from './manualEngine.ts';
import { MESSAGES, sessionFile } from './support.ts';

const LINES = sessionFile([...MESSAGES, ...MESSAGES]).split('\n');
const linesOf = (from: number, to: number) =>
  LINES.slice(from, to)
    .map((line) => `${line}\n`)
    .join('');

function lastUuid(path: string): string {
  const uuids = [...readFileSync(path, 'utf8').matchAll(/"uuid":"([^"]+)"/g)];
  return uuids.at(-1)?.[1] ?? '';
}

async function openAt(engine: ManualEngine, messages: number) {
  const path = join(engine.dir, 'session.jsonl');
  writeFileSync(path, linesOf(0, messages));
  const [id = ''] = await engine.take(path);
  const client = engine.connect();
  const told = toldTo(client);
  await client.call('transcript.open', { id });
  engine.passTime();
  await arrive();
  told.length = 0;
  const grow = async (to: number) => {
    writeFileSync(path, linesOf(0, to));
    await engine.take(path);
  };
  return { id, path, client, told, grow };
}

describe('growth', () => {
  test('that a count of tokens is the first to see is told as growth, and not once more', async () => {
    const engine = manualEngine();
    const { id, client, told, grow } = await openAt(engine, 4);
    await grow(6);
    // Its tokenizer has just been loaded, say: that is told before the news of the follower are there.
    await client.call('policy.setDefault', { scope: 'workspace', options: {} });
    engine.passTime();
    engine.news([id]);
    await arrive();
    expect(told).toEqual(['grew 6', 'counted 6']);
  });

  test('that was none is not told as growth', async () => {
    const engine = manualEngine();
    const { id, told } = await openAt(engine, 4);
    engine.news([id]);
    await arrive();
    expect(told).toEqual(['counted 4']);
  });

  test('is told of before what belongs to it', async () => {
    const engine = manualEngine();
    const { session, agent } = writeRelatedSessions(engine.dir);
    const [root = ''] = await engine.take(session);
    const client = engine.connect();
    await client.call('transcript.open', { id: root });
    engine.passTime();
    await arrive();
    const told = toldTo(client);
    const { length } = (await client.call('transcript.callPoints', { id: root })).at;
    expect(length).toBeGreaterThan(1);
    await engine.take(agent);
    const more = {
      type: 'user',
      message: { role: 'user', content: 'And then?' },
      uuid: 'more',
      sessionId: 'related-session',
    };
    appendFileSync(session, `${JSON.stringify({ ...more, parentUuid: lastUuid(session) })}\n`);
    await engine.take(session);
    engine.news([]);
    await client.call('tags.apply', { ids: [root], add: ['seen'], remove: [] });
    await arrive();
    expect(told.map((each) => each.split(' ')[0])).toEqual(['grew', 'linked']);
  });
});

test('a sub-agent that comes in is told of, whoever looks at the list first', async () => {
  const engine = manualEngine();
  const { session, agent } = writeRelatedSessions(engine.dir);
  const [root = ''] = await engine.take(session);
  const client = engine.connect();
  await client.call('transcript.open', { id: root });
  const told = toldTo(client);
  const agents = await engine.take(agent);
  // The event of the import is still on its way when somebody tags a transcript.
  engine.news(agents);
  await client.call('tags.apply', { ids: [root], add: ['seen'], remove: [] });
  engine.passTime();
  await arrive();
  expect(told.filter((each) => each.startsWith('linked'))).toHaveLength(1);
});

test('a transcript that is rewritten while it is looked at again is told as changed', async () => {
  const engine = manualEngine();
  const { before, rest } = relatedGrowth();
  const path = join(engine.dir, 'session.jsonl');
  const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
  writeFileSync(path, text(before));
  const [id = ''] = await engine.take(path);
  const client = engine.connect();
  await client.call('transcript.open', { id });
  const told = toldTo(client);
  writeFileSync(path, text([...before, ...rest]));
  await engine.take(path);
  engine.news([id]);
  engine.news([id]);
  await arrive();
  expect(told).toHaveLength(2);
  expect(told[0]).toMatch(/^changed /);
  expect(told[1]).toMatch(/^counted /);
  expect(Number(told[0]?.split(' ')[1])).toBeGreaterThanOrEqual(FORK);
});
