import { type ReactNode, useMemo, useRef } from 'react';
import type { ProtocolError } from '../../core/protocol/methods.ts';
import type { UsedRow } from '../../core/protocol/types.ts';
import { useAppState } from '../state/context.tsx';
import { type RowPages, rowAt } from '../state/rowPages.ts';
import { useAnswer } from '../state/useAnswer.ts';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';
import { type RowsUsed, RowUsesContext } from './rowUsesContext.ts';
import { USES_REST_MS } from './useSessionUses.ts';

/** While one scrolls through rows of a session whose uses are known. Unit: ms. */
const SCROLL_MS = 60;

interface Props {
  readonly pages: RowPages;
  /** The rows that are drawn, [from, to). */
  readonly from: number;
  readonly to: number;
  readonly children: ReactNode;
}

/** Asks what uses say of the rows that are drawn. Of another policy, or before it is known, they say nothing. */
export function RowUses({ pages, from, to, children }: Props) {
  const id = useAppState((state) => state.session.id);
  const count = useAppState((state) => state.session.info?.messages ?? 0);
  const spec = useProjectedSpec();
  const messages = useMemo(() => messagesOf(pages, from, to), [pages, from, to]);
  const about = useMemo(() => (id === null || spec === null ? null : JSON.stringify([id, spec])), [id, spec]);
  const known = useRef<string | null>(null);
  const { value, error, isLoading } = useAnswer(
    'uses.rows',
    id === null || spec === null ? null : { id, spec, messages },
    {
      about,
      wait: known.current === about ? SCROLL_MS : USES_REST_MS,
      again: [count],
    },
  );
  if (value !== null) known.current = about;
  const used = useMemo<RowsUsed>(() => {
    const rows = value && new Map(value.rows.map((row) => [keyOf(row), row]));
    return { rows, ...stateOf(error, rows === null || isLoading) };
  }, [value, error, isLoading]);
  return <RowUsesContext value={used}>{children}</RowUsesContext>;
}

function stateOf(error: ProtocolError | null, isPending: boolean): Pick<RowsUsed, 'state' | 'error'> {
  if (error?.code === 'page.not_here') return { state: 'absent', error: null };
  if (error !== null) return { state: 'failed', error: error.message };
  return { state: isPending ? 'pending' : 'known', error: null };
}

function keyOf({ index, part }: Pick<UsedRow, 'index' | 'part'>): string {
  return `${index}.${part}`;
}

function messagesOf(pages: RowPages, from: number, to: number): readonly number[] {
  const found = new Set<number>();
  for (let number = from; number < to; number++) {
    const row = rowAt(pages, number)?.row;
    if (row?.kind === 'part') found.add(row.index);
  }
  return [...found];
}
