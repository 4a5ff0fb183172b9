import { useMemo, useState } from 'react';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import type { CheckedOutcome, PassingChange } from '../../core/protocol/checkTypes.ts';
import type { ProtocolError } from '../../core/protocol/methods.ts';
import type { KeepPrice } from '../../core/protocol/types.ts';
import { usePrices } from '../keep/useKeep.ts';
import { signedCost, signedTokens, unpricedNote } from '../keep/words.ts';
import { useActions, useAppState } from '../state/context.tsx';
import type { CheckRun } from '../state/types.ts';
import { useAnswer } from '../state/useAnswer.ts';
import { formatCount } from '../ui/format.ts';
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
 * Changes of the policy under which the rule passes, each held against the whole rule again, each with its price. Only what passed is
 * listed; where nothing can be offered, that is said, and why.
 */
export function WouldPass(props: Props) {
  const spec = props.run.checked[0]?.policies[props.outcome.policy]?.spec ?? null;
  if (spec === null) return null;
  const { wants } = props.row.rule;
  const isText = wants !== null && wants.text.trim() !== '' && props.outcome.at !== null;
  return isText ? <KeepingChanges {...props} spec={spec} /> : <OtherChanges {...props} spec={spec} />;
}

interface WithSpec extends Props {
  readonly spec: ProjectionSpec;
}

/** Of a text that a rule wants in a request: what keeps it in the one that failed. */
function KeepingChanges({ run, row, outcome, id, spec }: WithSpec) {
  const { wants } = row.rule;
  const { at } = outcome;
  const question = useMemo(() => {
    if (wants === null || at === null) return null;
    const { text, matchCase, wholeWord, inItsPlace } = wants;
    if (!inItsPlace) return { id, spec, at, text, matchCase, wholeWord };
    return outcome.index === null ? null : { id, spec, at, message: outcome.index };
  }, [id, spec, at, wants, outcome]);
  const { value: found, error: unfound } = useAnswer('keep.find', question, { wait: 150 });
  const changes = useMemo(() => found?.changes.slice(0, TRIED_MOST) ?? [], [found]);
  const { value: proved, error: unproved } = useAnswer(
    'check.under',
    changes.length === 0 ? null : { ...asRun(run), id, rule: row.at, specs: changes.map((change) => change.spec) },
  );
  const passing = useMemo(
    () => changes.filter((_, number) => proved?.tried[number]?.verdict === 'passed'),
    [changes, proved],
  );
  const error = unfound ?? unproved;
  if (error !== null) return <NotKnown error={error} />;
  if (question === null) return <p className="mute">The message that said it is not known: no change is looked for.</p>;
  const isKnown = found !== null && (changes.length === 0 || proved !== null);
  if (isKnown && passing.length === 0) return <None />;
  return <PassingList passing={passing} spec={spec} at={at} />;
}

/** Of any other rule: options of the policy, one after the other, other presets, repairs. */
function OtherChanges({ run, row, outcome, id, spec }: WithSpec) {
  const [all, setAll] = useState(false);
  const question = useMemo(() => ({ ...asRun(run), id, rule: row.at, spec, all }), [run, id, row.at, spec, all]);
  const { value, error } = useAnswer('check.passing', question, {
    wait: 150,
    about: JSON.stringify([id, row.at, spec]),
  });
  if (error !== null) return <NotKnown error={error} />;
  if (value === null) return <p className="faint">Looking for changes that make it pass…</p>;
  if (value.none !== null) return <p className="mute">{value.none}</p>;
  const left = value.of - value.tried;
  return (
    <>
      {value.passing.length > 0 && <PassingList passing={value.passing} spec={spec} at={outcome.at} />}
      {value.passing.length === 0 && left === 0 && <None />}
      {left > 0 && (
        <p className="mute checks-untried" data-testid="checks-untried">
          {formatCount(value.tried)} of {formatCount(value.of)} changes tried
          {value.passing.length === 0 && ': none makes it pass'}.{' '}
          <button type="button" className="link" disabled={all} onClick={() => setAll(true)}>
            {all ? 'Trying the others…' : 'Try the others'}
          </button>
        </p>
      )}
    </>
  );
}

function NotKnown({ error }: { readonly error: ProtocolError }) {
  return <p className="drawer-error">What would make it pass is not known: {error.message}</p>;
}

function None() {
  return <p className="mute">No change of the policy was found that makes this rule pass.</p>;
}

function asRun({ text, baseline, path }: CheckRun) {
  return { rules: text, baseline, path };
}

interface PassingProps {
  readonly passing: readonly PassingChange[];
  readonly spec: ProjectionSpec;
  readonly at: number | null;
}

function PassingList({ passing, spec, at }: PassingProps) {
  const { setSpec, setMode } = useActions();
  const isFinal = useAppState((state) => state.projection.info?.final ?? false);
  const { prices, error: unpriced } = usePrices(passing, spec, isFinal, at ?? undefined);
  if (passing.length === 0) return null;
  return (
    <section className="checks-evidence" aria-label="Would make it pass">
      <h4>
        Would make it pass <span className="mute">each held against the rule</span>
      </h4>
      <ul data-testid="checks-passing">
        {passing.map((change) => (
          <li key={change.words} className="checks-passing">
            <span className="grow">
              <Seen text={change.words} />
            </span>
            {unpriced === null ? (
              <PriceText price={prices.get(change) ?? null} at={at} />
            ) : (
              <span className="mute" title={unpriced.message}>
                price not known
              </span>
            )}
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

/** What a change costs in the request that failed, and over the session. */
function PriceText({ price, at }: { readonly price: KeepPrice | null; readonly at: number | null }) {
  const provenance = useAppState((state) => state.projection.info?.raw.provenance ?? 'estimated');
  if (price === null) return <span className="mute">…</span>;
  const here = signedTokens(price.tokensHere, provenance, true);
  const session = signedTokens(price.tokensSession, provenance, true);
  return (
    <span
      className="mute num"
      data-testid="checks-price"
      title={`Tokens ${at === null ? 'in the next request' : `at #${at}`}; tokens and cost of all requests of the session${unpricedNote(price)}`}
    >
      {here} tok · session {session} tok, {signedCost(price, provenance)}
    </span>
  );
}
