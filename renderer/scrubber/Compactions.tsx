import type { CompactionMark } from '../../core/protocol/types.ts';
import { useAppState } from '../state/context.tsx';
import {
  CHART,
  type Chart,
  fitLabels,
  groupMarks,
  isInSight,
  plotWidth,
  shortLabel,
  xOfNextCall,
  yOf,
} from '../ui/chart.ts';
import { formatShort } from '../ui/format.ts';
import { flagOf, LETTER } from './axisTicks.ts';
import { windowLabelY } from './WindowLine.tsx';

const NO_MARKS: readonly CompactionMark[] = [];
/** Of a label, in px: its baseline below the flag of the call point, and its height. */
const LABEL_Y = 27;
const LABEL_HEIGHT = 13;
const STRIP_Y = 12;
/** Between a label and the line below it, and the highest baseline that keeps clear of the flag, in px. */
const LINE_GAP = 3;
const LEAST_Y = 24;
/** Lines nearer than this are one, with a count. */
const NEAREST = 5;

interface Props {
  readonly chart: Chart;
  readonly window: number | null;
  readonly at: number;
  readonly messages: number;
}

interface Line {
  readonly x: number;
  readonly at: number;
  readonly kind: CompactionMark['kind'];
  readonly title: string;
  readonly text: string;
}

/** A line where the runtime compacted; lines that meet are one, and say how many they are. */
export function Compactions({ chart, window, at, messages }: Props) {
  const marks = useAppState((state) => state.session.info?.compactionMarks ?? NO_MARKS);
  const lines = linesOf(chart, marks);
  const labelY = labelYOf(chart, window);
  const labels = labelsOf(chart, lines, takenBy(chart, { window, labelY, at, messages }));
  return lines.map((line) => {
    const label = labels.find((one) => one.line === line);
    return (
      <g key={`${line.at}${line.title}`}>
        <title>{line.title}</title>
        <path d={`M${line.x} 12V${chart.floor}`} className="compaction-line" data-kind={line.kind} />
        {label && (
          <text x={label.x} y={labelY} className="compaction-label">
            {label.text}
          </text>
        )}
      </g>
    );
  });
}

function linesOf(chart: Chart, marks: readonly CompactionMark[]): readonly Line[] {
  const placed = marks
    .map((mark) => ({ ...mark, x: xOfNextCall(chart, mark.at) }))
    .filter(({ x }) => isInSight(chart, x));
  return groupMarks(placed, NEAREST).flatMap(({ x, marks: together }) => {
    const [first] = together;
    if (first === undefined) return [];
    const title = together.map(({ label }) => label).join('\n');
    const text = together.length === 1 ? first.label : `${together.length} compactions`;
    return [{ x, at: first.at, kind: first.kind, title, text }];
  });
}

/**
 * Where the window's line would go through the labels, above it if there is room below the flag, for bars may reach up to the
 * line; else below it. In a strip beside the flag, over the bars.
 */
function labelYOf(chart: Chart, window: number | null): number {
  if (chart.isStrip) return STRIP_Y;
  if (window === null || !chart.showsWindow) return LABEL_Y;
  const line = yOf(chart, window);
  if (line <= LABEL_Y - LABEL_HEIGHT || line >= LABEL_Y + 4) return LABEL_Y;
  return line - LINE_GAP >= LEAST_Y ? line - LINE_GAP : line + LABEL_HEIGHT;
}

interface Taking {
  readonly window: number | null;
  readonly labelY: number;
  readonly at: number;
  readonly messages: number;
}

/** What labels must not lie over, in px along the line of labels. */
function takenBy(chart: Chart, { window, labelY, at, messages }: Taking) {
  const flag = flagOf(chart, at, messages);
  const isLow =
    window !== null &&
    (chart.showsWindow || !chart.isStrip) &&
    Math.abs(windowLabelY(chart, window) - labelY) < LABEL_HEIGHT;
  const words = `window ${formatShort(window ?? 0)} ↑`;
  return [
    ...(flag === null ? [] : [chart.isStrip ? flag : { x: flag.x + flag.width / 2 - 1, width: 2 }]),
    ...(isLow ? [{ x: CHART.left, width: words.length * LETTER + 8 }] : []),
  ];
}

/** Shortened to what fits before the next line, then left out. */
function labelsOf(
  chart: Chart,
  lines: readonly Line[],
  taken: readonly { readonly x: number; readonly width: number }[],
) {
  const right = CHART.left + plotWidth(chart.width);
  const wanted = lines.flatMap((line, number) => {
    const room =
      Math.min(lines[number + 1]?.x ?? right, right, ...taken.map(({ x }) => (x > line.x ? x : right))) - line.x - 8;
    const most = Math.floor(room / LETTER);
    if (most < SHORTEST) return [];
    const text = labelText(line.text, most);
    return [{ line, text, x: line.x + 4, width: text.length * LETTER }];
  });
  return fitLabels(wanted, taken);
}

/** As much of it as has room, in whole words: what a compaction did comes after its kind. */
function labelText(text: string, most: number): string {
  if (text.length <= Math.min(LONGEST, most)) return text;
  const [kind = text] = text.split(':');
  return kind.length <= most ? kind : shortLabel(kind, most);
}

/** Letters: a longer label would hide what it lies over. */
const LONGEST = 36;
/** Letters: a shorter label says nothing. */
const SHORTEST = 10;
