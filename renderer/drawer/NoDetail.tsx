import { CircleAlert } from 'lucide-react';
import { useAppState } from '../state/context.tsx';
import { useDetail } from '../state/useDetail.tsx';
import { DrawerNote } from '../ui/DrawerNote.tsx';

/** Says why there is no detail: not read yet, could not be read, or `empty`: what selecting a message would show. */
export function NoDetail({ empty }: { readonly empty: string }) {
  const { error } = useDetail();
  const isSelected = useAppState((state) => state.selection !== null);
  if (error) {
    return (
      <p className="drawer-note drawer-error" role="alert">
        <CircleAlert size={14} aria-hidden /> Could not be read: {error.message}
      </p>
    );
  }
  return <DrawerNote>{isSelected ? 'Reading…' : empty}</DrawerNote>;
}
