import { createStore, useStore } from 'zustand';

/** A span of source messages, end exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The span the open dialog writes a summary of. */
const target = createStore<{ readonly span: Span | null }>(() => ({ span: null }));

export function setSummaryTarget(span: Span | null): void {
  target.setState({ span });
}

export function useSummaryTarget(): Span | null {
  return useStore(target, (state) => state.span);
}
