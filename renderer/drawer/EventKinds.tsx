import type { EventKind } from '../../core/protocol/types.ts';
import { formatCount } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';

interface Props {
  readonly kinds: readonly EventKind[];
  /** null = all. */
  readonly chosen: string | null;
  readonly onChoose: (kind: string | null) => void;
}

/** The kinds of events there are: one of them, or all. Nothing where there is but one. */
export function EventKinds({ kinds, chosen, onChoose }: Props) {
  if (kinds.length < 2) return null;
  const all = kinds.reduce((sum, { count }) => sum + count, 0);
  const choices = [{ kind: null, count: all }, ...kinds];
  return (
    <fieldset className="event-kinds" aria-label="Show events of one kind">
      {choices.map(({ kind, count }) => (
        <button
          key={kind ?? ''}
          type="button"
          className="event-kind-choice"
          aria-pressed={chosen === kind}
          onClick={() => onChoose(kind)}
          data-testid="event-kind"
        >
          <Seen text={kind ?? 'All'} /> <span className="num faint">{formatCount(count)}</span>
        </button>
      ))}
    </fieldset>
  );
}
