import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, expect } from 'vitest';
import { seededRng } from '../../core/util/rng.ts';
import { onEachHost } from './support/onEachHost.ts';
import { command, followFile, SOON, toastWith } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir } from './support/session.ts';

const BEGINNING = 60;
const MANY = 10_000;

/** A line of a session as the tool writes it; what is said is the number. */
function line(session: string, n: number): string {
  const role = n % 2 === 0 ? 'user' : 'assistant';
  return `${JSON.stringify({
    parentUuid: n === 0 ? null : `${session}-${n - 1}`,
    isSidechain: false,
    type: role,
    message: { role, content: `${session} says ${n}` },
    uuid: `${session}-${n}`,
    timestamp: new Date(Date.UTC(2026, 0, 5, 9, 0, n)).toISOString(),
    sessionId: session,
    cwd: '/home/dev/app',
    version: '2.0.14',
  })}\n`;
}

const lines = (session: string, from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => line(session, from + i)).join('');

const files = filesDir();
afterAll(() => files.remove());

/** A file and a folder of sessions of each host's own: they grow on the way. */
function settingOf(kind: string) {
  const dir = join(files.path, kind);
  const config = join(dir, 'claude');
  const project = join(config, 'projects', '-home-dev-app');
  mkdirSync(project, { recursive: true });
  for (const each of [dir, config, join(config, 'projects'), project]) chmodSync(each, 0o755);
  const session = join(dir, 'growing.jsonl');
  writeFileSync(session, lines('growing', 0, BEGINNING));
  writeFileSync(join(project, 'one.jsonl'), lines('one', 0, 4));
  return { config, project, session };
}

const settings = { web: settingOf('web'), desktop: settingOf('desktop') };

onEachHost(
  'a person watches a session grow',
  {
    start: (kind) => ({
      env: { CLAUDE_CONFIG_DIR: settings[kind].config },
      ...(kind === 'web' && { files: [settings.web.session] }),
    }),
  },
  (step, kind) => {
    const { session, project } = settings[kind];
    let length = BEGINNING;
    const grow = (by: number) => {
      appendFileSync(session, lines('growing', length, length + by));
      length += by;
    };

    step('has its file followed, and sees what is there', async (app) => {
      const { page } = app;
      await followFile(app, session);
      // It opens at its end, where it goes on.
      await page.locator(SELECTORS.rowOf(length - 1)).waitFor();
      await page.locator(SELECTORS.followStatus).waitFor();
    });

    step('stands at the end: new lines appear and the view stays at the end', async (app) => {
      const { page } = app;
      await command(app, 'Go to the newest message');
      await page.locator(SELECTORS.rowOf(length - 1)).waitFor();
      for (let times = 0; times < 3; times++) {
        grow(5);
        await page.locator(SELECTORS.rowOf(length - 1)).waitFor();
      }
      await page.locator(SELECTORS.liveDot).waitFor();
    });

    step('shows and hides the drawer meanwhile: the end stays in sight', async (app) => {
      const { page } = app;
      const drawer = page.getByRole('region', { name: 'Details' });
      for (let times = 0; times < 2; times++) {
        const isOpen = await drawer.isVisible();
        await command(app, 'Show or hide the drawer');
        await drawer.waitFor({ state: isOpen ? 'hidden' : 'visible' });
        grow(5);
        await page.locator(SELECTORS.rowOf(length - 1)).waitFor();
        const box = await page.locator(SELECTORS.rowOf(length - 1)).boundingBox();
        const list = await page.locator(SELECTORS.timeline).boundingBox();
        expect(box && list && box.y + box.height <= list.y + list.height + 1).toBe(true);
      }
      expect(await page.locator(SELECTORS.freshChip).count()).toBe(0);
    });

    step('sees that half a line waits, and no problem', async ({ page }) => {
      const next = line('growing', length++);
      appendFileSync(session, next.slice(0, 60));
      await expect.poll(() => page.locator(SELECTORS.followStatus).textContent(), SOON).toContain('of a line wait');
      appendFileSync(session, next.slice(60));
      await page.locator(SELECTORS.rowOf(length - 1)).waitFor();
      await expect.poll(() => page.locator(SELECTORS.followStatus).textContent(), SOON).not.toContain('wait');
      expect(
        await page
          .locator(SELECTORS.toast)
          .filter({ hasText: /problem/ })
          .count(),
      ).toBe(0);
    });

    step('reads further up: nothing moves, and what is new is counted', async ({ page }) => {
      await page.locator(SELECTORS.timeline).focus();
      await page.locator(SELECTORS.timeline).evaluate((element) => element.scrollTo({ top: 0 }));
      await page.locator(SELECTORS.rowOf(0)).waitFor();
      grow(7);
      await expect.poll(() => page.locator(SELECTORS.freshChip).textContent(), SOON).toContain('7 new messages');
      expect(await page.locator(SELECTORS.timeline).evaluate((element) => element.scrollTop)).toBe(0);
      await page.locator(SELECTORS.freshChip).click();
      await page.locator(SELECTORS.rowOf(length - 1)).waitFor();
      await page.locator(SELECTORS.freshChip).waitFor({ state: 'detached' });
    });

    step('10,000 lines come in pieces at uneven speed: all, in order, once', async ({ page }) => {
      const rng = seededRng(11);
      const bytes = Buffer.from(lines('growing', length, length + MANY));
      length += MANY;
      for (let at = 0; at < bytes.length; ) {
        const size = 1 + rng.below(rng.chance(0.2) ? 120_000 : 4_000);
        appendFileSync(session, bytes.subarray(at, at + size));
        at += size;
        if (rng.chance(0.3)) await setTimeout(rng.below(10));
      }
      const timeline = page.locator(SELECTORS.timeline);
      await expect
        .poll(() => timeline.getAttribute('aria-rowcount'), { timeout: 60_000, interval: 100 })
        // The heading of the panes is a row, too.
        .toBe(String(length + 1));
      await page.locator(SELECTORS.rowOf(length - 1)).waitFor();
      for (const top of [0, 0.25, 0.5, 0.75]) {
        await timeline.evaluate((element, part) => element.scrollTo({ top: element.scrollHeight * part }), top);
        const shown = page.locator(`${SELECTORS.row}[data-index]`);
        await shown.first().waitFor();
        await expect
          .poll(async () => {
            const texts = await shown.evaluateAll((rows) =>
              rows.map((row) => [row.getAttribute('data-index'), row.textContent] as const),
            );
            return texts.every(([index, text]) => text?.includes(`growing says ${index}`));
          }, SOON)
          .toBe(true);
      }
    });

    step('finds the sessions of a tool offered, follows them, and sees new ones come', async ({ page }) => {
      await page.locator(SELECTORS.sourcesButton).click();
      const place = page.locator(`${SELECTORS.placeRow}[data-tool="Claude Code"]`);
      await place.getByRole('button', { name: /follow/i }).click();
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator(SELECTORS.libraryItem).count(), SOON).toBe(2);
      writeFileSync(join(project, 'two.jsonl'), lines('two', 0, 3));
      await expect.poll(() => page.locator(SELECTORS.libraryItem).count(), SOON).toBe(3);
    });

    step('starts the program again: what grew meanwhile is there', async (app) => {
      appendFileSync(join(project, 'two.jsonl'), lines('two', 3, 9));
      await app.restart();
      const { page } = app;
      await page.locator(SELECTORS.libraryItem).filter({ hasText: 'two says 0' }).click();
      await page.locator(SELECTORS.rowOf(8)).waitFor();
      await page.locator(SELECTORS.followStatus).waitFor();
    });

    step('stops following: it is said, and the file may go on alone', async (app) => {
      const { page } = app;
      await page.locator(SELECTORS.followStatus).click();
      const dialog = page.locator(SELECTORS.sourcesDialog);
      const rows = dialog.locator(SELECTORS.followRow);
      await rows.first().waitFor();
      while ((await rows.count()) > 0) {
        const before = await rows.count();
        const stop = dialog.getByRole('button', { name: /^Stop following/ }).first();
        // What is said goes by itself after a while.
        await Promise.all([
          toastWith(app, /No longer followed/)
            .first()
            .waitFor(),
          stop.click(),
        ]);
        await expect.poll(() => rows.count(), SOON).toBe(before - 1);
      }
      await page.keyboard.press('Escape');
      await page.locator(SELECTORS.followStatus).waitFor({ state: 'detached' });
    });
  },
);
