import './modal.css';
import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { firstStop } from './firstStop.ts';
import { ModalQuestion } from './ModalQuestion.tsx';
import { useFocusReturn } from './useFocusReturn.ts';
import { useUnsaved } from './useUnsaved.ts';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  /** Pixels; `large` = most of the window, `full` = all but its edge. */
  readonly width?: number | 'large' | 'full';
  /** One sentence under the title, for eyes and screen readers. */
  readonly description?: string;
  readonly testId?: string;
  /** Its content is only read: the keyboard can come to it, to scroll. */
  readonly isRead?: boolean;
  readonly children: ReactNode;
  /** The actions, at the bottom. */
  readonly footer?: ReactNode;
  /** What would be lost if it closed now, as a sentence: asked about first. Null = nothing. */
  readonly unsaved?: string | null;
}

/** Leaves a dialog as Esc does. */
export function ModalCancel() {
  return <Dialog.Close className="button">Cancel</Dialog.Close>;
}

/**
 * A dialog: title, content, actions. Opened, its first field or its main action has the focus, not the cross; Esc and a
 * click beside it close it, after a question if something is not saved; the focus goes back to where it was.
 */
export function Modal(props: Props) {
  const { title, onClose, width = 540, description, testId, children, footer, unsaved = null } = props;
  const { isRead = false } = props;
  const focus = useFocusReturn();
  const { isAsking, close, keep, forget } = useUnsaved(unsaved !== null, onClose);
  const isLarge = typeof width === 'string';
  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="modal-ground" />
        <Dialog.Content
          className={isLarge ? `modal modal-large${width === 'full' ? ' modal-full' : ''}` : 'modal'}
          style={isLarge ? undefined : { width: `min(${width}px, calc(100vw - 32px))` }}
          data-testid={testId}
          onEscapeKeyDown={(event) => {
            // An editor has its own uses for Esc, and so has a combobox with something to close or to empty.
            const own = '.monaco-editor, [data-escape="own"]';
            if (event.target instanceof Element && event.target.closest(own)) event.preventDefault();
            if (!isAsking) return;
            event.preventDefault();
            keep();
          }}
          onFocus={({ target }) => {
            // Back in what was to be left: it is not left.
            if (target.closest('.modal-body')) forget();
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
          <div
            className="modal-body"
            tabIndex={isRead ? 0 : -1}
            {...(isRead && { role: 'region', 'aria-label': title })}
          >
            {children}
          </div>
          {isAsking && unsaved !== null ? (
            <ModalQuestion text={unsaved} onKeep={keep} onDiscard={onClose} />
          ) : (
            footer && <div className="modal-foot">{footer}</div>
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
