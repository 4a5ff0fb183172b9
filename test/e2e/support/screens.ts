// Every screen, mode, tab, dialog and menu, and how a person comes to each: the suites that look at all of them walk these.
import type { Page } from 'playwright-core';
import { DRAWER_TABS } from '../../../renderer/state/tabs.ts';
import type { RunningApp } from './host.ts';
import { command, importFile, rested, toastWith } from './person.ts';
import { SELECTORS } from './selectors.ts';
import { type FilesDir, LAMP, lampJson } from './session.ts';

/** What stands beside the panes, or over them where there is no room. */
export type Panel = 'library' | 'drawer' | 'policy';

/** Something that a person brings up, and takes away again. */
export interface Screen {
  readonly name: string;
  /** Brings it up, and waits until it is there. */
  readonly open: (app: RunningApp) => Promise<unknown>;
  /** What lies over a page that was looked at before. */
  readonly within?: string;
  /** The panel it is in, which has to be called for where it is not beside the panes. */
  readonly panel?: Panel;
  /** Without it, Esc. */
  readonly close?: (app: RunningApp) => Promise<unknown>;
}

const DIALOG = '[role="dialog"]';
const nothing = async () => undefined;
const shown = (page: Page, selector: string) => page.locator(selector).first().waitFor();

/** A dialog that a command of the palette opens. */
const dialog = (title: string): Screen => ({
  name: title,
  within: DIALOG,
  async open(app) {
    await command(app, title);
    await shown(app.page, DIALOG);
    // What leaves is looked through first.
    if (title === 'Export a bug report') await shown(app.page, '[data-testid="review-outcome"]');
  },
  async close({ page }) {
    await page.keyboard.press('Escape');
    const discard = page.locator(SELECTORS.modalDiscard);
    if (await discard.isVisible()) await discard.click();
    await page.locator(DIALOG).first().waitFor({ state: 'detached' });
  },
});

const mode = (title: string, key: string): Screen => ({
  name: title,
  async open(app) {
    await app.page.keyboard.press(`ControlOrMeta+${key}`);
    await shown(app.page, `.workspace[data-mode="${title.toLowerCase()}"]`);
    await rested(app);
  },
  close: ({ page }) => page.keyboard.press('ControlOrMeta+1'),
});

const click = (name: string, panel: Panel, selector: string, opened: string): Screen => ({
  name,
  panel,
  within: opened,
  async open({ page }) {
    await page.locator(selector).first().click();
    await shown(page, opened);
  },
});

const onTimeline = (name: string, ...keys: readonly string[]): Screen => ({
  name,
  async open({ page }) {
    await page.locator(SELECTORS.timeline).focus();
    for (const key of keys) await page.keyboard.press(key);
  },
  close: nothing,
});

/** Before anything is open. */
const welcomeScreens = (unknown: string): readonly Screen[] => [
  { name: 'welcome', open: ({ page }) => shown(page, SELECTORS.openSample), close: nothing },
  {
    name: 'welcome, empty library as a table',
    open: async (app) => {
      await command(app, 'Library as a table');
      await shown(app.page, SELECTORS.libraryTable);
    },
    close: ({ page }) => page.keyboard.press('ControlOrMeta+Shift+L'),
  },
  {
    name: 'import problems',
    async open(app) {
      await importFile(app, unknown);
      await toastWith(app, /^Could not import/).waitFor();
    },
    close: nothing,
  },
  {
    name: 'mapping',
    within: DIALOG,
    async open(app) {
      await toastWith(app, /^Could not import/)
        .getByRole('button', { name: /^Map its fields/ })
        .click();
      await shown(app.page, SELECTORS.mappingDialog);
    },
    close: dialog('').close ?? nothing,
  },
];

const PANES: readonly Screen[] = [
  onTimeline('raw', '1'),
  onTimeline('model view', '3'),
  onTimeline('side by side', '2'),
  {
    name: 'an opened row',
    async open({ page }) {
      await page.locator(SELECTORS.timeline).focus();
      await page.keyboard.press('Enter');
      // Its text comes a moment later, and the row grows with it: until the next frame it lies over the ones below.
      await page.locator(SELECTORS.rowDetail).filter({ hasNotText: 'Reading…' }).first().waitFor();
    },
    close: ({ page }) => page.keyboard.press('Enter'),
  },
];

const TABS: readonly Screen[] = [
  ...DRAWER_TABS.filter((id) => id !== 'find').map(
    (id): Screen => ({
      name: `drawer: ${id}`,
      panel: 'drawer',
      within: SELECTORS.drawer,
      async open(app) {
        await app.page.locator(SELECTORS.drawerTab(id)).focus();
        await rested(app);
      },
      close: nothing,
    }),
  ),
  {
    name: 'find',
    async open(app) {
      await app.page.locator(SELECTORS.timeline).focus();
      await app.page.keyboard.press('ControlOrMeta+f');
      await app.page.locator(SELECTORS.findInput).fill('lamp');
      await shown(app.page, SELECTORS.findNow);
      await rested(app);
    },
    close: nothing,
  },
  {
    name: 'find, its answer',
    panel: 'drawer',
    open: ({ page }) => shown(page, SELECTORS.findAnswer),
    async close({ page }) {
      // Over the answer, or beside it: the field is there again.
      await page.keyboard.press('ControlOrMeta+f');
      await page.keyboard.press('Escape');
    },
  },
  {
    name: 'filter rows',
    async open(app) {
      await app.page.locator(SELECTORS.timeline).focus();
      await app.page.keyboard.press('l');
      await app.page.keyboard.type('role:user');
      await rested(app);
    },
    async close({ page }) {
      // The offers, then the field.
      await page.keyboard.press('Escape');
      if (await page.locator('.filter-bar').isVisible()) await page.keyboard.press('Escape');
    },
  },
];

const modeScreens = (rules: string, faulty: string): readonly Screen[] => [
  mode('Compare', '2'),
  mode('Tune', '3'),
  mode('Compactions', '4'),
  mode('Checks', '5'),
  {
    name: 'checks with results',
    async open(app) {
      await app.page.keyboard.press('ControlOrMeta+5');
      await app.page.setInputFiles('[data-testid="checks-field"]', rules);
      await shown(app.page, '[data-testid="checks"][data-state="done"]');
    },
    close: nothing,
  },
  {
    name: 'checks with rules at fault, in the editor',
    async open({ page }) {
      await page.setInputFiles('[data-testid="checks-field"]', faulty);
      await shown(page, '[data-testid="checks-faults"]');
      await shown(page, '.checks-editor .monaco-editor');
    },
    close: ({ page }) => page.keyboard.press('ControlOrMeta+1'),
  },
  {
    name: 'library as a table',
    open: async ({ page }) => {
      await page.keyboard.press('ControlOrMeta+Shift+L');
      await shown(page, SELECTORS.libraryTable);
    },
    close: ({ page }) => page.keyboard.press('ControlOrMeta+Shift+L'),
  },
];

const DIALOGS: readonly Screen[] = [
  {
    name: 'palette',
    within: DIALOG,
    async open({ page }) {
      await page.keyboard.press('ControlOrMeta+k');
      await shown(page, SELECTORS.paletteInput);
    },
  },
  {
    name: 'search with hits',
    within: DIALOG,
    async open({ page }) {
      await page.keyboard.press('ControlOrMeta+Shift+f');
      await page.locator(SELECTORS.searchInput).fill('lamp');
      await shown(page, SELECTORS.searchHit);
    },
  },
  ...[
    'Keyboard',
    'Export a bug report',
    'Verify a bug-report bundle',
    'Request on the wire',
    'Folders and followed files',
    'Prices of tokens',
    'Storage',
    'Fork here',
    'Tags…',
    'Rename the transcript',
    'Write a summary',
    'Write a custom policy',
  ].map(dialog),
];

const MENUS: readonly Screen[] = [
  click('policies', 'policy', SELECTORS.presetMenu, SELECTORS.pickList),
  click('more of the policy', 'policy', SELECTORS.policyMore, '[role="menu"]'),
  click('stages to add', 'policy', SELECTORS.addStage, SELECTORS.pickList),
  click('filters of the library', 'library', SELECTORS.facets, '[role="dialog"], .popover'),
  {
    name: 'menu of a row',
    within: '[data-testid="row-menu"]',
    async open({ page }) {
      await page.locator(SELECTORS.rowOf(LAMP.driver)).click({ button: 'right' });
      await shown(page, '[data-testid="row-menu"]');
    },
  },
  {
    name: 'a tour',
    async open(app) {
      await command(app, 'Tour: Why is it gone?');
      await shown(app.page, SELECTORS.tour);
      await rested(app);
    },
    // It is of the sample.
    async close(app) {
      await app.page.keyboard.press('Escape');
      await command(app, 'The lamp flickers');
      await shown(app.page, SELECTORS.rowOf(LAMP.driver));
      await rested(app);
    },
  },
];

/** All screens, in an order in which each can be brought up after the one before. */
export interface Screens {
  readonly welcome: readonly Screen[];
  /** Between them: opens the transcript that the others are of. */
  readonly openSession: (app: RunningApp) => Promise<void>;
  readonly opened: readonly Screen[];
}

/** The screens over a session whose files are written to `files`. */
export function everyScreen(files: FilesDir): Screens {
  const lamp = files.write('lamp.json', lampJson());
  const rules = files.write(
    'lamp.rules.yaml',
    'version: 1\nrules:\n  - watch: "lamp"\n  - tokens: 1\n  - text: "nobody says this"\n',
  );
  const faulty = files.write('faulty.rules.yaml', 'version: 1\nrules:\n  - tokens: many\n');
  const unknown = files.write('unknown.jsonl', '{"sender":"a","body":"hello"}\n{"sender":"b","body":"hi"}\n');
  return {
    welcome: welcomeScreens(unknown),
    async openSession(app) {
      await app.page.keyboard.press('Escape');
      await importFile(app, lamp);
      await app.page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
      await rested(app);
      await app.page.locator(SELECTORS.rowOf(LAMP.driver)).click();
    },
    opened: [...PANES, ...TABS, ...modeScreens(rules, faulty), ...DIALOGS, ...MENUS],
  };
}

/** Takes a screen away again. */
export async function takeAway(app: RunningApp, { close }: Screen): Promise<void> {
  if (close !== undefined) await close(app);
  else await app.page.keyboard.press('Escape');
}
