import { FolderSync } from 'lucide-react';
import { printed } from '../keys/keys.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { usePlatform } from '../state/usePlatform.ts';

/** Opens the dialog of folders, and says how many paths are followed. */
export function SourcesButton() {
  const { openDialog } = useActions();
  const platform = usePlatform();
  const follows = useAppState((state) => state.sources.follows);
  const isBad = follows.some(({ state }) => state === 'failed' || state === 'missing');
  const title = follows.length === 0 ? 'Watch…' : `${follows.length} watched…`;
  return (
    <button
      type="button"
      className="library-import"
      onClick={() => openDialog({ kind: 'sources' })}
      data-testid="sources-button"
    >
      <FolderSync size={14} />
      <span className="grow ellipsis">{title}</span>
      {follows.length > 0 && <span className={`live-dot ${isBad ? 'live-dot-bad' : ''}`} aria-hidden />}
      <kbd>{printed('mod+shift+o', platform)}</kbd>
    </button>
  );
}
