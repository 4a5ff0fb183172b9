import type { ComponentType } from 'react';
import type { App } from './app.ts';
import type { Command } from './command.ts';
import type { DialogKind, DialogProps } from './dialog.ts';
import type { Mode } from './modes.ts';
import type { StripId } from './strips.ts';
import type { DrawerTab } from './tabs.ts';

/** A tab of the drawer. */
export interface Tab {
  readonly id: DrawerTab;
  readonly title: string;
  /** Outside of fields. */
  readonly key: string;
  /** What the tab shows: the selected message, or the request on screen or the transcript, whatever is selected. */
  readonly about: 'message' | 'request' | 'transcript';
  readonly Content: ComponentType;
  /** What its key does, where that is more than to show it. */
  readonly open?: (app: App) => void;
}

/** What the main screen shows in a mode. Drawer and policy panel belong to the timeline. */
export interface ModeScreen {
  readonly id: Mode;
  readonly Content: ComponentType;
  /** Words its command is also found by. */
  readonly also?: string;
}

/** A strip under the chart, on its x axis (useChart). It draws nothing where there is nothing to show. */
export interface Strip {
  readonly id: StripId;
  readonly Content: ComponentType;
}

/** Components of dialogs by their kind. They are drawn while they are open. */
export type Dialogs = { readonly [K in DialogKind]?: ComponentType<DialogProps<K>> };

/** A count on a tab, as a hook; nothing is shown at 0. */
export type Badges = { readonly [Id in DrawerTab]?: () => number };

/** What a feature hands to the program. app/features.ts puts them together. */
export interface Feature {
  /** In the order of the palette. */
  readonly commands?: readonly Command[];
  readonly tabs?: readonly Tab[];
  readonly modes?: readonly ModeScreen[];
  readonly strips?: readonly Strip[];
  readonly dialogs?: Dialogs;
  readonly badges?: Badges;
}
