// A conversation kept as a folder of events is one transcript, however it was chosen.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourcesOf } from '../../../core/engine/jobs/eventFolder.ts';
import { executeJob } from '../../../core/engine/jobs/execute.ts';
import { assert } from '../../../core/util/assert.ts';
import { corpusFiles } from '../../support/shared.ts';
import { openLibrary, tempDir } from '../../support/tempLibrary.ts';

const event = (n: number): object => ({
  id: `e${n}`,
  timestamp: `2026-01-21T22:37:${String(n).padStart(2, '0')}`,
  source: 'user',
  llm_message: { role: 'user', content: [{ type: 'text', text: `said ${n}` }] },
  kind: 'MessageEvent',
});
const nameOf = (n: number): string => `event-${String(n).padStart(5, '0')}-00000000-0000-4000-8000-${n}.json`;
const STATE = {
  id: 'conv',
  agent: { llm: { model: 'm' } },
  workspace: { working_dir: '/w' },
  execution_status: 'idle',
};

/** A conversation of `count` events, written last first and with line breaks inside. */
function writeConversation(dir: string, count: number): readonly string[] {
  mkdirSync(join(dir, 'events'), { recursive: true });
  writeFileSync(join(dir, 'base_state.json'), JSON.stringify(STATE));
  const paths = Array.from({ length: count }, (_, n) => join(dir, 'events', nameOf(n)));
  for (const [n, path] of [...paths.entries()].reverse()) writeFileSync(path, JSON.stringify(event(n), null, n % 2));
  return paths;
}

async function importPaths(dir: string, paths: readonly string[]) {
  const library = openLibrary(join(dir, 'library'));
  const signal = new AbortController().signal;
  const end = await executeJob(library, { kind: 'import', paths }, () => {}, signal);
  assert(end.state === 'done', 'the job ended');
  const { outcomes } = end;
  const rows = outcomes.flatMap(({ transcripts }) => transcripts).map(({ id }) => library.source(id));
  const texts = rows.map((row) => Array.from({ length: row?.length ?? 0 }, (_, i) => row?.text(i) ?? ''));
  return { outcomes, texts };
}

describe('a folder of events', () => {
  it.each([
    ['the conversation', (dir: string) => [dir], 'conversation'],
    ['its events', (dir: string) => [join(dir, 'events')], 'events'],
    [
      'its files, in any order',
      (dir: string) => [
        join(dir, 'base_state.json'),
        ...readdirSync(join(dir, 'events'))
          .map((name) => join(dir, 'events', name))
          .reverse(),
      ],
      'events',
    ],
  ])('is one transcript, given %s', async (_name, chosen, shown) => {
    const dir = tempDir();
    const conversation = join(dir, 'conversation');
    writeConversation(conversation, 12);
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('parallax-events-')).length;
    const { outcomes, texts } = await importPaths(dir, chosen(conversation));
    expect(outcomes.map(({ file, error, problems }) => [basename(file), error, problems])).toEqual([[shown, null, []]]);
    expect(texts).toHaveLength(1);
    expect(texts[0]?.map((text) => /said \d+/.exec(text)?.[0])).toEqual(
      Array.from({ length: 12 }, (_, n) => `said ${n}`),
    );
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('parallax-events-')).length).toBeLessThanOrEqual(
      before,
    );
  });

  it('is known when it is imported again', async () => {
    const dir = tempDir();
    const files = writeConversation(join(dir, 'c'), 3);
    const { outcomes } = await importPaths(dir, [join(dir, 'c'), join(dir, 'c', 'events'), ...files]);
    expect(outcomes.map(({ transcripts }) => transcripts.map(({ existed }) => existed))).toEqual([
      [false],
      [true],
      [true],
    ]);
  });

  it('before the SDK had numbers for names', async () => {
    const dir = tempDir();
    mkdirSync(join(dir, 'c', 'events'), { recursive: true });
    for (const n of [10, 9, 0]) {
      const said = { id: n, source: 'user', action: 'message', args: { content: `said ${n}` } };
      writeFileSync(join(dir, 'c', 'events', `${n}.json`), JSON.stringify(said));
    }
    const { texts } = await importPaths(dir, [join(dir, 'c')]);
    expect(texts[0]?.map((text) => /said \d+/.exec(text)?.[0])).toEqual(['said 0', 'said 9', 'said 10']);
  });
});

describe('what is chosen together', () => {
  it('joins what a browser uploaded at once', async () => {
    const paths = [1, 0].map((n) => join('/library/uploads/host', `u${n}`, nameOf(n)));
    expect(await sourcesOf([...paths, '/library/uploads/host/u2/base_state.json'])).toEqual([
      { path: paths[1], files: [paths[1], paths[0], '/library/uploads/host/u2/base_state.json'] },
    ]);
  });

  it('keeps conversations apart, and leaves alone what is none', async () => {
    const one = [0, 1].map((n) => join('/a/events', nameOf(n)));
    const two = [0, 1].map((n) => join('/b/events', nameOf(n)));
    const single = join('/c/events', nameOf(0));
    const sources = await sourcesOf([...one, single, '/b/1.json', '/b/2.json', ...two]);
    expect(sources).toEqual([
      { path: '/a/events', files: one },
      { path: single, files: null },
      { path: '/b/1.json', files: null },
      { path: '/b/2.json', files: null },
      { path: '/b/events', files: two },
    ]);
  });

  it('leaves a folder without events to whoever opens it', async () => {
    const dir = tempDir();
    expect(await sourcesOf([dir, join(dir, 'none')])).toEqual([
      { path: dir, files: null },
      { path: join(dir, 'none'), files: null },
    ]);
  });
});

const folders = [
  ...new Set(
    corpusFiles('openhands')
      .filter((path) => basename(path) === 'base_state.json')
      .map(dirname),
  ),
];

describe.skipIf(folders.length === 0)('real folders (skipped where there is no shared material)', () => {
  it.each(folders.map((path) => [basename(path), path] as const))('%s', async (_name, path) => {
    const { outcomes, texts } = await importPaths(tempDir(), [path]);
    expect(outcomes.map(({ error, problems }) => [error, problems])).toEqual([[null, []]]);
    expect(texts.map((each) => each.length)).toEqual([readdirSync(join(path, 'events')).length]);
  });
});
