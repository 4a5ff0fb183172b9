import './follow.css';
import { useAppState } from '../state/context.tsx';

/** A dot for a transcript whose file grew within the last minutes. */
export function LiveDot({ id }: { readonly id: string }) {
  const isLive = useAppState((state) =>
    state.sources.follows.some(({ live }) => live.some(({ transcriptIds }) => transcriptIds.includes(id))),
  );
  if (!isLive) return null;
  return <span className="live-dot" role="img" aria-label="followed, grew lately" data-testid="live-dot" />;
}
