// What happens without being asked: jobs are reported, transcripts that grow or are counted are read again, and every
// transcript that is imported or opened gets its tokens counted. Clients are notified at most four times a second each.
import type { JobInfo } from '../../protocol/types.ts';
import { TranscriptChangedError } from '../../store/index.ts';
import type { TokenizerId } from '../../tokens/counters.ts';
import { modelFacts } from '../../tokens/models.ts';
import type { Engine, KnownRelatives } from '../engine.ts';
import { storeFailure } from '../failures.ts';
import { followInfos } from '../handlers/follow.ts';
import { infoOf } from '../handlers/transcripts.ts';
import { isOverheadCounted } from '../jobs/runTokens.ts';
import { startIndexing } from '../library/indexing.ts';
import { startUpkeep } from '../library/upkeep.ts';
import { modelOf } from '../session/transcriptModel.ts';
import type { Surveys } from '../survey/surveys.ts';
import type { FollowNews } from './types.ts';

const REPORT_EVERY_MS = 250;
/** How often it is asked whether another process has written to the library. */
const LOOK_EVERY_MS = 1000;
/** What another process brought is counted and indexed here if it has left it alone for so long. */
const CALM_MS = 5000;

/** A job that counts a transcript. */
interface Counting {
  readonly id: string;
  readonly tokenizer: TokenizerId;
  readonly key: string;
}

/** Connects jobs and sessions of an engine to its clients. */
export class Following {
  readonly #engine: Engine;
  readonly #surveys: Surveys;
  /** Token jobs by id → transcript. */
  readonly #counting = new Map<string, Counting>();
  /** `transcript tokenizer` of the jobs that run or wait. */
  readonly #wanted = new Set<string>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #looking: NodeJS.Timeout;
  readonly #brought = new Set<string>();
  /** See Library.writtenElsewhere, LibraryChanges.now. */
  #seen: { readonly written: number; readonly seq: number };
  #calmAt = 0;
  #stopped = false;

  constructor(engine: Engine, surveys: Surveys) {
    this.#engine = engine;
    this.#surveys = surveys;
    this.#seen = { written: engine.library.writtenElsewhere(), seq: engine.library.tables.libraryChanges.now() };
    this.#looking = setInterval(() => this.#guarded(() => this.#look()), LOOK_EVERY_MS);
    this.#looking.unref();
    engine.jobs.onJob = (job) => this.#job(job);
    engine.jobs.onNews = (news) => this.#news(news);
    engine.onTokenizer = (id, tokenizer) => this.#count(id, tokenizer);
    engine.onForget = (id) => {
      for (const [jobId, counting] of this.#counting) if (counting.id === id) engine.jobs.cancel(jobId);
    };
    engine.takeInChanges = () => this.#takeInChanges();
    engine.onLibrary = (known) => this.#related(known);
    engine.onCounter = (id) => this.#soon(`counted ${id}`, () => this.#notify(id, 'counted'));
  }

  #takeInChanges(): void {
    for (const session of [...this.#engine.sessions()]) {
      const row = this.#engine.library.get(session.id);
      if (row?.revision !== session.source.row().revision) this.#notify(session.id, 'grew');
    }
  }

  /**
   * Reports what another process has done to the library. Jobs of this one write from another thread and are reported at
   * once; when seen here again they are skipped.
   */
  #look(): void {
    const { library } = this.#engine;
    const written = library.writtenElsewhere();
    if (written === this.#seen.written) this.#whenCalm();
    else {
      const { seq, ids } = library.tables.libraryChanges.since(this.#seen.seq);
      this.#seen = { written, seq };
      if (ids.length > 0) this.#brings(ids);
    }
  }

  #brings(ids: readonly string[]): void {
    this.#calmAt = performance.now() + CALM_MS;
    for (const id of ids) {
      this.#brought.add(id);
      const open = this.#engine.openSession(id)?.source;
      const row = open && this.#engine.library.get(id);
      const isSame = row && row.revision === open.row().revision && row.counts.messages === open.length;
      if (open && !isSame) this.#notify(id, 'grew');
    }
    this.#engine.libraryChanged();
  }

  #whenCalm(): void {
    if (this.#brought.size === 0 || performance.now() < this.#calmAt) return;
    const ids = [...this.#brought];
    this.#brought.clear();
    for (const id of ids) this.#count(id);
    this.#surveys.due();
  }

  /** Ends all timers; nothing is reported from then on. */
  stop(): void {
    this.#stopped = true;
    clearInterval(this.#looking);
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #job(job: JobInfo): void {
    this.#engine.broadcast('job', job);
    const ended = job.state !== 'queued' && job.state !== 'running';
    this.#surveys.hear(job);
    if (job.kind === 'import') this.#imported(job, ended);
    if (job.kind === 'survey' && ended) this.#soon('library', () => this.#engine.libraryChanged());
    if (job.kind === 'upkeep' && ended) {
      this.#soon('index', () => startIndexing(this.#engine));
      this.#soon('library', () => this.#engine.libraryChanged());
    }
    const counting = this.#counting.get(job.jobId);
    if (counting !== undefined) this.#counted(job, counting, ended);
  }

  /** Lines that were appended to followed files have been taken in. */
  #news({ follows, changed }: FollowNews): void {
    this.#engine.follows = follows;
    this.#engine.broadcast('follow', { follows: followInfos(this.#engine) });
    if (changed.length > 0) {
      this.#soon('library', () => this.#engine.libraryChanged());
      this.#soon('upkeep', () => startUpkeep(this.#engine));
      this.#surveys.due();
    }
    for (const id of changed) {
      // Somebody may be looking on: at once.
      if (this.#engine.openSession(id)) this.#notify(id, 'grew');
      this.#soon(`count ${id}`, () => this.#count(id));
    }
  }

  #imported(job: JobInfo, ended: boolean): void {
    if (job.transcriptIds.length > 0 || ended) this.#soon('library', () => this.#engine.libraryChanged());
    for (const id of job.transcriptIds) {
      if (this.#engine.openSession(id)) this.#soon(`grew ${id}`, () => this.#notify(id, 'grew'));
      if (ended) this.#count(id);
    }
    if (!ended) return;
    this.#soon('upkeep', () => startUpkeep(this.#engine));
    this.#surveys.due();
  }

  #counted(job: JobInfo, { id: transcriptId, tokenizer, key }: Counting, ended: boolean): void {
    if (ended) {
      this.#counting.delete(job.jobId);
      this.#wanted.delete(key);
      this.#soon('library', () => this.#engine.libraryChanged());
    }
    // What came in while it counted was not counted, and not asked for: it was under way.
    if (job.state === 'done') this.#soon(`count ${key}`, () => this.#count(transcriptId, tokenizer));
    if (job.state === 'done') this.#surveys.due();
    if (this.#engine.openSession(transcriptId)) {
      this.#soon(`counted ${transcriptId}`, () => this.#notify(transcriptId, 'counted'));
    }
  }

  /** Starts a token job (by default under the model's tokenizer), unless it is counted or under way. */
  #count(id: string, chosen?: TokenizerId): void {
    const { library } = this.#engine;
    if (library.unwritable !== null) return;
    this.#soon('index', () => startIndexing(this.#engine));
    const row = library.get(id);
    if (!row || row.state === 'importing' || row.counts.messages === 0) return;
    const tokenizer = chosen ?? modelFacts(modelOf(row)).tokenizer;
    const key = `${id} ${tokenizer}`;
    const ids = library.tables.transcripts.ids(id);
    const totals = ids && library.tables.tokens.totalsOf(ids.id, tokenizer);
    const isCounted = (totals?.messages ?? 0) >= row.counts.messages && isOverheadCounted(library, row, tokenizer);
    if (this.#wanted.has(key) || isCounted) return;
    this.#wanted.add(key);
    this.#counting.set(this.#engine.jobs.start({ kind: 'tokens', transcriptId: id, tokenizer }), {
      id,
      tokenizer,
      key,
    });
  }

  #notify(id: string, reason: 'grew' | 'counted' | 'linked', instead = this.#engine.activeBranch(id)): void {
    const open = this.#engine.openSession(id);
    if (!open) return;
    const before = open.source.length;
    const fresh = this.#engine.refresh(open);
    if (fresh === null) {
      this.#engine.forget(id);
      const gone = { id, reason: 'removed', info: null } as const;
      this.#engine.broadcast('transcript', instead === null ? gone : { ...gone, instead });
      return;
    }
    const grew = fresh.session.source.length > before;
    try {
      const info = infoOf(this.#engine, fresh.session);
      for (const why of fresh.changed ? (['changed'] as const) : reasonsOf(reason, grew)) {
        this.#engine.broadcast('transcript', { id, reason: why, info });
      }
    } catch (error) {
      // An import went back in the meantime: what there is then is taken in next.
      if (!(error instanceof TranscriptChangedError)) throw error;
      this.#soon(`again ${id}`, () => this.#notify(id, 'grew'));
    }
  }

  #related({ session, links, active }: KnownRelatives): void {
    const isGone = this.#engine.library.get(session.id) === null;
    if (isGone || session.links !== links) this.#notify(session.id, 'linked', active);
  }

  /** What the disk refuses here is answered to whoever asks for it next; nobody asked now. */
  #guarded(run: () => void): void {
    try {
      run();
    } catch (error) {
      if (storeFailure(error) === null) throw error;
    }
  }

  #soon(key: string, notify: () => void): void {
    if (this.#stopped || this.#timers.has(key)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(key);
      this.#guarded(notify);
    }, REPORT_EVERY_MS);
    timer.unref();
    this.#timers.set(key, timer);
  }
}

// Whatever it was looked at for: only new messages are reported, once, as growth.
function reasonsOf(reason: 'grew' | 'counted' | 'linked', grew: boolean): readonly ('grew' | 'counted' | 'linked')[] {
  if (!grew) return [reason === 'grew' ? 'counted' : reason];
  return reason === 'linked' ? ['grew', 'linked'] : ['grew'];
}
