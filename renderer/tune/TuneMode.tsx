import './tune.css';
import { type KeyboardEvent, useMemo, useState } from 'react';
import type { SweepInfo, SweptPoint } from '../../core/protocol/tuneTypes.ts';
import { isRecord } from '../../core/util/unknown.ts';
import { useAskedSpec } from '../state/askedSpec.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';
import { appliedSpec, isSwept } from './applied.ts';
import { FrontierChart } from './FrontierChart.tsx';
import { OutdatedSweep } from './OutdatedSweep.tsx';
import { PointFoot } from './PointFoot.tsx';
import { PointIcon } from './PointSign.tsx';
import { PointTable } from './PointTable.tsx';
import { SweepBar } from './SweepBar.tsx';
import { TunePanel } from './TunePanel.tsx';
import { type Drafting, optionOf, useDraft } from './useDraft.ts';
import { type ShownSweep, useSweep } from './useSweep.ts';
import { MARK_TITLE, type Measure, pointTitle } from './words.ts';

/** Options of the policy over values: which points nothing beats, and one of them applied. */
export function TuneMode() {
  const id = useAppState((state) => state.session.id);
  return id === null ? null : <Tuning key={id} id={id} />;
}

function Tuning({ id }: { readonly id: string }) {
  const sweep = useSweep(id);
  const drafting = useDraft(id, sweep.info, sweep.isLoading);
  const [measure, setMeasure] = useState<Measure>('cost');
  const isRunning = sweep.info?.state === 'running';
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Escape' || !isRunning) return;
    event.preventDefault();
    event.stopPropagation();
    sweep.stop();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc ends the sweep wherever in the mode the focus is
    <div className="tune" data-testid="tune" data-state={sweep.info?.state ?? 'none'} onKeyDown={onKeyDown}>
      <div className="tune-main">
        <SweepBar sweep={sweep} drafting={drafting} measure={measure} onMeasure={setMeasure} />
        {sweep.error !== null && (
          <p className="tune-note drawer-error" role="alert">
            {sweep.error}
          </p>
        )}
        {sweep.info === null ? (
          !sweep.isLoading && <FirstTime sweep={sweep} drafting={drafting} />
        ) : (
          <Found sweep={sweep} info={sweep.info} measure={measure} options={drafting.options} />
        )}
      </div>
      <TunePanel sweep={sweep} drafting={drafting} />
    </div>
  );
}

function FirstTime({
  sweep,
  drafting: { asked, options },
}: {
  readonly sweep: ShownSweep;
  readonly drafting: Drafting;
}) {
  if (options.length === 0) {
    return (
      <section className="mode-first" data-testid="tune-nothing">
        <h2>This policy has no option that decides anything here.</h2>
        <p className="mute">Choose another policy, or add a stage, on the timeline.</p>
      </section>
    );
  }
  return (
    <section className="mode-first">
      <h2>Find the cheapest setting that still keeps what was used.</h2>
      <p className="mute">Choose up to three options. Critical values are those at which some request changes.</p>
      <button
        type="button"
        className="button button-primary"
        disabled={asked === null}
        onClick={() => asked && sweep.start(asked)}
      >
        Try these values
      </button>
    </section>
  );
}

interface FoundProps {
  readonly sweep: ShownSweep;
  readonly info: SweepInfo;
  readonly measure: Measure;
  readonly options: Drafting['options'];
}

function Found({ sweep, info, measure, options }: FoundProps) {
  const { setSpec, toast } = useActions();
  const spec = useAppState((state) => state.projection.spec);
  const projected = useProjectedSpec();
  const asked = useAskedSpec();
  const [values, choose] = useState<string | null>(null);
  const chosen = info.points.find((point) => keyOf(point) === values) ?? info.points.find(({ best }) => best) ?? null;
  const isOwn = isSwept(info.asked.spec, info.axes, spec);
  const now = useMemo(() => (isOwn ? pointInUse(info, options) : null), [isOwn, info, options]);
  const apply = (point: SweptPoint): void => {
    choose(keyOf(point));
    setSpec(appliedSpec(point, info.asked.spec, { spec, asked: projected ?? asked }));
    toast({ tone: 'ok', text: `Applied: ${pointTitle(info, point)}. Undo takes it back.` });
  };
  const onChoose = (point: SweptPoint) => choose(keyOf(point));
  if (info.state === 'failed') {
    return (
      <p className="tune-note drawer-error" role="alert" data-testid="tune-failure">
        {info.failure}
      </p>
    );
  }
  if (info.state === 'outdated') return <OutdatedSweep onAgain={() => sweep.start(info.asked)} />;
  return (
    <>
      {!isOwn && (
        <p className="tune-note mute" role="status" data-testid="tune-other">
          Tried under another policy, or other options, than are set now: {policyText(info.asked.spec)}. Try the values
          again for what is set.
        </p>
      )}
      <FrontierChart info={info} measure={measure} chosen={chosen} now={now} onChoose={onChoose} />
      <Legend info={info} hasNow={now !== null} />
      <PointTable info={info} chosen={chosen} onChoose={onChoose} onApply={apply} />
      <PointFoot info={info} point={chosen} now={now} onApply={apply} />
    </>
  );
}

/** `clean_tool_repair, reachability_gc`, as the spec has it. */
function policyText(spec: unknown): string {
  const stages: readonly unknown[] = isRecord(spec) && Array.isArray(spec.stages) ? spec.stages : [];
  const kinds = stages.map((stage) => (isRecord(stage) ? String(stage.kind) : String(stage)));
  return kinds.length === 0 ? 'the raw history' : kinds.join(', ');
}

function keyOf({ values }: SweptPoint): string {
  return JSON.stringify(values);
}

/** The point with the values that the policy in use has; null where none was tried, or the policy has no such options. */
function pointInUse({ points, axes }: SweepInfo, options: Drafting['options']): SweptPoint | null {
  const inUse = axes.map((axis) => optionOf(options, axis)?.now);
  return points.find(({ values }) => values.every((value, at) => value === inUse[at])) ?? null;
}

function Legend({ info, hasNow }: { readonly info: SweepInfo; readonly hasNow: boolean }) {
  const isPartial = info.state !== 'done';
  return (
    <p className="tune-legend" data-testid="tune-legend">
      {(['front', 'beaten', 'over', 'breaks'] as const).map((mark) => (
        <span key={mark}>
          <PointIcon mark={mark} />
          {mark === 'front' ? 'frontier: nothing beats it in cost, uses and texts at once' : MARK_TITLE[mark]}
        </span>
      ))}
      {hasNow && (
        <span>
          <svg width={16} height={16} aria-hidden="true">
            <rect className="tune-now" x={2} y={2} width={12} height={12} />
          </svg>
          in use
        </span>
      )}
      {isPartial && info.points.length > 0 && <b>The frontier is of these {info.points.length} points alone.</b>}
    </p>
  );
}
