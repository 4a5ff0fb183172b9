import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import type { RunningApp } from './support/forEachHost.ts';
import { onEachHost } from './support/onEachHost.ts';
import { clipboardText, SOON, saveFile, toastWith } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());

// A call that nobody answered, and reasoning that only its provider can read.
const session = files.write(
  'unanswered.json',
  JSON.stringify({
    model: 'claude-opus-4-5',
    max_tokens: 100,
    system: 'Be brief.',
    messages: [
      { role: 'user', content: 'Which files are there?' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'I should look.', signature: 'c2lnbmVk' },
          { type: 'tool_use', id: 'toolu1', name: 'ls', input: { path: '.' } },
        ],
      },
      { role: 'user', content: 'Are you there? I am in /home/mirandak/work.' },
    ],
  }),
);

const pathOf = (app: RunningApp): string => join(files.path, `body-${app.kind}.json`);

onEachHost('a person exports the request on the wire', { start: () => ({ files: [session] }) }, (step) => {
  step('sees the body for the transcript’s own provider, and what it would say', async ({ page }) => {
    await page.locator(SELECTORS.rowOf(0)).waitFor();
    await page.keyboard.press('Control+Shift+E');
    await page.locator('[data-testid="wire-panes"][data-target="anthropic"]').waitFor();
    await expect.poll(() => page.getByTestId('wire-lint').getAttribute('data-errors'), SOON).toBe('1');
    expect(await page.getByTestId('wire-losses').getAttribute('data-count')).toBe('0');
    await expect.poll(() => page.locator('.wire-json .view-lines').textContent(), SOON).toContain('claude-opus-4-5');
  });

  step('chooses another provider: what cannot be carried is listed, and leads to its message', async ({ page }) => {
    await page.getByTestId('wire-dialog').getByText('OpenAI chat', { exact: true }).click();
    await page.locator('[data-testid="wire-panes"][data-target="openai"]').waitFor();
    await expect.poll(() => page.getByTestId('wire-losses').getAttribute('data-count'), SOON).toBe('1');
    await page.getByTestId('wire-notes').getByText('Reasoning').click();
    await page.getByTestId('wire-note').filter({ hasText: '#1 content[0]' }).click();
    await page.getByTestId('wire-dialog').waitFor({ state: 'detached' });
    await page
      .locator(`${SELECTORS.rowOf(1)}[aria-selected="true"]`)
      .first()
      .waitFor();
  });

  step('repairs the history with one click: nothing would be refused any more', async ({ page }) => {
    await page.getByTestId('wire-open').click();
    await page.locator('[data-testid="wire-panes"][data-target="anthropic"]').waitFor();
    await page.getByTestId('wire-repair').click();
    await expect.poll(() => page.getByTestId('wire-lint').getAttribute('data-errors'), SOON).toBe('0');
  });

  step('saves the whole body, which imports again', async (app) => {
    const path = pathOf(app);
    const suggested = await saveFile(app, path, () => app.page.getByTestId('wire-save').click());
    await app.page.getByTestId('wire-saved').getByText('Written').waitFor();
    await app.page.getByTestId('wire-curl').click();
    await toastWith(app, 'The command copied.').waitFor();
    const command = await clipboardText(app);
    // What the command sends is there: the chosen place, or the name it was downloaded under.
    expect(command).toContain(`--data-binary @${suggested ?? path}`);
    const text = readFileSync(path, 'utf8');
    expect(JSON.parse(text)).toMatchObject({ model: 'claude-opus-4-5', system: 'Be brief.' });
    const file = importText(text);
    expect(file.format).toBe('anthropic-messages');
    expect(file.transcripts[0]?.messages).toHaveLength(3);
    expect(text).toContain('"signature":"c2lnbmVk"');
  });

  step('copies it as a call and as a test, without what must not leave', async (app) => {
    const copyAs = async (title: string): Promise<string> => {
      await app.page.getByTestId('wire-copy-as').click();
      // Clicks reach a menu that is drawn beneath its dialog: what counts is what is seen.
      const layers = await app.page.evaluate(() => {
        const layerOf = (element: Element | null): number => Number(element && getComputedStyle(element).zIndex);
        const dialog = document.querySelector('[role="dialog"]');
        return [layerOf(document.querySelector('[role="menu"]')), layerOf(dialog)] as const;
      });
      expect(layers[0]).toBeGreaterThan(layers[1]);
      await app.page.getByRole('menuitem', { name: title }).click();
      await toastWith(app, `Copied: ${title}.`).waitFor();
      return clipboardText(app);
    };
    const call = await copyAs('TypeScript SDK call');
    expect(call).toContain("import Anthropic from '@anthropic-ai/sdk';");
    expect(call).toContain('Are you there? I am in /home/');
    const test = await copyAs('vitest test');
    expect(test).toContain("'verify', '-', '--spec'");
    for (const text of [call, test]) expect(text).not.toContain('mirandak');
  });
});
