import { CircleAlert, LoaderCircle } from 'lucide-react';
import { useActions, useAppState } from '../state/context.tsx';

/** Why there are no rows, or why they are not those asked for: opening, failed, empty. */
export function TimelineNotice() {
  const session = useAppState((state) => state.session);
  const error = useAppState((state) => state.projection.error);
  const info = useAppState((state) => state.projection.info);
  const { reproject, close, closeFilter } = useActions();
  if (session.error) {
    return (
      <div className="notice notice-error" role="alert">
        <CircleAlert size={14} />
        <span className="grow">This transcript could not be opened: {session.error.message}</span>
        <button type="button" className="button" onClick={close}>
          Close
        </button>
      </div>
    );
  }
  if (error) {
    return (
      <div className="notice notice-error" role="alert">
        <CircleAlert size={14} />
        <span className="grow">
          {info ? 'The panes show the projection before this failure: ' : 'The projection failed: '}
          {error.message}
        </span>
        <button type="button" className="button" onClick={reproject}>
          Try again
        </button>
      </div>
    );
  }
  if (!info) {
    return (
      <div className="notice" role="status">
        <LoaderCircle size={14} className="spin" />
        {session.opening ? 'Opening…' : 'Projecting…'}
      </div>
    );
  }
  if (info.rowCount === 0 && info.filter?.rows?.matched === 0) {
    return (
      <div className="notice" role="status">
        <span className="grow">No row fits the filter.</span>
        <button type="button" className="button" onClick={closeFilter}>
          Show all rows
        </button>
      </div>
    );
  }
  if (info.rowCount === 0) {
    return (
      <div className="notice" role="status">
        {session.info?.state === 'importing'
          ? 'Messages appear here as they are read.'
          : 'This transcript has no messages.'}
      </div>
    );
  }
  return null;
}
