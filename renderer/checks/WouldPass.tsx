import { useMemo } from 'react';
import type { CheckedOutcome } from '../../core/protocol/checkTypes.ts';
import type { KeepPrice } from '../../core/protocol/types.ts';
import { usePrices } from '../keep/useKeep.ts';
import { signedCost, signedTokens } from '../keep/words.ts';
import { useActions, useAppState } from '../state/context.tsx';
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
 * the whole rule again. Only what passed is listed, each with its price.
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
  const passing = useMemo(
    () => changes.filter((_, number) => proved?.tried[number]?.verdict === 'passed'),
    [changes, proved],
  );
  const isFinal = useAppState((state) => state.projection.info?.final ?? false);
  const { prices, error: unpriced } = usePrices(passing, spec, isFinal, at ?? undefined);
  const error = unfound ?? unproved;
  // Another view asked meanwhile: nothing is wrong, and nothing is known.
  if (error !== null && error.code !== 'request.superseded') {
    return <p className="drawer-error">What would make it pass is not known: {error.message}</p>;
  }
  if (wants === null) return <p className="mute">Changes are looked for where a rule wants a text in a request.</p>;
  if (question === null) return <p className="mute">No request in particular failed: no change is looked for.</p>;
  if (passing.length === 0) {
    const isKnown = found !== null && (changes.length === 0 || proved !== null);
    return isKnown ? <p className="mute">No change of the policy was found that makes this rule pass.</p> : null;
  }
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
      title={`Tokens ${at === null ? 'in the next request' : `at #${at}`}; tokens and cost of all requests of the session`}
    >
      {here} tok · session {session} tok, {signedCost(price)}
    </span>
  );
}
