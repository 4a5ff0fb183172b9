import { FlaskConical } from 'lucide-react';
import { SAMPLE } from '../../core/sample/facts.ts';
import { useActions } from '../state/context.tsx';
import { plural } from '../ui/format.ts';

/** The sample in one line, and one click. */
export function SampleLine() {
  const { openSample } = useActions();
  return (
    <section className="sample-line" aria-label="Sample">
      <FlaskConical size={16} className="sample-icon" aria-hidden />
      <div className="grow">
        <b>{SAMPLE.title}</b>{' '}
        <span className="mute num">
          {plural(SAMPLE.messages, 'message')} · {plural(SAMPLE.compactions, 'compaction')}
        </span>
        <div className="mute">
          “{SAMPLE.forgotten}” is said in the first turn, lost at the compaction, and broken after it.
        </div>
      </div>
      <button
        type="button"
        className="button button-primary welcome-button"
        onClick={() => void openSample()}
        data-testid="open-sample"
      >
        Open the sample <kbd>S</kbd>
      </button>
    </section>
  );
}
