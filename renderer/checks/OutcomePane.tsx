import { ListFilter } from 'lucide-react';
import type { CheckedOutcome } from '../../core/protocol/checkTypes.ts';
import { startFind } from '../find/startFind.ts';
import { useApp, useAppState } from '../state/context.tsx';
import type { CheckRun } from '../state/types.ts';
import { Seen } from '../ui/Seen.tsx';
import { EvidenceTable } from './EvidenceTable.tsx';
import { PolicyNote } from './PolicyNote.tsx';
import { RequestStrip } from './RequestStrip.tsx';
import { TranscriptTable } from './TranscriptTable.tsx';
import { VerdictSign } from './VerdictSign.tsx';
import { WouldPass } from './WouldPass.tsx';
import { changedText, type RuleRow, ruleLines, shortHash, VERDICT_WORD } from './words.ts';

interface Props {
  readonly run: CheckRun;
  readonly row: RuleRow;
  readonly id: string;
  readonly titleOf: (id: string) => string | null;
  readonly onGoToRule: (line: number) => void;
  readonly onNext: () => void;
  readonly hasFailures: boolean;
}

/** One rule: as it is written, what was expected and found, and what that rests on. */
export function OutcomePane({ run, row, id, titleOf, onGoToRule, onNext, hasFailures }: Props) {
  const { rule, verdict } = row;
  const lines = ruleLines(run.text, rule);
  const only = run.ids.length === 1 ? (row.outcomes[0]?.outcome ?? null) : null;
  return (
    <div className="checks-outcome" data-testid="checks-outcome" data-rule={row.at}>
      <div className="checks-outcome-scroll">
        <header className="checks-outcome-head">
          {(verdict === 'failed' || run.state !== 'running') && (
            <span className="checks-count" data-verdict={verdict}>
              <VerdictSign verdict={verdict} /> {VERDICT_WORD[verdict]}
            </span>
          )}
          <h3>
            <Seen text={rule.name} />
          </h3>
          {rule.line !== null && (
            <button type="button" className="button" onClick={() => onGoToRule(rule.line ?? 1)}>
              Go to rule <span className="mono mute">:{rule.line}</span>
            </button>
          )}
        </header>
        {lines !== null && (
          <pre className="checks-source mono">
            <Seen text={lines} />
          </pre>
        )}
        {only !== null && <Facts outcome={only} expected={rule.text} />}
        {only !== null && <PolicyNote run={run} outcome={only} />}
        {only?.evidence && <RequestStrip evidence={only.evidence} rule={rule.text} />}
        {only?.evidence && <EvidenceTable evidence={only.evidence} />}
        {only !== null && only.verdict === 'failed' && <WouldPass run={run} row={row} outcome={only} id={id} />}
        {run.ids.length > 1 && <TranscriptTable row={row} titleOf={titleOf} />}
      </div>
      <Foot row={row} onNext={onNext} hasFailures={hasFailures} />
    </div>
  );
}

function Facts({ outcome, expected }: { readonly outcome: CheckedOutcome; readonly expected: string }) {
  const { evidence, found, verdict } = outcome;
  return (
    <dl className="checks-facts">
      <dt>Expected</dt>
      <dd>
        <Seen text={evidence?.expected ?? expected} />
      </dd>
      <dt>{verdict === 'unchecked' ? 'Not checked' : 'Found'}</dt>
      <dd data-testid="checks-found" data-verdict={verdict}>
        <Seen text={changedText(evidence?.changed.length ?? 0) ?? found} />
      </dd>
      {evidence?.since && !found.includes(evidence.since.words) && (
        <>
          <dt>First lost</dt>
          <dd>
            <Seen text={evidence.since.words} />
          </dd>
        </>
      )}
      {evidence?.changed.map(({ name, before, now }) => (
        <div key={name} className="checks-changed">
          <dt>{name.replaceAll('_', ' ')}</dt>
          <dd title={`${before} → ${now}`}>
            {shortHash(before)} → {shortHash(now)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface FootProps {
  readonly row: RuleRow;
  readonly onNext: () => void;
  readonly hasFailures: boolean;
}

function Foot({ row, onNext, hasFailures }: FootProps) {
  const app = useApp();
  const isOne = useAppState(({ checks }) => checks.run?.ids.length === 1);
  const { wants } = row.rule;
  if (!hasFailures && (wants === null || !isOne)) return null;
  const why = (text: string): void => {
    app.actions.setMode('timeline');
    startFind(app, text);
  };
  return (
    <footer className="checks-foot">
      {wants !== null && isOne && (
        <button type="button" className="button" onClick={() => why(wants.text)}>
          <ListFilter size={12} aria-hidden /> Open “Why is it gone?”
        </button>
      )}
      <span className="grow" />
      {hasFailures && (
        <button type="button" className="text-button" data-testid="checks-next" onClick={onNext}>
          Next failure <kbd>N</kbd>
        </button>
      )}
    </footer>
  );
}
