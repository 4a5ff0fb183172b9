import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { ReviewFinished, ReviewHits, ReviewRow } from '../../core/protocol/reviewTypes.ts';
import { useApp } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { formatBytes, formatCount, plural } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';

interface Props {
  readonly reviewId: string;
  /** Changes with each decision: rows are read again. */
  readonly version: number;
  readonly finished: ReviewFinished;
}

const ROW_HEIGHT = 18;
/** Rows that are asked for at once. */
const PAGE = 100;

/** The file that would be written, byte for byte, stand-ins marked; searched by the engine. */
export function WholeFile({ reviewId, version, finished }: Props) {
  const [text, setText] = useState('');
  const [nth, setNth] = useState(0);
  const frame = useRef<HTMLElement>(null);
  const rows = useVirtualizer({
    count: finished.rows,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const asked = text.trim() === '' ? null : { reviewId, text };
  const { value: hits } = useAnswer('review.search', asked, { wait: 200, about: `${reviewId} ${version} ${text}` });
  const hit = hits?.hits[nth] ?? null;
  useEffect(() => {
    if (hit !== null) rows.scrollToIndex(hit.row, { align: 'center' });
  }, [hit, rows]);
  const go = (step: 1 | -1) => {
    const count = hits?.hits.length ?? 0;
    if (count > 0) setNth((nth + step + count) % count);
  };
  const items = rows.getVirtualItems();
  const pages = [...new Set(items.map(({ index }) => Math.floor(index / PAGE)))];
  return (
    <section className="review-file" aria-label="What goes out, byte for byte">
      <div className="review-file-head">
        <b className="ellipsis">What goes out, byte for byte</b>
        <span className="mute review-file-size">
          {formatBytes(finished.bytes)}, {plural(finished.lines, 'line')}
        </span>
        <span className="mute num" role="status" data-testid="review-hits">
          {hits === null ? '' : hitsLine(hits, nth)}
        </span>
        <input
          className="field review-search"
          type="search"
          aria-label="Search what goes out"
          placeholder="Search what goes out"
          data-testid="review-search"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setNth(0);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            go(event.shiftKey ? -1 : 1);
          }}
        />
      </div>
      <section
        ref={frame}
        className="review-rows mono"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be scrolled with keys too
        tabIndex={0}
        aria-label="Rows of the file"
        data-testid="review-rows"
      >
        <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {pages.map((page) => (
            <Page
              key={`${version} ${page}`}
              reviewId={reviewId}
              version={version}
              page={page}
              items={items}
              hit={hit}
              length={text.length}
            />
          ))}
        </div>
      </section>
    </section>
  );
}

function hitsLine({ total, hits }: ReviewHits, nth: number): string {
  if (total === 0) return 'Not in it';
  return `${formatCount(Math.min(nth + 1, hits.length))} of ${formatCount(total)}`;
}

interface PageProps {
  readonly reviewId: string;
  readonly version: number;
  readonly page: number;
  readonly items: readonly { readonly index: number; readonly start: number }[];
  readonly hit: { readonly row: number; readonly from: number } | null;
  readonly length: number;
}

function Page({ reviewId, version, page, items, hit, length }: PageProps) {
  const { engine } = useApp();
  const [rows, setRows] = useState<readonly ReviewRow[] | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is another file
  useEffect(() => {
    let isWanted = true;
    engine.call('review.rows', { reviewId, from: page * PAGE, to: (page + 1) * PAGE }).then(
      (answer) => isWanted && setRows(answer.rows),
      // A decision has made this file the one before: the next one is asked for by its own page.
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [engine, reviewId, page, version]);
  return items.flatMap(({ index, start }) => {
    if (Math.floor(index / PAGE) !== page) return [];
    const row = rows?.[index - page * PAGE];
    return [
      <div key={index} className="review-row" style={{ transform: `translateY(${start}px)` }}>
        <span className="faint num review-line-number">{row?.line ?? ''}</span>
        <span className="review-row-text">
          {row && <RowText row={row} hit={hit?.row === index ? [hit.from, hit.from + length] : null} />}
        </span>
      </div>,
    ];
  });
}

function RowText({ row, hit }: { readonly row: ReviewRow; readonly hit: readonly [number, number] | null }) {
  const cuts = [...new Set([0, row.text.length, ...row.marks.flat(), ...(hit ?? [])])]
    .filter((at) => at <= row.text.length)
    .sort((a, b) => a - b);
  const isIn = (at: number, [from, to]: readonly [number, number]) => at >= from && at < to;
  return cuts.slice(0, -1).map((from, nth) => {
    const text = row.text.slice(from, cuts[nth + 1]);
    if (hit !== null && isIn(from, hit))
      return (
        <mark key={from} className="review-hit">
          {text}
        </mark>
      );
    return row.marks.some((mark) => isIn(from, mark)) ? (
      <mark key={from} className="review-after">
        {text}
      </mark>
    ) : (
      <Seen key={from} text={text} />
    );
  });
}
