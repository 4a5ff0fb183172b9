import { useCallback, useEffect, useState } from 'react';
import type { ProtocolError } from '../../core/protocol/methods.ts';
import type { CachePointsMode, Price, PriceTable } from '../../core/protocol/types.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { newestAnswers } from '../state/inOrder.ts';

export interface Prices {
  /** null = not read yet. */
  readonly table: PriceTable | null;
  readonly error: ProtocolError | null;
  /** Puts rows in place of the table, null = the program's own; answers whether that went well. */
  save(rows: readonly Price[] | null): Promise<boolean>;
  /** Where requests are taken to have the cache's breakpoints; holds at once. */
  choosePoints(mode: CachePointsMode): Promise<boolean>;
}

/** The price table; what is saved changes the costs on screen at once. */
export function usePrices(): Prices {
  const { engine, actions } = useApp();
  const id = useAppState((state) => state.session.id);
  const [table, setTable] = useState<PriceTable | null>(null);
  const [error, setError] = useState<ProtocolError | null>(null);
  const [asked] = useState(newestAnswers);
  const load = useCallback(async () => {
    const isNewest = asked();
    try {
      const answer = await engine.call('prices.get', { id });
      if (!isNewest()) return;
      setTable(answer);
      setError(null);
    } catch (thrown) {
      if (isNewest()) setError(toProtocolError(thrown));
    }
  }, [engine, id, asked]);
  useEffect(() => void load(), [load]);
  const change = async (call: () => Promise<unknown>) => {
    try {
      await call();
      await load();
      actions.reproject();
      return true;
    } catch (thrown) {
      setError(toProtocolError(thrown));
      return false;
    }
  };
  return {
    table,
    error,
    save: (rows) => change(() => engine.call('prices.set', { rows })),
    choosePoints: (mode) => change(() => engine.call('cachePoints.set', { mode })),
  };
}
