// Which transcripts belong together: branches of one conversation, sub-agents and the call that started them, sessions
// that continue with another one. Tools say it in different ways, and files come in any order, so it is worked out from
// what every transcript says of itself whenever it is asked for; nothing of it is stored.

import type { Spawn, TranscriptMeta } from './transcript.ts';

/** What a transcript's meta says of others. */
export type Ties = Pick<
  TranscriptMeta,
  | 'sessionId'
  | 'agentId'
  | 'parentKey'
  | 'parentCallId'
  | 'parentSessionId'
  | 'continuesSessionId'
  | 'forkedAt'
  | 'branchOf'
  | 'branchAt'
  | 'whatIf'
>;

/** A transcript as its relatives see it. */
export interface Member extends Ties {
  readonly id: string;
  /** Same number = same file; `key` identifies a transcript within it. */
  readonly source: number;
  readonly key: string;
  /** Path of the file; null if it is not known. */
  readonly path: string | null;
  readonly spawns: readonly Spawn[];
}

/** The transcript that started another one, and the id of the call, where it is recorded. */
export interface Parent<M extends Member = Member> {
  readonly member: M;
  readonly callId: string | null;
}

/** `<session>/subagents/agent-<id>.jsonl`: a file of Claude Code that says by its place whose it is. */
const AGENT_FILE = /(?:^|[\\/])([^\\/]+)[\\/]subagents[\\/]agent-([^\\/]+)\.jsonl$/;
/** More generations than any tool makes; damaged files may go in circles. */
const MOST_STEPS = 50;

/** Session and agent that a path names; null for any other path. */
export function agentOfPath(path: string | null): { readonly sessionId: string; readonly agentId: string } | null {
  const found = path === null ? null : AGENT_FILE.exec(path);
  return found ? { sessionId: found[1]!, agentId: found[2]! } : null;
}

/** Relations among some transcripts. The order in which they are given decides nothing but ties between equals. */
export class Families<M extends Member = Member> {
  readonly #members: readonly M[];
  readonly #byId = new Map<string, M>();
  readonly #byKey = new Map<string, M>();
  readonly #bySession = new Map<string, M[]>();
  readonly #spawnersOf = new Map<string, M[]>();
  readonly #roots = new Map<M, M>();
  readonly #starters = new Map<M, M | null>();
  #branches: ReadonlyMap<M, readonly M[]> | null = null;

  constructor(members: readonly M[]) {
    this.#members = members;
    for (const member of members) {
      this.#byId.set(member.id, member);
      this.#byKey.set(`${member.source} ${member.key}`, member);
      const { sessionId } = this.#names(member);
      if (sessionId !== undefined) push(this.#bySession, sessionId, member);
      for (const spawn of member.spawns) {
        if (spawn.agentId !== undefined) push(this.#spawnersOf, `agent ${spawn.agentId}`, member);
        if (spawn.sessionId !== undefined) push(this.#spawnersOf, `session ${spawn.sessionId}`, member);
      }
    }
  }

  get(id: string): M | null {
    return this.#byId.get(id) ?? null;
  }

  /** The active branch of the conversation that a transcript is a branch of: itself if it is the active one. */
  rootOf(member: M): M {
    const known = this.#roots.get(member);
    if (known) return known;
    let root = member;
    for (let step = 0; step < MOST_STEPS && root.branchOf !== undefined; step++) {
      const next = this.#byKey.get(`${root.source} ${root.branchOf}`);
      if (next === undefined || next === member) break;
      root = next;
    }
    this.#roots.set(member, root);
    return root;
  }

  /** All branches of a transcript's conversation, itself among them: the active one first, then by where they leave. */
  branchesOf(member: M): readonly M[] {
    const root = this.rootOf(member);
    this.#branches ??= this.#groupBranches();
    return [root, ...(this.#branches.get(root) ?? [])];
  }

  /** Messages that two branches of one conversation begin with, as recorded; null if they are not of one. */
  sharedBy(a: M, b: M): number | null {
    const ways = this.#wayUp(b);
    for (const [member, shared] of this.#wayUp(a)) {
      const other = ways.get(member);
      if (other !== undefined) return Math.min(shared, other);
    }
    return null;
  }

  /** The transcript that started this one; for a branch, the one that started the conversation. */
  starterOf(member: M): M | null {
    const child = this.rootOf(member);
    const known = this.#starters.get(child);
    if (known !== undefined) return known;
    this.#starters.set(child, null);
    const found = this.#findParent(child);
    const starter = found && !this.#isAbove(child, found) ? found : null;
    this.#starters.set(child, starter);
    return starter;
  }

  /** As starterOf, with the call. */
  parentOf(member: M): Parent<M> | null {
    const starter = this.starterOf(member);
    return starter && { member: starter, callId: this.#callOf(this.rootOf(member), starter) };
  }

  /** Transcripts that this one, or a branch of its conversation, started; branches of those are not among them. */
  childrenOf(member: M): readonly M[] {
    const root = this.rootOf(member);
    return this.#members.filter((one) => {
      if (this.rootOf(one) !== one) return false;
      const starter = this.starterOf(one);
      return starter !== null && this.rootOf(starter) === root;
    });
  }

  /** The session that this one continues with, forks that say so apart; null if there is none here. */
  continuedFrom(member: M): M | null {
    return member.forkedAt === undefined ? this.#named(member) : null;
  }

  #named(member: M): M | null {
    const { continuesSessionId } = member;
    return continuesSessionId === undefined ? null : this.#best(member, this.#mainsOf(continuesSessionId));
  }

  /** Sessions that were resumed or forked from this one. */
  continuations(member: M): readonly M[] {
    const root = this.rootOf(member);
    return this.#members.filter((one) => {
      if (this.rootOf(one) !== one || one === root) return false;
      const from = this.continuedFrom(one);
      return from !== null && this.rootOf(from) === root;
    });
  }

  /** The transcript that a what-if, or a recorded fork, was forked from; null if it is none, or that one is not here. */
  forkedFrom(member: M): M | null {
    const { whatIf, forkedAt } = member;
    if (whatIf !== undefined) return this.get(whatIf.parentId);
    return forkedAt === undefined || this.rootOf(member) !== member ? null : this.#named(member);
  }

  /** What was forked from this one: what-ifs in the order they were made, behind what was recorded as forks. */
  forksOf(member: M): readonly M[] {
    const forks = this.#members.filter((one) => this.forkedFrom(one) === member);
    return forks.sort((a, b) => (a.whatIf?.madeAt ?? '').localeCompare(b.whatIf?.madeAt ?? ''));
  }

  #groupBranches(): ReadonlyMap<M, readonly M[]> {
    const branches = new Map<M, M[]>();
    for (const member of this.#members) {
      const root = this.rootOf(member);
      if (root !== member) push(branches, root, member);
    }
    for (const list of branches.values()) list.sort((a, b) => (a.branchAt ?? 0) - (b.branchAt ?? 0));
    return branches;
  }

  #findParent(child: M): M | null {
    const { sessionId, agentId } = this.#names(child);
    const inFile = child.parentKey === undefined ? undefined : this.#byKey.get(`${child.source} ${child.parentKey}`);
    if (inFile !== undefined && this.rootOf(inFile) !== child) return this.rootOf(inFile);
    if (child.parentSessionId !== undefined && child.parentSessionId !== sessionId) {
      const named = this.#best(child, this.#bySession.get(child.parentSessionId) ?? []);
      if (named) return named;
    }
    if (agentId !== undefined && sessionId !== undefined) {
      const spawners = this.#spawnersOf.get(`agent ${agentId}`) ?? [];
      const inSession = spawners.filter((one) => this.#names(one).sessionId === sessionId);
      const found = this.#best(child, inSession) ?? this.#best(child, this.#mainsOf(sessionId));
      if (found) return found;
    }
    return sessionId === undefined ? null : this.#best(child, this.#spawnersOf.get(`session ${sessionId}`) ?? []);
  }

  /** Transcripts of a session that are not a sub-agent's. */
  #mainsOf(sessionId: string): readonly M[] {
    return (this.#bySession.get(sessionId) ?? []).filter((one) => this.#names(one).agentId === undefined);
  }

  /** The likeliest of several: the active branch, of the same file, or of one nearby. */
  #best(child: M, candidates: readonly M[]): M | null {
    let best: M | null = null;
    let bestScore = -1;
    for (const one of new Set(candidates.map((candidate) => this.rootOf(candidate)))) {
      if (one === child) continue;
      const score = (one.source === child.source ? 2 : 0) + (isNear(one.path, child.path) ? 1 : 0);
      if (score <= bestScore) continue;
      best = one;
      bestScore = score;
    }
    return best;
  }

  #callOf(child: M, parent: M): string | null {
    if (child.parentCallId !== undefined) return child.parentCallId;
    const { sessionId, agentId } = this.#names(child);
    const isIt = (spawn: Spawn) =>
      (spawn.agentId !== undefined && spawn.agentId === agentId) ||
      (spawn.sessionId !== undefined && spawn.sessionId === sessionId);
    return (
      this.branchesOf(parent)
        .flatMap(({ spawns }) => spawns)
        .find(isIt)?.callId ?? null
    );
  }

  #isAbove(child: M, parent: M): boolean {
    let above: M | null = parent;
    for (let step = 0; step < MOST_STEPS && above !== null; step++) {
      if (above === child) return true;
      above = this.starterOf(above);
    }
    return above !== null;
  }

  /** Branches above a branch, each with the messages it shares with this one. */
  #wayUp(member: M): ReadonlyMap<M, number> {
    const way = new Map<M, number>([[member, Number.POSITIVE_INFINITY]]);
    let shared = Number.POSITIVE_INFINITY;
    for (let one = member; one.branchOf !== undefined; ) {
      const next = this.#byKey.get(`${one.source} ${one.branchOf}`);
      if (next === undefined || way.has(next)) break;
      shared = Math.min(shared, one.branchAt ?? 0);
      way.set(next, shared);
      one = next;
    }
    return way;
  }

  /** Session and agent, by what the transcript says, else by the place of its file. */
  #names(member: M): { readonly sessionId: string | undefined; readonly agentId: string | undefined } {
    const { sessionId, agentId } = member;
    if (sessionId !== undefined && agentId !== undefined) return { sessionId, agentId };
    const byPath = agentOfPath(member.path);
    return { sessionId: sessionId ?? byPath?.sessionId, agentId: agentId ?? byPath?.agentId };
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** In one folder, or one in a folder that is beside the other. */
function isNear(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return false;
  const [one, other] = [folderOf(a), folderOf(b)];
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

function folderOf(path: string): string {
  return path.replaceAll('\\', '/').replace(/\/[^/]*$/, '');
}
