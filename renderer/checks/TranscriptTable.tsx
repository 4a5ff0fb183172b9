import type { CheckedOutcome } from '../../core/protocol/checkTypes.ts';
import { useApp } from '../state/context.tsx';
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
  const { store, actions } = useApp();
  const show = async (id: string, { index, at }: CheckedOutcome): Promise<void> => {
    const selection = index === null ? null : { kind: 'message' as const, index, part: 0 };
    await actions.open(id, { at: null, selection });
    const { session } = store.getState();
    if (session.id !== id || session.error !== null) return;
    actions.setMode('timeline');
    if (at !== null) actions.setAt(at >= (session.info?.messages ?? 0) ? null : at);
    if (index !== null) void actions.goToMessage(index);
  };
  const sorted = outcomes.toSorted((a, b) => ORDER.indexOf(a.outcome.verdict) - ORDER.indexOf(b.outcome.verdict));
  if (sorted.length === 0) return null;
  return (
    <section className="checks-evidence" aria-label="Transcripts">
      <h4>
        Transcripts <span className="mute">Enter opens one where the rule points to</span>
      </h4>
      <ul data-testid="checks-transcripts">
        {sorted.slice(0, SHOWN).map(({ id, outcome }) => (
          <li key={id}>
            <button
              type="button"
              className="checks-place"
              data-verdict={outcome.verdict}
              onClick={() => void show(id, outcome)}
            >
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
