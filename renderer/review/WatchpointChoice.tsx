import { useAppState } from '../state/context.tsx';
import { Seen } from '../ui/Seen.tsx';

interface Props {
  /** Ids. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Which watched texts go into the file: whoever opens it watches them, too. Nothing where none is watched. */
export function WatchpointChoice({ chosen, onChange }: Props) {
  const list = useAppState(({ watch, session }) => (watch.id === session.id ? watch.list : null)) ?? [];
  if (list.length === 0) return null;
  return (
    <section aria-label="Watchpoints in it" data-testid="export-watchpoints">
      <h3>Watchpoints in it</h3>
      <ul className="review-findings">
        {list.map(({ id, text, name }) => (
          <li key={id}>
            <label>
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                onChange={() => onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])}
              />
              <span className="ellipsis">
                <Seen text={name ?? text} />
              </span>
            </label>
          </li>
        ))}
      </ul>
    </section>
  );
}
