import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import type { StatsInfo } from '../../core/protocol/types.ts';
import { projectName } from '../library/groups.ts';
import { plural } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { useWidth } from '../ui/useExtent.ts';
import { CHART, CHART_HEIGHT, type DayBar, type DayBars, layOutDays } from './dayBars.ts';
import { dayTitle, figureText, formatMeasure, groupTitle, MEASURES, type Measure, measured } from './words.ts';

/** Colours of the pieces: the named projects, and all others. */
const FILLS = ['var(--cat-user)', 'var(--cat-assistant)', 'var(--cat-thinking)', 'var(--cat-tool-call)'];
const LABEL_PX = 88;

interface Props {
  readonly stats: StatsInfo;
  readonly measure: Measure;
  readonly onShow: (day: string) => void;
}

/** A bar for each day, in pieces by project. Arrows move between days, Enter shows the day's transcripts. */
export function DayChart({ stats, measure, onShow }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element);
  const chart = useMemo(() => layOutDays(stats, measure, width), [stats, measure, width]);
  const [chosen, choose] = useState<string | null>(null);
  const at = chart.bars.findIndex(({ day }) => day === chosen);
  const bar = chart.bars[at] ?? null;
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9 }[event.key];
    const from = at < 0 ? chart.bars.length : at;
    if (step !== undefined) choose(chart.bars[Math.max(0, Math.min(chart.bars.length - 1, from + step))]?.day ?? null);
    else if (event.key === 'Enter' && bar?.group) onShow(bar.day);
    else return;
    event.preventDefault();
  };
  const name = MEASURES.find(({ value }) => value === measure)?.title ?? '';
  return (
    <section className="analytics-days" aria-label={`${name} by day`}>
      <Legend stats={stats} name={name} chart={chart} />
      <div
        ref={element}
        className="analytics-chart"
        style={{ height: CHART_HEIGHT }}
        role="slider"
        tabIndex={0}
        aria-label={`${name} by day; the table below has the same figures`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, chart.bars.length - 1)}
        aria-valuenow={Math.max(0, at)}
        aria-valuetext={bar === null ? 'no day chosen' : dayWords(bar, measure)}
        onKeyDown={onKeyDown}
        data-testid="analytics-chart"
      >
        <svg width={width} height={CHART_HEIGHT} aria-hidden>
          <Axis chart={chart} width={width} measure={measure} />
          {chart.bars.map((one) => (
            <Bar
              key={one.day}
              bar={one}
              isChosen={one.day === chosen}
              onChoose={() => choose(one.day)}
              onShow={onShow}
            />
          ))}
        </svg>
      </div>
      <p className="analytics-day num" role="status" data-testid="analytics-day">
        {bar === null ? (
          <span className="faint">Choose a day for its figures; Enter or a double click shows its transcripts.</span>
        ) : (
          <>
            {dayWords(bar, measure)}
            <span className="mute">
              {' '}
              <Seen text={piecesWords(bar, stats, measure)} />
            </span>
          </>
        )}
      </p>
    </section>
  );
}

function Legend({ stats, name, chart }: { readonly stats: StatsInfo; readonly name: string; readonly chart: DayBars }) {
  const names = [...stats.stacked.map((project) => groupTitle('project', project))];
  const all = stats.projects.count > stats.stacked.length ? [...names, 'other projects'] : names;
  return (
    <header className="analytics-legend">
      <h3>{name} by day</h3>
      <span className="mute">
        local days{chart.hidden > 0 ? `; ${plural(chart.hidden, 'earlier day')} in the table alone` : ''}
      </span>
      <span className="grow" />
      {all.map((each, slot) => (
        <span key={each} className="analytics-key">
          <i style={{ background: FILLS[each === 'other projects' ? 3 : slot] }} />
          <span className="ellipsis" title={each}>
            <Seen text={each} />
          </span>
        </span>
      ))}
    </header>
  );
}

function Axis({
  chart,
  width,
  measure,
}: {
  readonly chart: DayBars;
  readonly width: number;
  readonly measure: Measure;
}) {
  const step = (chart.bars[1]?.x ?? LABEL_PX) - (chart.bars[0]?.x ?? 0);
  const every = Math.max(1, Math.ceil(LABEL_PX / Math.max(1, step)));
  return (
    <g className="analytics-axis">
      {chart.ticks.map(({ y, value }) => (
        <g key={value}>
          <line x1={CHART.left} x2={width - CHART.right} y1={y} y2={y} />
          <text x={CHART.left - 6} y={y + 4} textAnchor="end">
            {formatMeasure(measure, value)}
          </text>
        </g>
      ))}
      {chart.bars.map(({ day, x }, at) =>
        at % every === 0 && x + LABEL_PX / 2 < width ? (
          <text key={day} x={x} y={CHART_HEIGHT - 6}>
            {dayTitle(day)}
          </text>
        ) : null,
      )}
    </g>
  );
}

interface BarProps {
  readonly bar: DayBar;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onShow: (day: string) => void;
}

function Bar({ bar: { day, group, x, width, pieces }, isChosen, onChoose, onShow }: BarProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the chart has the keys
    <g onClick={onChoose} onDoubleClick={() => group && onShow(day)} data-day={day}>
      <rect x={x} y={CHART.top} width={width} height={CHART.plot} fill="transparent" />
      {pieces.map(({ y, height, slot }) => (
        <rect key={slot} x={x} y={y} width={width} height={height} fill={FILLS[Math.min(slot, 3)]} />
      ))}
      {isChosen && <rect className="analytics-chosen" x={x - 1} y={CHART.top} width={width + 2} height={CHART.plot} />}
    </g>
  );
}

function dayWords({ day, group }: DayBar, measure: Measure): string {
  return `${dayTitle(day)}: ${group === null ? 'nothing' : figureText(group.figures, measure)}`;
}

function piecesWords({ group }: DayBar, { stacked }: StatsInfo, measure: Measure): string {
  const names = [...stacked.map((project) => (project === '' ? 'no project' : projectName(project))), 'other'];
  return (group?.stack ?? [])
    .flatMap((piece, slot) => {
      const value = measured(piece, measure) ?? 0;
      const name = slot === stacked.length ? 'other' : names[slot];
      return value === 0 ? [] : [`${name} ${formatMeasure(measure, value)}`];
    })
    .join(' · ');
}
