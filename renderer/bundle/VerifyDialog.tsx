import '../review/dialogs.css';
import { CircleAlert, CircleCheck, CircleX, LoaderCircle } from 'lucide-react';
import { useState } from 'react';
import type { VerifyReport } from '../../core/protocol/types.ts';
import { useApp, useHost } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { titleOfKind } from '../ui/findingWords.ts';
import { plural } from '../ui/format.ts';
import { Modal } from '../ui/Modal.tsx';
import { Seen } from '../ui/Seen.tsx';
import { useFocusWhen } from '../ui/useFocusWhen.ts';

type State =
  | { readonly kind: 'ready' }
  | { readonly kind: 'checking'; readonly name: string }
  | { readonly kind: 'checked'; readonly name: string; readonly handle: string; readonly report: VerifyReport }
  | { readonly kind: 'failed'; readonly name: string; readonly text: string };

/** Projects a bug report's transcript again, and says whether the same comes out. */
export function VerifyDialog({ onClose }: { readonly onClose: () => void }) {
  const { engine, actions } = useApp();
  const host = useHost();
  const [state, setState] = useState<State>({ kind: 'ready' });
  const another = useFocusWhen<HTMLButtonElement>(state.kind === 'failed');
  const opens = useFocusWhen<HTMLButtonElement>(state.kind === 'checked');
  const pick = async () => {
    let name = '';
    try {
      const [file] = (await host?.pickFiles()) ?? [];
      if (!file) return;
      name = file.name;
      setState({ kind: 'checking', name });
      const report = await engine.call('verify.file', { path: file.handle });
      setState({ kind: 'checked', name, handle: file.handle, report });
    } catch (thrown) {
      setState({ kind: 'failed', name, text: toProtocolError(thrown).message });
    }
  };
  const open = (handle: string) => {
    onClose();
    void actions.openFile(handle);
  };
  return (
    <Modal
      title="Verify a bug report"
      description="Runs the policy in the file over the messages in the file, here, and compares every hash and count."
      testId="verify-dialog"
      onClose={onClose}
      footer={
        <>
          <span className="grow" />
          <button type="button" className="button" onClick={onClose}>
            Close
          </button>
          <button
            ref={another}
            type="button"
            className={state.kind === 'checked' ? 'button' : 'button button-primary'}
            data-testid="verify-button"
            disabled={state.kind === 'checking' || host === null}
            onClick={() => void pick()}
          >
            {state.kind === 'ready' ? 'Choose a file…' : 'Another file…'}
          </button>
          {state.kind === 'checked' && (
            <button
              ref={opens}
              type="button"
              className="button button-primary"
              title="Opens it as a transcript, under its policy, at its call point"
              data-testid="verify-open-it"
              onClick={() => open(state.handle)}
            >
              {state.report.same ? 'Open it' : 'Open it anyway'}
            </button>
          )}
        </>
      }
    >
      <div role="status">
        {state.kind === 'checking' && (
          <p className="dialog-status mute">
            <LoaderCircle size={14} className="spin" aria-hidden /> Checking {state.name}…
          </p>
        )}
        {state.kind === 'failed' && (
          <p className="finding finding-error">
            <CircleAlert size={14} aria-hidden />
            <span>
              {state.name === '' ? '' : `${state.name}: `}
              <Seen text={state.text} />
            </span>
          </p>
        )}
        {state.kind === 'checked' && <Report name={state.name} report={state.report} />}
      </div>
    </Modal>
  );
}

function Report({ name, report }: { readonly name: string; readonly report: VerifyReport }) {
  const { bundle, here } = report.engineVersion;
  return (
    <div data-testid="verify-result" data-same={report.same}>
      <p className="dialog-status">
        {report.same ? (
          <CircleCheck size={15} className="tone-good" aria-hidden />
        ) : (
          <CircleX size={15} className="tone-bad" aria-hidden />
        )}
        <b>{report.same ? 'Same result' : 'Different result'}</b>
        <span className="mute ellipsis">
          <Seen text={name} />
        </span>
      </p>
      <ul className="export-list">
        <li>
          <span className="mute">Messages</span>
          <span className="export-value">{plural(report.messages, 'message')}</span>
        </li>
        <li>
          <span className="mute">Prefix hash</span>
          <span className="mono export-value">{report.prefixHash}</span>
        </li>
        <li>
          <span className="mute">Program</span>
          <span className="export-value">
            written by {bundle}, checked by {here}
          </span>
        </li>
      </ul>
      {report.findings.length > 0 && (
        <section aria-label="Findings in the report" data-testid="verify-findings">
          <h3>Findings in the report</h3>
          <ul className="export-list">
            {report.findings.map((finding) => (
              <li key={`${finding.kind} ${finding.at} ${finding.evidence}`}>
                <span className="mute num">#{finding.at}</span>
                <span className="export-value">
                  {titleOfKind(finding.kind)}: <Seen text={finding.evidence} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {report.differences.length > 0 && (
        <table className="differences">
          <thead>
            <tr>
              <th scope="col">what</th>
              <th scope="col">in the file</th>
              <th scope="col">here</th>
            </tr>
          </thead>
          <tbody>
            {report.differences.map((one) => (
              <tr key={one.what}>
                <th scope="row">{one.what}</th>
                <td className="mono">{one.expected}</td>
                <td className="mono">{one.got}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
