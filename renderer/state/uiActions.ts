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
  /** One line of each message, or two; what is looked at stays on its line. */
  toggleDensity(): Promise<void>;
  toggleDimInjected(): void;
  toggleRawTexts(): void;
  /** Opens the drawer at a tab; it belongs to the timeline. */
  showDrawer(tab: DrawerTab): void;
  setSize(panel: keyof PanelSizes, px: number): void;
  openDialog(dialog: Dialog | null): void;
  /** In a window with little room: all of the chart, or what leaves the rows their room. */
  toggleChart(): void;
  /** Takes note of how much room the window has. */
  setRoom(room: Pick<UiState, 'narrow' | 'small' | 'low'>): void;
  dismissToast(id: number): void;
  setLintTarget(target: LintTarget): void;
  setMappingDraft(path: string, draft: MappingDraft): void;
}

export function uiActions(core: Core): UiActions {
  const ui = () => core.store.getState().ui;
  return {
    setTheme: (theme) => patch(core, 'ui', { theme }),
    toggleLibrary() {
      const { small } = ui();
      const isShown = isLibraryShown(ui());
      patch(core, 'ui', {
        libraryWide: false,
        ...(small ? { ...NONE_OVER, libraryOver: !isShown } : { libraryOpen: !isShown }),
      });
    },
    setMode(mode) {
      const before = ui().mode;
      patch(core, 'ui', { mode, libraryWide: false });
      if (mode === 'timeline' && before !== mode) keepPlace(core);
    },
    togglePolicy() {
      const { narrow } = ui();
      // From a mode without it: what is called for is shown.
      const isShown = isPolicyShown(ui());
      patch(core, 'ui', {
        ...AT_TIMELINE,
        ...(narrow ? { ...NONE_OVER, policyOver: !isShown } : { policyOpen: !isShown }),
      });
    },
    async toggleDensity() {
      const { changeDensity } = await import('./changeDensity.ts');
      changeDensity(core, ui().density === 'compact' ? 'comfortable' : 'compact');
    },
    toggleShownOnce: () => patch(core, 'ui', { shownOnce: !ui().shownOnce }),
    toggleRawTexts: () => patch(core, 'ui', { rawTexts: !ui().rawTexts }),
    toggleDimInjected: () => patch(core, 'ui', { dimInjected: !ui().dimInjected }),
    toggleDrawer() {
      const isShown = isDrawerShown(ui());
      if (ui().small) return patch(core, 'ui', { ...AT_TIMELINE, ...NONE_OVER, drawerOver: !isShown });
      // What lay over the panes and was closed does not cover them the next time.
      patch(core, 'ui', { ...AT_TIMELINE, drawerOpen: !isShown, ...(isShown && { drawerMax: false }) });
    },
    toggleDrawerSide() {
      const { drawerSide, small } = ui();
      if (small) return;
      patch(core, 'ui', {
        mode: 'timeline',
        drawerOpen: true,
        drawerMax: false,
        drawerSide: drawerSide === 'bottom' ? 'right' : 'bottom',
      });
      keepPlace(core);
    },
    toggleDrawerMax() {
      const { drawerMax, small } = ui();
      const isShown = isDrawerShown(ui());
      if (small) return patch(core, 'ui', { ...AT_TIMELINE, ...NONE_OVER, drawerOver: !isShown });
      const isOver = isShown && drawerMax;
      patch(core, 'ui', { ...AT_TIMELINE, drawerOpen: true, drawerMax: !isOver });
    },
    showDrawer: (drawerTab) =>
      patch(core, 'ui', {
        ...AT_TIMELINE,
        drawerTab,
        ...(ui().small ? { ...NONE_OVER, drawerOver: true } : { drawerOpen: true }),
      }),
    setSize(panel, px) {
      const sizes = ui().sizes;
      if (Math.abs(sizes[panel] - px) >= 1) patch(core, 'ui', { sizes: { ...sizes, [panel]: Math.round(px) } });
    },
    openDialog: (dialog) => patch(core, 'ui', { dialog }),
    toggleChart: () => patch(core, 'ui', { ...AT_TIMELINE, ...NONE_OVER, chartFull: !isChartFull(ui()) }),
    setRoom({ narrow, small, low }) {
      if (low !== ui().low) patch(core, 'ui', { low });
      if (narrow !== ui().narrow || small !== ui().small) patch(core, 'ui', { narrow, small, ...NONE_OVER });
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

/** In a small window one panel at most lies over the panes. */
const NONE_OVER = { policyOver: false, libraryOver: false, drawerOver: false } as const;
/** Where the panels are that are called for from elsewhere. */
const AT_TIMELINE = { mode: 'timeline', libraryWide: false } as const;

/** Shows the panes, and nothing over them: a bar above them is about to be written in. */
export function clearPanes(core: Core): void {
  patch(core, 'ui', { ...AT_TIMELINE, ...NONE_OVER, drawerMax: false });
}

/** Whether all of the chart is to be seen. */
export function isChartFull({ mode, low, chartFull, libraryWide, ...ui }: UiState): boolean {
  const isCovered = ui.small && (ui.drawerOver || libraryWide);
  return mode === 'timeline' && !isCovered && (chartFull || !low);
}

/** Whether the chart is its bars alone. */
export function isChartStrip({ small, chartFull }: UiState): boolean {
  return small && !chartFull;
}

/** Whether the library is to be seen, beside the panes or over them. */
export function isLibraryShown({ small, libraryOver, libraryOpen, libraryWide }: UiState): boolean {
  return !libraryWide && (small ? libraryOver : libraryOpen);
}

/** Whether the drawer is to be seen, beside the panes or over them. */
export function isDrawerShown({ mode, small, drawerOver, drawerOpen, libraryWide }: UiState): boolean {
  return mode === 'timeline' && !libraryWide && (small ? drawerOver : drawerOpen);
}

/** Whether the policy panel is to be seen, beside the panes or over them. */
export function isPolicyShown(ui: UiState): boolean {
  return ui.mode === 'timeline' && !ui.libraryWide && (ui.narrow ? ui.policyOver : ui.policyOpen);
}
