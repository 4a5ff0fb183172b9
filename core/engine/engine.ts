// What all handlers share: the library, the jobs, the open transcripts, and the way to notify all clients.
import type { Families } from '../model/families.ts';
import type { ResolvedStage } from '../projection/parseSpec.ts';
import { type ProjectionSteps, type ProjectOptions, projectSteps } from '../projection/project.ts';
import type { Projection } from '../projection/types.ts';
import { EngineError } from '../protocol/client.ts';
import type { EventName, Events, ProtocolError } from '../protocol/methods.ts';
import type { ClientContext } from '../protocol/serve.ts';
import type { FollowInfo, JobInfo, TranscriptLink } from '../protocol/types.ts';
import type { FollowedPath, Library } from '../store/index.ts';
import type { StoredMember } from '../store/transcript/relations.ts';
import type { TokenizerId } from '../tokens/counters.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { StageAnswer, StageEffect } from '../view/types.ts';
import { ClientWork } from './clientWork.ts';
import { userCodeAnswer } from './effects/userCode.ts';
import { customFailure, failure, problemFailure } from './failures.ts';
import type { FileHandles } from './files/fileHandles.ts';
import type { WalkListener } from './garbageLimit.ts';
import type { JobRunner } from './jobs/types.ts';
import { spawnedBy } from './library/relations.ts';
import { upkeepWhenDue } from './library/upkeep.ts';
import { nodeSha256 } from './nodeHash.ts';
import type { SandboxClient } from './sandbox/sandboxClient.ts';
import { BoundedMap } from './session/boundedMap.ts';
import { gatherFor, prefetch } from './session/prefetch.ts';
import { Session } from './session/session.ts';
import type { Task, Turn, WorkQueue } from './session/workQueue.ts';

export { failure } from './failures.ts';

/** What the engine is made of; a host or a test supplies it. */
export interface EngineParts {
  readonly library: Library;
  readonly jobs: JobRunner;
  /** Runs user code of projections somebody waits for. */
  readonly sandbox: SandboxClient;
  /** Runs user code of series and traces, so that a policy that loops for ever keeps nobody waiting. */
  readonly backgroundSandbox: SandboxClient;
  /** What pages name files by. */
  readonly files: FileHandles;
  /** The built page that takes a transcript; null = this engine writes no pages. */
  readonly pageShell: string | null;
  /** Puts the work of one more session in order. */
  readonly newWork: () => WorkQueue;
  /** Called when a long walk along call points begins and ends. */
  readonly garbage: WalkListener;
}

/** Where it is kept among the settings whether counts are shown as they are. */
export const PLAIN_COUNTS_KEY = 'plainCounts';

const IDLE_SESSIONS = 3;
const KEPT_FAMILIES = 32;
/** What a projection is given besides stages and call point; the default is what the transcript's model says. */
export type ProjectionInputs = Pick<ProjectOptions, 'tokens' | 'budget' | 'binding' | 'kept' | 'observe' | 'explain'>;

/** What was last known to belong to an open transcript. */
export interface KnownRelatives {
  readonly session: Session;
  /** See Session.links, Engine.activeBranch. */
  readonly links: string;
  readonly active: string | null;
}

/** The state behind the handlers. */
export class Engine {
  readonly library: Library;
  readonly jobs: JobRunner;
  readonly sandbox: SandboxClient;
  readonly files: FileHandles;
  readonly pageShell: string | null;
  readonly garbage: WalkListener;
  readonly #backgroundSandbox: SandboxClient;
  readonly #newWork: () => WorkQueue;
  #closed = false;
  #plainCounts: boolean | null = null;
  #stopUpkeep: () => void = () => {};
  readonly #clients = new Map<number, ClientContext>();
  readonly #clientWork: ClientWork[] = [];
  readonly #leavers: ((clientId: number) => void)[] = [];
  readonly #sessions = new Map<string, Session>();
  #families = new BoundedMap<string, Families<StoredMember> | null>(KEPT_FAMILIES);
  readonly #spawned = new WeakMap<Families<StoredMember>, ReadonlyMap<string, TranscriptLink>>();
  /** Which clients hold a transcript open. */
  readonly #holders = new Map<string, Set<number>>();
  /** What is gathered unasked for those, by transcript. */
  readonly #gathering = new Map<string, Task<void>>();
  /** Ids of the import jobs that were started. */
  readonly imports = new Set<string>();
  /** Paths followed until this engine ends. */
  readonly passing = new Map<string, FollowedPath>();
  /** The followed paths, as the job thread last reported them. */
  follows: readonly FollowInfo[] = [];
  /** Called when better numbers can be had for a transcript. */
  onCounter: (transcriptId: string) => void = () => {};
  /** Resolves when it is known what recorded usage makes of a transcript's counts. */
  calibrated: (session: Session) => Promise<void> = () => Promise.resolve();
  /** The same for one that is counted; false if it is not. */
  calibrating: (session: Session) => Promise<boolean> = () => Promise.resolve(false);
  /** Call it when somebody read what is no longer there: reads what is there now, and notifies all clients. */
  takeInChanges: () => void = () => {};
  /** Called when a transcript is about to be removed. */
  onForget: (transcriptId: string) => void = () => {};
  /** Called with each open transcript when the list has changed, and with what belonged to it before. */
  onLibrary: (known: KnownRelatives) => void = () => {};
  /** Called when a client keeps a transcript open. */
  onHeld: (transcriptId: string) => void = () => {};
  /** Called when a transcript is wanted under a tokenizer. */
  onTokenizer: (transcriptId: string, tokenizer: TokenizerId) => void = () => {};

  constructor(parts: EngineParts) {
    this.library = parts.library;
    this.jobs = parts.jobs;
    this.sandbox = parts.sandbox;
    this.files = parts.files;
    this.pageShell = parts.pageShell;
    this.garbage = parts.garbage;
    this.#backgroundSandbox = parts.backgroundSandbox;
    this.#newWork = parts.newWork;
  }

  addClient(client: ClientContext): void {
    this.#clients.set(client.clientId, client);
  }

  removeClient(id: number): void {
    this.#clients.delete(id);
    for (const work of this.#clientWork) work.end(id);
    for (const left of this.#leavers) left(id);
    for (const transcript of [...this.#holders.keys()]) this.release(transcript, id);
  }

  /** Calls a listener for each client that leaves: what is kept for it by its id is of no use any more. */
  whenLeft(left: (clientId: number) => void): void {
    this.#leavers.push(left);
  }

  /** A list of work begun for clients: what a client that leaves has asked for ends with it. */
  clientWork(): ClientWork {
    const work = new ClientWork();
    this.#clientWork.push(work);
    return work;
  }

  /** Notifies all clients. */
  broadcast<E extends EventName>(event: E, payload: Events[E]): void {
    for (const client of this.#clients.values()) client.emit(event, payload);
  }

  /** Follows the paths that the library names, and no others. */
  followAll(): void {
    if (!this.#closed) this.jobs.follow(this.followed());
  }

  /** What is followed: what the library names, and what is followed only as long as this engine runs. */
  followed(): readonly FollowedPath[] {
    const kept = this.library.tables.follows.list();
    const others = [...this.passing.values()].filter(({ path }) => !kept.some((one) => one.path === path));
    return [...kept, ...others];
  }

  /** Relations of a transcript with others, as of the last `library` event; null if there is no such transcript. */
  families(id: string): Families<StoredMember> | null {
    const known = this.#families.get(id);
    if (known !== undefined) return known;
    const families = this.library.tables.relations.around(id);
    this.#families.set(id, families);
    return families;
  }

  /** The active branch of the conversation that a transcript was another branch of when the list was last sent. */
  activeBranch(id: string): string | null {
    const families = this.#families.get(id);
    const member = families?.get(id);
    const root = families && member ? families.rootOf(member) : null;
    return root === null || root.id === id || this.library.get(root.id) === null ? null : root.id;
  }

  #spawnedBy(id: string): ReadonlyMap<string, TranscriptLink> {
    const families = this.families(id);
    if (families === null) return new Map();
    const known = this.#spawned.get(families);
    if (known !== undefined) return known;
    const made = spawnedBy(families, id);
    this.#spawned.set(families, made);
    return made;
  }

  /** Resolves when the library may be written to: at once, unless its file is being written again. */
  async writable(): Promise<void> {
    const { unwritable } = this.library;
    if (unwritable !== null) throw new EngineError(problemFailure(unwritable));
    const compacting = this.#compacting();
    if (compacting) await this.jobs.end(compacting.jobId);
  }

  /** Whether something may be written that nobody asked for: not into a file that is being written again. */
  get mayNote(): boolean {
    return this.library.unwritable === null && this.#compacting() === undefined;
  }

  #compacting(): JobInfo | undefined {
    return this.jobs.list().find(({ kind, state }) => kind === 'compact' && state === 'running');
  }

  /** Deletes removed transcripts once they can no longer be brought back. */
  upkeepWhenDue(): void {
    this.#stopUpkeep();
    this.#stopUpkeep = upkeepWhenDue(this);
  }

  /** Notifies all clients that the list has changed; so may have what belongs to the open transcripts. */
  libraryChanged(): void {
    const before = [...this.#sessions.values()].map((session) => {
      return { session, links: session.links, active: this.activeBranch(session.id) };
    });
    this.#families = new BoundedMap(KEPT_FAMILIES);
    this.broadcast('library', {});
    for (const known of before) this.onLibrary(known);
  }

  /** Whether the person wants counts as they are, not the provider's. */
  get plainCounts(): boolean {
    this.#plainCounts ??= this.library.settings()[PLAIN_COUNTS_KEY] === true;
    return this.#plainCounts;
  }

  /** Settings were written: notifies whoever shows what depends on them. */
  settingsChanged(key: string): void {
    if (key !== PLAIN_COUNTS_KEY) return;
    this.#plainCounts = null;
    for (const id of this.#sessions.keys()) this.onCounter(id);
    this.libraryChanged();
  }

  /**
   * Takes in what was imported into an open transcript, and counts made since. `changed`: messages that were there are
   * not what they were, so another session is in its place; null: it is gone.
   */
  refresh(session: Session): { readonly session: Session; readonly changed: boolean } | null {
    // As of one moment: between two reads another thread may have written.
    const isSame = this.library.tables.snapshot(() => {
      const row = this.library.get(session.id);
      const same = row && row.revision === session.source.row().revision;
      if (same) session.refresh(row.counts.messages);
      return same;
    });
    if (isSame) {
      this.#prefetch(session.id);
      return { session, changed: false };
    }
    if (isSame === null) return null;
    session.close();
    this.#sessions.delete(session.id);
    this.#gathering.delete(session.id);
    const renewed = this.session(session.id);
    this.#prefetch(session.id);
    return renewed.ok ? { session: renewed.value, changed: true } : null;
  }

  /** The open transcripts. */
  sessions(): Iterable<Session> {
    return this.#sessions.values();
  }

  /** The session of a transcript if it is open. */
  openSession(id: string): Session | null {
    return this.#sessions.get(id) ?? null;
  }

  /** The session of a transcript, opened if it is not. Error: `transcript.unknown`. */
  session(id: string): Result<Session, ProtocolError> {
    const open = this.#sessions.get(id);
    if (open) return ok(open);
    const source = this.library.source(id);
    if (!source) return err(failure('transcript.unknown', `The library has no transcript ${id}.`));
    const events = {
      onCounter: () => this.onCounter(id),
      onTokenizer: (tokenizer: TokenizerId) => this.onTokenizer(id, tokenizer),
      spawned: () => this.#spawnedBy(id),
      plainCounts: () => this.plainCounts,
      calibrated: () => this.calibrated(session),
    };
    const session = new Session(source, events, this.#newWork());
    this.#sessions.set(id, session);
    this.#dropIdle();
    return ok(session);
  }

  /** Keeps a transcript open for a client until it lets go. */
  hold(id: string, client: number): void {
    const holders = this.#holders.get(id) ?? new Set();
    this.#holders.set(id, holders.add(client));
    this.#prefetch(id);
    this.onHeld(id);
  }

  /** How many clients keep a transcript open. */
  holdersOf(id: string): number {
    return this.#holders.get(id)?.size ?? 0;
  }

  release(id: string, client: number): void {
    const holders = this.#holders.get(id);
    if (!holders?.delete(client)) return;
    // A window that leaves a transcript waits for no answer about it any more.
    for (const work of this.#clientWork) work.end(client);
    if (holders.size > 0) return;
    this.#holders.delete(id);
    this.#gathering.get(id)?.end();
    this.#gathering.delete(id);
    this.#dropIdle();
  }

  // Once for each that is held; of one that is still growing it would have to be done again.
  #prefetch(id: string): void {
    const session = this.#holders.has(id) ? this.#sessions.get(id) : undefined;
    if (session === undefined || session.source.row().state === 'importing' || this.#gathering.has(id)) return;
    const others = () => [...this.#sessions.values()].flatMap((other) => (other === session ? [] : [other.work]));
    this.#gathering.set(id, prefetch(session, others));
  }

  /** Drops what can be read or made again at once: for a pause in the work. */
  trim(): void {
    if (this.#closed) return;
    for (const session of this.#sessions.values()) session.trim();
    this.library.trim();
  }

  /** Ends all work nobody waits for. */
  close(): void {
    this.#closed = true;
    this.#stopUpkeep();
    for (const id of [...this.#sessions.keys()]) this.forget(id);
  }

  /** Forgets a transcript that is removed. */
  forget(id: string): void {
    const session = this.#sessions.get(id);
    session?.close();
    this.onForget(id);
    this.#sessions.delete(id);
    this.#holders.delete(id);
    this.#gathering.delete(id);
  }

  // Sessions nobody holds (a command, a click back) stay for a while: the last few.
  #dropIdle(): void {
    const idle = [...this.#sessions.keys()].filter((id) => !this.#holders.has(id));
    for (const id of idle.slice(0, Math.max(0, idle.length - IDLE_SESSIONS))) this.#sessions.delete(id);
  }

  /** Projects; the user's code runs in the sandbox, and other calls are answered meanwhile. */
  project(
    session: Session,
    stages: readonly ResolvedStage[],
    at: number,
    given: ProjectionInputs = session.inputsFor({}),
  ): Promise<Projection> {
    return this.#project(session, stages, at, this.sandbox, given);
  }

  /** Does what a stage asks for in work over many call points. */
  answerInBackground(effect: StageEffect): Promise<StageAnswer> | StageAnswer {
    return userCodeAnswer(this.#backgroundSandbox, effect);
  }

  /**
   * Projects for background work, which gives its turn up at the pauses. Error: user code failed; it would at every other
   * call point too, and each failure takes as long as its limits allow.
   */
  async projectInBackground(
    session: Session,
    stages: readonly ResolvedStage[],
    at: number,
    turn: Turn,
    given: ProjectionInputs = session.inputsFor({}),
  ): Promise<Result<Projection, ProtocolError>> {
    const projection = await this.#project(session, stages, at, this.#backgroundSandbox, given, turn);
    const failed = customFailure(projection.problems);
    return failed ? err(failed) : ok(projection);
  }

  async #project(
    session: Session,
    stages: readonly ResolvedStage[],
    at: number,
    sandbox: SandboxClient,
    given: ProjectionInputs,
    turn: Turn | null = null,
  ): Promise<Projection> {
    const run = startProjection(session, stages, at, given);
    await gatherFor(session, stages, at, turn);
    for (let step = run.next(); ; ) {
      if (step.done) return step.value;
      const { value } = step;
      if (value.effect === 'pause') await turn?.pause();
      step = run.next(value.effect === 'pause' ? value : await userCodeAnswer(sandbox, value));
    }
  }
}

function startProjection(
  session: Session,
  stages: readonly ResolvedStage[],
  at: number,
  given: ProjectionInputs,
): ProjectionSteps {
  const { source, memo } = session;
  return projectSteps(source, stages, at, { ...given, memo, sha256: nodeSha256 });
}
