import type { TextTrace } from '../../core/protocol/types.ts';
import { useActions } from '../state/context.tsx';
import { formatCount } from '../ui/format.ts';
import { PresenceMark } from './PresenceMark.tsx';
import { STATE_MEANING, STATE_WORD, STATES } from './words.ts';

/** In how many requests the text is in each state; a click goes to the next such call point. */
export function StateCounts({ trace: { counts } }: { readonly trace: TextTrace }) {
  const { goToState } = useActions();
  return (
    <ul className="find-counts" aria-label="Requests by state">
      {STATES.filter((state) => counts[state] > 0).map((state) => (
        <li key={state}>
          <button
            type="button"
            data-testid="find-count-state"
            data-state={state}
            title={`${STATE_MEANING[state]} Click: the next such call point.`}
            aria-label={`${STATE_WORD[state]}: ${formatCount(counts[state])} requests; go to the next`}
            onClick={() => goToState(state)}
          >
            <PresenceMark state={state} />
            <span>{STATE_WORD[state]}</span> <span className="mute num">{formatCount(counts[state])}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
