import { CircleAlert, LoaderCircle } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ReviewFinished, ReviewInfo } from '../../core/protocol/reviewTypes.ts';
import { formatBytes, plural } from '../ui/format.ts';
import { useFocusWhen } from '../ui/useFocusWhen.ts';
import type { WriteState } from './useWriting.ts';
import { statusLine } from './words.ts';

interface Props {
  readonly info: ReviewInfo | null;
  readonly finished: ReviewFinished | null;
  readonly state: WriteState;
  readonly onClose: () => void;
  readonly onWrite: () => void;
}

/** How much is decided, and the way out: a file, which waits for what is undecided or left. */
export function ReviewFoot({ info, finished, state, onClose, onWrite }: Props) {
  const done = useFocusWhen<HTMLButtonElement>(state.kind === 'written');
  const undecided = info?.undecided ?? 0;
  const mayWrite = info !== null && undecided === 0 && finished !== null && finished.leftCount === 0;
  const write = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The main action has the focus as soon as there is one, unless the person is somewhere else by then. The last decision
    // takes its own button away: the focus falls back to the dialog.
    if (mayWrite && document.activeElement?.matches('[data-autofocus], [role="dialog"], body')) write.current?.focus();
  }, [mayWrite]);
  if (state.kind === 'written') {
    return (
      <>
        <span className="grow" />
        <button ref={done} type="button" className="button button-primary" onClick={onClose}>
          Done
        </button>
      </>
    );
  }
  return (
    <>
      <span className="review-status grow" role="status" data-testid="review-status">
        {info !== null && statusLine(info)}
        {finished !== null && `; ${formatBytes(finished.bytes)}`}
      </span>
      {state.kind === 'failed' && (
        <span className="finding-error review-failed" role="alert">
          <CircleAlert size={14} aria-hidden /> Not written: {state.text}
        </span>
      )}
      {undecided > 0 && <span className="review-undecided">{plural(undecided, 'candidate')} undecided</span>}
      <button type="button" className="button" onClick={onClose}>
        Cancel
      </button>
      <button
        ref={write}
        type="button"
        className="button button-primary"
        data-testid="export-button"
        disabled={!mayWrite || state.kind === 'writing'}
        title={undecided > 0 ? 'Decide what becomes of each candidate first' : undefined}
        onClick={onWrite}
      >
        {state.kind === 'writing' ? (
          <>
            <LoaderCircle size={13} className="spin" aria-hidden /> Writing…
          </>
        ) : (
          'Write the file…'
        )}
      </button>
    </>
  );
}
