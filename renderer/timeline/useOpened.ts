import { useEffect, useState } from 'react';
import type { Row } from '../../core/protocol/types.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { type Opened, openedPart, openedSynthetic } from './openedText.ts';

const LIMIT = 20_000;
const ALL = 50_000_000;

const LOADING: Opened = { loading: true, error: null, picture: null, raw: null, projected: null };

/** Fetches what an opened row shows, again for each projection; the old text stays until the new one is here. */
export function useOpened(row: Row): { readonly opened: Opened; readonly showAll: () => void } {
  const { engine } = useApp();
  const projectionId = useAppState((state) => state.projection.pages.projectionId);
  const [limit, setLimit] = useState(LIMIT);
  const [opened, setOpened] = useState(LOADING);
  useEffect(() => {
    if (projectionId === null) return;
    let isWanted = true;
    const asked =
      row.kind === 'synthetic'
        ? engine.call('projection.synthetic', { projectionId, row: row.row }).then(openedSynthetic)
        : engine
            .call('projection.detail', { projectionId, index: row.index, limit })
            .then((one) => openedPart(one, row));
    asked.then(
      (value) => isWanted && setOpened(value),
      (thrown: unknown) =>
        isWanted && setOpened({ ...LOADING, loading: false, error: toProtocolError(thrown).message }),
    );
    return () => {
      isWanted = false;
    };
  }, [engine, projectionId, row, limit]);
  return { opened, showAll: () => setLimit(ALL) };
}
