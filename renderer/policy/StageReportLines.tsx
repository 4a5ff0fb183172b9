import { CircleAlert, Info, ShieldAlert, TriangleAlert } from 'lucide-react';
import type { Problem } from '../../core/model/problem.ts';
import type { StageSpec } from '../../core/projection/types.ts';
import type { StageReport } from '../../core/view/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { plural } from '../ui/format.ts';
import { describePlace } from '../ui/problemPlace.ts';
import { Seen } from '../ui/Seen.tsx';

/** What the stage did, in one line. Between an edit of the list and the answer a report may be another stage's. */
export function summaryOf(report: StageReport | null, stage: StageSpec): string {
  if (stage.enabled === false) return 'off';
  if (!report || report.kind !== stage.kind || !report.enabled) return '…';
  if (report.blockedBy !== null) return 'refused';
  // A failure's text stands below, with its place.
  const failure = report.problems.find((problem) => problem.severity === 'error');
  return failure ? report.summary.replace(`: ${failure.text}`, '') : report.summary;
}

/** Whatever went wrong in the stage at this call point. */
export function StageFindings({ report, stage }: { readonly report: StageReport | null; readonly stage: StageSpec }) {
  const { goToMessage } = useActions();
  if (!report || report.kind !== stage.kind) return null;
  const blockedBy = report.blockedBy;
  return (
    <>
      {blockedBy !== null && (
        <p className="finding finding-warning" data-testid="blocked-by">
          <ShieldAlert size={14} aria-hidden />
          <span>
            Refused to protect signed reasoning in{' '}
            <button type="button" className="link" onClick={() => void goToMessage(blockedBy)}>
              #{blockedBy}
            </button>
            : the whole stage left the history as it was.
          </span>
        </p>
      )}
      <InvalidThinking at={report.stage} />
      {report.problems.map((problem, number) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
        <ProblemLine key={number} problem={problem} />
      ))}
    </>
  );
}

/** Thinking that this stage was the first to void. */
function InvalidThinking({ at }: { readonly at: number }) {
  const thinking = useAppState((state) => state.projection.info?.thinking ?? null);
  const { goToMessage } = useActions();
  const first = thinking?.first ?? null;
  if (thinking === null || first === null || first.cause.stage !== at || thinking.onMismatch === 'allowed') return null;
  const { failing, onMismatch } = thinking;
  return (
    <p className="finding finding-warning" data-testid="invalid-thinking">
      <TriangleAlert size={14} aria-hidden />
      <span title={first.cause.reason}>
        {plural(failing, 'thinking block')} from{' '}
        <button type="button" className="link num" onClick={() => void goToMessage(first.index)}>
          #{first.index}
        </button>{' '}
        on {onMismatch === 'drop_block' ? 'dropped by the provider' : 'no longer valid (400)'}.
      </span>
    </p>
  );
}

const ICON = { error: CircleAlert, warning: TriangleAlert, info: Info } as const;

/** A finding as one line: sign, place, text. */
export function ProblemLine({ problem }: { readonly problem: Problem }) {
  const Icon = ICON[problem.severity];
  const place = describePlace(problem.where);
  return (
    <p className={`finding finding-${problem.severity}`} data-code={problem.code}>
      <Icon size={14} aria-label={problem.severity} />
      <span>
        {place !== '' && <span className="mono finding-place">{place}</span>}
        <Seen text={problem.text} />
      </span>
    </p>
  );
}
