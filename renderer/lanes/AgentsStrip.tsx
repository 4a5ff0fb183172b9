import './lanes.css';
import { useMemo, useRef } from 'react';
import { useActions, useAppState } from '../state/context.tsx';
import { useChart } from '../state/useChart.ts';
import { CHART } from '../ui/chart.ts';
import { formatSpan, plural } from '../ui/format.ts';
import { moveFocus } from '../ui/moveFocus.ts';
import { dayTime, utcTime } from '../ui/time.ts';
import { useWidth } from '../ui/useExtent.ts';
import { type AgentSpan, agentSpans, type PlacedAgent, placeAgents } from './agents.ts';

const LINE = 17;
/** Lines drawn; what is below them is counted. */
const MOST_LINES = 4;
const LETTER = 6.2;
const STEPS = moveFocus('.agent-box');
const NONE: readonly never[] = [];

/** Under the chart: the sub-agents that calls started, and below them theirs. A click opens one. */
export function AgentsStrip() {
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element);
  const chart = useChart(width);
  const children = useAppState((state) => state.session.relatives?.children ?? NONE);
  const transcripts = useAppState((state) => state.library.transcripts ?? NONE);
  const spans = useMemo(() => agentSpans(children, transcripts), [children, transcripts]);
  const placed = useMemo(() => placeAgents(chart, spans), [chart, spans]);
  if (spans.length === 0 || chart.points.length === 0) return <div ref={element} />;
  const shown = placed.filter(({ line }) => line < MOST_LINES);
  const lines = Math.max(1, ...shown.map(({ line }) => line + 1));
  const below = placed.length - shown.length;
  return (
    <div
      ref={element}
      className="lane lane-agents"
      style={{ height: lines * LINE + 4 }}
      role="toolbar"
      aria-label={`Sub-agents: ${spans.length}, ${placed.length} in sight`}
      data-testid="agents-strip"
      data-agents={spans.length}
      data-shown={placed.length}
      onKeyDown={STEPS}
    >
      <span className="lane-name" style={{ width: CHART.left - 4 }} title={plural(spans.length, 'sub-agent')}>
        agents
      </span>
      {shown.map((agent, number) => (
        <AgentBox key={agent.span.id} agent={agent} isFirst={number === 0} />
      ))}
      {below > 0 && <span className="lane-more">+{below}</span>}
    </div>
  );
}

function AgentBox({
  agent: { span, line, x, width },
  isFirst,
}: {
  readonly agent: PlacedAgent;
  readonly isFirst: boolean;
}) {
  const { open } = useActions();
  const fits = Math.floor((width - 10) / LETTER);
  return (
    <button
      type="button"
      className="agent-box"
      data-nested={span.depth > 1}
      style={{ left: x, width, top: 2 + line * LINE }}
      tabIndex={isFirst ? 0 : -1}
      aria-label={describeAgent(span)}
      title={describeAgent(span)}
      onClick={() => void open(span.id)}
    >
      {fits >= 4 ? shortened(span.title, fits) : ''}
    </button>
  );
}

/** `Sub-agent “Map the docs”, nested 2 deep, 6 min 20 s, started 26 Jul 2026, 17:04 (… UTC). Click to open.` */
function describeAgent({ title, depth, begins, ends }: AgentSpan): string {
  const iso = begins === null ? null : new Date(begins).toISOString();
  const took = formatSpan(begins, ends);
  const parts = [
    `Sub-agent “${title}”`,
    ...(depth > 1 ? [`nested ${depth} deep`] : []),
    ...(took === null ? [] : [took]),
    ...(iso === null ? [] : [`started ${dayTime(iso)} (${utcTime(iso)})`]),
  ];
  return `${parts.join(', ')}. Its cost is its own: it is not in this chart. Click to open.`;
}

function shortened(title: string, letters: number): string {
  return title.length <= letters ? title : `${title.slice(0, Math.max(1, letters - 1)).trimEnd()}…`;
}
