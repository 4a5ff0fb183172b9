import { useCallback, useRef, useState } from 'react';
import type { RequestFigure, UsageInfo } from '../../core/protocol/types.ts';
import { useApp, useAppState } from './context.tsx';
import { toProtocolError } from './engine.ts';
import { useAnswer } from './useAnswer.ts';

const PAGE = 200;

/** What recorded usage says of the open transcript; null = not known yet. */
export function useUsage(): { readonly info: UsageInfo | null; readonly error: string | null } {
  const id = useAppState((state) => state.session.id);
  const usage = useAppState((state) => state.usage);
  return usage.id === id ? usage : { info: null, error: null };
}

export interface RequestList {
  readonly error: string | null;
  at(position: number): RequestFigure | null;
  /** Fetches what is missing of [from, to). */
  ensure(from: number, to: number): void;
}

/** The requests of the open transcript, by page. Mount again when there is another report. */
export function useRequests(): RequestList {
  const { engine } = useApp();
  const id = useAppState((state) => state.session.id);
  const [pages, setPages] = useState<ReadonlyMap<number, readonly RequestFigure[]>>(new Map());
  const [error, setError] = useState<string | null>(null);
  const asked = useRef(new Set<number>());
  const ensure = useCallback(
    (from: number, to: number) => {
      for (let page = Math.floor(from / PAGE); id !== null && page * PAGE < to; page++) {
        if (asked.current.has(page)) continue;
        asked.current.add(page);
        engine.call('transcript.usage', { id, from: page * PAGE, to: (page + 1) * PAGE }).then(
          ({ requests }) => setPages((old) => new Map(old).set(page, requests)),
          (thrown: unknown) => setError(toProtocolError(thrown).message),
        );
      }
    },
    [engine, id],
  );
  return { error, ensure, at: (position) => pages.get(Math.floor(position / PAGE))?.[position % PAGE] ?? null };
}

/** The figures of the request that a message answers; null where it records none, or before they are known. */
export function useFigure(index: number, isRecorded: boolean): RequestFigure | null {
  const id = useAppState((state) => state.session.id);
  const { info } = useUsage();
  const isReady = isRecorded && info?.state === 'ready';
  // Where it fails, the tab that lists them says why they cannot be had.
  const { value } = useAnswer('transcript.usage', id === null || !isReady ? null : { id, from: 0, to: 0, at: index }, {
    about: `${id} ${index}`,
  });
  return value?.figure?.at === index ? value.figure : null;
}
