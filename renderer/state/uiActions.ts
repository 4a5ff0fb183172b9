import type { Theme } from '../theme/resolveTheme.ts';
import { type Core, patch } from './core.ts';
import type { Dialog } from './dialog.ts';
import type { MappingDraft } from './mappingDraft.ts';
import type { Mode } from './modes.ts';
import type { DrawerTab } from './tabs.ts';
import type { LintTarget, PanelSizes, UiState } from './types.ts';

export interface UiActions {
  setTheme(theme: Theme): void;
  setMode(mode: Mode): void;
  toggleLibrary(): void;
  togglePolicy(): void;
  toggleDrawer(): void;
  /** Puts the drawer at the other side of the panes. */
  toggleDrawerSide(): void;
  /** Puts the drawer over the panes, or back. */
  toggleDrawerMax(): void;
  toggleShownOnce(): void;
  toggleDimInjected(): void;
  toggleRawTexts(): void;
  /** Opens the drawer at a tab; it belongs to the timeline. */
  showDrawer(tab: DrawerTab): void;
  setSize(panel: keyof PanelSizes, px: number): void;
  openDialog(dialog: Dialog | null): void;
  setNarrow(narrow: boolean): void;
  dismissToast(id: number): void;
  setLintTarget(target: LintTarget): void;
  setMappingDraft(path: string, draft: MappingDraft): void;
}

export function uiActions(core: Core): UiActions {
  const ui = () => core.store.getState().ui;
  return {
    setTheme: (theme) => patch(core, 'ui', { theme }),
    toggleLibrary: () => patch(core, 'ui', { libraryOpen: !ui().libraryOpen }),
    setMode(mode) {
      const before = ui().mode;
      patch(core, 'ui', { mode });
      if (mode === 'timeline' && before !== mode) keepPlace(core);
    },
    togglePolicy() {
      const { mode, narrow, policyOver, policyOpen } = ui();
      // From a mode without it: what is called for is shown.
      const isShown = mode === 'timeline' && (narrow ? policyOver : policyOpen);
      patch(core, 'ui', { mode: 'timeline', ...(narrow ? { policyOver: !isShown } : { policyOpen: !isShown }) });
    },
    toggleShownOnce: () => patch(core, 'ui', { shownOnce: !ui().shownOnce }),
    toggleRawTexts: () => patch(core, 'ui', { rawTexts: !ui().rawTexts }),
    toggleDimInjected: () => patch(core, 'ui', { dimInjected: !ui().dimInjected }),
    toggleDrawer() {
      const { mode, drawerOpen } = ui();
      const isShown = mode === 'timeline' && drawerOpen;
      // What lay over the panes and was closed does not cover them the next time.
      patch(core, 'ui', { mode: 'timeline', drawerOpen: !isShown, ...(isShown && { drawerMax: false }) });
    },
    toggleDrawerSide() {
      const { drawerSide } = ui();
      patch(core, 'ui', {
        mode: 'timeline',
        drawerOpen: true,
        drawerMax: false,
        drawerSide: drawerSide === 'bottom' ? 'right' : 'bottom',
      });
      keepPlace(core);
    },
    toggleDrawerMax() {
      const { mode, drawerOpen, drawerMax } = ui();
      const isOver = mode === 'timeline' && drawerOpen && drawerMax;
      patch(core, 'ui', { mode: 'timeline', drawerOpen: true, drawerMax: !isOver });
    },
    showDrawer: (drawerTab) => patch(core, 'ui', { mode: 'timeline', drawerTab, drawerOpen: true }),
    setSize(panel, px) {
      const sizes = ui().sizes;
      if (Math.abs(sizes[panel] - px) >= 1) patch(core, 'ui', { sizes: { ...sizes, [panel]: Math.round(px) } });
    },
    openDialog: (dialog) => patch(core, 'ui', { dialog }),
    setNarrow(narrow) {
      if (narrow !== ui().narrow) patch(core, 'ui', { narrow, policyOver: false });
    },
    setLintTarget: (lintTarget) => core.store.setState({ lintTarget }),
    setMappingDraft: (path, draft) =>
      core.store.setState(({ mappingDrafts }) => ({ mappingDrafts: { ...mappingDrafts, [path]: draft } })),
    dismissToast: (id) => core.store.setState((state) => ({ toasts: state.toasts.filter((one) => one.id !== id) })),
  };
}

/** The list is drawn again: it stands where the reader left it. */
function keepPlace(core: Core): void {
  const { seq } = core.store.getState().projection.scroll;
  const { topRow, topOffset } = core.viewport;
  patch(core, 'projection', { scroll: { seq: seq + 1, row: topRow, offset: topOffset, isFixed: true } });
}

/** Whether the policy panel is to be seen, beside the panes or over them. */
export function isPolicyShown(ui: UiState): boolean {
  return ui.mode === 'timeline' && (ui.narrow ? ui.policyOver : ui.policyOpen);
}
