import './lanes.css';
import { type KeyboardEvent, memo, useMemo, useRef } from 'react';
import type { FindingInfo } from '../../core/protocol/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { useChart } from '../state/useChart.ts';
import { useSessionFindings } from '../state/useSessionFindings.ts';
import { ChartSlider } from '../ui/ChartSlider.tsx';
import { CHART, type Chart, groupMarks, isInSight, middleOf } from '../ui/chart.ts';
import { titleOfKind } from '../ui/findingWords.ts';
import { plural } from '../ui/format.ts';
import { useWidth } from '../ui/useExtent.ts';

const HEIGHT = 16;
/** Px: marks that are nearer are one, with their count. */
const NEAREST = 12;
const NONE: readonly never[] = [];

/** Under the chart: where something was found. A click goes to the nearest; arrows go from one to the next. */
export function FindingsStrip() {
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element);
  const chart = useChart(width);
  const found = useSessionFindings()?.findings ?? NONE;
  const findings = useMemo(() => found.toSorted((a, b) => a.at - b.at), [found]);
  const at = useAppState((state) => state.projection.at ?? state.session.info?.messages ?? 0);
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const { goToMessage } = useActions();
  const groups = useMemo(() => groupsOf(chart, findings), [chart, findings]);
  if (findings.length === 0) return <div ref={element} />;
  const onKey = (event: KeyboardEvent): boolean => {
    const next = {
      ArrowRight: findings.find((one) => one.at > at),
      ArrowLeft: findings.findLast((one) => one.at < at),
    }[event.key];
    if (next !== undefined) void goToMessage(next.at, 0);
    return event.key === 'ArrowLeft' || event.key === 'ArrowRight';
  };
  return (
    <ChartSlider
      ref={element}
      className="lane lane-findings"
      height={HEIGHT}
      label="Findings; arrow keys go from one to the next"
      most={messages}
      now={at}
      says={`${plural(findings.length, 'finding')}, ${groups.length === 0 ? 'none' : 'some'} in sight`}
      data-testid="findings-strip"
      data-findings={findings.length}
      onKey={onKey}
      onPlace={(x) => {
        const nearest = groups.toSorted((a, b) => Math.abs(a.x - x) - Math.abs(b.x - x))[0]?.marks[0];
        if (nearest !== undefined) void goToMessage(nearest.finding.at, 0);
      }}
    >
      <Marks groups={groups} width={chart.width} />
    </ChartSlider>
  );
}

type Groups = ReturnType<typeof groupsOf>;

function groupsOf(chart: Chart, findings: readonly FindingInfo[]) {
  const placed = findings.map((finding) => ({ finding, x: middleOf(chart, finding.at) }));
  return groupMarks(
    placed.filter(({ x }) => isInSight(chart, x)),
    NEAREST,
  );
}

const Marks = memo(function Marks({ groups, width }: { readonly groups: Groups; readonly width: number }) {
  return (
    <svg className="lane-marks" width={width} height={HEIGHT} aria-hidden="true">
      <text x={CHART.left - 6} y={HEIGHT - 4} textAnchor="end">
        found
      </text>
      {groups.map(({ x, marks }) => {
        const middle = Math.min(Math.max(x, CHART.left + 4), width - 6);
        return (
          <g key={marks[0]?.finding.at} data-at={marks[0]?.finding.at} data-count={marks.length}>
            <title>{marks.map(({ finding }) => `#${finding.at}: ${titleOfKind(finding.kind)}`).join('\n')}</title>
            {marks.length === 1 ? (
              <path className="finding-mark" d={`M${middle} 3.5l4.5 4.5l-4.5 4.5l-4.5 -4.5z`} />
            ) : (
              <>
                <rect className="finding-mark" x={middle - 6} y={2} width={12} height={12} rx={6} />
                <text className="finding-count" x={middle} y={11.5} textAnchor="middle">
                  {marks.length > 9 ? '9+' : marks.length}
                </text>
              </>
            )}
          </g>
        );
      })}
    </svg>
  );
});
