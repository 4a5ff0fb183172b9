import { useAppState } from '../state/context.tsx';
import type { Span } from '../state/dialog.ts';

/** The span a row stands for, if it is the placeholder of a summary that a stage wants; null otherwise. */
export function useWanted(row: { readonly kind: string; readonly index: number; readonly to?: number }): Span | null {
  return useAppState((state) => {
    if (row.kind !== 'synthetic') return null;
    const wanting = state.projection.info?.reports.find(
      ({ needsSummary }) => needsSummary?.from === row.index && needsSummary.to === row.to,
    );
    return wanting?.needsSummary ?? null;
  });
}
