// axe on every screen, mode, tab, dialog and menu: in the light theme by all rules, and in the dark one and in forced
// colours by those of colour.
import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { DRAWER_TABS } from '../../renderer/state/tabs.ts';
import { OF_COLOR, violations } from './support/axe.ts';
import type { RunningApp } from './support/host.ts';
import { onEachHost } from './support/onEachHost.ts';
import { command, importFile, rested, toastWith } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir, LAMP, lampJson } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const lamp = files.write('lamp.json', lampJson());
const rules = files.write(
  'lamp.rules.yaml',
  'version: 1\nrules:\n  - watch: "lamp"\n  - tokens: 1\n  - text: "nobody says this"\n',
);
const faulty = files.write('faulty.rules.yaml', 'version: 1\nrules:\n  - tokens: many\n');
const unknown = files.write('unknown.jsonl', '{"sender":"a","body":"hello"}\n{"sender":"b","body":"hi"}\n');

/** The page's own colours by all rules, then the same elements in other colours. */
const LOOKS = [
  { colorScheme: 'light', forcedColors: 'none', rules: null },
  { colorScheme: 'dark', forcedColors: 'none', rules: OF_COLOR },
  { colorScheme: 'light', forcedColors: 'active', rules: OF_COLOR },
  { colorScheme: 'dark', forcedColors: 'active', rules: OF_COLOR },
] as const;

interface Screen {
  readonly name: string;
  /** Brings it up, and waits until it is there. */
  readonly open: (app: RunningApp) => Promise<unknown>;
  /** What lies over a page that was looked at before. */
  readonly within?: string;
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

const click = (name: string, selector: string, opened: string): Screen => ({
  name,
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

const WELCOME: readonly Screen[] = [
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
      await shown(page, SELECTORS.rowDetail);
    },
    close: ({ page }) => page.keyboard.press('Enter'),
  },
];

const TABS: readonly Screen[] = [
  ...DRAWER_TABS.filter((id) => id !== 'find').map(
    (id): Screen => ({
      name: `drawer: ${id}`,
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
      await shown(app.page, SELECTORS.findAnswer);
      await rested(app);
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
  },
];

const MODES: readonly Screen[] = [
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
  click('policies', SELECTORS.presetMenu, SELECTORS.pickList),
  click('more of the policy', SELECTORS.policyMore, '[role="menu"]'),
  click('stages to add', SELECTORS.addStage, SELECTORS.pickList),
  click('filters of the library', SELECTORS.facets, '[role="dialog"], .popover'),
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
  },
];

/** What is found once the page has taken on the look: themes and shades come a moment later. */
async function settled(find: () => Promise<readonly string[]>): Promise<readonly string[]> {
  for (let turn = 0; turn < 4; turn++) {
    const found = await find();
    if (found.length === 0) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return find();
}

/** What axe finds on a screen, in each look. */
async function check(app: RunningApp, { open, within, close }: Screen): Promise<Record<string, readonly string[]>> {
  const found: Record<string, readonly string[]> = {};
  await app.page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', reducedMotion: 'reduce' });
  await open(app);
  for (const { rules, ...look } of LOOKS) {
    await app.page.emulateMedia(look);
    const here = await settled(() => violations(app.page, rules, within));
    if (here.length > 0) found[`${look.colorScheme}, forced ${look.forcedColors}`] = here;
  }
  await (close ?? (({ page }) => page.keyboard.press('Escape')))(app);
  return found;
}

onEachHost('axe finds nothing, in both themes and in forced colours', {}, (step, kind) => {
  // The page is the same on both hosts; the desktop's turn is the few screens of accessible.e2e.ts.
  if (kind === 'desktop') return;

  const all = (screens: readonly Screen[]) => {
    for (const screen of screens) {
      step(`on ${screen.name}`, async (app) => {
        expect(await check(app, screen)).toEqual({});
      });
    }
  };

  all(WELCOME);

  step('(a transcript is opened)', async (app) => {
    await app.page.keyboard.press('Escape');
    await importFile(app, lamp);
    await app.page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
    await rested(app);
    await app.page.locator(SELECTORS.rowOf(LAMP.driver)).click();
  });

  all([...PANES, ...TABS, ...MODES, ...DIALOGS, ...MENUS]);
});
