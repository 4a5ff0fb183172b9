import { agentOfPath, Families, type Member, type Ties } from '../../model/families.ts';
import type { Spawn } from '../../model/transcript.ts';
import type { Connection } from '../database.ts';
import { readStored } from '../library/storeProblem.ts';
import { FactsUnpacker } from './factsCodec.ts';
import type { Spawns } from './spawns.ts';

/** A transcript of the library as its relatives see it. */
export interface StoredMember extends Member {
  readonly row: number;
  readonly title: string | null;
  readonly messages: number;
}

/** The message and part that a tool call is. */
export interface CallPlace {
  readonly index: number;
  readonly part: number;
}

interface MemberRow {
  readonly row: number;
  readonly id: string;
  readonly source: number;
  readonly key: string;
  readonly messages: number;
  readonly meta: string;
}

interface PlacedRow extends MemberRow {
  readonly path: string | null;
  readonly spawned: number;
}

/** Gathers what relations are worked out from. */
export class Relations {
  readonly #spawns: Spawns;
  readonly #statements: ReturnType<typeof relationStatements>;

  constructor(db: Connection, spawns: Spawns) {
    this.#spawns = spawns;
    this.#statements = relationStatements(db);
  }

  /** Relations among all transcripts of the library: some 4 ms for a thousand. */
  all(): Families<StoredMember> {
    const paths = new Map(this.#statements.paths.all().map(({ source, path }) => [source, path]));
    const spawns = this.#spawns.all();
    const rows = this.#statements.all.all();
    return new Families(rows.map((row) => memberOf(row, paths.get(row.source) ?? null, spawns.get(row.row) ?? [])));
  }

  /** Relations of one transcript: everything that may belong to it. Null if there is no such transcript. */
  around(uid: string): Families<StoredMember> | null {
    const row = this.#statements.one.get(uid);
    if (row === undefined) return null;
    const found = new Map<string, StoredMember>();
    const add = (rows: readonly PlacedRow[]) => {
      for (const one of rows) if (!found.has(one.id)) found.set(one.id, this.#member(one));
    };
    add([row]);
    add(this.#statements.inFile.all(row.source, row.id));
    this.#addForks(found.get(row.id), add);
    const asked = new Set<string>();
    for (const one of [...found.values()]) this.#addNamed(one, add, asked);
    return new Families([...found.values()].sort((a, b) => a.row - b.row));
  }

  /** Where calls are in a transcript, by their ids; those that are not are absent. */
  findCalls(transcript: number, callIds: readonly string[]): ReadonlyMap<string, CallPlace> {
    const found = new Map<string, CallPlace>();
    const wanted = new Set(callIds);
    for (const { first, facts } of wanted.size === 0 ? [] : this.#statements.pages.iterate(transcript)) {
      if (![...wanted].some((id) => facts.includes(JSON.stringify(id)))) continue;
      for (const [i, { parts }] of new FactsUnpacker().unpack(facts).entries()) {
        for (const [part, { kind, callId }] of parts.entries()) {
          if (kind !== 'tool_call' || callId == null || !wanted.delete(callId)) continue;
          found.set(callId, { index: first + i, part });
        }
      }
      if (wanted.size === 0) break;
    }
    return found;
  }

  #addForks(one: StoredMember | undefined, add: (rows: readonly PlacedRow[]) => void): void {
    if (one?.whatIf !== undefined) add(this.#statements.one.all(one.whatIf.parentId));
    if (one !== undefined) add(this.#statements.forks.all(one.id));
  }

  // A file may hold thousands of transcripts of one session: what was `asked` for one is not asked again for the others.
  #addNamed(one: StoredMember, add: (rows: readonly PlacedRow[]) => void, asked: Set<string>): void {
    const { ofSession, withParent, continuing, byPlace, spawners } = this.#statements;
    const once = (question: string, rows: () => readonly PlacedRow[]) => {
      if (asked.has(question)) return;
      asked.add(question);
      add(rows());
    };
    const byPath = agentOfPath(one.path);
    const own = one.sessionId ?? byPath?.sessionId;
    const agent = one.agentId ?? byPath?.agentId;
    const spawned = one.spawns.map(({ sessionId }) => sessionId);
    const sessions = [own, one.parentSessionId, one.continuesSessionId, ...spawned].filter((id) => id !== undefined);
    for (const session of sessions) once(`of ${session}`, () => ofSession.all(session));
    if (own !== undefined) once(`around ${own}`, () => [...withParent.all(own), ...continuing.all(own)]);
    const folder = agent === undefined ? agentsFolder(one.path) : null;
    if (folder !== null) once(`in ${folder}`, () => byPlace.all(folder, `${folder}\uffff`));
    if (own !== undefined || agent !== undefined) {
      once(`spawners ${own} ${agent}`, () => spawners.all(own ?? null, agent ?? null));
    }
  }

  #member(row: PlacedRow): StoredMember {
    return memberOf(row, row.path, row.spawned === 0 ? [] : this.#spawns.of(row.row));
  }
}

/** Begin of the paths of a session's sub-agents, where they have their own files: `<session>/subagents/agent-`. */
function agentsFolder(path: string | null): string | null {
  if (!path?.endsWith('.jsonl')) return null;
  const slash = path.includes('\\') ? '\\' : '/';
  return [path.slice(0, -'.jsonl'.length), 'subagents', 'agent-'].join(slash);
}

function memberOf(
  { row, id, source, key, messages, meta }: MemberRow,
  path: string | null,
  spawns: readonly Spawn[],
): StoredMember {
  // All of it is written by this program; only what relations are made of is taken.
  const ties: Ties & { readonly title?: string } = readStored(meta);
  const { title = null, sessionId, agentId, parentKey, parentCallId, parentSessionId } = ties;
  const { continuesSessionId, forkedAt, branchOf, branchAt, whatIf } = ties;
  return {
    ...{ row, id, source, key, messages, title, path, spawns },
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(parentKey === undefined ? {} : { parentKey }),
    ...(parentCallId === undefined ? {} : { parentCallId }),
    ...(parentSessionId === undefined ? {} : { parentSessionId }),
    ...(continuesSessionId === undefined ? {} : { continuesSessionId }),
    ...(forkedAt === undefined ? {} : { forkedAt }),
    ...(branchOf === undefined ? {} : { branchOf }),
    ...(branchAt === undefined ? {} : { branchAt }),
    ...(whatIf === undefined ? {} : { whatIf }),
  };
}

function relationStatements(db: Connection) {
  const columns = 't.id AS row, t.uid AS id, t.source_id AS source, t.key, t.messages, t.meta';
  const select = `SELECT ${columns}, EXISTS (SELECT 1 FROM spawns s WHERE s.transcript_id = t.id) AS spawned,
    (SELECT path FROM files f WHERE f.source_id = t.source_id ORDER BY f.id LIMIT 1) AS path FROM transcripts t`;
  const by = <P extends unknown[]>(where: string) =>
    db.prepare<P, PlacedRow>(`${select} WHERE t.removed = 0 AND ${where} ORDER BY t.id`);
  const field = (name: keyof Ties) => `json_extract(t.meta, '$.${name}')`;
  return {
    all: db.prepare<[], MemberRow>(`SELECT ${columns} FROM transcripts t WHERE t.removed = 0 ORDER BY t.id`),
    // The last of a source's paths is the one first seen.
    paths: db.prepare<[], { readonly source: number; readonly path: string }>(
      'SELECT source_id AS source, path FROM files ORDER BY id DESC',
    ),
    one: by<[string]>('t.uid = ?'),
    // Of a file with many transcripts only those that are tied to others of it, and the one others may be tied to.
    inFile: by<[number, string]>(
      `t.source_id = ? AND (t.uid = ? OR ${field('parentKey')} IS NOT NULL OR ${field('branchOf')} IS NOT NULL OR t.key IN (
        SELECT json_extract(o.meta, '$.parentKey') FROM transcripts o WHERE o.source_id = t.source_id UNION
        SELECT json_extract(o.meta, '$.branchOf') FROM transcripts o WHERE o.source_id = t.source_id))`,
    ),
    pages: db.prepare<[number], { readonly first: number; readonly facts: string }>(
      'SELECT first, facts FROM message_pages WHERE transcript_id = ? ORDER BY first',
    ),
    ofSession: by<[string]>(`${field('sessionId')} = ?`),
    withParent: by<[string]>(`${field('parentSessionId')} = ?`),
    forks: by<[string]>(`json_extract(t.meta, '$.whatIf.parentId') = ?`),
    continuing: by<[string]>(`${field('continuesSessionId')} = ?`),
    // Agents' files that name their session by their place alone.
    byPlace: by<[string, string]>('t.source_id IN (SELECT source_id FROM files WHERE path >= ? AND path < ?)'),
    spawners: by<[string | null, string | null]>(
      `t.id IN (SELECT transcript_id FROM spawns WHERE session_id = ? UNION
        SELECT transcript_id FROM spawns WHERE agent_id = ?)`,
    ),
  };
}
