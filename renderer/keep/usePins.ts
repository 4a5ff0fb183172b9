import { useEffect, useMemo, useState } from 'react';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import type { KeepFound, PinChoice, PinWay } from '../../core/protocol/types.ts';
import { useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { type KeepRow, usePrices, type Wanted } from './useKeep.ts';

/** Longer selections are not words that anybody means. */
const LONGEST = 2000;
const NONE: readonly never[] = [];

export interface Pins {
  readonly choices: readonly PinChoice[];
  readonly isLoading: boolean;
  readonly error: string | null;
  readonly way: PinWay | null;
  choose(way: PinWay): void;
  /** The chosen one with its price, where the list of changes does not have it already. */
  readonly row: KeepRow | null;
}

/** The ways to pin the message that is to be kept, asked for once its changes are known. */
export function usePins(wanted: Wanted | null, spec: ProjectionSpec | null, found: KeepFound | null): Pins {
  const id = useAppState((state) => state.session.id);
  const at = useAppState((state) => state.projection.at);
  const isFinal = useAppState((state) => state.projection.info?.final ?? false);
  const place = useAppState(({ find }) => find.trace?.places.find(({ where }) => where === 'message')?.index ?? null);
  const looked = useAppState(({ find }) => (find.text.trim() === '' ? null : find.text.trim()));
  const selected = useSelectedWords();
  const message = wanted === null ? null : 'message' in wanted ? wanted.message : place;
  const words = wanted !== null && 'text' in wanted ? wanted.text : (selected ?? looked);
  const isAsked = id !== null && spec !== null && message !== null && found !== null && found.state !== 'not_said';
  const { value, isLoading, error } = useAnswer('keep.pins', isAsked ? { id, spec, at, message, words } : null, {
    about: isAsked ? JSON.stringify([id, message, at, spec]) : null,
  });
  const [chosen, choose] = useState<{ readonly message: number | null; readonly way: PinWay } | null>(null);
  const way = chosen !== null && chosen.message === message ? chosen.way : null;
  const choices = value?.choices ?? NONE;
  const change = choices.find((one) => one.way === way)?.change ?? null;
  const isListed = found?.changes.some((one) => JSON.stringify(one.spec) === JSON.stringify(change?.spec)) === true;
  const extra = useMemo(() => (change === null || isListed ? NONE : [change]), [change, isListed]);
  const { prices, error: unpriced } = usePrices(extra, spec, isFinal);
  const [only] = extra;
  return {
    choices,
    isLoading,
    error: error?.message ?? unpriced?.message ?? null,
    way,
    choose: (next) => choose({ message, way: next }),
    row: only === undefined ? null : { change: only, price: prices.get(only) ?? null },
  };
}

/** What was selected last on screen; a click on a button ends a selection, and does not mean other words. */
function useSelectedWords(): string | null {
  const [words, set] = useState<string | null>(() => selectedNow());
  useEffect(() => {
    const onChange = () => {
      const now = selectedNow();
      if (now !== null) set(now);
    };
    document.addEventListener('selectionchange', onChange);
    return () => document.removeEventListener('selectionchange', onChange);
  }, []);
  return words;
}

function selectedNow(): string | null {
  const words = document.getSelection()?.toString().trim() ?? '';
  return words === '' || words.length > LONGEST ? null : words;
}
