import './analytics.css';
import { useState } from 'react';
import { valueFilter } from '../../core/filter/pieces.ts';
import type { StatsInfo } from '../../core/protocol/types.ts';
import { FilterField } from '../library/FilterField.tsx';
import { useActions, useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { DrawerNote } from '../ui/DrawerNote.tsx';
import { formatCount, plural } from '../ui/format.ts';
import { Modal } from '../ui/Modal.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { DayChart } from './DayChart.tsx';
import { RangeChoice } from './RangeChoice.tsx';
import { StatLists } from './StatLists.tsx';
import { StatTable } from './StatTable.tsx';
import { StatTiles } from './StatTiles.tsx';
import { GROUPS, type GroupBy, MEASURES, type Measure } from './words.ts';

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** What the transcripts of the list come to: figures, bars by day, projects, models, tools, findings; each leads to its transcripts. */
export function AnalyticsDialog({ onClose }: { readonly onClose: () => void }) {
  const { filter, facets } = useAppState((state) => state.library);
  // Made again when the list changes: something was imported, or looked through.
  const list = useAppState((state) => state.library.transcripts);
  const { value, error } = useAnswer('library.stats', { filter, facets, zone: ZONE }, { wait: 150, again: [list] });
  return (
    <Modal title="Library analytics" testId="analytics" width="large" onClose={onClose} isRead>
      {error !== null ? (
        <p className="drawer-error">The figures could not be read: {error.message}</p>
      ) : value === null ? (
        <DrawerNote>Figures are being added up…</DrawerNote>
      ) : (
        <Analytics stats={value} onClose={onClose} />
      )}
    </Modal>
  );
}

function Analytics({ stats, onClose }: { readonly stats: StatsInfo; readonly onClose: () => void }) {
  const [by, setBy] = useState<GroupBy>('day');
  const [measure, setMeasure] = useState<Measure>('cost');
  const filter = useAppState((state) => state.library.filter);
  const { setFilter } = useActions();
  const show = (piece: string): void => {
    setFilter([filter.trim(), piece].filter(Boolean).join(' '));
    onClose();
  };
  const showValue = (field: string, value: string): void => {
    if (value !== '') show(valueFilter(field, value));
  };
  return (
    <div className="analytics">
      <div className="analytics-tools">
        <FilterField id="analytics-filter" />
        <RangeChoice />
        <span className="grow" />
        <span className="mute">Group by</span>
        <Segmented label="Group by" value={by} options={GROUPS} onChange={setBy} />
        <Segmented label="Measure" value={measure} options={MEASURES} onChange={setMeasure} />
      </div>
      {stats.total.transcripts === 0 ? (
        <DrawerNote>No transcript matches these filters.</DrawerNote>
      ) : (
        <>
          <StatTiles stats={stats} />
          <Partial stats={stats} />
          <DayChart stats={stats} measure={measure} onShow={(day) => show(dayPiece(day))} />
          <StatLists stats={stats} measure={measure} onShow={showValue} />
          <StatTable
            stats={stats}
            by={by}
            onShow={(value) => (by === 'day' ? show(dayPiece(value)) : showValue(by, value))}
          />
        </>
      )}
    </div>
  );
}

/** The transcripts that were active on a day or after it, and on no later one. */
function dayPiece(day: string): string {
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return `after:${day} before:${next.toISOString().slice(0, 10)}`;
}

/** What is not in the figures, in words. */
function Partial({ stats: { total, looked, due, failed, copies, bundles } }: { readonly stats: StatsInfo }) {
  const unrecorded = looked - total.recordedTranscripts;
  const notes = [
    due > 0 && `${formatCount(due)} not looked through yet: not in tokens, cost, tools and findings`,
    failed > 0 && `${plural(failed, 'transcript')} could not be looked through`,
    unrecorded > 0 && `${plural(unrecorded, 'transcript')} without recorded usage: not in tokens and cost`,
    total.unpriced > 0 && `${plural(total.unpriced, 'request')} of models whose prices are not known: not in cost`,
    copies > 0 && `${plural(copies, 'transcript')} share a beginning with another one; it is counted in both`,
    bundles > 0 && `${plural(bundles, 'bundle')} left out`,
  ].filter(Boolean);
  if (notes.length === 0) return null;
  return (
    <p className="analytics-partial mute" data-testid="analytics-partial">
      {notes.join(' · ')}
    </p>
  );
}
