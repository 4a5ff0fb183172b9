import { type ComponentType, useMemo, useRef } from 'react';
import { useActions, useAppState } from '../state/context.tsx';
import type { Dialog, DialogKind, DialogProps } from '../state/dialog.ts';
import { FailureBoundary } from '../ui/FailureBoundary.tsx';
import { Modal } from '../ui/Modal.tsx';
import { DIALOGS } from './features.ts';

/** What could not be shown, where a failure says more than `This dialog`. */
const NAMES: { readonly [K in DialogKind]?: string } = {
  palette: 'The palette',
  search: 'The search',
  keys: 'The list of keys',
  importProblems: 'The import report',
};

/** The features' dialogs; which one is open is `state.ui.dialog`. One that fails says so. */
export function Dialogs() {
  const dialog = useAppState((state) => state.ui.dialog);
  const close = useClose(dialog);
  return (
    <FailureBoundary
      key={dialog?.kind}
      what={(dialog && NAMES[dialog.kind]) ?? 'This dialog'}
      around={(box) => (
        <Modal title="Something went wrong" onClose={close}>
          {box}
        </Modal>
      )}
    >
      {dialog && <OpenDialog dialog={dialog} onClose={close} />}
    </FailureBoundary>
  );
}

function OpenDialog<K extends DialogKind>(props: DialogProps<K>) {
  const Content: ComponentType<DialogProps<K>> | undefined = DIALOGS[props.dialog.kind];
  return Content ? <Content {...props} /> : null;
}

/** Closes the dialog it was made for, and none that was opened since: what a dialog asks for may outlast it. */
function useClose(dialog: Dialog | null): () => void {
  const { openDialog } = useActions();
  const shown = useRef<(() => void) | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another dialog, another way out
  const close = useMemo(() => {
    const own = () => {
      if (shown.current === own) openDialog(null);
    };
    return own;
  }, [dialog, openDialog]);
  shown.current = close;
  return close;
}
