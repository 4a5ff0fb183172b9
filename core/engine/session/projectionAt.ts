import type { Projection } from '../../projection/types.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import { ok, type Result } from '../../util/result.ts';
import type { Following } from './callPoints.ts';
import { computedBefore } from './projecting.ts';

/** A projection within background work. Where a person asks from, it is the one on the screen. */
export async function projectionAt(
  { engine, session, parsed, turn }: Pick<Following, 'engine' | 'session' | 'parsed' | 'turn'>,
  at: number,
): Promise<Result<Projection, ProtocolError>> {
  const inputs = session.inputsFor(parsed.spec);
  const known = await computedBefore(session, parsed, at, inputs);
  if (known !== null) return ok(known.projection);
  return engine.projectInBackground(session, parsed.stages, at, turn, inputs);
}
