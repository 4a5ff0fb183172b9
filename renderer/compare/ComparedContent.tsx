import { useMemo } from 'react';
import type { ComparedInfo, ComparedText } from '../../core/protocol/compareTypes.ts';
import { DiffView } from '../monaco/DiffView.tsx';
import { useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { formatCount } from '../ui/format.ts';
import { prettyJson } from '../ui/prettyJson.ts';
import { Seen } from '../ui/Seen.tsx';
import { MARK_WORDS } from './words.ts';

interface Props {
  readonly info: ComparedInfo;
  readonly line: number | null;
  readonly part: 'content' | 'diff';
}

/** Both texts of the row one is at: as they read, or as JSON compared. */
export function ComparedContent({ info: { comparisonId }, line, part }: Props) {
  const isNarrow = useAppState((state) => state.ui.narrow);
  const asked = line === null ? null : { comparisonId, line };
  const { value, error } = useAnswer('compare.texts', asked, { about: comparisonId });
  const [before, after] = useMemo(() => [prettyJson(value?.a?.json ?? ''), prettyJson(value?.b?.json ?? '')], [value]);
  if (line === null) return <p className="compare-note mute">Choose a row above to read it.</p>;
  if (error !== null) return <p className="compare-note drawer-error">The texts could not be read: {error.message}</p>;
  if (value === null) return null;
  if (part === 'diff' && value.a !== null && value.b !== null)
    return (
      <div className="compare-diff">
        <DiffView before={before} after={after} sideBySide={!isNarrow} label="A and B" />
      </div>
    );
  if (part === 'diff')
    return (
      <p className="compare-note mute">
        This message is {MARK_WORDS[value.mark]}: there is nothing to compare it with.
      </p>
    );
  return (
    <div className="compare-texts" data-testid="compare-texts">
      <Text letter="A" text={value.a} />
      <Text letter="B" text={value.b} />
    </div>
  );
}

function Text({ letter, text }: { readonly letter: 'A' | 'B'; readonly text: ComparedText | null }) {
  return (
    <section aria-label={`Text in ${letter}`} data-side={letter.toLowerCase()}>
      {text === null ? (
        <p className="mute">Not in this request.</p>
      ) : (
        <>
          {text.parts.map((part, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name than their place
            <div key={at}>
              <h4 className="mute">{part.label}</h4>
              <pre className={part.mono ? 'mono' : undefined} dir="auto">
                <Seen text={part.text} />
              </pre>
            </div>
          ))}
          {text.json.length < text.chars && (
            <p className="mute">Cut after {formatCount(text.json.length)} characters. The timeline shows all of it.</p>
          )}
        </>
      )}
    </section>
  );
}
