import { CircleAlert, CircleCheck, LoaderCircle } from 'lucide-react';
import type { ProtocolError } from '../../core/protocol/methods.ts';
import type { ReviewFinished, ReviewInfo } from '../../core/protocol/reviewTypes.ts';
import { formatBytes, formatCount, plural } from '../ui/format.ts';
import { ReviewFact } from './ReviewFact.tsx';
import { sliceWords } from './words.ts';

interface Props {
  readonly info: ReviewInfo;
  readonly finished: ReviewFinished | null;
  readonly error: ProtocolError | null;
  /** `Sent` or `Would be sent`; how many messages, where, under which policy. */
  readonly verb: string;
  readonly sent: string;
  readonly policy: string;
  /** Only what the result needs is to go out. */
  readonly slice: boolean;
  readonly onSlice: (slice: boolean) => void;
}

/** What leaves: how much, under which policy, whether it decides as the original does, and what was taken out. */
export function LeavePanel({ info, finished, error, verb, sent, policy, slice, onSlice }: Props) {
  const pictures = info.kinds.filter(({ group }) => group === 'unreadable');
  return (
    <section aria-label="What goes out">
      <h3>What goes out</h3>
      <dl className="review-facts">
        <ReviewFact name={verb}>{sent}</ReviewFact>
        <ReviewFact name="Raw messages">{formatCount(info.at)}</ReviewFact>
        <ReviewFact name="Policy" testId="export-policy">
          {policy}
        </ReviewFact>
        <ReviewFact name="File">
          <span className="mono">{finished?.name ?? '–'}</span>
        </ReviewFact>
        <ReviewFact name="Size" testId="review-size">
          {finished === null ? '–' : formatBytes(finished.bytes)}
        </ReviewFact>
        <ReviewFact name="Prefix hash">
          <span className="mono" title={finished?.prefixHash}>
            {finished === null ? '–' : finished.prefixHash}
          </span>
        </ReviewFact>
        {pictures.map(({ kind, tier, title, count, masked }) => (
          <ReviewFact key={`${kind} ${tier}`} name={title}>
            {formatCount(masked)} of {formatCount(count)} taken out
          </ReviewFact>
        ))}
        {finished !== null && finished.signatures > 0 && (
          <ReviewFact name="Signed thinking">
            {plural(finished.signatures, 'signature')} taken out: its text is masked
          </ReviewFact>
        )}
      </dl>
      <SliceChoice finished={finished} chosen={slice} onChange={onSlice} />
      <Outcome finished={finished} error={error} slice={slice} />
    </section>
  );
}

function SliceChoice({
  finished,
  chosen,
  onChange,
}: Pick<Props, 'finished'> & { readonly chosen: boolean; readonly onChange: (chosen: boolean) => void }) {
  return (
    <div className="review-slice">
      <label>
        <input
          type="checkbox"
          checked={chosen}
          data-testid="review-slice"
          onChange={(event) => onChange(event.target.checked)}
        />
        Only what the result needs
      </label>
      <p className="mute" data-testid="review-slice-words">
        {sliceWords(chosen ? finished?.slice : null)}
      </p>
    </div>
  );
}

function Outcome({ finished, error, slice }: Pick<Props, 'finished' | 'error' | 'slice'>) {
  if (error !== null) {
    return (
      <p className="finding finding-error" role="alert">
        <CircleAlert size={14} aria-hidden /> <span>The file could not be made: {error.message}</span>
      </p>
    );
  }
  if (finished === null) {
    return (
      <p className="mute review-outcome" role="status">
        <LoaderCircle size={14} className="spin" aria-hidden />{' '}
        {slice ? 'Looking for the messages that the result needs…' : 'Writing it with stand-ins, projecting it again…'}
      </p>
    );
  }
  const { sameOutcome, compared, tokens } = finished;
  const words = `tokens ${tokens.sign}${formatCount(tokens.original)} → ${tokens.sign}${formatCount(tokens.written)}`;
  return (
    <p className="review-outcome" role="status" data-testid="review-outcome" data-same={sameOutcome}>
      {sameOutcome ? (
        <CircleCheck size={14} className="tone-good" aria-hidden />
      ) : (
        <CircleAlert size={14} className="tone-bad" aria-hidden />
      )}
      <span>
        {sameOutcome
          ? `Projected again: ${plural(compared, 'message')} with the same outcomes, order and pointers; ${words}.`
          : `Projected again: stand-ins change what the policy decides of some messages, and the file says so; ${words}.`}
      </span>
    </p>
  );
}
