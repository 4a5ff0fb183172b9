import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { useNow } from '../follow/useNow.ts';
import { menuAtActive } from '../parts/menuAtActive.ts';
import { useActions, useAppState, useStateNow } from '../state/context.tsx';
import { groupName, type LibraryLine } from './groups.ts';
import { LibraryItem } from './LibraryItem.tsx';
import { LibraryMenu } from './LibraryMenu.tsx';
import type { Held } from './selection.ts';
import type { LibraryList as List } from './useLibraryList.ts';
import type { Fold } from './useUnfolded.ts';

/** Heights of a heading and of a transcript, in px. */
const HEADING = 27;
const ITEM = 42;

interface Props {
  readonly lines: readonly LibraryLine[];
  readonly list: List;
  readonly onFold: Fold;
  /** A click that may choose; true if it did. */
  readonly onChoose: (id: string, held: Held) => boolean;
  /** Shown in place of, or above, the lines. */
  readonly children: ReactNode;
}

/** The transcripts as a virtualised list: a library may hold many thousands. */
export function LibraryList({ lines, list, onFold, onChoose, children }: Props) {
  const { open, focusLine, remove } = useActions();
  const openId = useStateNow((state) => state.session.id);
  const { focused, selected, tags } = useAppState((state) => state.library);
  const group = useAppState((state) => state.library.view.group);
  const scroller = useRef<HTMLDivElement>(null);
  const count = lines.filter((line) => line.kind === 'transcript').length;
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => (lines[at]?.kind === 'group' ? HEADING : ITEM),
    getItemKey: (at) => `${at} ${lines[at]?.kind}`,
    overscan: 8,
  });
  const isGrouped = lines.some((line) => line.kind === 'group');
  const current = focused ?? openId;
  const now = useNow(false);
  useEffect(() => {
    const at = lines.findIndex((line) => line.kind === 'transcript' && line.transcript.id === focused);
    if (at >= 0) virtualizer.scrollToIndex(at);
  }, [focused, lines, virtualizer]);
  const reveal = (line: number) => {
    const { range } = virtualizer;
    const isInSight = range !== null && line > range.startIndex && line < range.endIndex;
    if (!isInSight) virtualizer.scrollToIndex(line, { align: 'center' });
  };
  useReveal(openId, lines, reveal);
  // With nothing in it there is only a notice.
  const tree = {
    role: 'tree',
    tabIndex: 0,
    'aria-label': 'Transcripts',
    'aria-multiselectable': true,
    'aria-activedescendant': current === null ? undefined : `transcript-${current}`,
  } as const;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a tree, where there is anything in it
    <div
      ref={scroller}
      id="library-list"
      className="library-list"
      onContextMenu={menuAtActive}
      {...(lines.length > 0 && tree)}
    >
      {children}
      <LibraryMenu>
        <div className="library-lines" style={{ height: virtualizer.getTotalSize() }} role="presentation">
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const line = lines[index];
            if (!line) return null;
            return (
              <div
                key={index}
                className="library-line"
                style={{ transform: `translateY(${start}px)` }}
                role="presentation"
              >
                {line.kind === 'group' ? (
                  // biome-ignore lint/a11y/useFocusableInteractive: the tree keeps the focus
                  <div
                    className="library-group"
                    role="treeitem"
                    aria-level={1}
                    aria-expanded
                    aria-selected={false}
                    title={line.value}
                  >
                    <span className="ellipsis">{groupName(line.value, group)}</span>
                    <span className="num">{line.count.toLocaleString('en')}</span>
                  </div>
                ) : (
                  <LibraryItem
                    line={line}
                    count={count}
                    isGrouped={isGrouped}
                    alone={line.alone === null ? null : groupName(line.alone, group)}
                    apart={list.apart.get(line.transcript.id) ?? ''}
                    titleOf={list.titleOf}
                    tags={tags}
                    now={now}
                    isOpen={line.transcript.id === openId}
                    isFocused={line.transcript.id === focused}
                    isSelected={selected.has(line.transcript.id)}
                    onOpen={(held) => {
                      if (onChoose(line.transcript.id, held)) return;
                      focusLine(null);
                      void open(line.transcript.id);
                    }}
                    onRemove={() => void remove([line.transcript.id])}
                    onFold={() => onFold(line.transcript.id, line.isUnfolded)}
                  />
                )}
              </div>
            );
          })}
        </div>
      </LibraryMenu>
    </div>
  );
}

/** Brings the open transcript into sight once, from wherever it was opened; after that the list stays where it is put. */
function useReveal(openId: string | null, lines: Props['lines'], scrollTo: (line: number) => void): void {
  const revealed = useRef<string | null>(null);
  useEffect(() => {
    if (openId === revealed.current) return;
    const at = lines.findIndex((line) => line.kind === 'transcript' && line.transcript.id === openId);
    if (at < 0) return;
    revealed.current = openId;
    scrollTo(at);
  }, [openId, lines, scrollTo]);
}
