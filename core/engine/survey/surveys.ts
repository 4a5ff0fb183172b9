// When the library is looked through: once a screen asked for it, after each arrival, as a job behind all others. The first
// seconds of an arrival, and of a transcript that was just opened, are those of whoever waits to read it. What grows all the
// time would be looked through all the time: the next run waits ten times as long as the last one took.
import { EngineError } from '../../protocol/client.ts';
import type { JobInfo } from '../../protocol/types.ts';
import { TranscriptChangedError } from '../../store/index.ts';
import type { Engine } from '../engine.ts';
import { storeFailure } from '../failures.ts';
import type { UsageReports } from '../session/usage.ts';
import { type DueSurvey, dueSurveys } from './surveyKey.ts';
import { surveySession } from './surveySession.ts';

const REST = 10;
/** Between an arrival, or the opening of a transcript, and a look at it. */
const CALM_MS = 3_000;

/** Starts and stops the jobs that look through transcripts. */
export class Surveys {
  readonly #engine: Engine;
  readonly #reports: UsageReports;
  /** Keys of the surveys that are being made here. */
  readonly #open = new Set<string>();
  /** What the job that was started last passes over. */
  #passedOver: readonly string[] = [];
  #isWanted = false;
  #startedAt = 0;
  #restUntil = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(engine: Engine, reports: UsageReports) {
    this.#engine = engine;
    this.#reports = reports;
  }

  /** From now on what is new is looked through; what is due, at once. True = a job does so, or will. */
  begin(): boolean {
    this.#isWanted = true;
    this.#restUntil = 0;
    this.#soon();
    const isOpen = ({ row }: DueSurvey): boolean => this.#engine.openSession(row.id) !== null;
    const waits = this.#timer !== null && !dueSurveys(this.#engine).due.every(isOpen);
    return waits || this.#underWay().length > 0;
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

  /** A transcript was opened: a job that would look through it, too, begins again without it. */
  opened(id: string): void {
    const jobs = this.#underWay();
    if (jobs.length === 0 || this.#passedOver.includes(id)) return;
    if (!dueSurveys(this.#engine).due.some(({ row }) => row.id === id)) return;
    for (const { jobId } of jobs) this.#engine.jobs.cancel(jobId);
    this.due();
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
    if (!this.#isWanted || isWaiting) return;
    const { due } = dueSurveys(this.#engine);
    const open = due.filter(({ row }) => this.#engine.openSession(row.id) !== null);
    if (open.length > 0) void this.#lookAtOpen(open);
    if (open.length === due.length) return;
    this.#passedOver = open.map(({ row }) => row.id);
    this.#engine.jobs.start({ kind: 'survey', except: this.#passedOver });
  }

  // A second session of the same transcript would take its memory twice. One that is not counted yet is due again when it is.
  async #lookAtOpen(due: readonly DueSurvey[]): Promise<void> {
    const engine = this.#engine;
    for (const { row, key } of due) {
      const session = engine.openSession(row.id);
      if (session === null || !this.#isWanted || this.#open.has(key)) continue;
      if (!session.tokenizing(null).table.complete) continue;
      this.#open.add(key);
      try {
        const { sums, figures } = await surveySession(engine, this.#reports, session);
        await engine.writable();
        engine.library.tables.surveys.put(row.id, key, sums, figures);
        engine.libraryChanged();
      } catch (error) {
        // It grew, went back or was left, or nothing can be written: it is due again.
        const isExpected = error instanceof TranscriptChangedError || error instanceof EngineError;
        if (!isExpected && storeFailure(error) === null) throw error;
      } finally {
        this.#open.delete(key);
      }
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
