import { useEffect, useRef } from 'react';

interface Props {
  /** What would be lost, as a sentence. */
  readonly text: string;
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

/** In place of a dialog's actions: it was to be closed, and holds what is not saved. */
export function ModalQuestion({ text, onKeep, onDiscard }: Props) {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <div className="modal-foot">
      <span className="grow" role="alert">
        {text}
      </span>
      <button type="button" className="button button-danger" data-testid="modal-discard" onClick={onDiscard}>
        Discard
      </button>
      <button ref={keep} type="button" className="button" data-testid="modal-keep" onClick={onKeep}>
        Keep editing
      </button>
    </div>
  );
}
