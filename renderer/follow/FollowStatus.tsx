import './follow.css';
import { useActions, useAppState } from '../state/context.tsx';
import { formatBytes } from '../ui/format.ts';
import { agoText, followOf, isMoving } from './followText.ts';
import { useNow } from './useNow.ts';

/** In the status line: whether the open transcript is followed, when it last grew, whether half a line waits. */
export function FollowStatus() {
  const { openDialog } = useActions();
  const info = useAppState((state) => state.session.info);
  const follows = useAppState((state) => state.sources.follows);
  const followed = info === null ? null : followOf(follows, info);
  const now = useNow(followed?.live != null);
  if (followed === null) return null;
  const { follow, live } = followed;
  const waiting = live !== null && live.waitingBytes > 0 ? `, ${formatBytes(live.waitingBytes)} of a line wait` : '';
  const when = live === null ? '' : `, ${agoText(live.changedAt, now)}`;
  return (
    <button
      type="button"
      className="status-button follow-status"
      title={`${follow.path} is followed: what is appended appears here. Click to see all that is followed.`}
      onClick={() => openDialog({ kind: 'sources' })}
      data-testid="follow-status"
    >
      <span className={`live-dot${isMoving(live, now) ? '' : ' live-dot-quiet'}`} aria-hidden />
      {statusWord(follow.state)}
      {when}
      {waiting}
    </button>
  );
}

function statusWord(state: string): string {
  if (state === 'missing') return 'file is gone';
  if (state === 'failed') return 'following failed';
  return state === 'reading' ? 'reading' : 'following';
}
