import { useMemo, useRef, useState } from 'react';
import type { SweepInfo, SweptPoint } from '../../core/protocol/tuneTypes.ts';
import { formatCount } from '../ui/format.ts';
import { useWidth } from '../ui/useExtent.ts';
import { type ChartScale, frontPath, keptShare, ROOM, scaleOf, tickWords } from './chartScale.ts';
import { PointSign } from './PointSign.tsx';
import { costText, keptUses, MEASURE_TITLE, type Measure, markOf, measureOf, pointTitle, tokensText } from './words.ts';

interface Props {
  readonly info: SweepInfo;
  readonly measure: Measure;
  readonly chosen: SweptPoint | null;
  readonly now: SweptPoint | null;
  readonly onChoose: (point: SweptPoint) => void;
}

const HEIGHT = 270;

/** What each point costs against what it keeps of what was used. Its table is the twin for whoever does not see it. */
export function FrontierChart({ info, measure, chosen, now, onChoose }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [hovered, hover] = useState<SweptPoint | null>(null);
  const scale = useMemo(() => scaleOf(info.points, measure, { width, height: HEIGHT }), [info.points, measure, width]);
  const uses = Math.max(0, ...info.points.map((point) => point.uses));
  return (
    <div ref={frame} className="tune-chart" data-testid="tune-chart">
      {scale !== null && (
        <svg width={width} height={HEIGHT} aria-hidden="true" onPointerLeave={() => hover(null)}>
          <text className="tune-axis" x={ROOM.left} y={13}>
            Uses kept: of what messages relied on, how much would still be in the request
          </text>
          <Grid scale={scale} measure={measure} />
          <Limit scale={scale} uses={uses} most={info.asked.maxUsesGone} />
          <path className="tune-front-line" d={frontPath(info.points, measure, scale)} />
          {now !== null && <NowSign point={now} measure={measure} scale={scale} />}
          {drawnOrder(info.points, chosen).map((point) => (
            <Mark
              key={JSON.stringify(point.values)}
              point={point}
              measure={measure}
              scale={scale}
              isChosen={point === chosen}
              onHover={hover}
              onChoose={onChoose}
            />
          ))}
        </svg>
      )}
      {scale === null && <p className="tune-note faint">The first points are on their way…</p>}
      {hovered !== null && scale !== null && <Tip info={info} point={hovered} measure={measure} scale={scale} />}
    </div>
  );
}

// The frontier and the chosen point are drawn over the others.
function drawnOrder(points: readonly SweptPoint[], chosen: SweptPoint | null): readonly SweptPoint[] {
  const rank = (point: SweptPoint) => (point === chosen ? 2 : point.front ? 1 : 0);
  return points.toSorted((a, b) => rank(a) - rank(b));
}

function Grid({ scale, measure }: { readonly scale: ChartScale; readonly measure: Measure }) {
  const { width, height, x, y, xTicks, yTicks } = scale;
  const words = tickWords(xTicks, measure);
  return (
    <g className="tune-grid">
      {yTicks.map((tick) => (
        <g key={tick}>
          <path d={`M${ROOM.left} ${y(tick)}H${width - ROOM.right}`} />
          <text x={ROOM.left - 8} y={y(tick) + 4} textAnchor="end">
            {Number((tick * 100).toFixed(2))}%
          </text>
        </g>
      ))}
      {xTicks.map((tick, at) => (
        <g key={tick}>
          <path d={`M${x(tick)} ${ROOM.top}V${height - ROOM.bottom}`} />
          <text x={x(tick)} y={height - ROOM.bottom + 15} textAnchor="middle">
            {words[at]}
          </text>
        </g>
      ))}
      <text x={width - ROOM.right} y={height - 6} textAnchor="end">
        {measure === 'cost'
          ? 'Input cost of all requests and the next, cache included'
          : `${MEASURE_TITLE[measure]} of its requests`}
      </text>
    </g>
  );
}

/** What breaks the condition lies in the hatched part. */
function Limit({
  scale,
  uses,
  most,
}: {
  readonly scale: ChartScale;
  readonly uses: number;
  readonly most: number | null;
}) {
  if (most === null || uses === 0) return null;
  const bottom = scale.height - ROOM.bottom;
  const at = Math.min(bottom, Math.max(ROOM.top, scale.y(1 - most / uses)));
  const width = scale.width - ROOM.left - ROOM.right;
  return (
    <g className="tune-limit">
      <rect x={ROOM.left} y={at} width={width} height={Math.max(0, bottom - at)} />
      <path d={`M${ROOM.left} ${at}h${width}`} />
      <text x={ROOM.left + 5} y={at - 4}>
        uses gone ≤ {formatCount(most)}
      </text>
    </g>
  );
}

interface MarkProps {
  readonly point: SweptPoint;
  readonly measure: Measure;
  readonly scale: ChartScale;
  readonly isChosen: boolean;
  readonly onHover: (point: SweptPoint | null) => void;
  readonly onChoose: (point: SweptPoint) => void;
}

function Mark({ point, measure, scale, isChosen, onHover, onChoose }: MarkProps) {
  const value = measureOf(point, measure);
  if (value === null) return null;
  const [x, y] = [scale.x(value), scale.y(keptShare(point))];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the chart is for the pointer; the table beneath is its twin
    <g className="tune-hit" onPointerEnter={() => onHover(point)} onClick={() => onChoose(point)}>
      <circle cx={x} cy={y} r={12} fill="transparent" />
      <PointSign mark={markOf(point)} x={x} y={y} isChosen={isChosen} />
    </g>
  );
}

function NowSign({ point, measure, scale }: Pick<MarkProps, 'point' | 'measure' | 'scale'>) {
  const value = measureOf(point, measure);
  if (value === null) return null;
  const [x, y] = [scale.x(value), scale.y(keptShare(point))];
  return <rect className="tune-now" x={x - 8} y={y - 8} width={16} height={16} />;
}

const TIP_WIDTH = 230;

function Tip({
  info,
  point,
  measure,
  scale,
}: { readonly info: SweepInfo } & Pick<MarkProps, 'point' | 'measure' | 'scale'>) {
  const x = scale.x(measureOf(point, measure) ?? 0);
  const y = scale.y(keptShare(point));
  const left = x + TIP_WIDTH + 20 > scale.width ? x - TIP_WIDTH - 14 : x + 14;
  return (
    <div className="tune-tip" style={{ left, top: Math.min(y, HEIGHT - 120), width: TIP_WIDTH }} role="presentation">
      <b>{pointTitle(info, point)}</b>
      <dl>
        <dt>Input cost</dt>
        <dd>{costText(point)}</dd>
        <dt>Uses kept</dt>
        <dd>
          {formatCount(keptUses(point))} of {formatCount(point.uses)}
        </dd>
        <dt>Peak</dt>
        <dd>{tokensText(point.tokens.peak, point)}</dd>
      </dl>
      <span className="faint">Click: choose it.</span>
    </div>
  );
}
