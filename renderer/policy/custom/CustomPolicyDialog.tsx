import './custom.css';
import { useMemo, useRef } from 'react';
import type { ParamSchema } from '../../../core/view/types.ts';
import { CodeEditor } from '../../monaco/CodeEditor.tsx';
import { useAppState } from '../../state/context.tsx';
import type { DialogProps } from '../../state/dialog.ts';
import { addStage, codePlaces, setOption, shownValue } from '../../state/editSpec.ts';
import { usePolicyEdit } from '../../state/usePolicyEdit.ts';
import { Modal } from '../../ui/Modal.tsx';
import { codeProblems, markers } from './codeProblems.ts';
import { Examples } from './Examples.tsx';
import { POLICY_HELP } from './policyHelp.ts';
import { RunResult } from './RunResult.tsx';
import { useCodeDraft } from './useCodeDraft.ts';

/** The editor of a custom policy; the policy runs while it is written. */
export function CustomPolicyDialog({ dialog: { target }, onClose }: DialogProps<'customPolicy'>) {
  const spec = useAppState((state) => state.projection.spec);
  const kinds = useAppState((state) => state.describe?.stages ?? null);
  const edit = usePolicyEdit();
  const places = codePlaces(spec, kinds ?? []);
  const place =
    places.find((one) => one.stage === target?.stage && one.param.name === target.option) ?? places[0] ?? null;
  if (place) return <CodeDialog key={place.stage} stage={place.stage} param={place.param} onClose={onClose} />;
  const kind = kinds?.find((one) => one.params.some((param) => param.type === 'code')) ?? null;
  return (
    <Modal
      title="Write a custom policy"
      description="A JavaScript function that gets the messages and returns those the model is to see. It runs in a sandbox: without network, clock or randomness, and with a limit of steps and memory."
      testId="custom-editor"
      onClose={onClose}
    >
      {kind ? (
        <Examples title="Start with" onChoose={(code) => edit((old) => addStage(old, kind, code))} />
      ) : (
        <p className="mute">No stage here takes code.</p>
      )}
    </Modal>
  );
}

interface CodeDialogProps {
  readonly stage: number;
  readonly param: ParamSchema;
  readonly onClose: () => void;
}

function CodeDialog({ stage, param, onClose }: CodeDialogProps) {
  const spec = useAppState((state) => state.projection.spec);
  const report = useAppState((state) => state.projection.info?.reports.find((one) => one.stage === stage) ?? null);
  const edit = usePolicyEdit();
  const done = useRef<HTMLButtonElement>(null);
  const here = spec.stages[stage];
  const value = here ? shownValue(here, param) : '';
  const draft = useCodeDraft(typeof value === 'string' ? value : '', (code) =>
    edit((old) => setOption(old, stage, param, code)),
  );
  const problems = useMemo(() => codeProblems(report?.problems ?? []), [report]);
  // What an earlier text did wrong says nothing about the place of things in this one.
  const isOld = useAppState((state) => state.projection.pending) || draft.isWaiting;
  const marks = useMemo(() => (isOld ? [] : markers(problems)), [problems, isOld]);
  const close = () => {
    draft.flush();
    onClose();
  };
  return (
    <Modal
      title={`Custom stage ${stage + 1}`}
      width="large"
      testId="custom-editor"
      onClose={close}
      footer={
        <>
          <span className="mute grow">Runs as you type. Esc leaves the editor, Ctrl+Space completes.</span>
          <button ref={done} type="button" className="button button-primary" onClick={close}>
            Done
          </button>
        </>
      }
    >
      <div className="custom">
        <CodeEditor
          value={draft.code}
          revision={draft.revision}
          language="javascript"
          label="Code of the policy"
          markers={marks}
          help={POLICY_HELP}
          focus
          onChange={draft.type}
          onLeave={() => done.current?.focus()}
        />
        <div className="custom-side">
          <RunResult report={report} isOld={isOld} problems={problems} />
          <Examples title="Examples" onChoose={draft.replace} />
        </div>
      </div>
    </Modal>
  );
}
