import type { Spawn } from '../../model/transcript.ts';
import type { Connection } from '../database.ts';

interface SpawnRow {
  readonly callId: string;
  readonly agentId: string | null;
  readonly sessionId: string | null;
}

/** Tool calls that started other transcripts. */
export class Spawns {
  readonly #insert;
  readonly #of;
  readonly #all;

  constructor(db: Connection) {
    this.#insert = db.prepare<[number, number, string, string | null, string | null]>(
      'INSERT INTO spawns (transcript_id, seq, call_id, agent_id, session_id) VALUES (?, ?, ?, ?, ?)',
    );
    this.#all = db.prepare<[], SpawnRow & { readonly transcript: number }>(
      `SELECT transcript_id AS transcript, call_id AS callId, agent_id AS agentId, session_id AS sessionId FROM spawns
       ORDER BY transcript_id, seq`,
    );
    this.#of = db.prepare<[number], SpawnRow>(
      `SELECT call_id AS callId, agent_id AS agentId, session_id AS sessionId FROM spawns
       WHERE transcript_id = ? ORDER BY seq`,
    );
  }

  insert(transcript: number, seq: number, { callId, agentId, sessionId }: Spawn): void {
    this.#insert.run(transcript, seq, callId, agentId ?? null, sessionId ?? null);
  }

  /** In the order they were reported. */
  of(transcript: number): readonly Spawn[] {
    return this.#of.all(transcript).map(spawnOf);
  }

  /** Of all transcripts, by their rows. */
  all(): ReadonlyMap<number, readonly Spawn[]> {
    const found = new Map<number, Spawn[]>();
    for (const row of this.#all.all()) {
      const list = found.get(row.transcript);
      if (list) list.push(spawnOf(row));
      else found.set(row.transcript, [spawnOf(row)]);
    }
    return found;
  }
}

function spawnOf({ callId, agentId, sessionId }: SpawnRow): Spawn {
  return {
    callId,
    ...(agentId === null ? {} : { agentId }),
    ...(sessionId === null ? {} : { sessionId }),
  };
}
