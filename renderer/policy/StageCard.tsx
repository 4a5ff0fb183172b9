import { ChevronRight, GripVertical } from 'lucide-react';
import { Switch } from 'radix-ui';
import { type KeyboardEvent, useId, useState } from 'react';
import type { Problem } from '../../core/model/problem.ts';
import type { StageSpec } from '../../core/projection/types.ts';
import type { StageInfo } from '../../core/protocol/types.ts';
import type { ParamSchema, StageReport } from '../../core/view/types.ts';
import { isQuiet, setEnabled } from './editSpec.ts';
import { HelpTip } from './HelpTip.tsx';
import { ParamControl } from './ParamControl.tsx';
import { StageMenu } from './StageMenu.tsx';
import { ProblemLine, StageFindings, summaryOf } from './StageReportLines.tsx';
import { usePolicyEdit } from './usePolicyEdit.ts';
import type { StageDrag } from './useStageDrag.ts';

interface Props {
  readonly stage: StageSpec;
  readonly at: number;
  readonly count: number;
  readonly info: StageInfo | null;
  readonly report: StageReport | null;
  /** What is wrong with the stage's options, if the spec was refused. */
  readonly refused: readonly Problem[];
  /** This stage decided about the selected message. */
  readonly isDeciding: boolean;
  readonly drag: StageDrag;
  readonly move: (to: number) => void;
}

/** A stage of the policy: number, name, switch, options, and what it did at this call point. */
export function StageCard(props: Props) {
  const { stage, at, info, report, refused, isDeciding, drag, move } = props;
  const [isOpen, setOpen] = useState(false);
  const optionsId = useId();
  const enabled = stage.enabled ?? true;
  const params = info?.params ?? [];
  const shown = isOpen ? params : params.filter((param) => !isQuiet(stage, param));
  const hidden = params.length - shown.length;
  const onKeyDown = (event: KeyboardEvent) => {
    const delta = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (!event.altKey || delta === 0) return;
    event.preventDefault();
    event.stopPropagation();
    move(at + delta);
  };
  return (
    <li
      className="card stage-card"
      data-testid="stage-card"
      data-kind={stage.kind}
      data-stage={at}
      data-off={!enabled}
      data-deciding={isDeciding}
      data-drop={drag.over === at ? drag.side : undefined}
      onKeyDown={onKeyDown}
      {...drag.target(at)}
    >
      <StageHead {...props} params={params} />
      {enabled && shown.length > 0 && (
        <div id={optionsId} className="stage-params">
          {shown.map((param) => (
            <ParamControl key={param.name} stage={stage} at={at} param={param} />
          ))}
        </div>
      )}
      <div className="stage-foot">
        <p className="stage-summary" data-testid="stage-summary">
          {summaryOf(report, stage)}
        </p>
        {enabled && (hidden > 0 || isOpen) && (
          <button
            type="button"
            className="more-params"
            aria-expanded={isOpen}
            aria-controls={optionsId}
            data-testid="more-params"
            aria-label={isOpen ? 'Fewer options' : `${hidden} more options, at their default`}
            title={isOpen ? 'Fewer options' : `${hidden} more options, at their default`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'less' : `+${hidden}`}
            <ChevronRight size={12} aria-hidden />
          </button>
        )}
      </div>
      {enabled && <StageFindings report={report} stage={stage} />}
      {refused.map((problem, number) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
        <ProblemLine key={number} problem={problem} />
      ))}
    </li>
  );
}

function StageHead({
  stage,
  at,
  count,
  info,
  params,
  drag,
  move,
}: Props & { readonly params: readonly ParamSchema[] }) {
  const edit = usePolicyEdit();
  const title = info?.title ?? stage.kind;
  const help = info?.help ?? 'This kind of stage is not known here; it is kept as it is.';
  return (
    <div className="stage-head">
      <span className="stage-grip" draggable title="Drag to move, or Alt+↑ ↓" {...drag.handle(at)}>
        <GripVertical size={13} aria-hidden />
        <span className="num">{at + 1}</span>
      </span>
      <HelpTip title={title} help={help} notes={[info ? `${info.family} · ${stage.kind}` : stage.kind]}>
        <h3 className="stage-title ellipsis">{title}</h3>
      </HelpTip>
      <span className="grow" />
      <StageMenu at={at} count={count} title={title} params={params} move={move} />
      <Switch.Root
        className="switch"
        checked={stage.enabled ?? true}
        aria-label={`Stage ${at + 1}, ${title}: on`}
        data-testid="stage-switch"
        onCheckedChange={(checked) => edit((spec) => setEnabled(spec, at, checked))}
      >
        <Switch.Thumb className="switch-thumb" />
      </Switch.Root>
    </div>
  );
}
