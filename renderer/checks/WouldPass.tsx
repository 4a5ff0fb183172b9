import { useMemo } from 'react';
import type { CheckedOutcome } from '../../core/protocol/checkTypes.ts';
import { useActions } from '../state/context.tsx';
import type { CheckRun } from '../state/types.ts';
import { useAnswer } from '../state/useAnswer.ts';
import { Seen } from '../ui/Seen.tsx';
import type { RuleRow } from './words.ts';

/** Changes that are held against the rule. */
const TRIED_MOST = 12;

interface Props {
  readonly run: CheckRun;
  readonly row: RuleRow;
  readonly outcome: CheckedOutcome;
  readonly id: string;
}

/**
 * Changes of the policy under which the rule passes: those that keep the text in the request that failed, each held against
 * the whole rule again. Only what passed is listed; where nothing is proved, nothing is said.
 */
export function WouldPass({ run, row, outcome, id }: Props) {
  const { setSpec, setMode } = useActions();
  const { wants } = row.rule;
  const spec = run.checked[0]?.policies[outcome.policy]?.spec ?? null;
  const at = outcome.at;
  const question = useMemo(() => {
    if (wants === null || spec === null || at === null || wants.text.trim() === '') return null;
    const { text, matchCase, wholeWord, inItsPlace } = wants;
    if (!inItsPlace) return { id, spec, at, text, matchCase, wholeWord };
    return outcome.index === null ? null : { id, spec, at, message: outcome.index };
  }, [id, spec, at, wants, outcome]);
  const { value: found, error: unfound } = useAnswer('keep.find', question, { wait: 150 });
  const changes = useMemo(() => found?.changes.slice(0, TRIED_MOST) ?? [], [found]);
  const { value: proved, error: unproved } = useAnswer(
    'check.under',
    changes.length === 0 ? null : { id, rules: run.text, rule: row.at, specs: changes.map((change) => change.spec) },
  );
  const passing = changes.filter((_, number) => proved?.tried[number]?.verdict === 'passed');
  const error = unfound ?? unproved;
  // Another view asked meanwhile: nothing is wrong, and nothing is known.
  if (error !== null && error.code !== 'request.superseded') {
    return <p className="drawer-error">What would make it pass is not known: {error.message}</p>;
  }
  if (passing.length === 0) return null;
  return (
    <section className="checks-evidence" aria-label="Would make it pass">
      <h4>
        Would make it pass <span className="mute">each held against the rule</span>
      </h4>
      <ul data-testid="checks-passing">
        {passing.map((change) => (
          <li key={change.words} className="checks-passing">
            <span>
              <Seen text={change.words} />
            </span>
            <button
              type="button"
              className="button"
              title="Uses this policy on the timeline; undo takes it back"
              onClick={() => {
                setSpec(change.spec);
                setMode('timeline');
              }}
            >
              Try
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
