import { ChevronRight, GripVertical } from 'lucide-react';
import { Switch } from 'radix-ui';
import { type KeyboardEvent, useState } from 'react';
import type { StageSpec } from '../../core/projection/types.ts';
import type { StageInfo } from '../../core/protocol/types.ts';
import type { StageReport } from '../../core/view/types.ts';
import { isQuiet, setEnabled } from './editSpec.ts';
import { HelpTip } from './HelpTip.tsx';
import { ParamControl } from './ParamControl.tsx';
import { StageMenu } from './StageMenu.tsx';
import { StageReportLines } from './StageReportLines.tsx';
import { usePolicyEdit } from './usePolicyEdit.ts';
import type { StageDrag } from './useStageDrag.ts';

interface Props {
  readonly stage: StageSpec;
  readonly at: number;
  readonly count: number;
  readonly info: StageInfo | null;
  readonly report: StageReport | null;
  /** This stage decided about the selected message. */
  readonly isDeciding: boolean;
  readonly drag: StageDrag;
  readonly move: (to: number) => void;
}

/** A stage of the policy: number, name, switch, options, and what it did at this call point. */
export function StageCard({ stage, at, count, info, report, isDeciding, drag, move }: Props) {
  const edit = usePolicyEdit();
  const enabled = stage.enabled ?? true;
  const title = info?.title ?? stage.kind;
  const onKeyDown = (event: KeyboardEvent) => {
    const delta = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (!event.altKey || delta === 0) return;
    event.preventDefault();
    event.stopPropagation();
    move(at + delta);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Alt+arrows move the card whatever has the focus within it
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
      <div className="stage-head">
        <span className="stage-grip" draggable title="Drag to move, or Alt+↑ ↓" {...drag.handle(at)}>
          <GripVertical size={13} aria-hidden />
          <span className="num">{at + 1}</span>
        </span>
        <HelpTip
          title={title}
          help={info?.help ?? 'This kind of stage is not known here; it is kept as it is.'}
          notes={[info ? `${info.family} · ${stage.kind}` : stage.kind]}
        >
          <h3 className="stage-title ellipsis">{title}</h3>
        </HelpTip>
        <span className="grow" />
        <StageMenu at={at} count={count} title={title} move={move} />
        <Switch.Root
          className="switch"
          checked={enabled}
          aria-label={`Stage ${at + 1}, ${title}: on`}
          data-testid="stage-switch"
          onCheckedChange={(checked) => edit((spec) => setEnabled(spec, at, checked))}
        >
          <Switch.Thumb className="switch-thumb" />
        </Switch.Root>
      </div>
      {info && enabled && <StageParams stage={stage} at={at} info={info} />}
      <StageReportLines report={report} enabled={enabled} stage={stage} />
    </li>
  );
}

function StageParams({
  stage,
  at,
  info,
}: {
  readonly stage: StageSpec;
  readonly at: number;
  readonly info: StageInfo;
}) {
  const [isOpen, setOpen] = useState(false);
  const quiet = info.params.filter((param) => isQuiet(stage, param));
  // What was folded away when it was changed stays where it is while the fold is open.
  const shown = isOpen ? info.params : info.params.filter((param) => !isQuiet(stage, param));
  if (info.params.length === 0) return null;
  return (
    <div className="stage-params">
      {shown.map((param) => (
        <ParamControl key={param.name} stage={stage} at={at} param={param} />
      ))}
      {(quiet.length > 0 || isOpen) && (
        <button
          type="button"
          className="more-params"
          aria-expanded={isOpen}
          data-testid="more-params"
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight size={12} aria-hidden />
          {isOpen ? 'Fewer options' : `${quiet.length} more ${quiet.length === 1 ? 'option' : 'options'} at default`}
        </button>
      )}
    </div>
  );
}
