// Projection → compaction → projection: each recorded projection replays on the messages it covered.
import { describe, expect, it } from 'vitest';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { openSnapshots, type ReadSibling } from '../../core/importers/reading/snapshot.ts';
import { replayLineage } from '../../core/projection/lineage.ts';
import { err, ok } from '../../core/util/result.ts';
import { transcriptOf } from '../support/projecting.ts';
import { eventOf } from '../support/recordedEvents.ts';

const BEFORE = [
  { role: 'user', content: 'mend it' },
  { role: 'assistant', content: '', tool_calls: [{ id: 'a', name: 'run', arguments: { n: 1 } }] },
  { role: 'tool', tool_call_id: 'a', name: 'run', content: 'error: no' },
  { role: 'assistant', content: '', tool_calls: [{ id: 'b', name: 'run', arguments: { n: 2 } }] },
  { role: 'tool', tool_call_id: 'b', name: 'run', content: 'done' },
  { role: 'user', content: 'and now?' },
];
const AFTER = [BEFORE[5], { role: 'assistant', content: 'nothing' }];
const SNAPSHOT = { _type: 'transcript', version: 2, id: 'old', messages: BEFORE };
const NOTHING: ReadSibling = async () => err('it is not there');

const compaction = (id: string | null) => ({
  kind: 'compaction',
  text: 'c',
  metadata: { mode: 'auto', archived_messages: 5, ...(id !== null && { snapshot_asset_id: id }) },
});
const asset = (fields: object) => ({ _type: 'transcript_asset', id: 'snap', kind: 'transcript_snapshot', ...fields });
const derived = AFTER.map(() => ({ kind: 'message', text: 'm' }));

async function replayed(value: object, read: ReadSibling = NOTHING) {
  const [transcript] = importText(JSON.stringify({ _type: 'transcript', version: 2, id: 'now', ...value })).transcripts;
  if (transcript === undefined) throw new Error('no transcript');
  const snapshots = await openSnapshots(transcript.events, read);
  const steps = replayLineage(MemoryTranscript.of(transcript), transcript.events, snapshots);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) {
      return step.value.map(({ replay, snapshotAssetId, problems }) => [
        replay?.outcome ?? null,
        snapshotAssetId,
        problems.map(({ code, severity }) => `${severity} ${code}`),
      ]);
    }
  }
}

const first = eventOf(transcriptOf(BEFORE), 'clean_tool_repair');
const second = eventOf(transcriptOf(AFTER), 'raw');
const lineage = (before: object, held: object | null, snapshotId: string | null = 'snap') => ({
  messages: AFTER,
  events: [before, compaction(snapshotId), ...derived, second],
  assets: held === null ? [] : [asset(held)],
});
const reproduced = (on: string | null) => ['reproduced', on, []];

describe('a projection before a compaction replays on its snapshot', () => {
  it.each([
    ['an object', { data: SNAPSHOT }],
    ['a JSON text', { data: JSON.stringify(SNAPSHOT), mime_type: 'application/json' }],
    ['base64', { data: btoa(JSON.stringify(SNAPSHOT)) }],
    ['a data URL', { data: `data:application/json;base64,${btoa(JSON.stringify(SNAPSHOT))}` }],
    ['its list of messages', { data: BEFORE }],
  ])('kept in the file as %s', async (_name, held) => {
    expect(await replayed(lineage(first, held))).toEqual([reproduced('snap'), reproduced(null)]);
  });

  it('kept in a file beside the transcript', async () => {
    const read: ReadSibling = async (path) =>
      path === 'assets/s.json' ? ok(new TextEncoder().encode(JSON.stringify(SNAPSHOT))) : err('no');
    const held = { storage: { path: 'assets/s.json' } };
    expect(await replayed(lineage(first, held), read)).toEqual([reproduced('snap'), reproduced(null)]);
  });

  it('of a call point in the middle of it', async () => {
    const early = eventOf(transcriptOf(BEFORE), 'clean_tool_repair', 3);
    expect(await replayed(lineage(early, { data: SNAPSHOT }))).toEqual([reproduced('snap'), reproduced(null)]);
  });

  it('that holds only what was archived: the rest stands here', async () => {
    const archived = { ...SNAPSHOT, messages: BEFORE.slice(0, 5) };
    expect(await replayed(lineage(first, { data: archived }))).toEqual([reproduced('snap'), reproduced(null)]);
  });
});

describe('what cannot be checked is not called wrong', () => {
  const archived = (code = 'warning projection.replay_archived') => [null, null, [code]];

  it.each([
    ['no snapshot is recorded', lineage(first, null, null)],
    ['its asset is missing', lineage(first, null)],
    ['its file is missing', lineage(first, { storage: { path: 'gone.json' } })],
    ['it holds too few messages', lineage(first, { data: { ...SNAPSHOT, messages: BEFORE.slice(0, 1) } })],
    ['it is no transcript', lineage(first, { data: { some: 'thing' } })],
  ])('%s', async (_name, value) => {
    expect(await replayed(value)).toEqual([archived(), reproduced(null)]);
  });

  it('a budget trimmed the history after it', async () => {
    const trimmed = { kind: 'transcript_budget', text: 't', metadata: { action: 'trimmed', removed_messages: 4 } };
    const value = { messages: AFTER, events: [first, trimmed, ...derived, second] };
    expect(await replayed(value)).toEqual([archived(), reproduced(null)]);
  });

  it('it covered more messages than there are', async () => {
    expect(await replayed({ messages: AFTER, events: [first] })).toEqual([archived()]);
  });

  it('a history that was left standing is checked as it is', async () => {
    const value = { messages: BEFORE, events: [first, compaction(null)] };
    expect(await replayed(value)).toEqual([reproduced(null)]);
  });
});

it('a snapshot that does not lead to the hash is a mismatch', async () => {
  const other = { ...SNAPSHOT, messages: [{ role: 'user', content: 'another' }, ...BEFORE.slice(1)] };
  expect((await replayed(lineage(first, { data: other })))[0]).toEqual([
    'mismatch',
    'snap',
    ['error projection.replay_mismatch'],
  ]);
});
