import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { useActions } from '../state/context.tsx';
import { type LibraryLine, projectName } from './groups.ts';
import { LibraryItem } from './LibraryItem.tsx';
import type { Fold } from './useUnfolded.ts';

const LINE = 27;

interface Props {
  readonly lines: readonly LibraryLine[];
  readonly openId: string | null;
  readonly focused: string | null;
  readonly onFocus: (id: string | null) => void;
  readonly onRemove: (id: string) => void;
  readonly onFold: Fold;
  /** Shown in place of, or above, the lines. */
  readonly children: ReactNode;
}

/** The transcripts as a virtualised list: a library may hold many thousands. */
export function LibraryList({ lines, openId, focused, onFocus, onRemove, onFold, children }: Props) {
  const { open } = useActions();
  const scroller = useRef<HTMLDivElement>(null);
  const count = lines.filter((line) => line.kind === 'transcript').length;
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE,
    overscan: 8,
  });
  const current = focused ?? openId;
  useEffect(() => {
    const at = lines.findIndex((line) => line.kind === 'transcript' && line.transcript.id === focused);
    if (at >= 0) virtualizer.scrollToIndex(at);
  }, [focused, lines, virtualizer]);
  return (
    <div
      ref={scroller}
      id="library-list"
      className="library-list"
      role="tree"
      tabIndex={0}
      aria-label="Transcripts"
      aria-activedescendant={current === null ? undefined : `transcript-${current}`}
    >
      {children}
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
                <h2 className="library-group ellipsis" title={line.name}>
                  {projectName(line.name)}
                </h2>
              ) : (
                <LibraryItem
                  line={line}
                  count={count}
                  isOpen={line.transcript.id === openId}
                  isFocused={line.transcript.id === focused}
                  onOpen={() => {
                    onFocus(null);
                    void open(line.transcript.id);
                  }}
                  onRemove={() => onRemove(line.transcript.id)}
                  onFold={() => onFold(line.transcript.id, line.isUnfolded)}
                />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
