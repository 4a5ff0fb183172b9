// Assets of a Harn transcript: named by messages, opened from the file or from one beside it and from nowhere else.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { MOST_ASSET_BYTES, readAssetFile } from '../../core/engine/files/assetFile.ts';
import { ARCHIVED, harnSession, PIXEL } from '../support/harnSession.ts';
import { failureOf, testEngine } from './support.ts';

async function opened(archived?: object) {
  const engine = testEngine();
  mkdirSync(join(engine.dir, 'harn', 'assets'), { recursive: true });
  const write = (name: string, data: string | Uint8Array) => writeFileSync(join(engine.dir, name), data);
  const id = await engine.add('harn/t.json', JSON.stringify(harnSession(archived)));
  await engine.client.call('transcript.open', { id });
  return { ...engine, id, write };
}

describe('what messages name', () => {
  test('the drawer is told which asset a part names, and what is known of it', async () => {
    const { client, id } = await opened();
    const { projectionId } = await client.call('projection.set', { id, spec: 'raw', at: null });
    const { parts } = await client.call('projection.detail', { projectionId, index: 0 });
    expect(parts.map(({ asset }) => asset)).toEqual([
      { id: 'shot', described: { kind: 'image', mime: 'image/png', name: null, held: 'inline', path: null } },
      { id: 'beside', described: { kind: 'image', mime: 'image/png', name: null, held: 'file', path: 'assets/a.png' } },
      { id: 'gone', described: null },
      undefined,
    ]);
    expect(parts.map(({ visibility }) => visibility)).toEqual(['public', 'public', 'public', undefined]);
  });

  test('an asset opens, or says why not', async () => {
    const { client, id, write } = await opened();
    const open = (asset: string) => client.call('asset.open', { id, asset });
    expect(await open('shot')).toMatchObject({ mime: 'image/png', base64: PIXEL });
    expect(await failureOf(open('beside'))).toMatchObject({ code: 'asset.unreadable' });
    write('harn/assets/a.png', Buffer.from(PIXEL, 'base64'));
    expect(await open('beside')).toMatchObject({ mime: 'image/png', base64: PIXEL });
    expect((await failureOf(open('gone'))).message).toBe(
      'The asset gone cannot be opened: the transcript does not describe it.',
    );
  });

  test('a request carries them, and says which it cannot', async () => {
    const { client, id, write } = await opened();
    write('harn/assets/a.png', Buffer.from(PIXEL, 'base64'));
    const spec = { version: 1, stages: [] };
    const { json, losses } = await client.call('wire.export', { id, spec, at: null, target: 'anthropic' });
    const [first] = JSON.parse(json).messages;
    const source = { type: 'base64', media_type: 'image/png', data: PIXEL };
    expect(first.content).toEqual([
      { type: 'image', source },
      { type: 'image', source },
      { type: 'text', text: 'and this?' },
    ]);
    expect(losses.filter(({ kind }) => kind === 'image').map(({ text }) => text)).toEqual([
      'an image kept as asset gone: the transcript does not describe it',
    ]);
  });

  test('a summary says which assets the messages behind it name', async () => {
    const { client, id } = await opened();
    const spec = { policy: 'summary_prefix', keep_last: 1 };
    const { projectionId } = await client.call('projection.set', { id, spec, at: null });
    const { assets } = await client.call('projection.synthetic', { projectionId, row: 4 });
    expect(assets.map((asset) => asset.id)).toEqual(['shot', 'beside', 'gone']);
  });
});

describe('what a compaction archived', () => {
  test('in the file, is a transcript of its own, which belongs to the one that goes on', async () => {
    const { client, id } = await opened();
    const answer = await client.call('asset.openTranscript', { id, asset: 'snap' });
    if (!('id' in answer)) throw new Error('it was imported with the file');
    const info = await client.call('transcript.open', { id: answer.id });
    expect(info).toMatchObject({ messages: 5, archivedAs: 'snap' });
    const { children } = await client.call('transcript.relatives', { id });
    expect(children).toMatchObject([{ id: answer.id, archived: true, messages: 5 }]);
    const { parent } = await client.call('transcript.relatives', { id: answer.id });
    expect(parent).toMatchObject({ id });
  });

  test('in a file beside it, is imported when it is opened, and recorded projections are checked on it', async () => {
    const { client, id, write } = await opened({ storage: { path: 'assets/s.json' } });
    const problems = async () => (await client.call('transcript.problems', { id })).problems.map(({ code }) => code);
    expect(await problems()).toEqual(['projection.replay_archived']);
    expect(await failureOf(client.call('asset.openTranscript', { id, asset: 'snap' }))).toMatchObject({
      code: 'asset.unreadable',
    });
    write('harn/assets/s.json', ARCHIVED);
    expect(await problems()).toEqual([]);
    const answer = await client.call('asset.openTranscript', { id, asset: 'snap' });
    if (!('jobId' in answer)) throw new Error('it was not in the library');
    const { outcomes } = await client.call('import.result', { jobId: answer.jobId });
    expect(outcomes[0]?.transcripts).toMatchObject([{ messages: 5 }]);
  });
});

test('what a transcript records of itself', async () => {
  const { client, id } = await opened();
  const { prompt, metadata, assets, ...facts } = await client.call('transcript.facts', { id });
  expect(facts).toEqual({
    state: 'active',
    budget: 'transcript trimmed: at most 100 messages allowed; 4 messages removed',
  });
  expect(prompt?.own).toBe(prompt?.recorded);
  expect(JSON.parse(metadata ?? '')).toEqual({
    title: 'Lexer',
    ticket: 'T-7',
    transcript_budget: expect.anything(),
  });
  expect(assets.map((asset) => asset.id)).toEqual(['shot', 'beside', 'snap']);
  const info = await client.call('transcript.open', { id });
  expect(info.projections).toBe(2);
  expect(info.compactionMarks.map(({ kind, at }) => [kind, at])).toEqual([
    ['compaction', 0],
    ['budget', 2],
  ]);
});

test('events by kind', async () => {
  const { client, id } = await opened();
  const all = await client.call('transcript.events', { id, from: 0, to: 100 });
  expect(all.kinds).toEqual([
    { kind: 'asset', count: 3 },
    { kind: 'compaction', count: 1 },
    { kind: 'message', count: 2 },
    { kind: 'system_prompt', count: 1 },
    { kind: 'transcript.projection', count: 2 },
    { kind: 'transcript_budget', count: 1 },
  ]);
  expect(all.total).toBe(10);
  const second = await client.call('transcript.events', { id, from: 1, to: 2, kind: 'transcript.projection' });
  expect(second).toMatchObject({ total: 2, events: [{ kind: 'transcript.projection', at: 2 }] });
  const { events } = await client.call('transcript.events', { id, from: 0, to: 9, kind: 'transcript_budget' });
  expect(events).toMatchObject([
    {
      visibility: 'private',
      words: 'transcript trimmed: 104 messages, at most 100 allowed; 4 messages removed; by append',
    },
  ]);
  expect(await client.call('transcript.events', { id, from: 0, to: 9, kind: 'none' })).toMatchObject({ total: 0 });
});

describe('only regular files in the folder of the transcript are read', () => {
  const dir = mkdtempSync(join(tmpdir(), 'parallax-assets-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, 'inside', 't.json');
  mkdirSync(join(dir, 'inside', 'sub'), { recursive: true });
  writeFileSync(file, '{}');
  writeFileSync(join(dir, 'inside', 'sub', 'a.png'), 'bytes');
  writeFileSync(join(dir, 'outside.txt'), 'secret');
  symlinkSync(join(dir, 'outside.txt'), join(dir, 'inside', 'link'));
  symlinkSync(dir, join(dir, 'inside', 'up'));
  writeFileSync(join(dir, 'inside', 'large'), '');
  truncateSync(join(dir, 'inside', 'large'), MOST_ASSET_BYTES + 1);
  execFileSync('mkfifo', [join(dir, 'inside', 'pipe')]);

  test.each(['sub/a.png', './sub/../sub/a.png', 'sub//a.png'])('%s is read', async (path) => {
    const read = await readAssetFile(file, path);
    expect(read.ok && Buffer.from(read.value).toString()).toBe('bytes');
  });

  test.each([
    ['../outside.txt', /leads out of the transcript's folder/],
    ['link', /leads out of the transcript's folder/],
    ['up/outside.txt', /leads out of the transcript's folder/],
    [join(dir, 'outside.txt'), /is absolute/],
    ['C:\\x', /is absolute/],
    ['\\\\host\\share', /is absolute/],
    ['sub', /not a regular file/],
    ['pipe', /not a regular file/],
    ['large', /the limit is/],
    ['nothing.png', /no such file/],
    ['t.json/x', /not a folder/],
    ['', /not one/],
    ['a\0b', /not one/],
  ])('%j is not', async (path, why) => {
    const read = await readAssetFile(file, path);
    expect(read.ok ? 'read' : read.error).toMatch(why);
  });
});
