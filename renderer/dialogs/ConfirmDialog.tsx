import './dialogs.css';
import { AlertDialog } from 'radix-ui';

interface Props {
  readonly title: string;
  /** What is lost, and what is not. */
  readonly text: string;
  readonly confirmLabel: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something is deleted. The focus starts on the harmless button. */
export function ConfirmDialog({ title, text, confirmLabel, onConfirm, onClose }: Props) {
  return (
    <AlertDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="modal-ground" />
        <AlertDialog.Content className="modal modal-confirm" data-testid="confirm">
          <AlertDialog.Title className="modal-title">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mute">{text}</AlertDialog.Description>
          <div className="confirm-actions">
            <AlertDialog.Cancel className="button">Cancel</AlertDialog.Cancel>
            <AlertDialog.Action className="button button-danger" data-testid="confirm-button" onClick={onConfirm}>
              {confirmLabel}
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
