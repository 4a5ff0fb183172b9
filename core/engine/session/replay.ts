import { openSnapshots } from '../../importers/reading/snapshot.ts';
import { ASSET_EVENT } from '../../model/asset.ts';
import { PROJECTION_EVENT } from '../../model/lineage.ts';
import type { Problem } from '../../model/problem.ts';
import { replayLineage } from '../../projection/lineage.ts';
import { EngineError } from '../../protocol/client.ts';
import type { Engine } from '../engine.ts';
import { CHANGED } from '../failures.ts';
import { readAssetFile } from '../files/assetFile.ts';
import { nodeSha256 } from '../nodeHash.ts';
import type { Session } from './session.ts';
import type { Turn } from './workQueue.ts';

/**
 * Replays the projections a transcript recorded, each on the messages it covered; problems carry the line of their event.
 * Throws `transcript.changed` if the session is closed meanwhile.
 */
export async function replayProblems(engine: Engine, session: Session): Promise<readonly Problem[]> {
  const replayed = await session.work.background('checks', (turn) => replayAll(engine, session, turn)).done;
  if (!replayed.ok) throw new EngineError(CHANGED);
  return replayed.value;
}

async function replayAll(engine: Engine, session: Session, turn: Turn): Promise<readonly Problem[]> {
  const { source, memo } = session;
  const lineage = source.lineage();
  if (!lineage.some(({ kind }) => kind === PROJECTION_EVENT)) return [];
  const assets = engine.library.eventsOfKinds(session.id, [ASSET_EVENT]);
  const [file] = source.row().files;
  const snapshots = await openSnapshots([...assets, ...lineage], (path) => readAssetFile(file ?? '', path));
  const steps = replayLineage(source, lineage, snapshots, { memo, sha256: nodeSha256 });
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) await turn.pause();
  return step.value.flatMap(({ event, problems }) => {
    const { line, byteStart, byteEnd } = event.origin;
    return problems.map((problem) => ({ ...problem, where: { ...problem.where, line, byteStart, byteEnd } }));
  });
}
