import { CircleAlert } from 'lucide-react';
import { useAppState } from '../state/context.tsx';
import { useDetail } from '../state/useDetail.tsx';
import { DrawerNote } from '../ui/DrawerNote.tsx';

/** Says why there is no detail: not read yet, could not be read, or `empty`: what selecting a message would show. */
export function NoDetail({ empty }: { readonly empty: string }) {
  const { error } = useDetail();
  const kind = useAppState((state) => state.selection?.kind ?? null);
  if (error) {
    return (
      <p className="drawer-note drawer-error" role="alert">
        <CircleAlert size={14} aria-hidden /> Could not be read: {error.message}
      </p>
    );
  }
  if (kind === 'fold')
    return <DrawerNote>These messages are folded: press Enter to unfold them, and select one.</DrawerNote>;
  return <DrawerNote>{kind === null ? empty : 'Reading…'}</DrawerNote>;
}
