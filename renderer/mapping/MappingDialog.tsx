import './mapping.css';
import { CircleAlert, LoaderCircle } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { GivenFile } from '../../core/protocol/files.ts';
import { CodeEditor } from '../monaco/CodeEditor.tsx';
import { useActions } from '../state/context.tsx';
import type { DialogProps } from '../state/dialog.ts';
import { mappingJson } from '../state/mappingDraft.ts';
import { Modal } from '../ui/Modal.tsx';
import { baseName } from '../ui/problemPlace.ts';
import { Segmented } from '../ui/Segmented.tsx';
import { GuessLine } from './GuessLine.tsx';
import { MappingFooter } from './MappingFooter.tsx';
import { MappingForm } from './MappingForm.tsx';
import { MappingJson } from './MappingJson.tsx';
import { MappingPreview } from './MappingPreview.tsx';
import { type MappingState, useMapping } from './useMapping.ts';

/** A person sets here how Parallax reads a file that it does not know: its records, the form, and a preview. */
export function MappingDialog({ dialog: { file }, onClose }: DialogProps<'mapping'>) {
  return <FileMapping key={file.handle} file={file} onClose={onClose} />;
}

function FileMapping({ file, onClose }: { readonly file: GivenFile; readonly onClose: () => void }) {
  const mapping = useMapping(file.handle);
  const { importMapped } = useActions();
  const { look, draft, preview, error } = mapping;
  const submit = async (name: string) => {
    onClose();
    await importMapped(file.handle, mappingJson({ ...draft, name }), name === '' ? null : name);
  };
  return (
    <Modal
      title={`Map the fields of ${baseName(file.name)}`}
      width="large"
      testId="mapping-dialog"
      onClose={onClose}
      footer={
        <MappingFooter
          mapping={mapping}
          count={preview?.preview?.counts.messages ?? 0}
          onImport={(name) => void submit(name)}
        />
      }
    >
      {error !== null && (
        <p className="finding finding-error mapping-error" role="alert">
          <CircleAlert size={14} aria-hidden /> <span>{error}</span>
        </p>
      )}
      {look === null ? (
        error === null && (
          <p className="mapping-note mute" role="status">
            <LoaderCircle size={14} className="spin" aria-hidden /> Reading the beginning of the file…
          </p>
        )
      ) : (
        <Panes mapping={mapping} look={look} />
      )}
    </Modal>
  );
}

function Panes({
  mapping,
  look,
}: {
  readonly mapping: MappingState;
  readonly look: NonNullable<MappingState['look']>;
}) {
  const { draft, preview, isOld, setDraft } = mapping;
  const [side, setSide] = useState<'form' | 'json'>('form');
  const faults = useMemo(() => new Map((preview?.faults ?? []).map(({ field, text }) => [field, text])), [preview]);
  return (
    <div className="mapping">
      <section className="mapping-pane" aria-label="Records of the file">
        <h2 className="mapping-head">Source</h2>
        <div className="mapping-sample">
          {look.sample === '' ? (
            <p className="mapping-note mute">There are no records to show: this is {look.looksLike}.</p>
          ) : (
            <CodeEditor value={look.sample} language="json" label="Records of the file" readOnly />
          )}
        </div>
      </section>
      <section className="mapping-pane" aria-label="Mapping">
        <div className="mapping-head">
          <h2>Mapping</h2>
          <Segmented
            label="Mapping as"
            value={side}
            options={[
              { value: 'form', title: 'Fields' },
              { value: 'json', title: 'JSON' },
            ]}
            onChange={setSide}
          />
        </div>
        {side === 'form' ? (
          <div className="mapping-scroll">
            <GuessLine mapping={mapping} look={look} />
            <MappingForm
              draft={draft}
              places={look.places}
              fields={preview?.fields ?? null}
              faults={faults}
              onChange={setDraft}
            />
          </div>
        ) : (
          <MappingJson mapping={mapping} />
        )}
      </section>
      <section className="mapping-pane" aria-label="Preview">
        <h2 className="mapping-head">Preview</h2>
        <div className="mapping-scroll">
          <MappingPreview preview={preview?.preview ?? null} isOld={isOld} />
        </div>
      </section>
    </div>
  );
}
