import { useActions } from '../state/context.tsx';

/** Leads to what else the compaction that took the message out lost. */
export function WhatWasLost({ index }: { readonly index: number }) {
  const { showCompactionOf } = useActions();
  return (
    <p>
      <button type="button" className="link" data-testid="what-was-lost" onClick={() => showCompactionOf(index)}>
        What this compaction lost
      </button>
    </p>
  );
}
