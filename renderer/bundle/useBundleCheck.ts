import { useEffect, useState } from 'react';
import type { VerifyReport } from '../../core/protocol/types.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';

/** What the check of an opened bundle says; `checking` until it says anything. */
export type BundleCheck =
  | { readonly kind: 'checking' }
  | { readonly kind: 'checked'; readonly report: VerifyReport }
  | { readonly kind: 'failed'; readonly text: string };

const CHECKING: BundleCheck = { kind: 'checking' };

/** The check of the open transcript; null if it was not opened from a bundle. */
export function useBundleCheck(): BundleCheck | null {
  const { engine } = useApp();
  const id = useAppState((state) => (state.session.info?.bundle ? state.session.info.id : null));
  // A bundle that is still being read differs: it is checked again when it is whole.
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const isWhole = useAppState((state) => state.session.info?.state !== 'importing');
  const [found, setFound] = useState<{ readonly of: string; readonly check: BundleCheck } | null>(null);
  const of = `${id} ${messages}`;
  useEffect(() => {
    if (id === null || !isWhole) return;
    let isWanted = true;
    const tell = (check: BundleCheck) => isWanted && setFound({ of, check });
    engine.call('bundle.check', { id }).then(
      (report) => tell({ kind: 'checked', report }),
      (thrown: unknown) => tell({ kind: 'failed', text: toProtocolError(thrown).message }),
    );
    return () => {
      isWanted = false;
    };
  }, [engine, id, isWhole, of]);
  if (id === null) return null;
  return found?.of === of ? found.check : CHECKING;
}
