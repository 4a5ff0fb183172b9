import './timeline.css';
import { type CSSProperties, useRef } from 'react';
import { RowMenu } from '../fork/RowMenu.tsx';
import { menuAtActive } from '../parts/menuAtActive.ts';
import { useAppState } from '../state/context.tsx';
import { rowAt } from '../state/rowPages.ts';
import { isSelected } from '../state/selectionActions.ts';
import { useSentWords } from '../state/useSentWords.ts';
import { lazily } from '../ui/lazily.tsx';
import { LINE_HEIGHT, rowTop } from '../ui/rowLayout.ts';
import { TIMELINE_ID } from '../ui/useFocusReturn.ts';
import { RowUses } from '../uses/RowUses.tsx';
import { FreshChip } from './FreshChip.tsx';
import { PaneHeader } from './PaneHeader.tsx';
import { RowLine } from './RowLine.tsx';
import { RowPlaceholder } from './RowPlaceholder.tsx';
import { indexWidth } from './rowText.ts';
import { TimelineNotice } from './TimelineNotice.tsx';
import { TurnLine } from './TurnLine.tsx';
import { useRowWindow } from './useRowWindow.ts';
import { useTimelineKeys } from './useTimelineKeys.ts';

const RowRuler = lazily(() => import('../ruler/RowRuler.tsx').then((file) => file.RowRuler));

/** Both panes: one virtualised list whose rows have a raw and a projected cell, so that they are always aligned. */
export function Timeline() {
  const layout = useAppState((state) => state.ui.layout);
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const dimInjected = useAppState((state) => state.ui.dimInjected);
  // Rows without figures: the raw history, until the projection that was asked for is there.
  const isProvisional = useAppState((state) => state.projection.info === null);
  const density = useAppState((state) => state.ui.density);
  const style = { '--index': `${indexWidth(messages)}px`, '--row': `${LINE_HEIGHT[density]}px` } as CSSProperties;
  return (
    <div
      className={dimInjected ? 'timeline timeline-dim' : 'timeline'}
      data-layout={layout}
      data-density={density}
      data-provisional={isProvisional}
      style={style}
    >
      <TimelineNotice />
      <TurnLine />
      <TimelineGrid />
      <div className="timeline-ring" />
      <RowRuler />
      <FreshChip />
    </div>
  );
}

function TimelineGrid() {
  const scroller = useRef<HTMLDivElement>(null);
  const range = useRowWindow(scroller);
  const pages = useAppState((state) => state.projection.pages);
  const open = useAppState((state) => state.projection.open);
  const selection = useAppState((state) => state.selection);
  const cursor = useAppState((state) => state.projection.selectionRow);
  const layout = useAppState((state) => state.ui.layout);
  const isOnce = useAppState((state) => state.ui.shownOnce);
  const callPoint = useAppState((state) => state.projection.info?.at ?? null);
  const isSent = useSentWords()?.isSent ?? true;
  const onKeyDown = useTimelineKeys(scroller);
  const rows = [];
  for (let number = range.from; number < range.to; number++) {
    const held = rowAt(pages, number);
    const top = rowTop(number, range.layout);
    if (!held) {
      rows.push(<RowPlaceholder key={`empty${number}`} top={top} />);
      continue;
    }
    const { row } = held;
    rows.push(
      <RowLine
        key={`${number}:${row.key}`}
        row={row}
        number={number}
        top={top}
        layout={layout}
        isSelected={isSelected(selection, row)}
        isCursor={number === cursor}
        isCallPoint={row.kind === 'part' && row.index === callPoint && row.firstOfMessage}
        isSent={isSent}
        isOnce={isOnce}
        isOpen={!held.stale && open.some((one) => one.row === number && one.key === row.key)}
      />,
    );
  }
  // What is scrolled away is not drawn: nothing must point at it.
  const isDrawn = cursor !== null && cursor >= range.from && cursor < range.to;
  const active = isDrawn ? rowAt(pages, cursor)?.row.key : undefined;
  return (
    <div
      ref={scroller}
      id={TIMELINE_ID}
      className="timeline-scroll"
      role="treegrid"
      tabIndex={0}
      aria-label="Messages"
      aria-rowcount={pages.total + 1}
      aria-colcount={layout === 'side' ? 2 : 1}
      aria-activedescendant={active === undefined ? undefined : `row-${active}`}
      onKeyDown={onKeyDown}
      onContextMenu={menuAtActive}
      data-testid="timeline"
      data-projection={pages.projectionId ?? undefined}
    >
      <RowUses pages={pages} from={range.from} to={range.to}>
        <PaneHeader />
        <RowMenu>
          <div className="timeline-rows" style={{ height: range.height }} role="presentation">
            {rows}
          </div>
        </RowMenu>
      </RowUses>
    </div>
  );
}
