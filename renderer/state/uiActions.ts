import type { Theme } from '../theme/resolveTheme.ts';
import { type Core, patch } from './core.ts';
import type { Dialog } from './dialog.ts';
import type { MappingDraft } from './mappingDraft.ts';
import type { DrawerTab } from './tabs.ts';
import type { LintTarget, PanelSizes, UiState } from './types.ts';

export interface UiActions {
  setTheme(theme: Theme): void;
  toggleLibrary(): void;
  togglePolicy(): void;
  toggleDrawer(): void;
  toggleDimInjected(): void;
  /** Opens the drawer at a tab. */
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
    togglePolicy() {
      const { narrow, policyOver, policyOpen } = ui();
      patch(core, 'ui', narrow ? { policyOver: !policyOver } : { policyOpen: !policyOpen });
    },
    toggleDimInjected: () => patch(core, 'ui', { dimInjected: !ui().dimInjected }),
    toggleDrawer: () => patch(core, 'ui', { drawerOpen: !ui().drawerOpen }),
    showDrawer: (drawerTab) => patch(core, 'ui', { drawerTab, drawerOpen: true }),
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
  return ui.narrow ? ui.policyOver : ui.policyOpen;
}
