import { afterAll, expect } from 'vitest';
import type { RunningApp } from './support/host.ts';
import { onEachHost } from './support/onEachHost.ts';
import { command, rested, SOON, saved, toastWith } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());

const MANY = 40;
const WANTED = 27;
const NOTE = 'Here it forgot the fuse.';

/** Small sessions that differ in their first words; one of them ends with a failed call. */
const sessions = Array.from({ length: MANY }, (_, i) => {
  const messages = [
    { role: 'user', content: `Please repair lamp number ${i}.` },
    { role: 'assistant', content: `Lamp ${i} is repaired.` },
    { role: 'user', content: 'And its fuse?' },
    { role: 'assistant', content: 'I did not look at the fuse.' },
  ];
  return files.write(`lamp-${i}.json`, JSON.stringify(messages));
});

const items = ({ page }: RunningApp) => page.locator(SELECTORS.libraryItem);

/** How many are listed: only those in sight are drawn. */
const listed = async (app: RunningApp) => Number(await items(app).first().getAttribute('aria-setsize'));

/** Types into the filter until just these many are left. */
async function filter(app: RunningApp, words: string, left: number): Promise<void> {
  await app.page.locator(SELECTORS.libraryFilter).fill(words);
  await expect.poll(() => listed(app), SOON).toBe(left);
}

const find = { start: () => ({ files: sessions }) };

onEachHost('a person keeps what they found in a library of many', find, (step) => {
  step('finds a session by its words', async (app) => {
    await app.page.locator(SELECTORS.libraryWide).click();
    await expect
      .poll(() => app.page.locator(SELECTORS.libraryCount).textContent(), SOON)
      .toContain(`${MANY} transcripts`);
    await app.page.locator(SELECTORS.columnHead('title')).click();
    await app.page.locator(SELECTORS.tableClose).click();
    await rested(app);
    // The first words become the title once they are known.
    await filter(app, `lamp number ${WANTED}`, 1);
    await app.page.locator(SELECTORS.libraryFilter).press('ArrowDown');
    await app.page.locator(SELECTORS.libraryFilter).press('Enter');
    await app.page.getByText(`Lamp ${WANTED} is repaired.`).first().waitFor();
  });

  step('tags it', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.rowOf(3)).click();
    await page.keyboard.press('t');
    await page.locator(SELECTORS.tagsField).fill('forgets');
    await page.keyboard.press('Enter');
    await page.locator(`${SELECTORS.tagLine}[data-name="forgets"][data-state="all"]`).waitFor();
    await page.keyboard.press('Escape');
    await page.locator(SELECTORS.tagsDialog).waitFor({ state: 'detached' });
  });

  step('writes a note on a message and bookmarks another', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.rowOf(3)).click();
    await page.keyboard.press('Shift+M');
    await page.locator(SELECTORS.noteField).fill(NOTE);
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.locator(`${SELECTORS.rowOf(3)} ${SELECTORS.rowMark}[data-note="true"]`).waitFor();
    await page.locator(SELECTORS.rowOf(1)).click();
    await page.keyboard.press('m');
    await page.locator(`${SELECTORS.rowOf(1)} ${SELECTORS.rowMark}[data-bookmark="true"]`).waitFor();
    await expect.poll(() => page.locator(SELECTORS.noteLine).count(), SOON).toBe(2);
  });

  step('gives it a title of their own', async (app) => {
    const { page } = app;
    await page.keyboard.press('F2');
    await page.locator(SELECTORS.renameField).fill('The forgotten fuse');
    await page.locator(SELECTORS.renameSave).click();
    await expect
      .poll(() => page.getByRole('heading', { level: 1 }).textContent(), SOON)
      .toContain('The forgotten fuse');
    await filter(app, '', MANY);
    await saved(app);
  });

  step('finds it again after a restart, by tag and by note', async (app) => {
    await app.restart();
    const { page } = app;
    await filter(app, '#forgets', 1);
    await filter(app, 'forgot the fuse', 1);
    await filter(app, '', MANY);
    await page.locator(SELECTORS.facets).click();
    await page.locator(SELECTORS.facet('Has notes')).check();
    await expect.poll(() => items(app).count(), SOON).toBe(1);
    await page.keyboard.press('Escape');
    await expect.poll(() => items(app).first().textContent(), SOON).toContain('The forgotten fuse');
    await items(app).first().click();
    await page.locator(SELECTORS.drawerTab('notes')).click();
    await page.locator(`${SELECTORS.noteLine}[data-index="3"]`).getByText(NOTE).click();
    await expect.poll(() => page.locator(SELECTORS.rowOf(3)).getAttribute('aria-selected'), SOON).toBe('true');
  });
});

onEachHost('a person clears out the library', { start: () => ({ files: sessions.slice(0, 6) }) }, (step) => {
  step('chooses several and removes them', async (app) => {
    const { page } = app;
    await expect.poll(() => items(app).count(), SOON).toBe(6);
    await rested(app);
    await items(app)
      .nth(1)
      .click({ modifiers: ['ControlOrMeta'] });
    await items(app)
      .nth(3)
      .click({ modifiers: ['Shift'] });
    await page.locator(SELECTORS.selectionBar).getByText('3 chosen').waitFor();
    await page.locator(SELECTORS.selectionTag).click();
    await page.locator(SELECTORS.tagsField).fill('old');
    await page.keyboard.press('Enter');
    await page.locator(`${SELECTORS.tagLine}[data-name="old"][data-state="all"]`).waitFor();
    await page.keyboard.press('Escape');
    await page.locator(SELECTORS.selectionRemove).click();
    await expect.poll(() => items(app).count(), SOON).toBe(3);
    await page.locator(SELECTORS.selectionBar).waitFor({ state: 'detached' });
  });

  step('brings them back, tags and all', async (app) => {
    await toastWith(app, 'Removed 3 transcripts').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => items(app).count(), SOON).toBe(6);
    await filter(app, '#old', 3);
    await filter(app, '', 6);
  });

  step('removes by keyboard, and brings back by the palette', async (app) => {
    const { page } = app;
    await items(app).first().click();
    await page.locator('#library-list').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowDown');
    await page.locator(SELECTORS.selectionBar).getByText('2 chosen').waitFor();
    await page.keyboard.press('Delete');
    await expect.poll(() => items(app).count(), SOON).toBe(4);
    await command(app, 'Restore last removed transcript');
    await expect.poll(() => items(app).count(), SOON).toBe(6);
  });

  step('the one that is open closes when it is removed, and opens again when it is brought back', async (app) => {
    const { page } = app;
    await items(app).first().click();
    await page.locator(SELECTORS.row).first().waitFor();
    await command(app, 'Remove from the library');
    await page.locator(SELECTORS.row).first().waitFor({ state: 'detached' });
    await expect.poll(() => items(app).count(), SOON).toBe(5);
    await command(app, 'Restore last removed transcript');
    await page.locator(SELECTORS.row).first().waitFor();
  });

  step('sees what takes how much room', async (app) => {
    const { page } = app;
    await command(app, 'Storage…');
    await page.locator(SELECTORS.storageGroups).getByText('Messages', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator(SELECTORS.storageDialog).waitFor({ state: 'detached' });
  });
});
