import { useActions, useAppState } from '../state/context.tsx';
import { SourcePath } from './SourcePath.tsx';

/** What the program was started with: it is imported already, and can be followed. Nothing if that was nothing. */
export function GivenRows() {
  const { startFollow } = useActions();
  const given = useAppState((state) => state.sources.given);
  const follows = useAppState((state) => state.sources.follows);
  const left = given.filter(({ handle }) => !follows.some((follow) => follow.handle === handle));
  if (left.length === 0) return null;
  return (
    <section className="source-group" aria-labelledby="given">
      <h3 id="given">Named when Parallax was started</h3>
      {left.map(({ handle, name }) => (
        <div key={handle} className="source-row" data-testid="given-row">
          <div className="source-row-text grow">
            <SourcePath path={name} />
          </div>
          <button
            type="button"
            className="button"
            aria-label={`Follow ${name}`}
            onClick={() => void startFollow(handle)}
            data-testid="given-follow"
          >
            Follow
          </button>
        </div>
      ))}
    </section>
  );
}
