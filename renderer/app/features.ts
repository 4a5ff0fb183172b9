// Every feature, and what they bring: palette, key map, keyboard, menus, drawer and dialogs are made from these lists.

import { analyticsFeature } from '../analytics/feature.ts';
import { budgetFeature } from '../budget/feature.ts';
import { bundleFeature } from '../bundle/feature.ts';
import { cacheFeature } from '../cache/feature.ts';
import { checksFeature } from '../checks/feature.ts';
import { compactionsFeature } from '../compactions/feature.ts';
import { compareFeature } from '../compare/feature.ts';
import { drawerFeature } from '../drawer/feature.ts';
import { filterFeature } from '../filter/feature.ts';
import { findFeature } from '../find/feature.ts';
import { findingsFeature } from '../findings/feature.ts';
import { followFeature } from '../follow/feature.ts';
import { forkFeature } from '../fork/feature.ts';
import { keepFeature } from '../keep/feature.ts';
import { lanesFeature } from '../lanes/feature.ts';
import { libraryFeature } from '../library/feature.ts';
import { lintFeature } from '../lint/feature.ts';
import { mappingFeature } from '../mapping/feature.ts';
import { movingFeature } from '../moving/feature.ts';
import { paletteFeature } from '../palette/feature.ts';
import { policyFeature } from '../policy/feature.ts';
import { relationsFeature } from '../relations/feature.ts';
import { requestFeature } from '../request/feature.ts';
import { scrubberFeature } from '../scrubber/feature.ts';
import { searchFeature } from '../search/feature.ts';
import type { Command } from '../state/command.ts';
import type { Badges, Dialogs, Feature, ModeScreen, Strip, Tab } from '../state/feature.ts';
import { MODE_TITLE, MODES } from '../state/modes.ts';
import { STRIPS } from '../state/strips.ts';
import { DRAWER_TABS } from '../state/tabs.ts';
import { summaryFeature } from '../summary/feature.ts';
import { timelineFeature } from '../timeline/feature.ts';
import { toursFeature } from '../tours/feature.ts';
import { tuneFeature } from '../tune/feature.ts';
import { usageFeature } from '../usage/feature.ts';
import { usesFeature } from '../uses/feature.ts';
import { watchFeature } from '../watch/feature.ts';
import { wireFeature } from '../wire/feature.ts';
import { goCommands, importCommands, viewCommands, windowCommands } from './commands.ts';
import { KeyMap } from './KeyMap.tsx';
import { TimelineMode } from './TimelineMode.tsx';

/** In the order in which the palette lists their commands within a group. */
export const FEATURES: readonly Feature[] = [
  findFeature,
  watchFeature,
  filterFeature,
  toursFeature,
  timelineFeature,
  scrubberFeature,
  { commands: goCommands },
  movingFeature,
  relationsFeature,
  forkFeature,
  { commands: viewCommands, modes: [{ id: 'timeline', also: 'panes messages scrubber', Content: TimelineMode }] },
  { commands: importCommands },
  followFeature,
  mappingFeature,
  { commands: windowCommands, dialogs: { keys: KeyMap } },
  paletteFeature,
  searchFeature,
  bundleFeature,
  analyticsFeature,
  wireFeature,
  libraryFeature,
  drawerFeature,
  policyFeature,
  budgetFeature,
  cacheFeature,
  compareFeature,
  tuneFeature,
  compactionsFeature,
  checksFeature,
  requestFeature,
  findingsFeature,
  keepFeature,
  lintFeature,
  summaryFeature,
  usageFeature,
  usesFeature,
  lanesFeature,
];

const tabs = FEATURES.flatMap((feature) => feature.tabs ?? []);

/** The drawer's tabs in their order. */
export const TABS: readonly Tab[] = DRAWER_TABS.flatMap((id) => tabs.filter((tab) => tab.id === id));

const modes = FEATURES.flatMap((feature) => feature.modes ?? []);

/** The modes of the main screen in their order. */
export const MODE_SCREENS: readonly ModeScreen[] = MODES.flatMap((id) => modes.filter((mode) => mode.id === id));

const strips = FEATURES.flatMap((feature) => feature.strips ?? []);

/** The strips under the chart in their order. */
export const CHART_STRIPS: readonly Strip[] = STRIPS.flatMap((id) => strips.filter((strip) => strip.id === id));

export const DIALOGS: Dialogs = Object.assign({}, ...FEATURES.map(({ dialogs }) => dialogs));

export const BADGES: Badges = Object.assign({}, ...FEATURES.map(({ badges }) => badges));

const showTab = ({ id, title, key, open }: Tab): Command => ({
  id: `drawer.${id}`,
  title: `Drawer: ${title}`,
  group: 'View',
  keys: [key],
  isEnabled: (state) => state.session.id !== null,
  run: ({ app }) => (open ? open(app) : app.actions.showDrawer(id)),
});

const showMode = ({ id, also }: ModeScreen, at: number): Command => ({
  id: `mode.${id}`,
  title: `Mode: ${MODE_TITLE[id]}`,
  group: 'View',
  keys: [`mod+${at + 1}`],
  inFields: true,
  ...(also === undefined ? {} : { also }),
  isEnabled: (state) => state.session.id !== null,
  run: ({ app }) => app.actions.setMode(id),
});

/** All commands, in the order of the palette. Ids are unique. */
export const COMMANDS: readonly Command[] = [
  ...FEATURES.flatMap(({ commands }) => commands ?? []),
  ...MODE_SCREENS.map(showMode),
  ...TABS.map(showTab),
];
