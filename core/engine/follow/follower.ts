// Follows files and folders. Looking is cheap and done often: a stat for a file, a listing for a folder. Files that
// changed lately are looked at every time; of many quiet ones a share each time, and at once when the system says that
// something happened to one (which it does not say everywhere, so it is a hint and no more).

import { setImmediate } from 'node:timers/promises';
import type { Problem } from '../../model/problem.ts';
import { type FollowedPath, ImportLostError, type Library, type WrittenTranscript } from '../../store/index.ts';
import { failedBy } from '../jobs/execute.ts';
import { urgently } from '../jobs/turns.ts';
import type { FollowedFile, Look } from './followedFile.ts';
import { Root } from './root.ts';
import type { Following, FollowNews } from './types.ts';

/** How often and how much. All have defaults. */
export interface FollowerOptions {
  /** Between two rounds of looks. */
  readonly everyMs?: number;
  /** Readings kept alive; each holds what its reader remembers of its file. */
  readonly alive?: number;
}

const REPORT_MS = 100;
const AFTER_FAILURE_MS = 10_000;

/** Follows paths over a library, in this thread. */
export class Follower implements Following {
  onNews: (news: FollowNews) => void = () => {};
  readonly #library: Library;
  readonly #everyMs: number;
  readonly #alive: number;
  readonly #roots = new Map<string, Root>();
  readonly #pool = new Map<string, FollowedFile>();
  /** Files that failed, and when they are tried again. */
  readonly #put = new Map<string, number>();
  readonly #abort = new AbortController();
  #running: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #reportTimer: NodeJS.Timeout | null = null;
  #again = false;
  #changed = new Set<string>();
  #lastReported = '';

  constructor(library: Library, { everyMs = 500, alive = 12 }: FollowerOptions = {}) {
    this.#library = library;
    this.#everyMs = everyMs;
    this.#alive = alive;
  }

  follow(paths: readonly FollowedPath[]): void {
    const wanted = new Map(paths.map((followed) => [followed.path, followed]));
    for (const [path, root] of this.#roots) {
      if (wanted.has(path)) continue;
      this.#roots.delete(path);
      void this.#afterRound(() => this.#leave(root));
    }
    for (const [path, followed] of wanted) {
      if (!this.#roots.has(path))
        this.#roots.set(path, new Root(this.#library, followed, { pool: this.#pool, onHint: () => this.#hint() }));
    }
    this.#reportSoon();
    this.#now();
  }

  /** Looks at everything that is due, now. Settles when that is done. */
  async look(): Promise<void> {
    // Of several who wait for the round under way, the first begins the next one: no file is looked at twice at once.
    const before = this.#running;
    await before;
    await (this.#running !== null && this.#running !== before ? this.#running : this.#start());
  }

  /** The transcripts of a file whose reading is kept alive, after one more look at it; null if none is. */
  async transcriptsOf(path: string): Promise<readonly WrittenTranscript[] | null> {
    const file = this.#pool.get(path);
    if (file?.isAlive !== true) return null;
    await this.look();
    return file.isAlive ? file.transcripts : null;
  }

  /** Stops looking, and ends what is kept alive. */
  async close(): Promise<void> {
    this.#abort.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#reportTimer !== null) clearTimeout(this.#reportTimer);
    await this.#running;
    const roots = [...this.#roots.values()];
    this.#roots.clear();
    for (const root of roots) await this.#leave(root);
  }

  /** Ends what is kept alive of a path that is followed no more. */
  async #leave(root: Root): Promise<void> {
    root.unwatch();
    for (const file of root.files.values()) if (!this.#isFollowed(file)) await this.#forget(file);
  }

  #isFollowed({ path }: FollowedFile): boolean {
    return [...this.#roots.values()].some(({ files }) => files.has(path));
  }

  async #forget(file: FollowedFile): Promise<void> {
    this.#pool.delete(file.path);
    this.#put.delete(file.path);
    await this.#rest(file);
  }

  /** What cannot be ended in order (a disk that is full) is taken up by the next reading: no reason to end all others. */
  async #rest(file: FollowedFile): Promise<void> {
    try {
      await file.rest();
    } catch (error) {
      for (const root of this.#roots.values()) if (root.files.has(file.path)) this.#failed(root, file, error);
    }
  }

  async #afterRound(run: () => Promise<void>): Promise<void> {
    await this.#running;
    await run();
  }

  #hint(): void {
    if (this.#running !== null) this.#again = true;
    else this.#later(20);
  }

  #now(): void {
    if (this.#running === null) void this.#start();
    else this.#again = true;
  }

  #later(ms: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#roots.size === 0 || this.#abort.signal.aborted) return;
    this.#timer = setTimeout(() => this.#now(), ms);
  }

  #start(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#again = false;
    const running = urgently(this.#round()).finally(() => {
      this.#running = null;
      this.#later(this.#again ? 20 : this.#everyMs);
    });
    this.#running = running;
    return running;
  }

  async #round(): Promise<void> {
    for (const root of [...this.#roots.values()]) {
      if (this.#abort.signal.aborted) return;
      await this.#lookAt(root);
    }
    await this.#letRest();
  }

  async #lookAt(root: Root): Promise<void> {
    let seen = 0;
    try {
      for (const file of await root.due(this.#abort.signal)) {
        if (!this.#roots.has(root.followed.path)) return;
        if ((this.#put.get(file.path) ?? 0) > performance.now()) continue;
        const look = await this.#lookAtFile(root, file);
        if (look?.kind !== 'missing') seen++;
        if (root.files.size > 100) await setImmediate();
      }
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      throw error;
    }
    this.#rounded(root, seen);
  }

  #rounded(root: Root, seen: number): void {
    const { kind } = root.followed;
    const failed = root.problem?.severity === 'error';
    if (kind === 'file') root.state = failed ? 'failed' : seen > 0 ? 'following' : 'missing';
    else if (root.state !== 'missing') root.state = failed ? 'failed' : 'following';
    this.#reportSoon();
  }

  async #lookAtFile(root: Root, file: FollowedFile): Promise<Look | null> {
    const onProgress = (progress: number, ids: readonly string[]) => {
      root.state = 'reading';
      root.reading = { path: file.path, progress };
      for (const id of ids) this.#changed.add(id);
      this.#reportSoon();
    };
    try {
      const look = await file.look({ signal: this.#abort.signal, onProgress });
      root.reading = null;
      if (look.kind === 'read') this.#took(root, file, look);
      if (look.kind === 'read' && look.more) this.#again = true;
      if (look.kind === 'missing' && root.followed.kind === 'folder') {
        root.files.delete(file.path);
        if (!this.#isFollowed(file)) await this.#forget(file);
      }
      return look;
    } catch (error) {
      root.reading = null;
      if (this.#abort.signal.aborted) throw error;
      await file.drop();
      // Another process was faster, and continues with it.
      if (error instanceof ImportLostError) this.#put.set(file.path, performance.now() + 2_000);
      else this.#failed(root, file, error);
      return null;
    }
  }

  #took(root: Root, file: FollowedFile, look: Extract<Look, { kind: 'read' }>): void {
    root.grew(file);
    root.problem = look.note;
    for (const { id } of look.transcripts) this.#changed.add(id);
    this.#reportSoon();
  }

  #failed(root: Root, file: FollowedFile, error: unknown): void {
    this.#put.set(file.path, performance.now() + AFTER_FAILURE_MS);
    const end = failedBy(error);
    const text = `${file.path} could not be followed: ${end.state === 'failed' ? end.error.message : String(error)}`;
    const problem: Problem = { code: 'follow.failed', severity: 'error', text, where: { file: file.path } };
    root.problem = problem;
    this.#reportSoon();
  }

  /** Keeps the readings alive that changed last, and ends the others. */
  async #letRest(): Promise<void> {
    const alive = [...this.#pool.values()].filter((file) => file.isAlive);
    if (alive.length <= this.#alive) return;
    const oldest = alive.sort((a, b) => a.changedAt - b.changedAt).slice(0, alive.length - this.#alive);
    for (const file of oldest) await this.#rest(file);
  }

  #reportSoon(): void {
    if (this.#abort.signal.aborted) return;
    this.#reportTimer ??= setTimeout(() => {
      this.#reportTimer = null;
      this.#report();
    }, REPORT_MS);
  }

  #report(): void {
    const follows = [...this.#roots.values()].map((root) => root.info());
    const changed = [...this.#changed];
    this.#changed = new Set();
    const said = JSON.stringify(follows);
    if (said === this.#lastReported && changed.length === 0) return;
    this.#lastReported = said;
    this.onNews({ follows, changed });
  }
}
