// axe on every screen, mode, tab, dialog and menu: in the light theme by all rules, and in the dark one by those of colour;
// where all cases are gone through, by all rules in both, and in forced colours of either. In forced colours what is chosen
// looks other than what is not.
import { afterAll, expect } from 'vitest';
import { ALL_CASES, isTaken } from '../support/cases.ts';
import { OF_COLOR, violations } from './support/axe.ts';
import type { RunningApp } from './support/host.ts';
import { onEachHost } from './support/onEachHost.ts';
import { everyScreen, type Screen, takeAway } from './support/screens.ts';
import { filesDir } from './support/session.ts';
import { unmarked } from './support/unmarked.ts';

const files = filesDir();
afterAll(() => files.remove());
const { welcome, openSession, opened } = everyScreen(files);

/**
 * The page's own colours by all rules, then the same elements in other colours. In forced ones axe reads the colours of the sheets,
 * which it has seen, and marks are borders and outlines, the same in both schemes: `rules` empty = axe does not look.
 */
const LOOKS = [
  { colorScheme: 'light', forcedColors: 'none', rules: null },
  { colorScheme: 'dark', forcedColors: 'none', rules: OF_COLOR },
  { colorScheme: 'light', forcedColors: 'active', rules: [] },
  ...(ALL_CASES ? [{ colorScheme: 'dark', forcedColors: 'active', rules: [] } as const] : []),
] as const;

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
async function check(app: RunningApp, screen: Screen): Promise<Record<string, readonly string[]>> {
  const found: Record<string, readonly string[]> = {};
  await app.page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', reducedMotion: 'reduce' });
  await screen.open(app);
  for (const { rules, ...look } of LOOKS) {
    await app.page.emulateMedia(look);
    const here = await settled(async () => [
      ...(ALL_CASES || rules?.length !== 0 ? await violations(app.page, ALL_CASES ? null : rules, screen.within) : []),
      ...(look.forcedColors === 'active' ? await unmarked(app.page, screen.within) : []),
    ]);
    if (here.length > 0) found[`${look.colorScheme}, forced ${look.forcedColors}`] = here;
  }
  await takeAway(app, screen);
  return found;
}

onEachHost('axe finds nothing, in both themes and in forced colours', {}, (step, kind) => {
  // The desktop's few are those of accessible.e2e.ts.
  if (!isTaken(kind === 'web', '', [])) return;

  const all = (screens: readonly Screen[]) => {
    for (const screen of screens) {
      step(`on ${screen.name}`, async (app) => {
        expect(await check(app, screen)).toEqual({});
      });
    }
  };

  all(welcome);
  step('(a transcript is opened)', openSession);
  all(opened);
});
