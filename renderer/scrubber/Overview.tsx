import { type PointerEvent, useMemo, useRef } from 'react';
import { useActions, useAppState } from '../state/context.tsx';
import { CHART, type Chart, layOut, requestOf } from '../ui/chart.ts';
import { useWidth } from '../ui/useExtent.ts';

const HEIGHT = 20;
/** The overview has no labels beside it. */
const MARGIN = CHART.left + CHART.right;

/** The whole session, small, with a window over what the chart shows. A click or a drag looks there. */
export function Overview({ chart }: { readonly chart: Chart }) {
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element);
  const points = useAppState((state) => state.series.series?.points);
  const { lookAt } = useActions();
  const { axis, extent, look, beside } = chart;
  const whole = useMemo(
    () => layOut(points ?? [], width + MARGIN, null, beside, { axis, look: null }),
    [points, width, beside, axis],
  );
  const path = useMemo(() => outline(whole), [whole]);
  const span = extent.to - extent.from;
  const place = (unit: number) => ((unit - extent.from) / Math.max(1e-9, span)) * width;
  const moveTo = (event: PointerEvent<HTMLElement>) => {
    const share = (event.clientX - event.currentTarget.getBoundingClientRect().left) / Math.max(1, width);
    const half = (look.to - look.from) / 2;
    const middle = extent.from + share * span;
    lookAt({ from: middle - half, to: middle + half });
  };
  const isPart = look.from > extent.from || look.to < extent.to;
  return (
    <div
      ref={element}
      className="chart-overview"
      style={{ height: HEIGHT }}
      data-testid="chart-overview"
      aria-hidden="true"
      onPointerDown={(event) => {
        if (event.button !== 0 || !isPart) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        moveTo(event);
      }}
      onPointerMove={(event) => event.buttons === 1 && isPart && moveTo(event)}
    >
      <svg width={width} height={HEIGHT} aria-hidden="true">
        <path d={path} className="overview-bars" />
        {isPart && (
          <rect
            className="overview-window"
            x={place(look.from) + 0.5}
            y={0.5}
            width={Math.max(3, place(look.to) - place(look.from) - 1)}
            height={HEIGHT - 1}
            rx={2}
          />
        )}
      </svg>
    </div>
  );
}

function outline(chart: Chart): string {
  const top = (tokens: number) => Math.round((HEIGHT - (tokens / chart.max) * (HEIGHT - 2)) * 10) / 10;
  return chart.bars
    .map(({ point, x, width }) => {
      const left = Math.round((x - CHART.left) * 10) / 10;
      return `M${left} ${HEIGHT}V${top(requestOf(chart, point))}h${Math.round(width * 10) / 10}V${HEIGHT}z`;
    })
    .join('');
}
