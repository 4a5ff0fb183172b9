import { useState } from 'react';
import { isWithin, STATED_FINDINGS_MOST, type StatedFinding } from '../../core/model/statedFinding.ts';
import type { ReviewSubject } from '../../core/protocol/reviewMethods.ts';
import { useAnswer } from '../state/useAnswer.ts';
import { titleOfKind } from '../ui/findingWords.ts';
import { plural } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';

interface Props {
  readonly subject: Pick<ReviewSubject, 'id' | 'spec'>;
  /** Source index of the call point: later findings stay out. */
  readonly at: number;
  readonly chosen: readonly StatedFinding[];
  readonly onChange: (chosen: readonly StatedFinding[]) => void;
}

const keyOf = ({ kind, at, evidence }: StatedFinding): string => `${kind} ${at} ${evidence}`;

/** Which findings go into the file. They are looked for when somebody wants to choose. */
export function FindingChoice({ subject, at, chosen, onChange }: Props) {
  const [isOpen, setOpen] = useState(chosen.length > 0);
  const { value, error } = useAnswer('findings.session', isOpen ? subject : null);
  const found: readonly StatedFinding[] = value?.findings ?? [];
  const offered = [...chosen, ...found.filter((one) => !chosen.some((other) => keyOf(other) === keyOf(one)))]
    .filter((one) => isWithin(one, at))
    .sort((a, b) => a.at - b.at)
    .slice(0, STATED_FINDINGS_MOST);
  const out = chosen.filter((one) => !isWithin(one, at)).length;
  const keys = new Set(chosen.map(keyOf));
  const toggle = (one: StatedFinding) => {
    onChange(keys.has(keyOf(one)) ? chosen.filter((other) => keyOf(other) !== keyOf(one)) : [...chosen, one]);
  };
  return (
    <section aria-label="Findings in it" data-testid="export-findings">
      <h3>Findings in it</h3>
      {!isOpen && (
        <button type="button" className="text-button" onClick={() => setOpen(true)}>
          Choose findings…
        </button>
      )}
      {isOpen && (
        <>
          <p className="mute">
            {plural(chosen.length - out, 'finding')}
            {out > 0 && `; ${out} after this call point stay out`}
          </p>
          {error !== null && <p className="drawer-error">{error.message}</p>}
          {value === null && error === null && <p className="faint">Looking for more…</p>}
          {value !== null && offered.length === 0 && <p className="faint">None before this call point.</p>}
          <ul className="review-findings">
            {offered.map((one) => (
              <li key={keyOf(one)}>
                <label>
                  <input type="checkbox" checked={keys.has(keyOf(one))} onChange={() => toggle(one)} />
                  <span className="ellipsis">
                    <span className="mute num">#{one.at}</span> {titleOfKind(one.kind)}: <Seen text={one.evidence} />
                  </span>
                </label>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
