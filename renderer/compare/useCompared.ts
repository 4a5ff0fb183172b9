// What the mode Compare asks the engine: the two requests at the call point, and both policies along the session.
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import { CHANGED } from '../../core/protocol/codes.ts';
import type { ComparedAlong, ComparedInfo, ComparedRow } from '../../core/protocol/compareTypes.ts';
import { useActions, useApp, useAppState } from '../state/context.tsx';
import { keepThinking, setOverhead } from '../state/editBudget.ts';
import { toProtocolError } from '../state/engine.ts';
import { specWithWindow } from '../state/specWithWindow.ts';
import { type Answer, useAnswer } from '../state/useAnswer.ts';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';

/** Rows that come with the answer, and that one page holds. */
export const PAGE = 100;
/** Pages that are held. */
const MOST_PAGES = 20;

/** True of the errors after which the comparison is made again: the engine has it no longer, or the transcript has changed. */
export function isForgotten(code: string): boolean {
  return code === 'compare.unknown' || code === CHANGED;
}

/** Whose requests are compared, as the engine is asked; null = B is not chosen, or nothing is projected yet. */
export interface ComparedSpecs {
  readonly id: string;
  readonly a: ProjectionSpec;
  readonly b: ProjectionSpec;
}

/** B is counted as A is: with the same window, overhead and thinking, as if it were chosen. */
export function useComparedSpecs(): ComparedSpecs | null {
  const id = useAppState((state) => state.session.id);
  const a = useProjectedSpec();
  const b = useAppState((state) => state.compare.b);
  const window = useAppState((state) => state.projection.window);
  const overhead = useAppState((state) => state.session.overhead);
  return useMemo(() => {
    if (id === null || a === null || b === null) return null;
    const kept = keepThinking(b.spec, a);
    return { id, a, b: specWithWindow(overhead === 0 ? kept : setOverhead(kept, overhead), window) };
  }, [id, a, b, window, overhead]);
}

/** A run of lines whose fold is open. */
export interface OpenSpan {
  readonly from: number;
  readonly to: number;
}

/** Both requests at the call point. The answer before stays until the new one is here. */
export function useComparison(
  specs: ComparedSpecs | null,
  open: readonly OpenSpan[],
  tries: number,
): Answer<ComparedInfo> {
  const at = useAppState((state) => state.projection.at);
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const counted = useAppState((state) => state.session.info?.counted ?? 0);
  const isFinal = useAppState((state) => state.projection.info?.final ?? false);
  const params = specs && { ...specs, at, open, rows: { from: 0, to: PAGE } };
  return useAnswer('compare.set', params, { about: specs?.id ?? null, again: [messages, counted, isFinal, tries] });
}

/** Both policies along the session, and how far that is. */
export interface Along extends Answer<ComparedAlong> {
  readonly progress: { readonly done: number; readonly total: number } | null;
  readonly isStopped: boolean;
  stop(): void;
  begin(): void;
}

/** Rows by number, fetched page by page. */
export interface ComparedRows {
  rowAt(row: number): ComparedRow | null;
  /** Brings the rows [from, to). */
  ensure(from: number, to: number): void;
}

/** The rows of a comparison; `onLost` = the engine has it no more. */
export function useComparedRows(info: ComparedInfo | null, onLost: () => void): ComparedRows {
  const { engine } = useApp();
  const { toast } = useActions();
  const [, draw] = useState(0);
  const held = useRef<{ id: string; pages: Map<number, readonly ComparedRow[]>; asked: Set<number> } | null>(null);
  if (info !== null && held.current?.id !== info.comparisonId) {
    const pages = new Map([[0, info.rows.rows]]);
    held.current = { id: info.comparisonId, pages, asked: new Set([0]) };
  }
  const isThere = useRef(true);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);
  const fetchPage = async (page: number): Promise<void> => {
    const now = held.current;
    if (now === null || now.asked.has(page)) return;
    now.asked.add(page);
    try {
      const asked = { comparisonId: now.id, from: page * PAGE, to: (page + 1) * PAGE };
      const { rows } = await engine.call('compare.rows', asked);
      now.pages.set(page, rows);
      for (const oldest of now.pages.keys()) {
        if (now.pages.size <= MOST_PAGES) break;
        now.pages.delete(oldest);
        now.asked.delete(oldest);
      }
      if (isThere.current && held.current === now) draw((count) => count + 1);
    } catch (thrown) {
      if (!isThere.current || held.current !== now) return;
      const { code, message } = toProtocolError(thrown);
      // Made again, the comparison has its rows again. After another error the page is not asked for at every scroll.
      if (isForgotten(code)) {
        now.asked.delete(page);
        onLost();
      } else toast({ tone: 'error', text: 'Some rows could not be read.', detail: message });
    }
  };
  return {
    rowAt: (row) => held.current?.pages.get(Math.floor(row / PAGE))?.[row % PAGE] ?? null,
    ensure(from, to) {
      for (let page = Math.floor(Math.max(0, from) / PAGE); page * PAGE < to; page++) void fetchPage(page);
    },
  };
}
