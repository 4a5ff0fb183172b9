import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { DRAWER_TABS } from '../../renderer/state/tabs.ts';
import { type HostileFiles, hostileFiles } from '../security/hostileFiles.ts';
import { onEachHost } from './support/onEachHost.ts';
import { SELECTORS } from './support/selectors.ts';

const dir = mkdtempSync(join(tmpdir(), 'parallax-hostile-'));
const plain = (name: string): string => join(dir, name);
let files: HostileFiles;
beforeAll(async () => {
  files = await hostileFiles(dir);
  chmodSync(dir, 0o755);
  copyFileSync(files.session, plain('session.jsonl'));
  copyFileSync(files.chat, plain('chat.json'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Elements whose own text, or what is said of them in words, holds a character that turns the order of others. */
function turning(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const turns = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
    const found = [...document.querySelectorAll('body *')].filter((element) => {
      // The editor has pictures of its own for them.
      if (element.closest('.monaco-editor') !== null) return false;
      return [...element.childNodes].some((node) => node.nodeType === 3 && turns.test(node.nodeValue ?? ''));
    });
    const named = (element: Element | null) => `${element?.tagName} ${element?.className}`;
    return found.map(
      (element) =>
        `${named(element)} < ${named(element.parentElement)} < ${named(element.parentElement?.parentElement ?? null)}`,
    );
  });
}

onEachHost(
  'a transcript with texts that turn the order of what is read',
  { start: () => ({ files: [plain('session.jsonl'), plain('chat.json')] }) },
  (step) => {
    step('the list, the rows and each tab show such characters by their codes', async ({ page }) => {
      await page.locator(SELECTORS.libraryItem).nth(1).waitFor();
      const found = new Set<string>(await turning(page));
      for (const item of [0, 1]) {
        await page.locator(SELECTORS.libraryItem).nth(item).click();
        await page.locator('[data-testid="row"]').nth(2).click();
        for (const id of DRAWER_TABS) {
          const tab = page.locator(SELECTORS.drawerTab(id));
          if ((await tab.count()) === 0) continue;
          await tab.click();
          await page.waitForTimeout(150);
          for (const one of await turning(page)) found.add(`${id}: ${one}`);
        }
      }
      expect([...found]).toEqual([]);
    });
  },
);
