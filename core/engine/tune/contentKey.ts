// What a result of a sweep depends on besides the spec: the transcript's content and whoever read it, how requests are counted
// and priced, what is watched. The same key, the same result.
import type { WatchedQuery } from '../../insight/watch/types.ts';
import { FACTS_VERSION } from '../../model/readMessage.ts';
import type { PolicyScopes } from '../../projection/contextScopes.ts';
import type { ProjectionSpec } from '../../projection/types.ts';
import { nodeSha256 } from '../nodeHash.ts';
import type { Session } from '../session/session.ts';
import { createSlicer } from '../slicer.ts';
import { ENGINE_VERSION } from '../version.ts';
import type { SweepOptions } from './types.ts';

/** Raised when the rules of a sweep's figures change: what was kept before is made again. */
const FIGURES_VERSION = 2;

/** The key of a session under options. Pauses: a long transcript takes a moment. */
export async function contentKey(
  session: Session,
  options: SweepOptions,
  scopes: PolicyScopes,
  watched: readonly WatchedQuery[] = [],
): Promise<string> {
  const { source, summariesKey } = session;
  const { meta, models } = source.row();
  const hash = nodeSha256();
  hash.update(
    JSON.stringify([ENGINE_VERSION, FIGURES_VERSION, FACTS_VERSION, options, scopes, meta, models, summariesKey]),
  );
  if (watched.length > 0) {
    hash.update(JSON.stringify(watched.map(({ text, matchCase, wholeWord }) => [text, matchCase, wholeWord])));
  }
  hash.update(JSON.stringify([source.compactions(), source.projections()]));
  const slicer = createSlicer();
  for (let index = 0; index < source.length; index++) {
    hash.update(source.contentHash(index)).update(JSON.stringify(source.meta(index)));
    const pause = slicer.pause();
    if (pause) await pause;
  }
  return hash.hex();
}

/** The key of a result: of a session, under a spec. `what` separates results of different kinds. */
export function resultKey(
  session: string,
  { name: _name, ...spec }: ProjectionSpec,
  what: 'sums' | 'signature',
): string {
  return nodeSha256()
    .update(JSON.stringify([what, session, spec]))
    .hex();
}
