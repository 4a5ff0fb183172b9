import { useMemo, useRef } from 'react';
import { ExportDialog } from '../bundle/ExportDialog.tsx';
import { VerifyDialog } from '../bundle/VerifyDialog.tsx';
import { PricesDialog } from '../cache/PricesDialog.tsx';
import { SourcesDialog } from '../follow/SourcesDialog.tsx';
import { ForkDialog } from '../fork/ForkDialog.tsx';
import { RenameDialog } from '../library/RenameDialog.tsx';
import { StorageDialog } from '../library/StorageDialog.tsx';
import { TagsDialog } from '../library/TagsDialog.tsx';
import { MappingDialog } from '../mapping/MappingDialog.tsx';
import { CustomPolicyDialog } from '../policy/custom/CustomPolicyDialog.tsx';
import { useActions, useAppState } from '../state/context.tsx';
import type { Dialog } from '../state/types.ts';
import { SummaryDialog } from '../summary/SummaryDialog.tsx';
import { FailureBoundary } from '../ui/FailureBoundary.tsx';
import { Modal } from '../ui/Modal.tsx';
import { WireDialog } from '../wire/WireDialog.tsx';

/** The dialogs of policy, export and verification; which one is open is `state.ui.dialog`. One that fails says so. */
export function Dialogs() {
  const dialog = useAppState((state) => state.ui.dialog);
  const close = useClose(dialog);
  return (
    <FailureBoundary
      key={dialog}
      what="This dialog"
      around={(box) => (
        <Modal title="Something went wrong" onClose={close}>
          {box}
        </Modal>
      )}
    >
      <OpenDialog dialog={dialog} close={close} />
    </FailureBoundary>
  );
}

function OpenDialog({ dialog, close }: { readonly dialog: Dialog; readonly close: () => void }) {
  switch (dialog) {
    case 'export':
      return <ExportDialog onClose={close} />;
    case 'wire':
      return <WireDialog onClose={close} />;
    case 'verify':
      return <VerifyDialog onClose={close} />;
    case 'customPolicy':
      return <CustomPolicyDialog onClose={close} />;
    case 'sources':
      return <SourcesDialog onClose={close} />;
    case 'tags':
      return <TagsDialog onClose={close} />;
    case 'rename':
      return <RenameDialog onClose={close} />;
    case 'mapping':
      return <MappingDialog onClose={close} />;
    case 'fork':
      return <ForkDialog onClose={close} />;
    case 'prices':
      return <PricesDialog onClose={close} />;
    case 'summary':
      return <SummaryDialog onClose={close} />;
    case 'storage':
      return <StorageDialog onClose={close} />;
    default:
      return null;
  }
}

/** Closes the dialog it was made for, and none that was opened since: what a dialog asks for may outlast it. */
function useClose(dialog: Dialog): () => void {
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
