import { sameStages } from '../../core/projection/policyName.ts';
import type { CheckedOutcome } from '../../core/protocol/checkTypes.ts';
import { useActions } from '../state/context.tsx';
import type { CheckRun } from '../state/types.ts';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';
import { Seen } from '../ui/Seen.tsx';

interface Props {
  readonly run: CheckRun;
  readonly outcome: CheckedOutcome;
}

/** Under which policy the rule was held, and whether the panes show another one. */
export function PolicyNote({ run, outcome }: Props) {
  const shown = useProjectedSpec();
  const { setSpec } = useActions();
  const policy = run.checked[0]?.policies[outcome.policy];
  if (policy === undefined || shown === null) return null;
  const isShown = sameStages(policy.spec, shown);
  return (
    <p className="checks-policy mute" data-testid="checks-policy">
      Policy: <Seen text={policy.title} />
      {isShown ? (
        ', as on the timeline.'
      ) : (
        <>
          . The timeline shows another policy.{' '}
          <button type="button" className="link" onClick={() => setSpec(policy.spec)}>
            Use this one there
          </button>
        </>
      )}
    </p>
  );
}
