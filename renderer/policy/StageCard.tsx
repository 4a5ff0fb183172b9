import './stageCard.css';
import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, memo, useId, useState } from 'react';
import type { Problem } from '../../core/model/problem.ts';
import type { StageSpec } from '../../core/projection/types.ts';
import type { StageInfo } from '../../core/protocol/types.ts';
import type { StageReport } from '../../core/view/types.ts';
import { ContextExtras, PENDING } from '../context/ContextExtras.tsx';
import { FilterValue } from '../filter/FilterValue.tsx';
import { applies, isQuiet } from '../state/editSpec.ts';
import { WriteSummary } from '../summary/WriteSummary.tsx';
import { ParamControl } from './ParamControl.tsx';
import { StageHead } from './StageHead.tsx';
import { ProblemLine, StageFindings, summaryOf } from './StageReportLines.tsx';
import type { StageDrag } from './useStageDrag.ts';

export interface StageCardProps {
  readonly stage: StageSpec;
  readonly at: number;
  readonly count: number;
  readonly info: StageInfo | null;
  readonly report: StageReport | null;
  /** What is wrong with the stage's options, if the spec was refused; what its place in the order breaks. */
  readonly problems: readonly Problem[];
  /** This stage decided about the selected message. */
  readonly isDeciding: boolean;
  /** A change that is tried, and not kept yet, is made to it or adds it. */
  readonly isTried: boolean;
  /** It was just added: it shows its options. */
  readonly isNew: boolean;
  readonly drag: StageDrag;
  readonly move: (from: number, to: number) => void;
  /** Takes the stage out; the focus goes to the one in its place. */
  readonly remove: (at: number) => void;
}

/** As long as the list is this short, cards show their options without being asked. */
const OPEN_UP_TO = 3;

/**
 * A stage of the policy: number, name, switch, options, and what it did at this call point. A step of a slider changes one
 * stage, and its answer some reports: the other cards are not drawn again.
 */
export const StageCard = memo(Card, isSameCard);

function isSameCard(before: StageCardProps, now: StageCardProps): boolean {
  const { report, problems, ...rest } = now;
  const isSame = Object.entries(rest).every(([name, value]) => Object.is(value, Reflect.get(before, name)));
  return isSame && JSON.stringify([before.report, before.problems]) === JSON.stringify([report, problems]);
}

function Card(props: StageCardProps) {
  const { stage, at, count, report, problems, isDeciding, isTried, isNew, drag, move, remove } = props;
  const [choice, setChoice] = useState<boolean | null>(isNew ? true : null);
  const bodyId = useId();
  const enabled = stage.enabled ?? true;
  const isOpen = choice ?? count <= OPEN_UP_TO;
  const onKeyDown = (event: KeyboardEvent) => {
    const delta = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (!event.altKey || delta === 0) return;
    event.preventDefault();
    event.stopPropagation();
    move(at, at + delta);
  };
  const summary = summaryOf(report, stage);
  return (
    <li
      className="card stage-card"
      data-testid="stage-card"
      data-kind={stage.kind}
      data-stage={at}
      data-off={!enabled}
      data-open={isOpen}
      data-deciding={isDeciding}
      data-tried={isTried || undefined}
      data-drop={drag.over === at ? drag.side : undefined}
      onKeyDown={onKeyDown}
      {...drag.target(at)}
    >
      <StageHead
        {...props}
        isOpen={isOpen}
        bodyId={bodyId}
        onMove={(to) => move(at, to)}
        onToggle={() => setChoice(!isOpen)}
        onRemove={() => remove(at)}
      />
      {isOpen ? (
        <StageBody {...props} id={bodyId} summary={summary} />
      ) : (
        <p className="stage-summary stage-line ellipsis" title={summary} data-testid="stage-summary">
          {summary}
        </p>
      )}
      {enabled && report?.kind === stage.kind && report.needsSummary && <WriteSummary span={report.needsSummary} />}
      {enabled && <StageFindings report={report} stage={stage} />}
      {problems.map((problem, number) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
        <ProblemLine key={number} problem={problem} />
      ))}
    </li>
  );
}

/** The options, those at their default folded away, and the summary. */
function StageBody(props: StageCardProps & { readonly id: string; readonly summary: string }) {
  const { stage, at, info, id, summary, report } = props;
  const [showsAll, setShowsAll] = useState(false);
  const enabled = stage.enabled ?? true;
  const all = info?.params ?? [];
  const isContext = info?.traits.isScoped === true;
  const params = all.filter((param) => applies(stage, all, param) && !(isContext && param.name === PENDING));
  const shown = showsAll ? params : params.filter((param) => !isQuiet(stage, param));
  const hidden = params.length - shown.length;
  const words = showsAll ? 'Fewer options' : `${hidden} more options, at their default`;
  return (
    <div id={id}>
      {enabled && shown.length > 0 && (
        <div className="stage-params">
          {shown.map((param) => (
            <ParamControl key={param.name} stage={stage} at={at} param={param} params={all} />
          ))}
        </div>
      )}
      {isContext && enabled && <ContextExtras stage={stage} at={at} params={all} report={report} />}
      <div className="stage-foot">
        <p className="stage-summary" data-testid="stage-summary">
          {enabled && info !== null ? (
            <FilterValue field="stage" value={stage.kind} className="stage-value">
              {summary}
            </FilterValue>
          ) : (
            summary
          )}
        </p>
        {enabled && (hidden > 0 || showsAll) && (
          <button
            type="button"
            className="more-params"
            aria-expanded={showsAll}
            data-testid="more-params"
            aria-label={words}
            title={words}
            onClick={() => setShowsAll(!showsAll)}
          >
            {showsAll ? 'less' : `+${hidden}`}
            <ChevronRight size={12} aria-hidden />
          </button>
        )}
      </div>
    </div>
  );
}
