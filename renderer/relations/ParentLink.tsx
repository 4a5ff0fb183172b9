import { Seen } from '../ui/Seen.tsx';
import './relations.css';
import { CornerLeftUp } from 'lucide-react';
import { printed } from '../keys/keys.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { usePlatform } from '../state/usePlatform.ts';

/** Of a sub-agent the way back to the call that started it; nothing for any other transcript. */
export function ParentLink() {
  const parent = useAppState((state) => state.session.relatives?.parent ?? null);
  const isArchive = useAppState((state) => state.session.info?.archivedAs != null);
  const { goToParent } = useActions();
  const platform = usePlatform();
  if (!parent) return null;
  const place = parent.callIndex === null ? '' : ` #${parent.callIndex}`;
  return (
    <>
      <button
        type="button"
        className="parent-link"
        title={`${isArchive ? 'Archived by a compaction of this transcript' : 'Back to the call that started this sub-agent'}: ${parent.title}${place} (${printed('alt+up', platform)})`}
        onClick={() => void goToParent()}
        data-testid="parent-link"
      >
        <CornerLeftUp size={12} aria-hidden />
        <span className="ellipsis" dir="auto">
          <Seen text={parent.title} />
        </span>
        {place !== '' && <span className="num">{place.trim()}</span>}
      </button>
      <span className="faint">/</span>
    </>
  );
}
