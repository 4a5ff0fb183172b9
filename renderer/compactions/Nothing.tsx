import { presetNamed } from '../../core/projection/presets.ts';
import { useActions, useAppState } from '../state/context.tsx';

/** No compaction under this policy: what would make one. */
export function Nothing() {
  const { setPolicy } = useActions();
  const recorded = useAppState((state) => state.session.info?.compactions ?? 0);
  const history = presetNamed('as_recorded');
  const summary = presetNamed('summary_prefix_12');
  return (
    <div className="compactions-nothing">
      <h2>{recorded > 0 ? 'This policy follows no compaction' : 'Nothing was compacted here'}</h2>
      <p className="mute">
        {recorded > 0
          ? 'The session records compactions, and this policy acts on the raw history.'
          : 'Add a stage that summarises, and this page says what its summary would keep.'}
      </p>
      <p className="compactions-choices">
        {recorded > 0 && history !== null && (
          <button type="button" className="button" onClick={() => setPolicy({ name: history.name, ...history.spec })}>
            {history.title}
          </button>
        )}
        {summary !== null && (
          <button
            type="button"
            className="button"
            data-testid="try-summary"
            onClick={() => setPolicy({ name: summary.name, ...summary.spec })}
          >
            Try {summary.title}
          </button>
        )}
      </p>
    </div>
  );
}
