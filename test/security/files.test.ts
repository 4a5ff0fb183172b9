// What a person or a folder names may be no file: a pipe without a writer, a device without an end, a socket, a link to one.
// Nothing waits for ever, nothing fills the memory, and each is told for what it is.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleSession } from '../../core/sample/index.ts';
import { runCliProcess } from '../support/cli.ts';
import { noNullReason } from '../support/nullDevice.ts';
import { runHere } from './support.ts';

const isPosix = process.platform !== 'win32';
let dir: string;
let server: Server;
let sample: string;

beforeAll(async () => {
  if (!isPosix) return;
  dir = mkdtempSync(join(tmpdir(), 'parallax-odd-'));
  sample = join(dir, 'sample.jsonl');
  writeFileSync(sample, sampleSession());
  execFileSync('mkfifo', [join(dir, 'pipe.jsonl')]);
  symlinkSync('/dev/zero', join(dir, 'zero.jsonl'));
  server = createServer();
  await new Promise<void>((resolve) => server.listen(join(dir, 'socket.jsonl'), resolve));
  for (const [folder, event] of Object.entries({ 'events of a pipe': 'pipe.jsonl', 'events of zeros': 'zero.jsonl' })) {
    mkdirSync(join(dir, folder, 'events'), { recursive: true });
    writeFileSync(join(dir, folder, 'events', '0.json'), '{"id":0,"source":"user","message":"hi"}');
    symlinkSync(join(dir, event), join(dir, folder, 'events', '1.json'));
  }
  mkdirSync(join(dir, 'odd folder'));
  writeFileSync(join(dir, 'odd folder', 'good.jsonl'), sampleSession());
  for (const name of ['pipe', 'zero', 'socket'])
    symlinkSync(join(dir, `${name}.jsonl`), join(dir, 'odd folder', `${name}.jsonl`));
  writeFileSync(join(dir, 'huge.jsonl'), '');
  truncateSync(join(dir, 'huge.jsonl'), 2 * 1024 ** 3);
});

let contained = 0;
afterAll(() => {
  console.log(`files: ${CASES.length} odd files named to commands, ${contained} contained`);
  server?.close();
  if (isPosix) rmSync(dir, { recursive: true, force: true });
});

const SOON_MS = 10_000;
const lib = () => ['--library', join(dir, 'lib')];

/** Each of these is named to each command that reads a file. */
const ODD: Readonly<Record<string, readonly [path: () => string, told: RegExp]>> = {
  'a pipe that nobody writes to': [() => join(dir, 'pipe.jsonl'), /a pipe, not a file/],
  'a device without an end': [() => '/dev/zero', /a device, not a file/],
  'a link to one': [() => join(dir, 'zero.jsonl'), /a device, not a file/],
  'a device that is empty': [() => '/dev/null', /a device, not a file/],
  'a socket': [() => join(dir, 'socket.jsonl'), /a socket, not a file/],
};

const noNull = noNullReason();

const READERS: Readonly<Record<string, (path: string) => readonly string[]>> = {
  import: (path) => ['import', path, ...lib()],
  project: (path) => ['project', path],
  verify: (path) => ['verify', path],
  'mapping guess': (path) => ['mapping', 'guess', path],
  'mapping check': (path) => ['mapping', 'check', path, sample],
  'repair --check': (path) => ['repair', '--check', path],
  'project --ndjson': (path) => ['project', '--ndjson', path],
  'project --spec': (path) => ['project', sample, '--spec', path],
  'fork --append': (path) => ['fork', sample, '--append', path, ...lib()],
};

const CASES = Object.entries(ODD).flatMap(([what, [path, told]]) =>
  Object.entries(READERS).map(([command, of]) => [`${command} ${what}`, path, told, of] as const),
);

describe.skipIf(!isPosix)('what is no file is told for what it is', () => {
  test.for(CASES)('%s', { timeout: SOON_MS }, async ([, path, told, of], { skip }) => {
    if (noNull !== null && path() === '/dev/null') skip(noNull);
    const run = await runHere(of(path()));
    expect([2, 3]).toContain(run.code);
    expect(run.stderr).toMatch(told);
    expect(run.stderr).not.toContain('fault of Parallax');
    contained++;
  });

  test.each(['events of a pipe', 'events of zeros'])('a folder with %s', { timeout: SOON_MS }, async (folder) => {
    const run = await runHere(['import', join(dir, folder), ...lib()]);
    expect(run.code).toBe(3);
    expect(run.stderr).toMatch(/a (?:pipe|device), not a file/);
  });

  test('of a folder with all of them the transcripts are imported', { timeout: SOON_MS }, async () => {
    const run = await runHere(['import', join(dir, 'odd folder'), '--library', join(dir, 'lib2')]);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('good.jsonl');
  });

  test('an empty path is not the folder one stands in', async () => {
    expect(await runHere(['import', '', ...lib()])).toMatchObject({ code: 2, stdout: '' });
  });

  test('a file larger than what is read at once', { timeout: SOON_MS }, async () => {
    for (const command of [['project'], ['verify'], ['repair', '--check']]) {
      const run = await runHere([...command, join(dir, 'huge.jsonl')]);
      expect(run).toMatchObject({ code: 3, stdout: '' });
      expect(run.stderr).toContain('larger than 1,073,741,824 bytes');
    }
  });

  test('what the shell hands over is read', { timeout: SOON_MS }, async () => {
    expect((await runCliProcess(['project', '/dev/stdin', '--no-tokens'], sampleSession())).code).toBe(0);
  });
});

describe.skipIf(!isPosix)('-o', () => {
  const exported = (path: string, ...more: string[]) =>
    runHere(['export', sample, '--wire', 'openai', '-o', path, ...more]);

  test('a device is written to, and stays one', async ({ skip }) => {
    if (noNull !== null) skip(noNull);
    const before = statSync('/dev/null').rdev;
    expect((await exported('/dev/null')).code).toBe(0);
    expect(statSync('/dev/null')).toMatchObject({ rdev: before });
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  test.skipIf(!existsSync('/dev/full'))('a full device is told as full', async () => {
    const run = await exported('/dev/full');
    expect(run).toMatchObject({ code: 3, stdout: '' });
    expect(run.stderr).toContain('no space is left there');
    expect(lstatSync('/dev/full').isCharacterDevice()).toBe(true);
  });

  test('a pipe that nobody reads is not waited for, and stays one', { timeout: SOON_MS }, async () => {
    const run = await exported(join(dir, 'pipe.jsonl'));
    expect(run).toMatchObject({ code: 3, stdout: '' });
    expect(run.stderr).toContain('it is a pipe that nobody reads');
    expect(lstatSync(join(dir, 'pipe.jsonl')).isFIFO()).toBe(true);
  });

  test('/dev/stdout is what the shell made of it', { timeout: SOON_MS }, async () => {
    const run = await runCliProcess(['export', sample, '--wire', 'openai', '-o', '/dev/stdout']);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('"messages"');
  });

  test('a folder is refused', async () => {
    expect((await exported(join(dir, 'odd folder'))).stderr).toContain('this is a folder');
  });

  test('links laid where the unfinished file was expected are not followed; nothing is left but the file, private', async () => {
    const folder = mkdtempSync(join(dir, 'out-'));
    const victim = join(dir, 'victim.txt');
    writeFileSync(victim, 'keep');
    for (const end of ['.partial', `.partial-${process.pid}`]) symlinkSync(victim, join(folder, `body.json${end}`));
    expect((await exported(join(folder, 'body.json'))).code).toBe(0);
    expect(readFileSync(victim, 'utf8')).toBe('keep');
    expect(readdirSync(folder).sort()).toEqual(
      ['body.json', 'body.json.partial', `body.json.partial-${process.pid}`].sort(),
    );
    expect(statSync(join(folder, 'body.json')).mode & 0o777).toBe(0o600);
  });
});
