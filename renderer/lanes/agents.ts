// The lane of sub-agents as numbers: where each began and ended, and in which line it is drawn.
import type { ChildLink, TranscriptSummary } from '../../core/protocol/types.ts';
import { CHART, type Chart, middleOf, plotWidth, xOfPosition } from '../ui/chart.ts';
import { countBelow, type PointSource } from '../ui/pointSource.ts';

/** A sub-agent. `depth` from 1; positions among the calls of the open transcript; times in ms, null = not recorded. */
export interface AgentSpan {
  readonly id: string;
  readonly title: string;
  readonly depth: number;
  /** Source index of the call that started it, or the one it is within; null = not recorded. */
  readonly callIndex: number | null;
  readonly begins: number | null;
  readonly ends: number | null;
}

/** The sub-agents of a transcript with theirs, each behind the one that started it. */
export function agentSpans(
  children: readonly ChildLink[],
  transcripts: readonly TranscriptSummary[],
): readonly AgentSpan[] {
  const byId = new Map(transcripts.map((one) => [one.id, one]));
  const startedBy = new Map<string, TranscriptSummary[]>();
  for (const one of transcripts)
    if (one.under?.as === 'agent') startedBy.set(one.under.id, [...(startedBy.get(one.under.id) ?? []), one]);
  const spans: AgentSpan[] = [];
  const seen = new Set<string>();
  const add = (id: string, title: string, depth: number, callIndex: number | null): void => {
    if (seen.has(id)) return;
    seen.add(id);
    const known = byId.get(id);
    spans.push({
      id,
      title,
      depth,
      callIndex,
      begins: milliseconds(known?.startedAt ?? null),
      ends: milliseconds(known?.endedAt ?? null),
    });
    for (const child of startedBy.get(id) ?? []) add(child.id, child.title, depth + 1, callIndex);
  };
  for (const { id, title, callIndex, archived } of children) if (!archived) add(id, title, 1, callIndex);
  return spans;
}

function milliseconds(iso: string | null): number | null {
  const time = iso === null ? Number.NaN : Date.parse(iso);
  return Number.isNaN(time) ? null : time;
}

/** A sub-agent in its line (from 0), in px. */
export interface PlacedAgent {
  readonly span: AgentSpan;
  readonly line: number;
  readonly x: number;
  readonly width: number;
}

const LEAST = 6;

/** The sub-agents in sight: one that is nested lies below the one that started it, and none over another. */
export function placeAgents(chart: Chart, spans: readonly AgentSpan[]): readonly PlacedAgent[] {
  const lines: number[] = [];
  const placed: PlacedAgent[] = [];
  const drawn = spans.flatMap((span) => {
    const [from, to] = edges(chart, span);
    const right = CHART.left + plotWidth(chart.width);
    const [x, end] = [Math.max(CHART.left, from), Math.min(right, Math.max(to, from + LEAST))];
    return end <= CHART.left || x >= right ? [] : [{ span, x, end }];
  });
  drawn.sort((a, b) => a.span.depth - b.span.depth || a.x - b.x);
  for (const { span, x, end } of drawn) {
    let line = Math.max(0, span.depth - 1);
    while ((lines[line] ?? Number.NEGATIVE_INFINITY) > x - 2) line++;
    lines[line] = end;
    placed.push({ span, line, x, width: end - x });
  }
  return placed;
}

/** Px at which a sub-agent begins and ends: by its times where calls have some, else at the call that started it. */
function edges(chart: Chart, { callIndex, begins, ends }: AgentSpan): readonly [number, number] {
  const { source, axis, look, width } = chart;
  const { times } = source;
  if (times === null || begins === null) {
    const x = callIndex === null ? Number.NEGATIVE_INFINITY : middleOf(chart, callIndex);
    return [x, x];
  }
  const end = Math.max(begins, ends ?? begins);
  if (axis === 'time') {
    const px = plotWidth(width) / Math.max(1e-9, look.to - look.from);
    return [CHART.left + (begins - look.from) * px, CHART.left + (end - look.from) * px];
  }
  const from = callIndex === null ? xOfPosition(chart, positionAtTime(source, begins)) : middleOf(chart, callIndex);
  return [from, xOfPosition(chart, positionAtTime(source, end))];
}

/** Position among the calls of a moment: calls requested before it, and its share of the way to the next. */
function positionAtTime({ times, starts, points }: PointSource, time: number): number {
  if (times === null) return 0;
  const next = countBelow(times, time);
  const [before, after] = [times[next - 1], times[next]];
  if (before === undefined) return starts[0] ?? 0;
  if (after === undefined) return starts[points.length] ?? 0;
  const [from = 0, to = 0] = [starts[next - 1], starts[next]];
  return from + ((time - before) / Math.max(1, after - before)) * (to - from);
}
