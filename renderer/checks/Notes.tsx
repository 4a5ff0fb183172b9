import { CircleAlert, TriangleAlert } from 'lucide-react';
import type { PlacedFault } from '../../core/protocol/checkTypes.ts';
import { useAppState } from '../state/context.tsx';
import type { CheckRun, RulesFile } from '../state/types.ts';
import { plural } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { faultText, unreadable, verdictText } from './words.ts';

const FAULTS_SHOWN = 50;
const UNREAD_SHOWN = 20;

interface FaultsProps {
  readonly name: string | null;
  readonly faults: readonly PlacedFault[];
  readonly onGo: (line: number) => void;
}

/** What is wrong with the rules, by line. No rule is run until it is repaired. */
export function Faults({ name, faults, onGo }: FaultsProps) {
  return (
    <div className="checks-faults" role="alert" data-testid="checks-faults">
      <p>
        <CircleAlert size={14} aria-hidden className="tone-bad" />{' '}
        <b>
          {plural(faults.length, 'fault')} in <Seen text={name ?? 'the rules'} />.
        </b>{' '}
        <span className="mute">No rule is run until {faults.length === 1 ? 'it is' : 'they are'} corrected.</span>
      </p>
      <ul>
        {faults.slice(0, FAULTS_SHOWN).map((fault, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
          <li key={at} data-testid="checks-fault" data-line={fault.line ?? ''}>
            {fault.line === null ? (
              <Seen text={fault.text} />
            ) : (
              <button type="button" className="link" onClick={() => onGo(fault.line ?? 1)}>
                <Seen text={faultText(fault)} />
              </button>
            )}
          </li>
        ))}
      </ul>
      {faults.length > FAULTS_SHOWN && <p className="mute">And {faults.length - FAULTS_SHOWN} more.</p>}
    </div>
  );
}

interface RunNotesProps {
  readonly run: CheckRun;
  readonly file: RulesFile;
  readonly isFaulty: boolean;
  readonly titleOf: (id: string) => string | null;
}

/** How a run went as a whole: in a sentence, what of it is out of date, and what could not be read. */
export function RunNotes({ run, file, isFaulty, titleOf }: RunNotesProps) {
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const words = verdictText(run);
  const unread = unreadable(run.checked);
  const isOther = run.text !== file.text;
  const isOtherBaseline = run.baseline !== (file.baseline?.text ?? null);
  const hasGrown = run.ids.length === 1 && run.messages !== messages;
  return (
    <div className="checks-notes">
      {run.state === 'failed' && (
        <p className="drawer-error" role="alert" data-testid="checks-failure">
          The rules could not be run: <Seen text={run.error ?? 'the engine gave no reason'} />
        </p>
      )}
      {run.state === 'running' && run.ids.length === 1 && (
        <p className="faint" role="status">
          Holding the rules against every request of the session…
        </p>
      )}
      {words !== null && run.state !== 'failed' && (
        <p className="checks-verdict" data-testid="checks-verdict">
          {words}
        </p>
      )}
      {(isOther || isOtherBaseline || hasGrown) && run.state !== 'running' && (
        <p className="checks-stale" data-testid="checks-stale">
          <TriangleAlert size={13} aria-hidden />{' '}
          {isOther
            ? 'The rules were changed since: this is what was found before.'
            : isOtherBaseline
              ? 'Another baseline was opened since: this is what was found before.'
              : 'The session has grown since.'}
          {!isFaulty && ' F5 runs them again.'}
        </p>
      )}
      {unread.length > 0 && (
        <div role="alert" data-testid="checks-unreadable">
          <p className="tone-bad">
            <b>{plural(unread.length, 'transcript')} could not be checked:</b>
          </p>
          <ul>
            {unread.slice(0, UNREAD_SHOWN).map(({ id, error }) => (
              <li key={id}>
                <Seen text={titleOf(id) ?? id} />: <Seen text={error ?? ''} />
              </li>
            ))}
          </ul>
          {unread.length > UNREAD_SHOWN && <p className="mute">And {unread.length - UNREAD_SHOWN} more.</p>}
        </div>
      )}
    </div>
  );
}
