import type { FollowInfo, Named } from '../../core/protocol/types.ts';
import { useActions } from '../state/context.tsx';
import { Seen } from '../ui/Seen.tsx';
import { followText, isMoving } from './followText.ts';
import { SourcePath } from './SourcePath.tsx';

/** A followed path: what it is at, and the way to stop. */
export function FollowRow({ follow, now }: { readonly follow: Named<FollowInfo>; readonly now: number }) {
  const { stopFollow } = useActions();
  const isBad = follow.state === 'failed' || follow.state === 'missing';
  const dot = isBad ? 'live-dot-bad' : isMoving(follow.live[0] ?? null, now) ? '' : 'live-dot-quiet';
  return (
    <div className="source-row" data-testid="follow-row" data-state={follow.state}>
      <span className={`live-dot ${dot}`} aria-hidden />
      <div className="source-row-text grow">
        <SourcePath path={follow.path} />
        <span className={isBad ? 'tone-bad' : 'mute num'}>{followText(follow, now)}</span>
        {!isBad && follow.problem !== null && (
          <span className="mute">
            <Seen text={follow.problem.text} />
          </span>
        )}
      </div>
      <button
        type="button"
        className="button"
        aria-label={`Stop following ${follow.path}`}
        onClick={() => void stopFollow(follow)}
      >
        Stop following
      </button>
    </div>
  );
}
