// What survives a restart, and how it is read back. Stored values are outside data: a field that does not parse is
// replaced by the default, never trusted.

import { DEFAULT_VIEW, FLAG_FACETS, GROUP_KEYS, SORT_KEYS } from '../../core/library/query.ts';
import { boolAt, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../core/util/unknown.ts';
import type { Theme } from '../theme/resolveTheme.ts';
import type { Axis } from '../ui/look.ts';
import type { Density } from '../ui/rowLayout.ts';
import { MODES } from './modes.ts';
import { DRAWER_TABS } from './tabs.ts';
import type { AppState, Layout, LibraryState, PanelSizes, Selection, UiState } from './types.ts';

export const UI_KEY = 'workspace.ui';
export const SESSION_KEY = 'workspace.session';
export const LIBRARY_KEY = 'workspace.library';

type Passing = 'dialog' | 'narrow' | 'small' | 'low' | 'policyOver' | 'libraryOver' | 'drawerOver';
type Kept = Omit<UiState, Passing>;

/** The part of the screen's state that is kept. */
export function savedUi(ui: UiState): Kept {
  const {
    dialog: _dialog,
    narrow: _narrow,
    small: _small,
    low: _low,
    policyOver: _policyOver,
    libraryOver: _libraryOver,
    drawerOver: _drawerOver,
    ...kept
  } = ui;
  return kept;
}

/** Where the person was. What they chose there is kept with the transcript. */
export interface SavedSession {
  readonly id: string | null;
  readonly at: number | null;
  readonly selection: { readonly index: number; readonly part: number } | null;
}

/** The session as it is stored. */
export function savedSession(state: AppState): SavedSession {
  const { at } = state.projection;
  const selection = state.selection?.kind === 'message' ? state.selection : null;
  return {
    id: state.session.id,
    at,
    selection: selection ? { index: selection.index, part: selection.part } : null,
  };
}

/** Reads stored screen state over the defaults. */
export function readUi(value: unknown, defaults: UiState): UiState {
  if (!isRecord(value)) return defaults;
  const bool = (key: 'fold' | 'libraryOpen' | 'libraryWide' | 'policyOpen' | 'drawerOpen') =>
    boolAt(value, key) ?? defaults[key];
  return {
    ...defaults,
    theme: oneOf<Theme>(stringAt(value, 'theme'), ['light', 'dark', 'system']) ?? defaults.theme,
    mode: oneOf(stringAt(value, 'mode'), MODES) ?? defaults.mode,
    layout: oneOf<Layout>(stringAt(value, 'layout'), ['raw', 'side', 'model']) ?? defaults.layout,
    drawerTab: oneOf(stringAt(value, 'drawerTab'), DRAWER_TABS) ?? defaults.drawerTab,
    fold: bool('fold'),
    dimInjected: boolAt(value, 'dimInjected') ?? defaults.dimInjected,
    shownOnce: boolAt(value, 'shownOnce') ?? defaults.shownOnce,
    density: oneOf<Density>(stringAt(value, 'density'), ['compact', 'comfortable']) ?? defaults.density,
    rawTexts: boolAt(value, 'rawTexts') ?? defaults.rawTexts,
    axis: oneOf<Axis>(stringAt(value, 'axis'), ['calls', 'time']) ?? defaults.axis,
    afterRecorded: boolAt(value, 'afterRecorded') ?? defaults.afterRecorded,
    libraryOpen: bool('libraryOpen'),
    libraryWide: bool('libraryWide'),
    policyOpen: bool('policyOpen'),
    drawerOpen: bool('drawerOpen'),
    drawerSide: oneOf<UiState['drawerSide']>(stringAt(value, 'drawerSide'), ['bottom', 'right']) ?? defaults.drawerSide,
    drawerMax: boolAt(value, 'drawerMax') ?? defaults.drawerMax,
    chartFull: boolAt(value, 'chartFull') ?? defaults.chartFull,
    sizes: readSizes(recordAt(value, 'sizes'), defaults.sizes),
  };
}

/** How the list was laid out and narrowed; what was typed into the filter is not kept. */
export function savedLibrary({ view, facets }: LibraryState): Pick<LibraryState, 'view' | 'facets'> {
  return { view, facets };
}

/** Reads how the list was laid out; what does not parse is as at first. */
export function readLibrary(value: unknown): Pick<LibraryState, 'view' | 'facets'> {
  const stored = isRecord(value) ? value : {};
  const view = recordAt(stored, 'view') ?? {};
  const facets = recordAt(stored, 'facets') ?? {};
  const values = recordAt(facets, 'values') ?? {};
  return {
    view: {
      sort: oneOf(stringAt(view, 'sort'), SORT_KEYS) ?? DEFAULT_VIEW.sort,
      descending: boolAt(view, 'descending') ?? DEFAULT_VIEW.descending,
      group: oneOf(stringAt(view, 'group'), GROUP_KEYS) ?? DEFAULT_VIEW.group,
    },
    facets: {
      values: {
        finding: stringsAt(values, 'finding'),
        format: stringsAt(values, 'format'),
        project: stringsAt(values, 'project'),
        model: stringsAt(values, 'model'),
        tag: stringsAt(values, 'tag'),
      },
      flags: stringsAt(facets, 'flags').flatMap((flag) => oneOf(flag, FLAG_FACETS) ?? []),
    },
  };
}

function stringsAt(value: Readonly<Record<string, unknown>>, key: string): readonly string[] {
  const list = ownAt(value, key);
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}

/** Reads a stored session; null if there is none. */
export function readSession(value: unknown): SavedSession | null {
  if (!isRecord(value)) return null;
  const selection = recordAt(value, 'selection');
  const index = selection && wholeAt(selection, 'index');
  return {
    id: stringAt(value, 'id') ?? null,
    at: wholeAt(value, 'at'),
    selection:
      selection && index !== null && index !== undefined ? { index, part: wholeAt(selection, 'part') ?? 0 } : null,
  };
}

/** A stored selection as a selection of the state. */
export function toSelection(saved: SavedSession['selection']): Selection | null {
  return saved ? { kind: 'message', index: saved.index, part: saved.part } : null;
}

function readSizes(value: Record<string, unknown> | undefined, defaults: PanelSizes): PanelSizes {
  if (!value) return defaults;
  const size = (key: keyof PanelSizes, min: number, max: number) => {
    const px = numberAt(value, key);
    return px === undefined ? defaults[key] : Math.max(min, Math.min(max, Math.round(px)));
  };
  return {
    library: size('library', 160, 480),
    policy: size('policy', 260, 560),
    drawer: size('drawer', 120, 900),
    drawerRight: size('drawerRight', 280, 1200),
  };
}

function wholeAt(value: Readonly<Record<string, unknown>>, key: string): number | null {
  const number = numberAt(value, key);
  return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

function oneOf<T extends string>(value: string | undefined, allowed: readonly T[]): T | undefined {
  return allowed.find((one) => one === value);
}
