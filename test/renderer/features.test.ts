// What the features hand to the program: nothing is forgotten, and nothing is handed over twice.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BADGES, CHART_STRIPS, DIALOGS, FEATURES, MODE_SCREENS, TABS } from '../../renderer/app/features.ts';
import type { DialogKind } from '../../renderer/state/dialog.ts';
import { MODES } from '../../renderer/state/modes.ts';
import { STRIPS } from '../../renderer/state/strips.ts';
import { DRAWER_TABS } from '../../renderer/state/tabs.ts';

const RENDERER = join(import.meta.dirname, '../../renderer');

/** Who draws what lies above the window: a part of the screen that is always there, or the component of a feature. */
const DRAWN_BY: Readonly<Record<DialogKind, 'part' | 'feature'>> = {
  relations: 'part',
  analytics: 'feature',
  palette: 'feature',
  search: 'feature',
  keys: 'feature',
  importProblems: 'feature',
  export: 'feature',
  verify: 'feature',
  wire: 'feature',
  sources: 'feature',
  prices: 'feature',
  storage: 'feature',
  fork: 'feature',
  tags: 'feature',
  rename: 'feature',
  watchpoint: 'feature',
  customPolicy: 'feature',
  summary: 'feature',
  mapping: 'feature',
};

describe('the features', () => {
  it('are those of all folders that hand something over', () => {
    const hands = (folder: string) => folder !== 'state' && existsSync(join(RENDERER, folder, 'feature.ts'));
    const folders = readdirSync(RENDERER).filter(hands);
    expect(folders.length).toBeGreaterThan(15);
    expect(new Set(FEATURES).size).toBe(FEATURES.length);
    // And four lists of commands of the window itself.
    expect(FEATURES).toHaveLength(folders.length + 4);
  });

  it('bring each tab of the drawer once', () => {
    expect(TABS.map(({ id }) => id)).toEqual(DRAWER_TABS);
  });

  it('bring each strip under the chart once', () => {
    expect(CHART_STRIPS.map(({ id }) => id)).toEqual(STRIPS);
  });

  it('bring each mode of the main screen once', () => {
    expect(MODE_SCREENS.map(({ id }) => id)).toEqual(MODES);
  });

  it('bring a component for each dialog that no part of the screen draws', () => {
    const wanted = Object.entries(DRAWN_BY).flatMap(([kind, by]) => (by === 'feature' ? [kind] : []));
    expect(Object.keys(DIALOGS).sort()).toEqual(wanted.sort());
  });

  it('hand over no dialog and no badge twice', () => {
    const dialogs = FEATURES.flatMap((feature) => Object.keys(feature.dialogs ?? {}));
    const badges = FEATURES.flatMap((feature) => Object.keys(feature.badges ?? {}));
    expect(dialogs).toHaveLength(Object.keys(DIALOGS).length);
    expect(badges).toHaveLength(Object.keys(BADGES).length);
  });
});
