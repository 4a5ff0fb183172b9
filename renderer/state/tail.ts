// A transcript grows while somebody reads it. Who is at the end of the next request goes along; all others stay
// where they are and see how much is new below. Whether somebody is at the end is asked when the rows come, not
// when the growth is reported: in between they may have scrolled away.
import type { ProjectionInfo, TranscriptInfo } from '../../core/protocol/types.ts';
import { type Core, patch } from './core.ts';

/** The reader has the last row of the next request in sight, so that what comes is to come into sight. */
export function standsAtEnd({ store, viewport }: Core): boolean {
  const { projection, session } = store.getState();
  return viewport.atEnd && projection.at === null && session.info?.state !== 'importing';
}

/** A growth was reported, `info` is what there is now. Of an import under way nothing is new. */
export function noteGrowth(core: Core, info: TranscriptInfo): void {
  const { session } = core.store.getState();
  const isImporting = info.state === 'importing' || session.info?.state === 'importing';
  if (isImporting || info.messages < core.accounted) core.accounted = info.messages;
  else if (core.landing !== 'end' && !standsAtEnd(core)) reportNew(core, info.messages);
}

/** An answer is on screen: at the end it was seen, elsewhere it may hold messages that nobody has reported yet. */
export function noteShown(core: Core, info: ProjectionInfo, isAtEnd: boolean): void {
  const { projection, session } = core.store.getState();
  if (isAtEnd || session.info?.state === 'importing') core.accounted = Math.max(core.accounted, info.at);
  else if (projection.at === null) reportNew(core, info.at);
}

/** The reader leaves the end: what is on its way will come out of sight. */
export function leaveEnd(core: Core): void {
  reportNew(core, core.store.getState().session.info?.messages ?? 0);
}

function reportNew(core: Core, messages: number): void {
  const { session } = core.store.getState();
  const more = messages - core.accounted;
  // Of what is being opened nothing is new: its answer says how much there is.
  if (more <= 0 || session.opening) return;
  core.accounted = messages;
  patch(core, 'session', { fresh: session.fresh + more });
}
