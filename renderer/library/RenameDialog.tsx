import { type FormEvent, useState } from 'react';
import { useApp, useAppState } from '../state/context.tsx';
import type { DialogProps } from '../state/dialog.ts';
import { Modal } from '../ui/Modal.tsx';

/** Gives a transcript a custom title; the tool's is kept too. */
export function RenameDialog({ dialog: { id }, onClose }: DialogProps<'rename'>) {
  const { actions } = useApp();
  const one = useAppState((state) => state.library.transcripts?.find((transcript) => transcript.id === id));
  const [title, setTitle] = useState(one?.title ?? '');
  const toolTitle = one?.toolTitle ?? one?.title ?? '';
  const isTools = title.trim() === '' || title.trim() === toolTitle;
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (await actions.rename(id, isTools ? null : title.trim())) onClose();
  };
  return (
    <Modal
      title="Rename the transcript"
      onClose={onClose}
      width={480}
      testId="rename-dialog"
      footer={
        <>
          <span className="grow mute ellipsis" title={toolTitle}>
            {isTools ? 'original title' : `the tool’s: ${toolTitle}`}
          </span>
          <button type="button" className="button" disabled={isTools} onClick={() => setTitle(toolTitle)}>
            Reset to original title
          </button>
          <button type="submit" form="rename" className="button button-primary" data-testid="rename-save">
            Rename
          </button>
        </>
      }
    >
      <form id="rename" onSubmit={(event) => void save(event)}>
        <input
          className="field tags-field"
          aria-label="Title"
          value={title}
          maxLength={500}
          placeholder={toolTitle}
          data-autofocus
          onFocus={(event) => event.target.select()}
          onChange={(event) => setTitle(event.target.value)}
          data-testid="rename-field"
        />
      </form>
    </Modal>
  );
}
