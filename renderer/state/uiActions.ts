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
      if (mode !== 'timeline' || before === mode) return;
      // The list is drawn again: it stands where the reader left it.
      const { seq } = core.store.getState().projection.scroll;
      const { topRow, topOffset } = core.viewport;
      patch(core, 'projection', { scroll: { seq: seq + 1, row: topRow, offset: topOffset, isFixed: true } });
    },
    togglePolicy() {
      const { mode, narrow, policyOver, policyOpen } = ui();
      // From a mode without it: what is called for is shown.
      const isShown = mode === 'timeline' && (narrow ? policyOver : policyOpen);
      patch(core, 'ui', { mode: 'timeline', ...(narrow ? { policyOver: !isShown } : { policyOpen: !isShown }) });
    },
    toggleRawTexts: () => patch(core, 'ui', { rawTexts: !ui().rawTexts }),
    toggleDimInjected: () => patch(core, 'ui', { dimInjected: !ui().dimInjected }),
    toggleDrawer() {
      const { mode, drawerOpen } = ui();
      patch(core, 'ui', { mode: 'timeline', drawerOpen: mode !== 'timeline' || !drawerOpen });
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

/** Whether the policy panel is to be seen, beside the panes or over them. */
export function isPolicyShown(ui: UiState): boolean {
  return ui.mode === 'timeline' && (ui.narrow ? ui.policyOver : ui.policyOpen);
}
