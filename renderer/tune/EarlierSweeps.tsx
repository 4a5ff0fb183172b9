import { useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { formatCount, plural } from '../ui/format.ts';
import { Time } from '../ui/Time.tsx';
import type { ShownSweep } from './useSweep.ts';
import { variedText } from './words.ts';

/** The sweeps of this transcript that the library keeps; a click shows one again, without computing it. */
export function EarlierSweeps({ sweep: { info, show } }: { readonly sweep: ShownSweep }) {
  const id = useAppState((state) => state.session.id);
  const { value } = useAnswer('tune.list', id === null ? null : { id }, {
    about: id,
    again: [info?.sweepId, info?.state],
  });
  const sweeps = value?.sweeps ?? [];
  if (sweeps.length < 2) return null;
  return (
    <section aria-label="Sweeps of before" data-testid="tune-earlier">
      <h3 className="tune-panel-head">Before</h3>
      <ul className="tune-earlier">
        {sweeps.map((line) => (
          <li key={line.sweepId}>
            <button
              type="button"
              aria-current={line.sweepId === info?.sweepId}
              title={variedText(line)}
              onClick={() => show(line.sweepId)}
            >
              <span className="ellipsis">{variedText(line)}</span>
              <span className="faint num">
                {line.state === 'outdated' ? 'another version' : formatCount(line.points)}
                {line.size !== null && line.size !== line.points && ` of ${formatCount(line.size)}`}
                {line.ids.length > 1 && ` · ${plural(line.ids.length, 'session')}`} · <Time iso={line.madeAt} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
