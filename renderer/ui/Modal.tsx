import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import './modal.css';
import { useFocusReturn } from './useFocusReturn.ts';

interface Props {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly width?: number;
  /** One sentence under the title, for eyes and screen readers. */
  readonly description?: string;
  readonly testId?: string;
  readonly children: ReactNode;
}

/** A dialog in the middle of the window: title, content, Escape closes. */
export function Modal({ title, isOpen, onClose, width = 560, description, testId, children }: Props) {
  const focus = useFocusReturn();
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="modal-ground" />
        <Dialog.Content
          className="modal"
          style={{ width }}
          data-testid={testId}
          {...focus}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <div className="modal-head">
            <Dialog.Title className="modal-title">{title}</Dialog.Title>
            <Dialog.Close className="icon-button" aria-label="Close">
              <X size={15} />
            </Dialog.Close>
          </div>
          {description !== undefined && (
            <Dialog.Description className="modal-description">{description}</Dialog.Description>
          )}
          <div className="modal-body">{children}</div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
