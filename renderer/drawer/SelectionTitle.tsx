import { useAppState } from '../state/context.tsx';
import { useDetail } from '../state/useDetail.tsx';
import { Seen } from '../ui/Seen.tsx';
import { selectionTitle } from './words.ts';

/** What the drawer is about, at its right end. */
export function SelectionTitle() {
  const { detail, synthetic } = useDetail();
  const selection = useAppState((state) => state.selection);
  if (synthetic) {
    const { from, to } = synthetic.covers;
    return (
      <span className="drawer-title">
        {to > from ? `replaces #${from} – #${to - 1}` : 'synthetic'} · {synthetic.stageTitle}
      </span>
    );
  }
  if (!detail) return <span className="drawer-title" />;
  const part = selection?.kind === 'message' ? selection.part : 0;
  return (
    <span className="drawer-title">
      <Seen text={selectionTitle(detail, part)} />
    </span>
  );
}
