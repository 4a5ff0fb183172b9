import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useDetail } from './useDetail.ts';

/** A quiet line in an otherwise empty drawer. */
export function DrawerNote({ children }: { readonly children: ReactNode }) {
  return <p className="drawer-note">{children}</p>;
}

/** Says why there is no detail: nothing selected, not read yet, could not be read. */
export function NoDetail() {
  const { error } = useDetail();
  if (error) {
    return (
      <p className="drawer-note drawer-error" role="alert">
        <CircleAlert size={14} aria-hidden /> Could not be read: {error.message}
      </p>
    );
  }
  return <DrawerNote>Select a message to see what became of it.</DrawerNote>;
}
