import { sameStages } from '../../core/projection/policyName.ts';
import { presetNamed } from '../../core/projection/presets.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { useTitleOfA } from './useTitles.ts';

/** Nothing is chosen for B yet: what the mode is for, and the two nearest choices. */
export function FirstChoice() {
  const { compareWith, compareWithLast } = useActions();
  const hasLast = useAppState((state) => state.projection.past.length > 0);
  const titleA = useTitleOfA();
  const inUse = useAppState((state) => state.projection.spec);
  const hasCompactions = useAppState((state) => (state.session.info?.compactions ?? 0) > 0);
  // A policy beside itself shows nothing, and without compactions the recorded history is all of it.
  const names = hasCompactions ? ['as_recorded', 'raw'] : ['raw'];
  const nearest = names.flatMap((name) => presetNamed(name) ?? []).find(({ spec }) => !sameStages(spec, inUse));
  return (
    <div className="mode-first">
      <h2>Compare two policies on this session</h2>
      <p className="mute">
        A is the policy in use: {titleA}. Choose B above: a preset, a policy you saved, the recorded history, or the
        policy before your last change. You see both requests next to each other, what differs and whether it was used
        later, and what the session comes to under each.
      </p>
      <p className="compare-first-choices">
        {nearest !== undefined && (
          <button type="button" className="button" onClick={() => compareWith(nearest)}>
            {nearest.title}
          </button>
        )}
        {hasLast && (
          <button type="button" className="button" onClick={compareWithLast}>
            Before the last change
          </button>
        )}
      </p>
    </div>
  );
}
