import './dialogs.css';
import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly description?: string;
  readonly size?: 'small' | 'large';
  readonly testId?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
}

/** A dialog: title, content, actions. Esc and a click beside it close it; the focus goes back to where it was. */
export function Modal({ title, description, size = 'small', testId, onClose, children, footer }: Props) {
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="modal-ground" />
        <Dialog.Content
          className={`modal modal-${size}`}
          data-testid={testId}
          onEscapeKeyDown={(event) => {
            // An editor has its own uses for Esc.
            if (event.target instanceof Element && event.target.closest('.monaco-editor')) event.preventDefault();
          }}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <div className="modal-head">
            <Dialog.Title className="modal-title">{title}</Dialog.Title>
            <Dialog.Close className="icon-button" aria-label="Close">
              <X size={15} aria-hidden />
            </Dialog.Close>
          </div>
          {description !== undefined && <Dialog.Description className="modal-lead">{description}</Dialog.Description>}
          <div className="modal-body">{children}</div>
          {footer && <div className="modal-foot">{footer}</div>}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
