import { useActions, useAppState } from '../state/context.tsx';
import { titleOfKind } from '../ui/findingWords.ts';
import { Seen } from '../ui/Seen.tsx';

/** Of a transcript from a bug report: the findings that whoever made it chose. */
export function StatedFindings() {
  const stated = useAppState((state) => state.session.info?.bundle?.findings);
  const { goToMessage } = useActions();
  if (stated === undefined || stated.length === 0) return null;
  return (
    <section className="findings-stated" aria-label="Chosen for this report" data-testid="findings-stated">
      <h3>Chosen for this report</h3>
      <ul>
        {stated.map((finding) => (
          <li key={`${finding.kind} ${finding.at} ${finding.evidence}`}>
            <button type="button" className="link num" onClick={() => void goToMessage(finding.at)}>
              #{finding.at}
            </button>{' '}
            <b>{titleOfKind(finding.kind)}</b>{' '}
            <span className="mute">
              <Seen text={finding.evidence} />
            </span>
            {finding.loss !== null && (
              <span className="faint">
                {' '}
                not in the request since #{finding.loss.since}: <Seen text={finding.loss.reason} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
