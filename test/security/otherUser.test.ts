// Another user of the machine, who tries to read and to write whatever Parallax keeps. Needs root, to be another user;
// elsewhere it is skipped, and the modes are tested in privateFiles.test.ts.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleSession } from '../../core/sample/index.ts';
import { tally } from './tally.ts';

const CHECKOUT = resolve(import.meta.dirname, '..', '..');
const NOBODY = 65_534;
const missing = whyNot();

function whyNot(): string | null {
  if (process.platform !== 'linux') return 'not on Linux';
  if (process.getuid?.() !== 0) return 'not root: nobody else can be tried';
  return asNobody('true').code === 0 ? null : 'setpriv is not here';
}

/** A shell line run by the user nobody. */
function asNobody(line: string): { readonly code: number | null; readonly said: string } {
  const args = ['--reuid', `${NOBODY}`, '--regid', `${NOBODY}`, '--clear-groups', '--', 'sh', '-c', line];
  const run = spawnSync('setpriv', args, { encoding: 'utf8', timeout: 20_000 });
  return { code: run.status, said: `${run.stdout}${run.stderr}` };
}

describe.skipIf(missing !== null)(
  `another user of the machine${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    const attacks = tally('another user of the machine');
    let root: string;
    let library: string;
    let out: string;
    let host: ChildProcess | null = null;
    let link = '';

    // As a person has it: a home that others may enter, and files under the usual umask.
    beforeAll(async () => {
      root = mkdtempSync(join(tmpdir(), 'parallax-other-'));
      chmodSync(root, 0o755);
      library = join(root, 'data', 'library');
      out = join(root, 'out');
      mkdirSync(join(root, 'data'), { mode: 0o755 });
      mkdirSync(out, { mode: 0o755 });
      writeFileSync(join(root, 'session.jsonl'), sampleSession(), { mode: 0o600 });
      const session = join(root, 'session.jsonl');
      parallax(['import', session, '--library', library]);
      parallax(['export', session, '-o', join(out, 'bundle.json')]);
      parallax(['export', session, '--wire', 'anthropic', '-o', join(out, 'body.json')]);
      parallax(['export', session, '--thread', 'jido', '-o', join(out, 'thread.json')]);
      host = start(['serve', '--library', library]);
      link = await linkOf(host);
      await useTheHost();
    });

    afterAll(async () => {
      if (host !== null) await ended(host);
      rmSync(root, { recursive: true, force: true });
    });

    function ended(child: ChildProcess): Promise<unknown> {
      const gone = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      return gone;
    }

    const env = (): NodeJS.ProcessEnv => {
      const { NODE_COMPILE_CACHE: _none, XDG_CACHE_HOME: _other, ...rest } = process.env;
      return { ...rest, HOME: join(root, 'home'), TMPDIR: root };
    };
    const usual = (args: readonly string[]): readonly [string, string[]] => {
      const program = [
        process.execPath,
        '--disable-warning=ExperimentalWarning',
        join(CHECKOUT, 'cli', 'main.ts'),
        ...args,
      ];
      return ['sh', ['-c', 'umask 022; exec "$@"', 'sh', ...program]];
    };
    function parallax(args: readonly string[]): void {
      const [command, all] = usual(args);
      const run = spawnSync(command, all, { encoding: 'utf8', env: env(), cwd: CHECKOUT });
      expect([args[0], run.status, run.stderr]).toEqual([args[0], 0, run.stderr]);
    }
    function start(args: readonly string[]): ChildProcess {
      const [command, all] = usual(args);
      return spawn(command, all, { env: env(), cwd: CHECKOUT, stdio: ['ignore', 'pipe', 'inherit'] });
    }
    function linkOf(child: ChildProcess): Promise<string> {
      return new Promise((done) => {
        child.stdout?.on('data', (chunk: Buffer) => {
          const found = /parallax: (http:\S+)/.exec(chunk.toString('utf8'))?.[1];
          if (found !== undefined) done(found);
        });
      });
    }
    // A session with an upload and an engine that has its journals open.
    async function useTheHost(): Promise<void> {
      const { origin, hash } = new URL(link);
      const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
      const post = (path: string, headers: Record<string, string>, body?: string): Promise<Response> =>
        fetch(`${origin}${path}`, { method: 'POST', headers: { Origin: origin, ...headers }, ...(body && { body }) });
      const { secret } = (await (await post('/session', { 'X-Parallax-Token': token })).json()) as { secret: string };
      const headers = { Authorization: `Parallax ${secret}` };
      expect((await post('/upload?name=private.json', headers, '[]')).status).toBe(200);
      const { ticket } = (await (await post('/ticket', headers)).json()) as { ticket: string };
      const { WebSocket } = await import('ws');
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/engine?ticket=${ticket}`, { origin });
      await new Promise((done) => socket.once('message', done));
      const ask = { type: 'request', id: 1, method: 'sample.import', params: {} };
      socket.send(JSON.stringify(ask));
      const answered = new Promise<void>((done) => {
        socket.on('message', (data) => String(data).startsWith('{"type":"response","id":1') && done());
      });
      await answered;
    }

    /** Everything that stands there, by path. */
    function everythingIn(folder: string): readonly string[] {
      const below = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
      return [folder, ...below];
    }

    it('can be tried here: what is open to all is read', () => {
      writeFileSync(join(root, 'open.txt'), 'open', { mode: 0o644 });
      expect(asNobody(`cat '${join(root, 'open.txt')}'`).said).toBe('open');
    });

    it.each([
      ['the library, its journals, exports, uploads', () => library],
      ['what commands wrote with -o', () => out],
    ] as const)('%s: nothing can be read, listed or written', (_what, place) => {
      const folder = place();
      for (const path of everythingIn(folder)) {
        const isFolder = statSync(path).isDirectory();
        // The folder that a person chose for -o is theirs to open.
        if (path === out) continue;
        const reads = isFolder ? asNobody(`ls '${path}'`) : asNobody(`cat '${path}'`);
        attacks.tried(`read ${path}`, reads.code !== 0);
        const writes = isFolder ? asNobody(`touch '${path}/planted'`) : asNobody(`printf x >> '${path}'`);
        attacks.tried(`write ${path}`, writes.code !== 0);
        attacks.tried(`replace ${path}`, asNobody(`mv '${path}' '${path}.away'`).code !== 0);
      }
    });

    it('has made what it was to try', () => {
      const names = everythingIn(library).map((path) => path.slice(library.length + 1));
      expect(names).toEqual(expect.arrayContaining(['library.sqlite', 'library.sqlite-wal', 'library.sqlite-shm']));
      expect(names.some((name) => name.endsWith('private.json'))).toBe(true);
      expect(readdirSync(out).sort()).toEqual(['body.json', 'bundle.json', 'thread.json']);
    });

    it('compiled code is in no folder that they could have made or can write', () => {
      const [command, all] = usual(['formats']);
      const given = join(root, 'tmp');
      mkdirSync(given, { mode: 0o777 });
      chmodSync(given, 0o1777);
      // The folder that Node would use, made first by them.
      const node = join(given, 'node-compile-cache');
      expect(asNobody(`mkdir '${node}' && chmod 777 '${node}'`).code).toBe(0);
      const run = spawnSync(command, all, { encoding: 'utf8', env: { ...env(), TMPDIR: given }, cwd: CHECKOUT });
      expect(run.status).toBe(0);
      attacks.tried('the compile cache in the shared folder for temporary files', readdirSync(node).length === 0);
      const places = [join(CHECKOUT, '.cache', 'compile'), join(root, 'home', '.cache', 'parallax', 'compile')];
      const made = places.filter((place) => existsSync(place));
      expect(made.length).toBeGreaterThan(0);
      for (const place of made) {
        attacks.tried(`list ${place}`, asNobody(`ls '${place}'`).code !== 0);
        attacks.tried(`write ${place}`, asNobody(`touch '${place}/planted'`).code !== 0);
      }
    });

    it('no token stands among the arguments of a process, and a token seen is of no use', async () => {
      const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? '';
      const seen = asNobody('cat /proc/[0-9]*/cmdline | tr "\\0" " "').said;
      expect(seen).toContain('serve');
      attacks.tried('the token in an argument list', !seen.includes(token));
      attacks.tried('the environment of the host', asNobody(`cat /proc/${host?.pid}/environ`).code !== 0);
      const { origin } = new URL(link);
      const tries = ['/session', '/ticket', '/upload', '/download/x', '/engine'];
      for (const path of tries) {
        const line = `curl -s -o /dev/null -w '%{http_code}' -X POST -H 'Origin: ${origin}' -H 'X-Parallax-Token: ${token}' '${origin}${path}'`;
        const { said } = asNobody(line);
        attacks.tried(`${path} with the token that was used: ${said}`, /^(401|405)$/.test(said));
      }
    });
  },
);
