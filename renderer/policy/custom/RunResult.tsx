import { CircleAlert, CircleCheck, LoaderCircle } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { StageReport } from '../../../core/view/types.ts';
import { useAppState } from '../../state/context.tsx';
import { formatTokens } from '../../ui/format.ts';
import { Seen } from '../../ui/Seen.tsx';
import { StageFindings } from '../StageReportLines.tsx';
import { useSpecProblems } from '../useSpecProblems.ts';
import { type CodeProblem, logLines } from './codeProblems.ts';

interface Props {
  readonly report: StageReport | null;
  /** What is shown is of an earlier text. */
  readonly isOld: boolean;
  readonly problems: readonly CodeProblem[];
}

/** What the code did at this call point, or why it did nothing. */
export function RunResult({ report, isOld, problems }: Props) {
  const isRunning = useIsSlow(isOld);
  const refused = useSpecProblems();
  const info = useAppState((state) => state.projection.info);
  const failed = problems.some((one) => one.severity === 'error') || refused.length > 0;
  return (
    <section className="run-result" data-old={isRunning} aria-label="Result" aria-live="polite">
      <h3>
        {isRunning ? (
          <LoaderCircle size={14} className="spin" aria-hidden />
        ) : failed ? (
          <CircleAlert size={14} className="severity-error" aria-hidden />
        ) : (
          <CircleCheck size={14} className="run-ok" aria-hidden />
        )}
        {isRunning ? 'Running…' : failed ? 'Failed – messages left unchanged' : 'OK'}
      </h3>
      {!failed && report && <p className="mute">{report.summary}</p>}
      {!failed && info && (
        <p className="mute num">
          {formatTokens(info.raw.total, info.raw.provenance)} →{' '}
          {formatTokens(info.projected.total, info.projected.provenance)} tok with all stages
        </p>
      )}
      {problems.map((problem, number) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
        <CodeProblemLine key={number} problem={problem} />
      ))}
      {refused.map((problem) => (
        <p key={`${problem.code} ${problem.text}`} className="code-problem" data-testid="custom-error">
          <Seen text={problem.text} />
        </p>
      ))}
      {report && report.blockedBy !== null && (
        <StageFindings report={{ ...report, problems: [] }} stage={{ kind: report.kind }} />
      )}
      <Console lines={logLines(report?.problems ?? [])} />
    </section>
  );
}

function CodeProblemLine({ problem }: { readonly problem: CodeProblem }) {
  const { head, text, advice, line, column, severity } = problem;
  const place = line === null ? '' : `line ${line}${column === null ? '' : `, column ${column}`}`;
  return (
    <div className={`code-problem code-problem-${severity}`} data-testid="custom-error">
      <b>{head}</b>
      {place !== '' && <span className="mute"> at {place}</span>}
      <p className="mono">{text}</p>
      {advice !== null && <p className="mute">{advice}</p>}
    </div>
  );
}

function Console({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div className="console">
      <h3>Console</h3>
      <pre className="mono">{lines.join('\n')}</pre>
    </div>
  );
}

/** True once something has taken a moment: what is quick needs no sign. */
function useIsSlow(isBusy: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isBusy) {
      setSlow(false);
      return;
    }
    const timer = setTimeout(() => setSlow(true), 250);
    return () => clearTimeout(timer);
  }, [isBusy]);
  return isSlow;
}
