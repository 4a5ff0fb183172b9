import './toasts.css';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useActions, useAppState } from '../state/context.tsx';
import type { DialogKind } from '../state/dialog.ts';
import type { Toast, UiState } from '../state/types.ts';
import { isLibraryShown, isPolicyShown } from '../state/uiActions.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Seen } from '../ui/Seen.tsx';

const ICONS = { info: Info, ok: CircleCheck, error: CircleAlert } as const;
const STAY_MS = 8000;
/** There is something to decide: what was just done can be taken back. */
const STAY_WITH_ACTION_MS = 15_000;

/** What lies above the window without actions at its foot. */
const WITHOUT_FOOT: readonly DialogKind[] = ['palette', 'search', 'relations'];

/**
 * Short messages over what scrolls, never over a panel or the drawer beside it; errors stay until they are closed. The newest
 * is shown whole, those before it in a line. Esc closes the newest if nothing nearer takes it.
 */
export function Toasts() {
  const toasts = useAppState((state) => state.toasts);
  const isOverDialog = useAppState(({ ui: { dialog } }) => dialog !== null && !WITHOUT_FOOT.includes(dialog.kind));
  const panel = useAppState(({ ui }) => panelOver(ui));
  const newest = toasts.at(-1)?.id ?? null;
  useEscape(newest);
  // The regions are there before a message is, and a message is none itself: what comes is read out, once.
  return (
    <section className="toasts" data-over-dialog={isOverDialog} data-panel={panel} aria-label="Notifications">
      {(['status', 'alert'] as const).map((role) => (
        <div key={role} role={role} aria-atomic={false} aria-relevant="additions" className="toast-region">
          {toasts
            .filter(({ tone }) => (tone === 'error') === (role === 'alert'))
            .map((toast) => (
              <ToastLine key={toast.id} toast={toast} isNewest={toast.id === newest} />
            ))}
        </div>
      ))}
    </section>
  );
}

/** At which side a panel lies over the panes. */
function panelOver(ui: UiState): 'left' | 'right' | undefined {
  if (ui.narrow && isPolicyShown(ui)) return 'right';
  return ui.small && isLibraryShown(ui) ? 'left' : undefined;
}

/** What is open and closes by Esc wherever the focus is. */
const OPEN = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"][data-state="open"]';
/** What closes by Esc, or takes it, where the focus is within. */
const OWN = 'input, textarea, select, [contenteditable], .monaco-editor, .find-bar';

function useEscape(newest: number | null): void {
  const { dismissToast } = useActions();
  useEffect(() => {
    if (newest === null) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || document.querySelector(OPEN) !== null) return;
      if (event.target instanceof Element && event.target.closest(OWN) !== null) return;
      event.preventDefault();
      event.stopPropagation();
      dismissToast(newest);
    };
    // Before the pane or the drawer under it: what lies on top goes first.
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, [newest, dismissToast]);
}

function ToastLine({ toast, isNewest }: { readonly toast: Toast; readonly isNewest: boolean }) {
  const { dismissToast } = useActions();
  const Icon = ICONS[toast.tone];
  // One that is read or has the focus stays: taking it away would drop the focus to nothing.
  const [isHeld, setHeld] = useState(false);
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  useEffect(() => {
    if (toast.tone === 'error' || isHeld) return;
    const timer = setTimeout(() => dismissToast(toast.id), toast.action ? STAY_WITH_ACTION_MS : STAY_MS);
    return () => clearTimeout(timer);
  }, [toast, isHeld, dismissToast]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: being read only makes it stay
    <div
      className={`toast toast-${toast.tone}`}
      style={{ order: -toast.id }}
      data-testid="toast"
      data-newest={isNewest}
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <Icon size={15} />
      <div className="toast-text">
        <Seen text={toast.text} />
        {toast.detail && (
          <div className="mute toast-detail">
            <Seen text={toast.detail} />
          </div>
        )}
      </div>
      {[toast.action, toast.more].map(
        (action) =>
          action && (
            <button
              key={action.label}
              type="button"
              className="button"
              onClick={() => {
                dismissToast(toast.id);
                action.run();
              }}
            >
              {action.label}
            </button>
          ),
      )}
      <IconButton label="Close" onClick={() => dismissToast(toast.id)}>
        <X size={13} />
      </IconButton>
    </div>
  );
}
