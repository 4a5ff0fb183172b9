import { afterAll, expect } from 'vitest';
import type { RunningApp } from './support/host.ts';
import { onEachHost } from './support/onEachHost.ts';
import { command, importFile, SOON, toastWith } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());

const exchange = (i: number) => [
  { sender: 'customer', body: `Question ${i}: why is the lamp dark?`, ticket: 'T-1' },
  {
    sender: 'bot',
    body: 'I look it up.',
    ticket: 'T-1',
    acts: [{ key: `k-${i}-x`, tool: 'read_manual', args: { page: i } }],
  },
  { sender: 'env', for: `k-${i}-x`, body: 'Page of the manual', ticket: 'T-1' },
  { sender: 'clerk', body: `Answer ${i}: the fuse.`, ticket: 'T-1' },
];
const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => exchange(from + i))
    .flat()
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
const unknown = files.write('helpdesk.jsonl', lines(0, 3));
const another = files.write('helpdesk-two.jsonl', lines(3, 5));

const messagesFound = ({ page }: RunningApp) => page.locator(SELECTORS.mappingPreview).getAttribute('data-messages');

onEachHost('a person opens a file nobody knows by mapping its fields', {}, (step) => {
  step('it is not known; the way out leads to its fields, which are guessed', async (app) => {
    const { page } = app;
    await importFile(app, unknown);
    const toast = toastWith(app, 'Could not import helpdesk.jsonl');
    await toast.getByRole('button', { name: 'Map its fields…' }).click();
    await page.locator(SELECTORS.mappingDialog).waitFor();
    await expect.poll(() => messagesFound(app), SOON).toBe('9');
    expect(await page.locator(SELECTORS.pathInput('role.path')).inputValue()).toBe('@.sender');
    expect(await page.locator(SELECTORS.pathInput('calls.at')).inputValue()).toBe('@.acts[*]');
    expect(await page.locator(SELECTORS.mappingPreview).textContent()).toContain('"clerk"');
  });

  step('a path that is none says where it stops, and nothing can be imported', async (app) => {
    const { page } = app;
    const text = page.locator(SELECTORS.pathInput('text'));
    await text.fill('@.body..x');
    const fault = page.getByText('stops at column 7', { exact: false });
    await fault.waitFor();
    expect(await page.locator(SELECTORS.mappingImport).isDisabled()).toBe(true);
    await text.fill('@.bo');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await text.inputValue()).toBe('@.body');
    await fault.waitFor({ state: 'detached' });
    expect(await page.locator(SELECTORS.mappingDialog).count()).toBe(1);
  });

  step('what a role means is said, and the preview follows', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.roleValue('clerk')).selectOption('assistant');
    await expect.poll(() => messagesFound(app), SOON).toBe('12');
    const roles = await page
      .locator(SELECTORS.previewRow)
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-role')));
    expect(roles.slice(0, 4)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  step('saved under a name and imported by the keyboard, it opens', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.mappingName).fill('Helpdesk');
    await page.keyboard.press('Enter');
    await toastWith(app, 'Imported 1 transcript, 12 messages').waitFor();
    await page.locator(SELECTORS.mappingDialog).waitFor({ state: 'detached' });
    await expect.poll(() => page.locator(SELECTORS.rowOf(0)).textContent(), SOON).toContain('Question 0');
    expect(await page.locator(SELECTORS.rowOf(2)).textContent()).toContain('Page of the manual');
  });

  step('the next file of the kind is read by itself, and says by which mapping', async (app) => {
    const { page } = app;
    await app.restart();
    await importFile(app, another);
    const toast = toastWith(app, 'Imported 1 transcript, 8 messages');
    await toast.getByRole('button', { name: 'Show' }).click();
    const said = app.page.locator(SELECTORS.importProblems);
    await expect.poll(() => said.textContent(), SOON).toContain('the mapping "Helpdesk", which fits it');
    expect(page.isClosed()).toBe(true);
    await app.page.keyboard.press('Escape');
    await command(app, 'Question 3');
    await app.page.locator(SELECTORS.rowOf(0)).getByText('Question 3').first().waitFor();
  });
});
