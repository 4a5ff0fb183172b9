import { useMemo, useRef, useState } from 'react';
import type { Problem } from '../../core/model/problem.ts';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import { useApp } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { useAnswer } from '../state/useAnswer.ts';
import { Modal } from '../ui/Modal.tsx';
import { readSpecText } from './readSpecText.ts';
import { ProblemLine } from './StageReportLines.tsx';

interface Checked {
  /** null = there is none yet, or the text is another by now. */
  readonly spec: ProjectionSpec | null;
  readonly problems: readonly Problem[];
}

const NOTHING: Checked = { spec: null, problems: [] };
const WAIT_MS = 200;

/** Takes a policy as JSON, pasted or from a file; the engine says what is wrong with it, by path. */
export function ImportPolicyDialog({ onClose }: { readonly onClose: () => void }) {
  const { actions } = useApp();
  const [text, setText] = useState('');
  const { spec, problems } = useParsed(text);
  const file = useRef<HTMLInputElement>(null);
  const take = async (field: HTMLInputElement) => {
    const [chosen] = field.files ?? [];
    // The same file chosen again is read again: it may have been repaired.
    field.value = '';
    try {
      if (chosen) setText(await chosen.text());
    } catch (thrown) {
      const { message } = toProtocolError(thrown);
      actions.toast({ tone: 'error', text: 'The file could not be read.', detail: message });
    }
  };
  const apply = () => {
    if (!spec) return;
    actions.setSpec(spec);
    onClose();
  };
  return (
    <Modal
      title="Import a policy"
      description="Paste a spec as JSON, or a Harn policy: its name or its option object."
      testId="import-policy"
      onClose={onClose}
      footer={
        <>
          <button type="button" className="button" onClick={() => file.current?.click()}>
            From a file…
          </button>
          <span className="grow" />
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            className="button button-primary"
            disabled={!spec}
            data-testid="import-apply"
            onClick={apply}
          >
            Use this policy
          </button>
        </>
      }
    >
      <textarea
        className="field mono import-text"
        aria-label="Policy as JSON"
        placeholder={'{"version": 1, "stages": [{"kind": "reachability_gc", "options": {"root_window": 8}}]}'}
        rows={12}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <input
        ref={file}
        type="file"
        accept=".json,application/json"
        hidden
        onChange={(event) => void take(event.target)}
      />
      <div role="status" className="import-result">
        {problems.map((problem, number) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
          <ProblemLine key={number} problem={problem} />
        ))}
        {spec && (
          <p className="mute">
            Reads as {spec.stages.length === 1 ? '1 stage' : `${spec.stages.length} stages`}:{' '}
            {spec.stages.map((stage) => stage.kind).join(' → ') || 'raw'}.
          </p>
        )}
      </div>
    </Modal>
  );
}

/** What the engine makes of the text, a little after the last key; what it made of the text before stays until then. */
function useParsed(text: string): Checked {
  const read = useMemo(() => (text.trim() === '' ? null : readSpecText(text)), [text]);
  const { value, isLoading, error } = useAnswer('spec.parse', read?.ok ? { spec: read.value } : null, {
    wait: WAIT_MS,
    about: read?.ok ? 'policy' : null,
  });
  if (read === null) return NOTHING;
  if (!read.ok) return { spec: null, problems: [read.problem] };
  if (error) return { spec: null, problems: [{ code: 'spec.unread', severity: 'error', text: error.message }] };
  return { spec: isLoading ? null : (value?.spec ?? null), problems: value?.problems ?? [] };
}
