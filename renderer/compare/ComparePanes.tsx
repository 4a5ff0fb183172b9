// biome-ignore-all lint/a11y/useSemanticElements: a virtualised grid is not a table
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { ComparedInfo, ComparedRow, ComparedSide } from '../../core/protocol/compareTypes.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { useSentWords } from '../state/useSentWords.ts';
import { formatCount, formatTokens, plural } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { ComparedLine } from './ComparedLine.tsx';
import { type OpenSpan, useComparedRows } from './useCompared.ts';
import type { Cursor } from './useCursor.ts';
import { useTitleOfA } from './useTitles.ts';

const ROW = 24;
const NEAR = 20;

interface Props {
  readonly info: ComparedInfo;
  readonly isLoading: boolean;
  readonly cursor: Cursor;
  readonly onOpen: (span: OpenSpan) => void;
  /** Folds everything again. */
  readonly onFold: () => void;
  readonly onLost: () => void;
}

/** Both requests, a message in one row with itself: what is equal folds, and there is a sign for what differs. */
export function ComparePanes({ info, isLoading, cursor, onOpen, onFold, onLost }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useComparedRows(info, onLost);
  const total = info.rows.total;
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 8,
  });
  // Who came by key has the rows at hand.
  useEffect(() => {
    if (document.activeElement?.contains(scroller.current)) scroller.current?.focus();
  }, []);
  const drawn = virtualizer.getVirtualItems();
  const [from, to] = [drawn[0]?.index ?? 0, (drawn.at(-1)?.index ?? 0) + 1];
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is in sight is there
  useEffect(() => rows.ensure(from - NEAR, Math.min(total, to + NEAR)), [info.comparisonId, from, to, total]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an order is carried out once
  useEffect(() => {
    if (cursor.reveal > 0 && cursor.row !== null) virtualizer.scrollToIndex(cursor.row, { align: 'center' });
  }, [cursor.reveal]);
  const moveTo = (row: number): void => {
    const to = Math.max(0, Math.min(total - 1, row));
    cursor.set(to, lineOf(rows.rowAt(to)));
    virtualizer.scrollToIndex(to);
  };
  const choose = (row: ComparedRow): void => {
    if (row.kind === 'fold') onOpen({ from: row.from, to: row.to });
    else cursor.set(row.row, row.line);
    scroller.current?.focus();
  };
  const onKeyDown = useKeys({ cursor, rows: rows.rowAt, moveTo, onOpen, onFold, page: pageOf(scroller.current) });
  return (
    <section className="compare-panes" aria-label="Both requests" aria-busy={isLoading}>
      <PaneHeads info={info} />
      <div
        ref={scroller}
        className="compare-scroll"
        role="grid"
        tabIndex={0}
        aria-label="Messages of both requests"
        aria-rowcount={total}
        aria-activedescendant={cursor.row === null ? undefined : `compared-${cursor.row}`}
        data-testid="compare-rows"
        data-comparison={info.comparisonId}
        onKeyDown={onKeyDown}
      >
        {total === 0 && <p className="compare-note faint">Neither request has a message here.</p>}
        <div style={{ height: virtualizer.getTotalSize(), position: 'relative' }} role="presentation">
          {drawn.map(({ index, start }) => (
            <ComparedLine
              key={index}
              number={index}
              top={start}
              row={rows.rowAt(index)}
              isCursor={index === cursor.row}
              onChoose={choose}
            />
          ))}
        </div>
      </div>
    </section>
  );
}

function lineOf(row: ComparedRow | null): number | null {
  if (row === null) return null;
  // Of a fold the first one: from there the next difference is looked for.
  return row.kind === 'line' ? row.line : row.from;
}

function pageOf(element: HTMLElement | null): number {
  return Math.max(1, Math.floor((element?.clientHeight ?? 0) / ROW) - 1);
}

interface KeyProps {
  readonly cursor: Cursor;
  readonly rows: (row: number) => ComparedRow | null;
  readonly moveTo: (row: number) => void;
  readonly onOpen: (span: OpenSpan) => void;
  readonly onFold: () => void;
  readonly page: number;
}

/** Arrows, N for the next difference, Shift N for the next request that differs, X swaps, Space opens and folds. */
function useKeys({ cursor, rows, moveTo, onOpen, onFold, page }: KeyProps) {
  const { swapCompared } = useActions();
  const titleA = useTitleOfA();
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = cursor.row ?? -1;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -1e9, End: 1e9 }[event.key];
    if (step !== undefined && !event.shiftKey) moveTo(row + step);
    else if (event.key === 'n') cursor.go('next');
    else if (event.key === 'p') cursor.go('previous');
    else if (event.key === 'N') cursor.go('nextCall');
    else if (event.key === 'P') cursor.go('previousCall');
    else if (event.key === 'x') swapCompared(titleA);
    else if (event.key === ' ' || event.key === 'Enter') {
      const at = rows(row);
      if (at?.kind === 'fold') onOpen({ from: at.from, to: at.to });
      else if (event.key === ' ') onFold();
      else return;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

function PaneHeads({ info }: { readonly info: ComparedInfo }) {
  const sent = useSentWords();
  const titleB = useAppState((state) => state.compare.b?.title ?? '');
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const { only_a, only_b, text } = info.counts;
  const differing = only_a + only_b + text;
  const place = info.at >= messages ? 'next' : `at #${info.at}`;
  return (
    <header className="compare-heads">
      <Head letter="A" title={sent?.title ?? ''} side={info.a} />
      <span className="compare-gutter num" title={plural(differing, 'difference')} data-testid="compare-differing">
        {info.equal ? '=' : formatCount(differing)}
      </span>
      <Head letter="B" title={`Would be sent ${place} under ${titleB}`} side={info.b} />
    </header>
  );
}

interface HeadProps {
  readonly letter: 'A' | 'B';
  readonly title: string;
  readonly side: ComparedSide;
}

function Head({ letter, title, side }: HeadProps) {
  const { tokens, provenance, items, refused, blocked, problems } = side;
  const warning =
    problems[0] ?? (refused ? 'The provider would refuse it: thinking bound to another conversation' : null);
  return (
    <div className="compare-head" data-side={letter.toLowerCase()} data-testid={`compare-head-${letter.toLowerCase()}`}>
      <b>{letter}</b>
      <span className="ellipsis">
        <Seen text={title} />
      </span>
      <span className="grow" />
      {warning !== null && (
        <span className="compare-warning ellipsis" title={warning}>
          ⚠ {warning}
        </span>
      )}
      {blocked && (
        <span className="mute" title="Stages left messages with signed thinking as they are">
          thinking kept
        </span>
      )}
      <span className="num mute">{plural(items, 'message')}</span>
      <span className="num">{formatTokens(tokens, provenance)} tok</span>
    </div>
  );
}
