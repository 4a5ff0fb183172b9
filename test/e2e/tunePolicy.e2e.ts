import { afterAll, expect } from 'vitest';
import { z } from 'zod';
import { runCli } from '../support/cli.ts';
import type { RunningApp } from './support/forEachHost.ts';
import { onEachHost } from './support/onEachHost.ts';
import { choosePreset, command, indexesWithFate, nextHash, rested, SOON, shownHash } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir, LAMP, lampJson } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const lamp = files.write('lamp.json', lampJson());

const Projected = z.object({ prefix_hash: z.string() });

/** What `parallax project` prints as the prefix hash of the same file. */
async function cliHash(
  options: Readonly<Record<string, number>> | null,
  at: number | 'last' = 'last',
): Promise<string> {
  const stages = options === null ? [] : [{ kind: 'reachability_gc', options }];
  const spec = JSON.stringify({ version: 1, stages });
  const run = await runCli(['project', lamp, '--spec', spec, '--at', String(at), '--json', '--no-tokens']);
  expect(run.stderr).toBe('');
  return Projected.parse(JSON.parse(run.stdout)).prefix_hash;
}

const field = ({ page }: RunningApp, name: string) => page.locator(SELECTORS.param(name)).locator('input');
const thumb = ({ page }: RunningApp, name: string) => page.locator(SELECTORS.param(name)).getByRole('slider');

/** Everything that a change of the policy is to change. */
async function shown(app: RunningApp) {
  const { page } = app;
  return {
    tokens: await page.locator(SELECTORS.statusTokens).textContent(),
    stage: await page.locator(SELECTORS.stageSummary).textContent(),
    redacted: await indexesWithFate(app, 'redacted'),
    preset: await page.locator(`${SELECTORS.presetsTable} .preset-current`).textContent(),
  };
}

let raw = '';

onEachHost('a person tunes a policy', { start: () => ({ files: [lamp] }) }, (step) => {
  step('begins with the raw transcript, whose hash is that of the command line', async (app) => {
    await app.page.locator(SELECTORS.rowOf(LAMP.driver)).waitFor();
    await rested(app);
    raw = (await shownHash(app)) ?? '';
    expect(raw).toBe(await cliHash(null));
  });

  step('chooses Reachability GC: three results give way to pointers', async (app) => {
    await choosePreset(app, 'reachability_gc');
    const hash = await nextHash(app, raw);
    expect(hash).toBe(await cliHash({}));
    const seen = await shown(app);
    expect(seen.redacted).toEqual([LAMP.driver, LAMP.fuse, LAMP.wiring]);
    expect(seen.stage).toContain('3 results reclaimed');
    expect(seen.preset).toContain('Reachability GC');
  });

  step('types min_chars: only the longest result is worth it', async (app) => {
    const before = await shownHash(app);
    const old = await shown(app);
    const min = field(app, 'min_chars');
    await min.click();
    await min.fill('1500');
    expect(await nextHash(app, before)).toBe(await cliHash({ min_chars: 1500 }));
    const seen = await shown(app);
    expect(seen.redacted).toEqual([LAMP.driver]);
    expect(seen.stage).toContain('1 result reclaimed');
    expect(seen.tokens).not.toBe(old.tokens);
    expect(seen.preset).toContain('This policy');
  });

  step('drags its slider with the mouse to the left end: the shortest result goes too', async (app) => {
    const { page } = app;
    const before = await shownHash(app);
    const track = await page.locator(SELECTORS.param('min_chars')).locator('.slider').boundingBox();
    const from = await thumb(app, 'min_chars').boundingBox();
    if (!track || !from) throw new Error('no slider');
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(track.x + track.width / 2, track.y + track.height / 2, { steps: 4 });
    await page.mouse.move(track.x, track.y + track.height / 2, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => field(app, 'min_chars').inputValue(), SOON).toBe('0');
    expect(await nextHash(app, before)).toBe(await cliHash({ min_chars: 0 }));
    expect((await shown(app)).redacted).toContain(LAMP.tests);
  });

  step('moves root_window with the arrow keys', async (app) => {
    const before = await shownHash(app);
    const old = await shown(app);
    await thumb(app, 'root_window').focus();
    for (let times = 0; times < 4; times++) await app.page.keyboard.press('ArrowRight');
    await expect.poll(() => field(app, 'root_window').inputValue(), SOON).toBe('12');
    expect(await nextHash(app, before)).toBe(await cliHash({ min_chars: 0, root_window: 12 }));
    const seen = await shown(app);
    expect(seen.redacted).toEqual([LAMP.tests]);
    expect(seen.stage).not.toBe(old.stage);
    expect(seen.tokens).not.toBe(old.tokens);
  });

  step('types what is no number: it is marked, and the last good state stays', async (app) => {
    const before = await shownHash(app);
    const window = field(app, 'root_window');
    await window.fill('many');
    expect(await window.getAttribute('aria-invalid')).toBe('true');
    expect(await window.getAttribute('title')).toMatch(/whole number/);
    await rested(app);
    expect(await shownHash(app)).toBe(before);
    await window.fill('-3');
    expect(await window.getAttribute('aria-invalid')).toBe('true');
    await window.press('Tab');
    expect(await window.inputValue()).toBe('12');
    expect(await shownHash(app)).toBe(before);
  });

  step('goes back to an earlier call point: the hash is that of the command line there', async (app) => {
    const before = await shownHash(app);
    await app.page.locator(SELECTORS.timeline).focus();
    await command(app, String(LAMP.wiring + 1), 1); // the first is to go there, the second to move the call point
    expect(await nextHash(app, before)).toBe(await cliHash({ min_chars: 0, root_window: 12 }, LAMP.wiring + 1));
    const there = await shownHash(app);
    await app.page.locator(SELECTORS.timeline).focus();
    await app.page.keyboard.press('Shift+End');
    expect(await nextHash(app, there)).toBe(before);
  });

  step('turns the stage off and on again', async (app) => {
    const before = await shownHash(app);
    await app.page.locator(SELECTORS.stageSwitch).click();
    expect(await nextHash(app, before)).toBe(raw);
    expect(await indexesWithFate(app, 'redacted')).toEqual([]);
    expect(await app.page.locator(SELECTORS.stageSummary).textContent()).toBe('off');
    await app.page.locator(SELECTORS.stageSwitch).click();
    expect(await nextHash(app, raw)).toBe(before);
  });
});
