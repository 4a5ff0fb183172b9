import type { Problem } from '../model/problem.ts';
import { readRecordedProjection, replay } from '../projection/replay.ts';
import { STAGES } from '../projection/stages.ts';
import { EngineError } from '../protocol/client.ts';
import type { Engine } from './engine.ts';
import { CHANGED } from './failures.ts';
import { nodeSha256 } from './nodeHash.ts';
import type { Session } from './session/session.ts';
import type { Turn } from './session/workQueue.ts';

const PAGE = 1000;

/**
 * Replays the projections a transcript recorded; problems carry the line of their event. Throws `transcript.changed`
 * if the session is closed meanwhile.
 */
export async function replayProblems(engine: Engine, session: Session): Promise<readonly Problem[]> {
  const replayed = await session.work.background('checks', (turn) => replayAll(engine, session, turn)).done;
  if (!replayed.ok) throw new EngineError(CHANGED);
  return replayed.value;
}

async function replayAll(engine: Engine, session: Session, turn: Turn): Promise<readonly Problem[]> {
  const { source, memo } = session;
  const problems: Problem[] = [];
  const total = source.row().counts.events;
  for (let from = 0; from < total; from += PAGE) {
    for (const event of engine.library.events(session.id, from, Math.min(from + PAGE, total))) {
      const recorded = event.kind === 'transcript.projection' ? readRecordedProjection(event.json) : null;
      if (!recorded) continue;
      const { line, byteStart, byteEnd } = event.origin;
      for (const problem of replay(source, recorded, event.at, STAGES, { memo, sha256: nodeSha256 }).problems) {
        problems.push({ ...problem, where: { ...problem.where, line, byteStart, byteEnd } });
      }
      await turn.pause();
    }
  }
  return problems;
}
