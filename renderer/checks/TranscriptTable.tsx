import { useActions } from '../state/context.tsx';
import { formatCount } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { VerdictSign } from './VerdictSign.tsx';
import { type RuleRow, VERDICT_WORD } from './words.ts';

const SHOWN = 200;
const ORDER = ['failed', 'unchecked', 'passed'] as const;

interface Props {
  readonly row: RuleRow;
  readonly titleOf: (id: string) => string | null;
}

/** What became of one rule in each transcript, failures first. */
export function TranscriptTable({ row: { outcomes }, titleOf }: Props) {
  const { open } = useActions();
  const sorted = outcomes.toSorted((a, b) => ORDER.indexOf(a.outcome.verdict) - ORDER.indexOf(b.outcome.verdict));
  if (sorted.length === 0) return null;
  return (
    <section className="checks-evidence" aria-label="Transcripts">
      <h4>
        Transcripts <span className="mute">Enter opens one</span>
      </h4>
      <ul data-testid="checks-transcripts">
        {sorted.slice(0, SHOWN).map(({ id, outcome }) => (
          <li key={id}>
            <button type="button" className="checks-place" data-verdict={outcome.verdict} onClick={() => void open(id)}>
              <span className="checks-count checks-where" data-verdict={outcome.verdict}>
                <VerdictSign verdict={outcome.verdict} /> {VERDICT_WORD[outcome.verdict]}
              </span>
              <span className="checks-what">
                <Seen text={titleOf(id) ?? id} />
              </span>
              <span className="checks-excerpt mute">
                <Seen text={outcome.found} />
              </span>
              <span className="num mute checks-at-line">
                {outcome.line === null ? '' : `line ${formatCount(outcome.line)}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {sorted.length > SHOWN && <p className="mute">And {formatCount(sorted.length - SHOWN)} more.</p>}
    </section>
  );
}
