// biome-ignore-all lint/a11y/useSemanticElements: a virtualised grid is not a table
import './library.css';
import './keep.css';
import './table.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { menuAtActive } from '../parts/menuAtActive.ts';
import { useApp, useAppState, useStateNow } from '../state/context.tsx';
import { useWidth } from '../ui/useExtent.ts';
import { TIMELINE_ID } from '../ui/useFocusReturn.ts';
import { groupName, libraryLines } from './groups.ts';
import { ImportJobs } from './ImportJobs.tsx';
import { LibraryMenu } from './LibraryMenu.tsx';
import { LibraryNotice } from './LibraryNotice.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { SurveyBar } from './SurveyBar.tsx';
import { TableHead } from './TableHead.tsx';
import { TableRow } from './TableRow.tsx';
import { TableTools } from './TableTools.tsx';
import { fitColumns } from './tableColumns.ts';
import { useLibraryKeys } from './useLibraryKeys.ts';
import { useLibraryList } from './useLibraryList.ts';

const ROW = 28;

/** The library in place of everything else: all transcripts with their figures, sorted by a click on a column. */
export function LibraryTable() {
  const { store, actions } = useApp();
  const openId = useStateNow((state) => state.session.id);
  const { focused, selected, tags } = useAppState((state) => state.library);
  const { group } = useAppState((state) => state.library.view);
  const list = useLibraryList();
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller);
  const [own, setOwn] = useState<Readonly<Record<string, number>>>({});
  const columns = useMemo(() => fitColumns(width - 12, own, group), [width, own, group]);
  const lines = useMemo(() => {
    const all = new Set(list.under.keys());
    return libraryLines(list.groups, list.under, all, group !== 'none');
  }, [list, group]);
  const shown = useMemo(() => lines.flatMap((line) => (line.kind === 'transcript' ? [line.transcript] : [])), [lines]);
  const { onKey, onClick } = useLibraryKeys(shown);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  const current = focused ?? openId;
  useEffect(() => {
    const at = lines.findIndex((line) => line.kind === 'transcript' && line.transcript.id === current);
    if (at >= 0) rows.scrollToIndex(at);
  }, [current, lines, rows]);
  useEffect(() => {
    scroller.current?.focus();
    return () => {
      // What had the focus is gone with the table, unless something else was meant.
      if (document.activeElement === document.body) document.getElementById(TIMELINE_ID)?.focus();
    };
  }, []);

  const open = (id: string) => {
    actions.toggleWide();
    actions.focusLine(null);
    void actions.open(id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Menus and lists that stand open have their own keys, and so have buttons.
    if (event.defaultPrevented) return;
    if (event.target instanceof HTMLButtonElement && event.key !== 'Escape') return;
    const isField = event.target instanceof HTMLInputElement;
    const { library } = store.getState();
    if (event.key === 'Enter' && current !== null) open(current);
    else if (event.key === 'Escape' && isField && library.filter !== '') actions.setFilter('');
    else if (event.key === 'Escape' && library.selected.size === 0) actions.toggleWide();
    else if (!onKey(event)) return;
    event.preventDefault();
  };

  return (
    <main className="library-table" aria-label="Library" onKeyDown={onKeyDown} data-testid="library-table">
      <h1 className="visually-hidden">Library</h1>
      <TableTools list={list} />
      <div
        ref={scroller}
        id="library-list"
        className="table-scroll"
        role="grid"
        tabIndex={0}
        aria-label="Transcripts"
        onContextMenu={menuAtActive}
        aria-multiselectable
        aria-rowcount={shown.length}
        aria-activedescendant={current === null ? undefined : `transcript-${current}`}
      >
        <TableHead columns={columns} onResize={(key, px) => setOwn((before) => ({ ...before, [key]: px }))} />
        {lines.length === 0 && (
          // biome-ignore lint/a11y/useFocusableInteractive: the grid keeps the focus
          <div role="row">
            {/* biome-ignore lint/a11y/useFocusableInteractive: the grid keeps the focus */}
            <div role="gridcell">
              <LibraryNotice isFilteredEmpty={list.isNarrowed} />
            </div>
          </div>
        )}
        <LibraryMenu>
          <div className="library-lines" style={{ height: rows.getTotalSize() }} role="presentation">
            {rows.getVirtualItems().map(({ index, start }) => {
              const line = lines[index];
              if (!line) return null;
              if (line.kind === 'group') {
                return (
                  // biome-ignore lint/a11y/useFocusableInteractive: the grid keeps the focus
                  <div
                    key={index}
                    className="table-group"
                    role="row"
                    title={line.value}
                    style={{ transform: `translateY(${start}px)` }}
                  >
                    {/* biome-ignore lint/a11y/useFocusableInteractive: the grid keeps the focus */}
                    <span role="rowheader" aria-colspan={columns.length}>
                      {groupName(line.value, group)} <span className="num">{line.count.toLocaleString('en')}</span>
                    </span>
                  </div>
                );
              }
              const { id } = line.transcript;
              return (
                <TableRow
                  key={index}
                  line={line}
                  columns={columns}
                  top={start}
                  alone={line.alone === null ? null : groupName(line.alone, group)}
                  apart={list.apart.get(id) ?? ''}
                  titleOf={list.titleOf}
                  tags={tags}
                  isOpen={id === openId}
                  isFocused={id === current}
                  isSelected={selected.has(id)}
                  onClick={(event) => {
                    if (!onClick(id, event)) actions.focusLine(id);
                  }}
                  onOpen={() => open(id)}
                />
              );
            })}
          </div>
        </LibraryMenu>
      </div>
      <SurveyBar />
      <ImportJobs />
      <SelectionBar />
    </main>
  );
}
