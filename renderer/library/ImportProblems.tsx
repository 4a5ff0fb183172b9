import './importProblems.css';
import { useActions } from '../state/context.tsx';
import type { DialogProps } from '../state/dialog.ts';
import { canBeMapped, MAP_FIELDS } from '../state/mappable.ts';
import { plural } from '../ui/format.ts';
import { Modal } from '../ui/Modal.tsx';
import { baseName, describePlace } from '../ui/problemPlace.ts';
import { findingsOf } from './problems.ts';
import { SupportedFormats } from './SupportedFormats.tsx';

const SHOWN = 200;
/** Nothing that is read is like these files. */
const UNKNOWN: ReadonlySet<string> = new Set(['import.not_recognised', 'import.not_transcript', 'import.binary_file']);

/** What the last import found in each file. */
export function ImportProblems({ dialog, onClose }: DialogProps<'importProblems'>) {
  const { mapFields } = useActions();
  const reports = dialog.reports.filter((one) => one.error !== null || one.problems.length > 0);
  return (
    <Modal title="Problems found on import" onClose={onClose} width={720} testId="import-problems">
      {reports.length === 0 && <p className="mute">The last import found nothing wrong.</p>}
      {reports.map((report) => {
        const problems = findingsOf(report);
        return (
          <section key={report.file} className="import-findings">
            <h3 className="ellipsis" title={report.file}>
              {baseName(report.file)} <span className="mute">{plural(problems.length, 'problem')}</span>
            </h3>
            <ul>
              {problems.slice(0, SHOWN).map((problem, position) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: findings have no identity and do not move
                <li key={position} className={`import-finding import-finding-${problem.severity}`}>
                  <span className="grow">
                    {describePlace(problem.where) !== '' && (
                      <span className="import-finding-where num">{describePlace(problem.where)}: </span>
                    )}
                    {problem.text}
                  </span>
                  <code className="mono faint">{problem.code}</code>
                </li>
              ))}
            </ul>
            {canBeMapped(report) && (
              <button
                type="button"
                className="button map-fields"
                data-testid="map-fields"
                onClick={() => mapFields({ handle: report.handle, name: report.file })}
              >
                {MAP_FIELDS}
              </button>
            )}
            {problems.length > SHOWN && (
              <p className="mute">… and {plural(problems.length - SHOWN, 'more problem', 'more problems')}</p>
            )}
          </section>
        );
      })}
      {reports.some(({ error }) => error !== null && UNKNOWN.has(error.code)) && <SupportedFormats />}
    </Modal>
  );
}
