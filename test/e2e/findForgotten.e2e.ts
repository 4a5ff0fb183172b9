import { afterAll, expect } from 'vitest';
import type { RunningApp } from './support/host.ts';
import { isDesktop } from './support/launchDesktop.ts';
import { onEachHost } from './support/onEachHost.ts';
import { callPoint, command, rested, SOON } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir } from './support/session.ts';

/** Said at the beginning, and quoted by the summary. */
const QUOTED = 'Never touch the file legacy/router.ts';
/** Said by a result alone. */
const LOST = 'The threshold is 4471';
const PATH = String.raw`D:\shop\references\analyze.md`;
const AT = { quoted: 0, call: 1, lost: 2, summary: 6, firstAfter: 8, messages: 11 } as const;

/** A Claude Code session of eleven messages, compacted before #6. */
function session(): string {
  const lines: string[] = [];
  let parent: string | null = null;
  const push = (type: string, more: object) => {
    const uuid = `u${lines.length}`;
    const timestamp = new Date(Date.UTC(2026, 0, 5, 9, lines.length)).toISOString();
    const base = { parentUuid: parent, isSidechain: false, cwd: '/home/dev/shop', sessionId: 's', version: '2.0.14' };
    lines.push(JSON.stringify({ ...base, type, ...more, uuid, timestamp }));
    parent = uuid;
  };
  const user = (content: unknown, more = {}) => push('user', { ...more, message: { role: 'user', content } });
  const assistant = (content: readonly object[]) =>
    push('assistant', { message: { id: `m${lines.length}`, role: 'assistant', model: 'claude-sonnet-4-5', content } });
  const say = (text: string) => assistant([{ type: 'text', text }]);
  user(`${QUOTED}. Keep the tests green while you work on the shop.`);
  assistant([{ type: 'tool_use', id: 't1', name: 'Read', input: { file_path: PATH } }]);
  user([{ type: 'tool_result', tool_use_id: 't1', content: `${LOST} and stands in config/limits.yaml.` }]);
  say('I have read it.');
  user('Go on.');
  say('Going on.');
  push('system', {
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
    logicalParentUuid: parent,
    compactMetadata: { trigger: 'auto', preTokens: 20_000, postTokens: 2_000 },
  });
  const before = 'This session is being continued. What was done: the notes were read, nothing was changed yet. ';
  user(`${before.repeat(3)}The user said: "${QUOTED}. Keep the tests green while you work on the shop."`, {
    isCompactSummary: true,
  });
  user('Continue.');
  say('On it.');
  user('What was the limit?');
  say('Let me look.');
  return `${lines.join('\n')}\n`;
}

const files = filesDir();
afterAll(() => files.remove());
const file = files.write('shop.jsonl', session());

const focusedField = `${SELECTORS.findInput}:focus`;

async function find(app: RunningApp, text: string, state: string): Promise<void> {
  await app.page.locator(SELECTORS.findInput).fill(text);
  await expect.poll(() => app.page.locator(SELECTORS.find).getAttribute('data-state'), SOON).toBe(state);
}

const sentence = ({ page }: RunningApp) => page.locator(SELECTORS.findSentence).first().textContent();
const states = ({ page }: RunningApp) => page.locator(SELECTORS.findStrip).getAttribute('data-states');
const places = ({ page }: RunningApp) =>
  page
    .locator(SELECTORS.findPlace)
    .evaluateAll((all) => all.map((one) => [Number(one.dataset.index), one.dataset.present === 'true']));

onEachHost('a person asks whether a text is gone', { start: () => ({ files: [file] }) }, (step) => {
  step('asks by Ctrl+F of a sentence that the summary quotes: it is still there, word for word', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.rowOf(AT.summary)).waitFor();
    await rested(app);
    await page.keyboard.press('ControlOrMeta+f');
    await page.locator(focusedField).waitFor();
    await find(app, QUOTED, 'elsewhere');
    expect(await sentence(app)).toContain(`Still there, word for word, in summary #${AT.summary}`);
    expect(await sentence(app)).toContain(`since call #${AT.firstAfter}`);
    expect(await sentence(app)).toMatch(new RegExp(`#${AT.quoted} is gone`));
    expect(await places(app)).toEqual([
      [AT.quoted, false],
      [AT.summary, true],
    ]);
    await expect.poll(() => states(app), SOON).toMatch(/^(not_yet )?original elsewhere$/);
  });

  step('goes to the place in the summary: its row begins shortly before the words', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.findInput).focus();
    await page.keyboard.press('Shift+Enter');
    const row = page.locator(SELECTORS.rowOf(AT.summary));
    await expect.poll(() => row.getAttribute('aria-selected'), SOON).toBe('true');
    await expect.poll(() => row.locator(SELECTORS.found).first().textContent(), SOON).toBe(QUOTED);
    expect(await page.locator(SELECTORS.findCount).textContent()).toBe('2 of 2 places');
  });

  step('finds an escaped path typed as one reads it', async (app) => {
    await find(app, String.raw`references\analyze.md`, 'gone');
    expect(await places(app)).toEqual([[AT.call, false]]);
    expect(await app.page.locator(SELECTORS.findPlace).textContent()).toContain('Read call');
  });

  step('of a text that is gone learns stage, rule and call point, and goes there', async (app) => {
    const { page } = app;
    await find(app, LOST, 'gone');
    expect(await sentence(app)).toContain(`Gone from the request since call #${AT.firstAfter}`);
    const loss = await page.locator(SELECTORS.findLoss).first().textContent();
    expect(loss).toContain(`First lost at call #${AT.firstAfter}`);
    expect(loss).toContain('stage 1, Recorded compaction');
    expect(loss).toContain('rule recorded_compaction');
    expect(await page.locator(SELECTORS.findInstead).textContent()).toContain('This session is being continued.');
    await expect.poll(() => states(app), SOON).toBe('not_yet original gone');
    await page.locator(SELECTORS.findCountState('original')).click();
    await expect.poll(() => page.locator(SELECTORS.find).getAttribute('data-state'), SOON).toBe('original');
    expect(await callPoint(app)).toBe(3);
    expect(await places(app)).toEqual([[AT.lost, true]]);
    await page.locator(SELECTORS.findStrip).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => callPoint(app), SOON).toBe(AT.firstAfter);
    await expect.poll(() => page.locator(SELECTORS.find).getAttribute('data-state'), SOON).toBe('gone');
  });

  step('has whole words and case apart if asked', async ({ page }) => {
    const count = () => page.locator(SELECTORS.findCount).textContent();
    await page.locator(SELECTORS.findInput).fill('thresh');
    await expect.poll(count, SOON).toBe('1 place');
    await page.locator(SELECTORS.findWord).click();
    await expect.poll(() => page.locator(SELECTORS.findNowhere).count(), SOON).toBe(1);
    await page.locator(SELECTORS.findNowhere).getByRole('button', { name: 'Not whole word' }).click();
    await expect.poll(count, SOON).toBe('1 place');
    await page.locator(SELECTORS.findCase).click();
    await page.locator(SELECTORS.findInput).fill('THRESHOLD');
    await expect.poll(() => page.locator(SELECTORS.findNowhere).count(), SOON).toBe(1);
    await page.locator(SELECTORS.findCase).click();
    await page.locator(SELECTORS.findInput).focus();
    await page.keyboard.press('Escape');
    await page.locator(SELECTORS.findBar).waitFor({ state: 'detached' });
    expect(await page.locator(SELECTORS.findStrip).count()).toBe(0);
    expect(await page.locator(SELECTORS.found).count()).toBe(0);
  });

  step('reads in Why of the message that its words are still there', async (app) => {
    const { page } = app;
    await command(app, 'Next request');
    await command(app, `${AT.quoted}`);
    await page.locator(SELECTORS.drawerTab('why')).click();
    await expect.poll(() => page.locator(SELECTORS.why).textContent(), SOON).toContain('Still there, word for word');
    const said = await page.locator(SELECTORS.why).textContent();
    expect(said).toContain(`in summary #${AT.summary}`);
    expect(said).not.toMatch(/model (does not see|sees)/);
  });

  step('asks about words chosen in an opened row', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.timeline).focus();
    await page.keyboard.press('Enter');
    const text = page.locator(SELECTORS.rowDetail).getByText(QUOTED).first();
    await text.waitFor();
    const box = await text.boundingBox();
    if (box === null) throw new Error('the row is not drawn');
    await page.mouse.move(box.x + 4, box.y + 8);
    await page.mouse.down();
    await page.mouse.move(box.x + 120, box.y + 8, { steps: 4 });
    await page.mouse.up();
    await page.locator(SELECTORS.selectionAction).click();
    await page.locator(focusedField).waitFor();
    const chosen = await page.locator(SELECTORS.findInput).inputValue();
    expect(chosen.length).toBeGreaterThan(4);
    expect(QUOTED).toContain(chosen);
    await page.keyboard.press('Escape');
  });

  step('sees at each hit of the library’s search whether its words are in the request, and asks on', async (app) => {
    const { page } = app;
    const presence = (index: number) =>
      page.locator(`${SELECTORS.searchHit}[data-index="${index}"]`).getAttribute('data-presence');
    await page.keyboard.press('ControlOrMeta+Shift+f');
    await page.locator(SELECTORS.searchInput).fill('threshold');
    await expect.poll(() => page.locator(SELECTORS.searchHit).count(), SOON).toBe(1);
    await expect.poll(() => presence(AT.lost), SOON).toBe('gone');
    await page.locator(SELECTORS.searchInput).fill('"legacy/router.ts"');
    await expect.poll(() => page.locator(SELECTORS.searchHit).count(), SOON).toBe(2);
    await expect.poll(() => presence(AT.quoted), SOON).toBe('elsewhere');
    await expect.poll(() => presence(AT.summary), SOON).toBe('here');
    await page.keyboard.press('ControlOrMeta+f');
    await page.locator(focusedField).waitFor();
    expect(await page.locator(SELECTORS.findInput).inputValue()).toBe('legacy/router.ts');
    await expect.poll(() => page.locator(SELECTORS.find).getAttribute('data-state'), SOON).toBe('elsewhere');
    expect(await page.locator(SELECTORS.searchBar).count()).toBe(0);
    await page.keyboard.press('Escape');
  });

  step('begins from the palette under forgot, and from the menu of a row', async (app) => {
    const { page } = app;
    await page.keyboard.press('ControlOrMeta+k');
    await page.locator(SELECTORS.paletteInput).fill('forgot');
    const item = page.locator(`${SELECTORS.paletteItem}[aria-selected="true"]`);
    await expect.poll(() => item.textContent(), SOON).toContain('Find: why is it gone?');
    await page.keyboard.press('Enter');
    await page.locator(focusedField).waitFor();
    await page.keyboard.press('Escape');
    await page.locator(SELECTORS.rowOf(AT.lost)).click({ button: 'right' });
    await page.locator('[data-command="find.here"]').click();
    await expect.poll(() => page.locator(SELECTORS.why).textContent(), SOON).toContain('Gone from the request');
  });

  step('begins from the menu of the window', async (app) => {
    if (!isDesktop(app)) return;
    await app.electron.evaluate(({ Menu }) => {
      const view = Menu.getApplicationMenu()?.items.find(({ label }) => label === 'View');
      view?.submenu?.items.find(({ label }) => label === 'Find: why is it gone?')?.click();
    });
    await app.page.locator(focusedField).waitFor();
    await app.page.keyboard.press('Escape');
  });
});
