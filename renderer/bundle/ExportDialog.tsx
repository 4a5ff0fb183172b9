import './dialogs.css';
import { CircleAlert, LoaderCircle, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { statedWithin } from '../../core/model/statedFinding.ts';
import { exportName } from '../../core/protocol/exportName.ts';
import type { ResultOf } from '../../core/protocol/methods.ts';
import { useApp, useAppState, useHost } from '../state/context.tsx';
import type { DialogProps } from '../state/dialog.ts';
import { toProtocolError } from '../state/engine.ts';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';
import { useSentWords } from '../state/useSentWords.ts';
import { formatCount, plural } from '../ui/format.ts';
import { Modal } from '../ui/Modal.tsx';
import { useFocusWhen } from '../ui/useFocusWhen.ts';
import { ExportLine } from './ExportLine.tsx';
import { policyLine } from './policyLine.ts';
import { WrittenBundle, type WrittenReport } from './WrittenBundle.tsx';

type State =
  | { readonly kind: 'ready' }
  | { readonly kind: 'writing' }
  | { readonly kind: 'written'; readonly written: WrittenReport }
  | { readonly kind: 'failed'; readonly text: string };

/** Writes what was sent at this call point, or would be, into one file that others can open and verify. */
export function ExportDialog({ dialog, onClose }: DialogProps<'export'>) {
  const { engine } = useApp();
  const host = useHost();
  const projection = useAppState((state) => state.projection);
  const session = useAppState((state) => state.session);
  const [state, setState] = useState<State>({ kind: 'ready' });
  const spec = useProjectedSpec();
  const sent = useSentWords();
  const done = useFocusWhen<HTMLButtonElement>(state.kind === 'written');
  const { info } = projection;
  if (!info || !session.info) return null;
  const { id, title } = session.info;
  const chosen = dialog.findings ?? [];
  const findings = statedWithin(chosen, info.at);
  const name = exportName(title, info.at, 'bundle');
  const write = async () => {
    setState({ kind: 'writing' });
    let written: ResultOf<'export.write'> | null = null;
    const make = async (path: string | null) => {
      written = await engine.call('export.write', { id, spec: spec ?? info.spec, at: info.at, path, findings });
      return written;
    };
    try {
      const place = host ? await host.saveExport(make, name) : (await make(null)).path;
      const answer = written as ResultOf<'export.write'> | null;
      setState(
        place === null || answer === null ? { kind: 'ready' } : { kind: 'written', written: { ...answer, place } },
      );
    } catch (thrown) {
      setState({ kind: 'failed', text: toProtocolError(thrown).message });
    }
  };
  const isWriting = state.kind === 'writing';
  return (
    <Modal
      title="Export a bug report"
      description="One file with exactly what was sent at this call point, or would be, for somebody else to open and check."
      testId="export-dialog"
      onClose={onClose}
      width={600}
      footer={
        <>
          <span className="grow" />
          <button ref={done} type="button" className="button" onClick={onClose}>
            {state.kind === 'written' ? 'Done' : 'Cancel'}
          </button>
          {state.kind !== 'written' && (
            <button
              type="button"
              className="button button-primary"
              data-testid="export-button"
              disabled={isWriting}
              onClick={() => void write()}
            >
              {isWriting ? 'Writing…' : 'Save…'}
            </button>
          )}
        </>
      }
    >
      {state.kind === 'written' ? (
        <WrittenBundle written={state.written} host={host} />
      ) : (
        <>
          <ul className="export-list">
            <ExportLine
              name={sent?.verb ?? ''}
              value={`${plural(info.keptCount, 'message')}, ${sent?.place ?? ''} ${sent?.under ?? ''}`}
            />
            <ExportLine name="Raw messages before it" value={formatCount(info.at)} />
            <ExportLine name="Policy" value={policyLine(info.reports)} testId="export-policy" />
            <ExportLine name="Outcome and reason" value="per message" />
            {chosen.length > 0 && (
              <ExportLine
                name="Findings"
                value={findingsLine(findings.length, chosen.length)}
                testId="export-findings"
              />
            )}
            <ExportLine name="Prefix hash" value={info.prefixHash ?? 'being computed…'} isMono />
            <ExportLine name="File" value={name} isMono />
          </ul>
          <p className="finding finding-warning">
            <TriangleAlert size={14} aria-hidden />
            <span>
              Secrets and personal data that are found are replaced by stand-ins of the same shape. What is not found
              goes out as it is.
            </span>
          </p>
        </>
      )}
      {isWriting && (
        <p className="mute dialog-status" role="status">
          <LoaderCircle size={14} className="spin" aria-hidden /> Writing…
        </p>
      )}
      {state.kind === 'failed' && (
        <p className="finding finding-error" role="alert">
          <CircleAlert size={14} aria-hidden /> <span>Not written: {state.text}</span>
        </p>
      )}
    </Modal>
  );
}

function findingsLine(within: number, chosen: number): string {
  const out = chosen - within;
  return out === 0 ? plural(within, 'finding') : `${plural(within, 'finding')}; ${out} after this call point stay out`;
}
