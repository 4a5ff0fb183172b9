import { useApp } from '../state/context.tsx';
import type { CheckRun, RulesFile } from '../state/types.ts';
import { formatCount } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { useRulesField } from './ChecksBar.tsx';
import type { OpenRules } from './openRules.ts';
import { recordBaseline } from './recordBaseline.ts';
import { recordedText } from './words.ts';

interface Props {
  readonly run: CheckRun;
  readonly file: RulesFile;
  readonly onOpen: OpenRules;
}

/** What the rules are compared with, what of it was recorded, and the way to record it again. */
export function BaselineNote({ run, file, onOpen }: Props) {
  const app = useApp();
  const field = useRulesField(onOpen);
  const isCurrent = run.state === 'done' && run.text === file.text && run.baseline === (file.baseline?.text ?? null);
  const all = run.checked.flatMap(({ baseline }) => baseline ?? []);
  const only = run.ids.length === 1 ? all[0] : undefined;
  return (
    <div className="checks-baseline" data-testid="checks-baseline">
      <p>
        {file.baseline === null ? (
          'A rule compares with a recorded baseline, and none is open.'
        ) : (
          <>
            Compared with <Seen text={file.baseline.name} />
            {only?.key != null && only.isRecorded && (
              <>
                , recorded as <Seen text={only.key} />
              </>
            )}
            .
          </>
        )}{' '}
        <span className="mute">{all.length > 0 && run.baseline !== null && recordedText(all)}</span>
      </p>
      <span className="checks-baseline-acts">
        {file.baseline === null && (
          <button type="button" className="button" onClick={field.choose}>
            Open it…
          </button>
        )}
        <button
          type="button"
          className="button"
          data-testid="checks-record"
          disabled={!isCurrent}
          title={
            isCurrent
              ? `Records what was found of ${all.length === 1 ? 'this transcript' : `${formatCount(all.length)} transcripts`}, as parallax check --update does, and saves the file`
              : 'What a run found to its end is recorded: run the rules first'
          }
          onClick={() => void recordBaseline(app, run, file, onOpen)}
        >
          {file.baseline === null ? 'Record one' : 'Update the baseline'}
        </button>
      </span>
      {field.field}
    </div>
  );
}
