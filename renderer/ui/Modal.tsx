import './modal.css';
import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { firstStop } from './firstStop.ts';
import { useFocusReturn } from './useFocusReturn.ts';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly isOpen?: boolean;
  /** Pixels; `large` = as much as the window gives. */
  readonly width?: number | 'large';
  /** One sentence under the title, for eyes and screen readers. */
  readonly description?: string;
  readonly testId?: string;
  readonly children: ReactNode;
  /** The actions, at the bottom. */
  readonly footer?: ReactNode;
}

/**
 * A dialog: title, content, actions. Opened, its first field or its main action has the focus, not the cross; Esc and a
 * click beside it close it; the focus goes back to where it was.
 */
export function Modal({ title, onClose, isOpen = true, width = 540, description, testId, children, footer }: Props) {
  const focus = useFocusReturn();
  const isLarge = width === 'large';
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="modal-ground" />
        <Dialog.Content
          className={isLarge ? 'modal modal-large' : 'modal'}
          style={isLarge ? undefined : { width: `min(${width}px, calc(100vw - 32px))` }}
          data-testid={testId}
          onEscapeKeyDown={(event) => {
            // An editor has its own uses for Esc, and so has an open list.
            const own = '.monaco-editor, [role="combobox"][aria-expanded="true"]';
            if (event.target instanceof Element && event.target.closest(own)) event.preventDefault();
          }}
          {...focus}
          onOpenAutoFocus={(event) => {
            focus.onOpenAutoFocus();
            const first = event.currentTarget instanceof HTMLElement ? firstStop(event.currentTarget) : null;
            if (!first) return;
            event.preventDefault();
            first.focus();
          }}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <div className="modal-head">
            <Dialog.Title className="modal-title">{title}</Dialog.Title>
            <Dialog.Close className="icon-button" aria-label="Close">
              <X size={15} aria-hidden />
            </Dialog.Close>
          </div>
          {description !== undefined && (
            <Dialog.Description className="modal-description">{description}</Dialog.Description>
          )}
          <div className="modal-body" tabIndex={-1}>
            {children}
          </div>
          {footer && <div className="modal-foot">{footer}</div>}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
