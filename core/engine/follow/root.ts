// One followed path with the files in it: a file itself, or those of a folder that are transcripts.

import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../../model/problem.ts';
import type { FollowInfo, LiveFile } from '../../protocol/types.ts';
import type { FollowedPath, Library } from '../../store/index.ts';
import { FollowedFile } from './followedFile.ts';
import { type FoundFile, isTranscript, walk } from './walk.ts';

/** A changed file is looked at every round for so long. */
const LATELY_MS = 120_000;
/** What counts as live for whoever looks on. */
const LIVE_MS = 600_000;
/** Up to so many quiet files are looked at every round; of more, a share. */
const EVERY_ROUND = 200;
const QUIET_SHARE = 10;
const LISTED_EVERY_MS = 5_000;
const LIVE_REPORTED = 20;

/** A followed path. */
export class Root {
  readonly followed: FollowedPath;
  readonly files = new Map<string, FollowedFile>();
  state: FollowInfo['state'] = 'starting';
  problem: Problem | null = null;
  /** Progress of a file that is being read just now. */
  reading: { readonly path: string; readonly progress: number } | null = null;
  readonly #library: Library;
  readonly #pool: Map<string, FollowedFile>;
  readonly #live = new Map<string, LiveFile & { readonly seenAt: number }>();
  /** Files of the folder that are not transcripts, by path: their size when that was found out. */
  readonly #none = new Map<string, number>();
  readonly #hinted = new Set<string>();
  #watcher: FSWatcher | null = null;
  #listedAt = Number.NEGATIVE_INFINITY;
  #turn = 0;

  /** `pool`: files by path, shared by all roots, because a file may be followed by itself and with its folder. */
  constructor(
    library: Library,
    followed: FollowedPath,
    { pool, onHint }: { readonly pool: Map<string, FollowedFile>; readonly onHint: () => void },
  ) {
    this.#library = library;
    this.#pool = pool;
    this.followed = followed;
    if (followed.kind === 'file') this.#add(followed.path);
    else this.#watch(onHint);
  }

  /** The files to be looked at in this round. A folder is listed again now and then, and when it is said to have changed. */
  async due(signal: AbortSignal): Promise<readonly FollowedFile[]> {
    if (this.followed.kind === 'folder') await this.#list(signal);
    const now = performance.now();
    const all = [...this.files.values()];
    const turn = this.#turn++ % QUIET_SHARE;
    const due = all.filter((file, i) => {
      const share = all.length <= EVERY_ROUND || i % QUIET_SHARE === turn;
      return share || now - file.changedAt < LATELY_MS || this.#hinted.has(file.path);
    });
    this.#hinted.clear();
    return due;
  }

  async #list(signal: AbortSignal): Promise<void> {
    const now = performance.now();
    const unknown = [...this.#hinted].some((path) => !this.files.has(path) && !this.#none.has(path));
    if (!unknown && now - this.#listedAt < LISTED_EVERY_MS) return;
    this.#listedAt = now;
    const was = this.state;
    const there = await stat(this.followed.path).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    if (!there) {
      this.state = 'missing';
      return;
    }
    if (was === 'missing') this.state = 'following';
    const { files } = await walk(this.followed.path, signal);
    for (const file of files) await this.#consider(file);
  }

  async #consider(file: FoundFile): Promise<void> {
    if (this.files.has(file.path)) return;
    const before = this.#none.get(file.path);
    // What was not a transcript may become one while it is short; later it has shown what it is.
    if (before !== undefined && (before === file.bytes || before > 65_536)) return;
    if (await isTranscript(file)) {
      this.#none.delete(file.path);
      this.#add(file.path);
    } else {
      this.#none.set(file.path, file.bytes);
    }
  }

  #add(path: string): void {
    const file = this.#pool.get(path) ?? new FollowedFile(this.#library, path);
    this.#pool.set(path, file);
    this.files.set(path, file);
  }

  #watch(onHint: () => void): void {
    try {
      this.#watcher = watch(this.followed.path, { recursive: true, persistent: false }, (_what, name) => {
        if (name !== null) this.#hinted.add(join(this.followed.path, name));
        onHint();
      });
      // A folder that cannot be watched is still looked at.
      this.#watcher.on('error', () => this.unwatch());
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  }

  /** The system need not say any more what happens in the folder. */
  unwatch(): void {
    this.#watcher?.close();
    this.#watcher = null;
  }

  /** Notes that new lines of a file were taken in. */
  grew(file: FollowedFile): void {
    this.#live.set(file.path, {
      path: file.path,
      transcriptIds: file.transcripts.map(({ id }) => id),
      messages: file.transcripts.reduce((sum, { messages }) => sum + messages, 0),
      changedAt: new Date().toISOString(),
      waitingBytes: file.waitingBytes,
      progress: null,
      seenAt: performance.now(),
    });
  }

  info(): FollowInfo {
    const now = performance.now();
    const { reading } = this;
    const live = [...this.#live.values()]
      .filter(({ seenAt }) => now - seenAt < LIVE_MS)
      .sort((a, b) => b.seenAt - a.seenAt)
      .slice(0, LIVE_REPORTED)
      .map(({ seenAt: _seenAt, ...one }) => ({
        ...one,
        waitingBytes: this.files.get(one.path)?.waitingBytes ?? 0,
        progress: reading?.path === one.path ? reading.progress : null,
      }));
    const { path, kind, since } = this.followed;
    return { path, kind, since, state: this.state, files: this.files.size, live, problem: this.problem };
  }
}
