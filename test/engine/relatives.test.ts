import { describe, expect, test } from 'vitest';
import type { EngineClient } from '../../core/protocol/client.ts';
import type { TranscriptSummary } from '../../core/protocol/types.ts';
import { CALLS, FORK, writeRelatedSessions } from '../support/relatedSessions.ts';
import { failureOf, nextEvent, testEngine } from './support.ts';

async function importAll(client: EngineClient, paths: readonly string[]): Promise<readonly TranscriptSummary[]> {
  for (const path of paths) {
    const { jobId } = await client.call('import.start', { paths: [path] });
    await client.call('import.result', { jobId });
  }
  return (await client.call('library.list', {})).transcripts;
}

function named(list: readonly TranscriptSummary[]) {
  const find = (fits: (one: TranscriptSummary) => boolean) => {
    const found = list.find(fits);
    if (!found) throw new Error('a transcript is missing');
    return found.id;
  };
  const root = find((one) => one.under === null);
  return {
    root,
    branch: find((one) => one.under?.as === 'branch'),
    agents: list.filter((one) => one.under?.as === 'agent').map(({ id }) => id),
  };
}

describe.each([
  ['the session first', (files: readonly [string, string]) => files],
  ['the agent first', ([session, agent]: readonly [string, string]) => [agent, session]],
])('relatives, %s', (_, order) => {
  test('are branches, sub-agents with their calls, and the way back', async () => {
    const { client, dir } = testEngine();
    const { session, agent } = writeRelatedSessions(dir);
    const list = await importAll(client, order([session, agent]));
    expect(list).toHaveLength(4);
    const { root, branch, agents } = named(list);
    expect(agents).toHaveLength(2);

    const ofRoot = await client.call('transcript.relatives', { id: root });
    expect(ofRoot.parent).toBeNull();
    expect(ofRoot.children.map(({ callId, callIndex, part, messages }) => [callId, callIndex, part, messages])).toEqual(
      [
        ['call-depth', CALLS.file, 0, 4],
        ['call-wind', CALLS.inline, 0, 2],
      ],
    );
    expect(ofRoot.branches.map(({ id, active, at, lastText }) => [id, active, at, lastText])).toEqual([
      [root, true, null, 'Stone it is.'],
      [branch, false, FORK, 'Oak it is.'],
    ]);

    const ofBranch = await client.call('transcript.relatives', { id: branch });
    expect(ofBranch.branches.map(({ id, at }) => [id, at])).toEqual([
      [root, FORK],
      [branch, null],
    ]);
    expect(ofBranch.children.map(({ callId }) => callId)).toEqual(['call-depth', 'call-wind']);

    for (const { id, callIndex } of ofRoot.children) {
      const { parent } = await client.call('transcript.relatives', { id });
      expect(parent).toMatchObject({ id: root, callIndex, part: 0 });
    }
  });
});

test('the row of a call links to its sub-agent, as soon as that is imported', async () => {
  const { client, dir } = testEngine();
  const { session, agent } = writeRelatedSessions(dir);
  const { root } = named(await importAll(client, [session]));
  await client.call('transcript.open', { id: root });
  const rows = async () => {
    const window = { from: CALLS.file, to: CALLS.inline + 1 };
    const projection = await client.call('projection.set', { id: root, spec: 'raw', at: null, rows: window });
    return projection.rows?.rows.map(({ index, spawned }) => [index, spawned !== undefined]);
  };
  expect(await rows()).toEqual([
    [CALLS.file, false],
    [CALLS.file + 1, false],
    [CALLS.inline, true],
  ]);
  const linked = nextEvent(client, 'transcript', ({ id, reason }) => id === root && reason === 'linked');
  await importAll(client, [agent]);
  await linked;
  expect(await rows()).toEqual([
    [CALLS.file, true],
    [CALLS.file + 1, false],
    [CALLS.inline, true],
  ]);
});

test('of a transcript that is not there', async () => {
  const { client } = testEngine();
  const error = await failureOf(client.call('transcript.relatives', { id: 'nobody' }));
  expect(error).toMatchObject({ code: 'transcript.unknown', expected: true });
});

test('when the active branch is removed, the other one stands in its place', async () => {
  const { client, dir } = testEngine();
  const { session, agent } = writeRelatedSessions(dir);
  const { root, branch, agents } = named(await importAll(client, [session, agent]));
  await client.call('library.remove', { ids: [root] });
  const { transcripts } = await client.call('library.list', {});
  expect(transcripts.find(({ id }) => id === branch)?.under).toBeNull();
  for (const id of agents) expect(transcripts.find((one) => one.id === id)?.under).toEqual({ id: branch, as: 'agent' });
});
