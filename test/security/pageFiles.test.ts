// A page that somebody else's script runs in holds the line to the engine. It may name files by handles alone.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFileHandles } from '../../core/engine/files/fileHandles.ts';
import { type OpenEngine, openEngine } from '../../core/engine/inProcess.ts';
import { type EngineClient, EngineError } from '../../core/protocol/client.ts';
import { createClient } from '../../core/protocol/createClient.ts';
import { FILE_METHODS } from '../../core/protocol/files.ts';
import type { Params } from '../../core/protocol/methods.ts';
import { inProcessPair } from '../../core/protocol/transports.ts';
import { tally } from './tally.ts';

type FileMethod = keyof typeof FILE_METHODS;

const KEY = new Uint8Array(32).fill(7);
const files = createFileHandles(KEY);
const attacks = tally('page over the engine’s port');

let root: string;
let secret: string;
let engine: OpenEngine;
let page: EngineClient;
let id: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'parallax-page-'));
  mkdirSync(join(root, 'private'));
  secret = join(root, 'private', 'secret.json');
  writeFileSync(secret, JSON.stringify([{ role: 'user', content: 'the secret' }]));
  const opened = openEngine(join(root, 'library'), { inline: true, key: KEY });
  if (!opened.ok) throw new Error(opened.error.text);
  engine = opened.value;
  const [mine, theirs] = inProcessPair();
  engine.serve(theirs, 'page');
  page = createClient(mine);
  const session = join(root, 'session.json');
  writeFileSync(
    session,
    JSON.stringify([
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'hi' },
    ]),
  );
  const { jobId } = await page.call('import.start', { paths: [files.give(session, 'read')] });
  const { outcomes } = await page.call('import.result', { jobId });
  id = outcomes[0]?.transcripts[0]?.id ?? '';
});

afterAll(async () => {
  await engine.dispose();
  rmSync(root, { recursive: true, force: true });
});

const spec = { version: 1, stages: [] };
const RULES = 'version: 1\nrules:\n  - fits: true\n';

/** A call of each method that takes files, for the file of that name. */
const CALLS: { readonly [M in FileMethod]: (name: string) => Params<M> } = {
  'import.start': (name) => ({ paths: [name] }),
  'mapping.guess': (path) => ({ path }),
  'mapping.preview': (path) => ({ path, mapping: { version: 1, name: 'x' } }),
  'follow.start': (path) => ({ path, keep: true }),
  'follow.stop': (path) => ({ path }),
  'discover.look': (path) => ({ path }),
  'verify.file': (path) => ({ path }),
  'check.baseline': (path) => ({ path }),
  'check.run': (path) => ({ ids: [id], rules: RULES, baseline: null, path, run: 'r' }),
  'check.under': (path) => ({ id, rules: RULES, baseline: null, path, rule: 0, specs: [spec] }),
  'check.passing': (path) => ({ id, rules: RULES, baseline: null, path, rule: 0, spec, all: false }),
  'export.write': (path) => ({ id, spec, at: null, path }),
  'export.page': (path) => ({ reviewId: 'review 1', path }),
  'export.thread': (path) => ({ id, path }),
  'wire.write': (path) => ({ id, spec, at: null, target: 'anthropic', path }),
};
const METHODS = Object.keys(CALLS).filter((method): method is FileMethod => Object.hasOwn(FILE_METHODS, method));

async function codeOf<M extends FileMethod>(method: M, params: Params<M>): Promise<string> {
  try {
    await page.call(method, params);
    return 'done';
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
}

/** What a script could give as the name of a file that it was not given. */
function names(): readonly string[] {
  const read = files.give(secret, 'read');
  const write = files.give(join(root, 'private', 'new.desktop'), 'write');
  const others = createFileHandles(new Uint8Array(32).fill(8));
  const flipped = [0, 5, 20, 30, read.length - 1].map((at) => {
    const letter = read[at] === 'A' ? 'B' : 'A';
    return `${read.slice(0, at)}${letter}${read.slice(at + 1)}`;
  });
  const guesses = [
    secret,
    '/etc/passwd',
    '../private/secret.json',
    `file://${secret}`,
    `${secret}\0`,
    ' ',
    '.',
    '/',
    '~',
    'null',
    '{}',
    Buffer.from(JSON.stringify({ path: secret, use: 'read' })).toString('base64url'),
    Buffer.alloc(64).toString('base64url'),
    'A'.repeat(100_000),
  ];
  const notQuite = [`${read}=`, `${read} `, `${read}\n`, ` ${read}`, read.slice(0, -2), `${read}AAAA`, `${read}/../x`];
  return [...guesses, ...flipped, ...notQuite, others.give(secret, 'read'), others.give(secret, 'write'), `${write}x`];
}

describe('a page', () => {
  it.each(METHODS)('%s: nothing but a handle for it names a file', async (method) => {
    const wrongUse = files.give(secret, FILE_METHODS[method] === 'read' ? 'write' : 'read');
    for (const name of [...names(), wrongUse]) {
      const code = await codeOf(method, CALLS[method](name));
      attacks.tried(`${method} ${JSON.stringify(name).slice(0, 80)}: ${code}`, code === 'file.not_given');
    }
    const empty = await codeOf(method, CALLS[method](''));
    attacks.tried(`${method} "": ${empty}`, empty === 'protocol.bad_request' || empty === 'file.not_given');
  });

  it('brings in nothing if one of several files was not given to it', async () => {
    const { transcripts } = await page.call('library.list', {});
    const given = files.give(secret, 'read');
    const code = await codeOf('import.start', { paths: [given, secret] });
    attacks.tried('a path among handles', code === 'file.not_given');
    expect((await page.call('library.list', {})).transcripts).toEqual(transcripts);
  });

  it('left nothing behind, and read nothing', async () => {
    expect(readdirSync(join(root, 'private'))).toEqual(['secret.json']);
    expect((await page.call('follow.list', {})).follows).toEqual([]);
    expect((await page.call('library.list', {})).transcripts).toHaveLength(1);
  });

  it('reads what a person gave it, as often as it likes', async () => {
    const handle = files.give(secret, 'read');
    for (let times = 0; times < 2; times++) {
      expect((await page.call('mapping.guess', { path: handle })).sample).toContain('the secret');
    }
  });

  it('writes where a person said, once', async () => {
    const path = join(root, 'chosen.json');
    const handle = files.give(path, 'write');
    await page.call('export.write', { id, spec, at: null, path: handle });
    expect(existsSync(path)).toBe(true);
    writeFileSync(path, 'mine again');
    for (const method of ['export.write', 'export.thread', 'wire.write'] as const) {
      attacks.tried(`${method} a second time`, (await codeOf(method, CALLS[method](handle))) === 'file.not_given');
    }
    expect(readFileSync(path, 'utf8')).toBe('mine again');
  });

  it('exports into the library without naming a place', async () => {
    const { path } = await page.call('export.thread', { id, path: null });
    expect(path.startsWith(join(root, 'library', 'exports'))).toBe(true);
  });

  it('names by their handles the files that the engine tells of, and the handles tell it nothing', async () => {
    const { jobId } = await page.call('follow.start', { path: files.give(secret, 'read') });
    await page.call('import.result', { jobId });
    const [follow] = (await page.call('follow.list', {})).follows;
    expect(follow?.path).toBe(secret);
    expect(Buffer.from(follow?.handle ?? '', 'base64url').toString('latin1')).not.toContain('secret');
    expect(await page.call('follow.stop', { path: follow?.handle ?? '' })).toEqual({ stopped: true });
  });
});

describe('a command', () => {
  it('names files by path: it is the user', async () => {
    const client = engine.connect();
    expect((await client.call('mapping.guess', { path: secret })).sample).toContain('the secret');
    client.close();
  });
});
