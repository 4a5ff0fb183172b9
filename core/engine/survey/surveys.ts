// When the library is looked through: once a screen asked for it, after each arrival, as a job behind all others. An
// arrival is opened by whoever waited for it: its first seconds are theirs. What grows all the time would be looked through
// all the time: the next run waits ten times as long as the last one took.
import type { JobInfo } from '../../protocol/types.ts';
import type { Engine } from '../engine.ts';
import { dueSurveys } from './surveyKey.ts';

const REST = 10;
/** Between an arrival and a look at it. */
const CALM_MS = 3_000;

/** Starts and stops the jobs that look through transcripts. */
export class Surveys {
  readonly #engine: Engine;
  #isWanted = false;
  #startedAt = 0;
  #restUntil = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** From now on what is new is looked through; what is due, at once. */
  begin(): void {
    this.#isWanted = true;
    this.#restUntil = 0;
    this.#soon();
  }

  /** Ends what runs; what was found stays, and nothing is begun before somebody asks again. */
  stop(): void {
    this.#isWanted = false;
    this.#clear();
    for (const { jobId } of this.#underWay()) this.#engine.jobs.cancel(jobId);
  }

  /** Something may be due. */
  due(): void {
    this.#restUntil = Math.max(this.#restUntil, performance.now() + CALM_MS);
    this.#soon();
  }

  #soon(): void {
    const { library } = this.#engine;
    if (!this.#isWanted || library.unwritable !== null || this.#timer !== null) return;
    const wait = this.#restUntil - performance.now();
    this.#timer = setTimeout(() => this.#start(), Math.max(0, wait));
    this.#timer.unref();
  }

  /** Hears of every job: when its own began and ended. */
  hear({ kind, state }: JobInfo): void {
    if (kind !== 'survey') return;
    if (state === 'running') this.#startedAt = performance.now();
    if (state === 'done' || state === 'failed') {
      const now = performance.now();
      this.#restUntil = now + REST * (now - this.#startedAt);
    }
  }

  close(): void {
    this.#isWanted = false;
    this.#clear();
  }

  #start(): void {
    this.#timer = null;
    // What waits will look through this too; what runs may be past it.
    const isWaiting = this.#underWay().some(({ state }) => state === 'queued');
    if (this.#isWanted && !isWaiting && dueSurveys(this.#engine).due.length > 0) {
      this.#engine.jobs.start({ kind: 'survey' });
    }
  }

  #underWay(): readonly JobInfo[] {
    const jobs = this.#engine.jobs.list();
    return jobs.filter(({ kind, state }) => kind === 'survey' && (state === 'queued' || state === 'running'));
  }

  #clear(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
