import type { ReactNode } from 'react';

/** A quiet line in an otherwise empty drawer. */
export function DrawerNote({ children }: { readonly children: ReactNode }) {
  return <p className="drawer-note">{children}</p>;
}
