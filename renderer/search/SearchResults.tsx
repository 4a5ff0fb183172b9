import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { useActions, useAppState } from '../state/context.tsx';
import { type ResultLine, resultLines } from './resultLines.ts';
import { SearchGroupLine, SearchHitLine } from './SearchHitLine.tsx';
import { keyOfHit, useHitPresence } from './useHitPresence.ts';

const GROUP_HEIGHT = 32;
const HIT_HEIGHT = 46;
/** Lines before the end at which the next page is fetched. */
const AHEAD = 20;

/** The hits as a virtualised list, more of them as one scrolls. The field keeps the focus and points at one. */
export function SearchResults({ onOpen }: { readonly onOpen: (number: number) => void }) {
  const { hits, groups, selected, isLoading, result } = useAppState((state) => state.search);
  const { moreHits, selectHit } = useActions();
  const presences = useHitPresence(hits);
  const openId = useAppState((state) => state.session.id);
  const scroller = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => resultLines(hits, groups), [hits, groups]);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (lines[index]?.kind === 'group' ? GROUP_HEIGHT : HIT_HEIGHT),
    getItemKey: (index) => keyOf(lines[index], index),
    overscan: 6,
  });
  const shown = virtualizer.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (lines.length > 0 && last >= lines.length - AHEAD && result?.cursor) void moreHits();
  }, [last, lines.length, result, moreHits]);
  useEffect(() => {
    const at = lines.findIndex((line) => line.kind === 'hit' && line.number === selected);
    // The head of its transcript comes along.
    if (at >= 0) virtualizer.scrollToIndex(lines[at - 1]?.kind === 'group' && selected === 0 ? at - 1 : at);
  }, [selected, lines, virtualizer]);
  if (lines.length === 0) return <div className="search-results" />;
  return (
    <div
      ref={scroller}
      id="search-results"
      className="search-results"
      role="listbox"
      aria-label="Hits"
      aria-busy={isLoading}
      data-testid="search-results"
    >
      <div className="search-lines" style={{ height: virtualizer.getTotalSize() }} role="presentation">
        {shown.map(({ index, start, size, key }) => {
          const line = lines[index];
          if (line === undefined) return null;
          const style = { transform: `translateY(${start}px)`, height: size };
          return (
            <div key={key} className="search-line" style={style} role="presentation">
              {line.kind === 'group' ? (
                <SearchGroupLine group={line.group} />
              ) : (
                <SearchHitLine
                  hit={line.hit}
                  number={line.number}
                  count={hits.length}
                  isSelected={line.number === selected}
                  presence={line.hit.transcriptId === openId ? presences.get(keyOfHit(line.hit)) : undefined}
                  onOpen={() => {
                    selectHit(line.number);
                    onOpen(line.number);
                  }}
                />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function keyOf(line: ResultLine | undefined, index: number): string {
  if (line === undefined) return String(index);
  return line.kind === 'group' ? `group ${line.group.transcriptId}` : `${line.hit.transcriptId} ${line.hit.index}`;
}
