import { useCallback, useEffect, useRef, useState } from 'react';
import type { EventInfo, EventKind } from '../../core/protocol/types.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { newestAnswers } from '../state/inOrder.ts';

const PAGE = 200;

export interface EventList {
  /** null = not known yet. */
  readonly total: number | null;
  readonly error: string | null;
  /** All kinds there are, whichever is shown. */
  readonly kinds: readonly EventKind[];
  eventAt(position: number): EventInfo | null;
  /** Fetches what is missing of [from, to). */
  ensure(from: number, to: number): void;
}

/** The events of the open transcript, all or of one kind, by page. Mount again for another transcript or kind. */
export function useEvents(kind: string | null): EventList {
  const { engine } = useApp();
  const id = useAppState((state) => state.session.id);
  const known = useAppState((state) => state.session.info?.events ?? 0);
  const [pages, setPages] = useState<ReadonlyMap<number, readonly EventInfo[]>>(new Map());
  const [total, setTotal] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [kinds, setKinds] = useState<readonly EventKind[]>([]);
  const asked = useRef(new Set<number>());
  const [newest] = useState(newestAnswers);
  const newestShown = useRef(0);

  const load = useCallback(
    (page: number) => {
      if (id === null || asked.current.has(page)) return;
      asked.current.add(page);
      const isNewest = newest();
      const only = kind === null ? {} : { kind };
      engine.call('transcript.events', { id, from: page * PAGE, to: (page + 1) * PAGE, ...only }).then(
        (answer) => {
          if (isNewest()) {
            newestShown.current = answer.total;
            setTotal(answer.total);
            setKinds(answer.kinds);
            setError(null);
          }
          setPages((old) => new Map(old).set(page, answer.events));
        },
        (thrown: unknown) => setError(toProtocolError(thrown).message),
      );
    },
    [engine, id, kind, newest],
  );
  // There are more, or fewer: what may have changed is asked for again.
  useEffect(() => {
    const first = known < newestShown.current ? 0 : Math.floor(newestShown.current / PAGE);
    for (const page of asked.current) if (page >= first) asked.current.delete(page);
    load(first);
  }, [load, known]);
  const ensure = useCallback(
    (from: number, to: number) => {
      for (let page = Math.floor(from / PAGE); page * PAGE < to; page++) load(page);
    },
    [load],
  );
  return {
    total,
    error,
    kinds,
    ensure,
    eventAt: (position) => pages.get(Math.floor(position / PAGE))?.[position % PAGE] ?? null,
  };
}
