import { useEffect, useMemo, useRef, useState } from 'react';
import { byPrice } from '../../core/insight/keep/patch.ts';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import type { ProtocolError } from '../../core/protocol/methods.ts';
import type { KeepFound, KeepPrice, ProvedChange } from '../../core/protocol/types.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { useAnswer } from '../state/useAnswer.ts';

const WAIT_MS = 150;

/** What is to be kept. */
export type Wanted = { readonly message: number } | { readonly text: string };

/** A change, and its price once that is known. */
export interface KeepRow {
  readonly change: ProvedChange;
  readonly price: KeepPrice | null;
}

export interface Keep {
  readonly found: KeepFound | null;
  /** Cheapest first once all prices are known; as they were found until then. */
  readonly rows: readonly KeepRow[];
  readonly isLoading: boolean;
  readonly error: ProtocolError | null;
}

/** The changes that would keep it under a policy, and their prices, which come one after the other. */
export function useKeep(wanted: Wanted | null, spec: ProjectionSpec | null): Keep {
  const id = useAppState((state) => state.session.id);
  const at = useAppState((state) => state.projection.at);
  const isAsked = id !== null && spec !== null && wanted !== null;
  const about = isAsked ? JSON.stringify([id, wanted, at, spec]) : null;
  const { value, isLoading, error } = useAnswer('keep.find', isAsked ? { id, spec, at, ...wanted } : null, {
    wait: WAIT_MS,
    about,
  });
  // Figures are others once all is counted, and recorded usage has made them the provider's.
  const isFinal = useAppState((state) => state.projection.info?.final ?? false);
  const { prices, error: unpriced } = usePrices(value?.changes ?? NONE, spec, isFinal);
  const rows = useMemo(() => rowsOf(value?.changes ?? NONE, prices), [value, prices]);
  return { found: value, rows, isLoading, error: error ?? unpriced };
}

const NONE: readonly ProvedChange[] = [];
const NO_PRICES: ReadonlyMap<Changed, KeepPrice> = new Map();

type Changed = Pick<ProvedChange, 'spec'>;

function rowsOf(changes: readonly ProvedChange[], prices: ReadonlyMap<Changed, KeepPrice>): readonly KeepRow[] {
  const rows = changes.map((change) => ({ change, price: prices.get(change) ?? null }));
  // A row under the pointer does not move while others are still priced.
  if (rows.some(({ price }) => price === null)) return rows;
  return rows.sort((a, b) => (a.price === null || b.price === null ? 0 : byPrice(a.price, b.price)));
}

/** Prices of changes of a policy, which come one after the other; at a call point, else at that of the screen. */
export function usePrices(changes: readonly Changed[], spec: ProjectionSpec | null, isFinal: boolean, given?: number) {
  const { engine } = useApp();
  const id = useAppState((state) => state.session.id);
  const shownAt = useAppState((state) => state.projection.at);
  const at = given ?? shownAt;
  const [held, hold] = useState<{ changes: readonly Changed[]; prices: ReadonlyMap<Changed, KeepPrice> }>({
    changes: [],
    prices: NO_PRICES,
  });
  const [error, fail] = useState<ProtocolError | null>(null);
  const asked = useRef(spec);
  asked.current = spec;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the changes stand for the question they answer
  useEffect(() => {
    let isWanted = true;
    const prices = new Map<Changed, KeepPrice>();
    fail(null);
    const ask = async () => {
      for (const change of changes) {
        if (!isWanted || id === null || asked.current === null) return;
        const params = { id, spec: asked.current, changed: change.spec, at };
        prices.set(change, await engine.call('keep.price', params));
        if (isWanted) hold({ changes, prices: new Map(prices) });
      }
    };
    ask().catch((thrown: unknown) => isWanted && fail(toProtocolError(thrown)));
    return () => {
      isWanted = false;
    };
  }, [changes, isFinal]);
  return { prices: held.changes === changes ? held.prices : NO_PRICES, error };
}
