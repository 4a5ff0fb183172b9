import type { VerifyReport } from '../../core/protocol/types.ts';
import { useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';

/** What the check of an opened bundle says; `checking` until it says anything. */
export type BundleCheck =
  | { readonly kind: 'checking' }
  | { readonly kind: 'checked'; readonly report: VerifyReport }
  | { readonly kind: 'failed'; readonly text: string };

/** The check of the open transcript; null if it was not opened from a bundle. */
export function useBundleCheck(): BundleCheck | null {
  const id = useAppState((state) => (state.session.info?.bundle ? state.session.info.id : null));
  // A bundle that is still being read differs: it is checked again when it is whole.
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const isWhole = useAppState((state) => state.session.info?.state !== 'importing');
  const { value, error } = useAnswer('bundle.check', id === null || !isWhole ? null : { id }, {
    about: `${id} ${messages}`,
  });
  if (id === null) return null;
  if (error) return { kind: 'failed', text: error.message };
  return value ? { kind: 'checked', report: value } : { kind: 'checking' };
}
