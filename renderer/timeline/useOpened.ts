import { useMemo, useState } from 'react';
import type { Row } from '../../core/protocol/types.ts';
import { useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { type Opened, openedPart, openedSynthetic } from './openedText.ts';

const LIMIT = 20_000;
const ALL = 50_000_000;

const LOADING: Opened = { loading: true, error: null, part: null, picture: null, raw: null, projected: null };

/** Fetches what an opened row shows, again for each projection; the old text stays until the new one is here. */
export function useOpened(row: Row): { readonly opened: Opened; readonly showAll: () => void } {
  const projectionId = useAppState((state) => state.projection.pages.projectionId);
  const [limit, setLimit] = useState(LIMIT);
  const isSynthetic = row.kind === 'synthetic';
  const how = { about: row.key, again: [row] };
  const synthetic = useAnswer(
    'projection.synthetic',
    projectionId !== null && isSynthetic ? { projectionId, row: row.row } : null,
    how,
  );
  const part = useAnswer(
    'projection.detail',
    projectionId !== null && !isSynthetic ? { projectionId, index: row.index, limit } : null,
    how,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer is about the row it was asked for
  const opened = useMemo((): Opened => {
    const error = synthetic.error ?? part.error;
    if (error) return { ...LOADING, loading: false, error: error.message };
    if (synthetic.value) return openedSynthetic(synthetic.value);
    return part.value ? openedPart(part.value, row) : LOADING;
  }, [synthetic.value, synthetic.error, part.value, part.error]);
  return { opened, showAll: () => setLimit(ALL) };
}
