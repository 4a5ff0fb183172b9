import { useApp, useAppState } from '../state/context.tsx';
import { formatCount } from '../ui/format.ts';

/** How many transcripts were looked through for findings, while not all of them were; and the way to stop or continue. */
export function SurveyBar() {
  const { engine } = useApp();
  const transcripts = useAppState((state) => state.library.transcripts);
  const jobs = useAppState((state) => state.jobs);
  const ready = (transcripts ?? []).filter(({ state, messages }) => state === 'ready' && messages > 0);
  const done = ready.filter(({ survey }) => survey !== null).length;
  if (done === ready.length) return null;
  const job = Object.values(jobs).find(
    ({ kind, state }) => kind === 'survey' && (state === 'running' || state === 'queued'),
  );
  return (
    <div className="survey-bar" data-testid="survey-bar">
      <div
        className="progress grow"
        role="progressbar"
        aria-label="Looked through for findings"
        aria-valuemin={0}
        aria-valuemax={ready.length}
        aria-valuenow={done}
      >
        <i style={{ width: `${Math.round((100 * done) / ready.length)}%` }} />
      </div>
      <span className="mute num">
        {formatCount(done)} of {formatCount(ready.length)} looked through
      </span>
      {job === undefined ? (
        <button type="button" className="link" onClick={() => void engine.call('survey.start', {})}>
          Look through
        </button>
      ) : (
        <button type="button" className="link" onClick={() => void engine.call('survey.stop', {})}>
          Stop
        </button>
      )}
    </div>
  );
}
