import type { CheckedEvidence, EvidenceRun } from '../../core/protocol/checkTypes.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { formatCount, plural } from '../ui/format.ts';
import { stateWord } from './words.ts';

interface Props {
  readonly evidence: CheckedEvidence;
  readonly rule: string;
}

/** Runs that are listed in words. */
const LISTED = 6;

/** Along the session: what was so at each request, and at which of them the rule looks. A click goes to the call point. */
export function RequestStrip({ evidence: { runs, where }, rule }: Props) {
  const { setAt, setMode } = useActions();
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const calls = runs.reduce((sum, run) => sum + run.calls, 0);
  if (calls === 0) return null;
  const looked = runs.reduce((sum, run) => sum + (run.looked ? run.calls : 0), 0);
  const show = ({ from }: EvidenceRun): void => {
    setAt(from >= messages ? null : from);
    setMode('timeline');
  };
  return (
    <section className="checks-strip-part" aria-label="Along the session">
      <h4>
        Over all {plural(calls, 'request')}
        <span className="mute">{looked === calls ? 'looked at each' : `looked ${where ?? ''}`}</span>
      </h4>
      <div className="checks-strip" data-testid="checks-strip" data-states={runs.map(({ state }) => state).join(' ')}>
        {runs.map((run) => (
          <button
            key={run.from}
            type="button"
            className="checks-run"
            data-state={run.state}
            data-holds={run.looked ? String(run.holds) : 'not-looked'}
            style={{ flexGrow: run.calls }}
            title={`${describeRun(run, rule)}. Shows the request at #${run.from}.`}
            aria-label={describeRun(run, rule)}
            onClick={() => show(run)}
          />
        ))}
      </div>
      <p className="checks-legend">
        {runs.slice(0, LISTED).map((run) => (
          <span key={run.from} data-state={run.state}>
            <i aria-hidden="true" className="checks-key" data-state={run.state} />
            {describeRun(run, rule)}
          </span>
        ))}
        {runs.length > LISTED && <span className="mute">and {formatCount(runs.length - LISTED)} more changes</span>}
      </p>
    </section>
  );
}

function describeRun(run: EvidenceRun, rule: string): string {
  const { from, to, state, looked, holds } = run;
  const span = from === to ? `at #${from}` : `#${from} – #${to}`;
  const result = looked && holds === false ? ', against the rule' : '';
  return `${stateWord(state, rule)} ${span}${result}`;
}
