import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { DRAWER_TABS } from '../../renderer/state/tabs.ts';
import { SHOWN_ATTRIBUTES } from '../../renderer/ui/seenAttributes.ts';
import { type HostileFiles, hostileFiles } from '../security/hostileFiles.ts';
import { onEachHost } from './support/onEachHost.ts';
import { importFile, openTab, SOON } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { lampJson } from './support/session.ts';

const dir = mkdtempSync(join(tmpdir(), 'parallax-hostile-'));
const plain = (name: string): string => join(dir, name);
/** A name that reads `invoice-exe.json`, and would set a terminal's title. */
const named = join(dir, 'invoice-\u202enosj.exe\u202c\u001b]0;x\u0007\u009b.json');
let files: HostileFiles;
beforeAll(async () => {
  files = await hostileFiles(dir);
  chmodSync(dir, 0o755);
  copyFileSync(files.session, plain('session.jsonl'));
  copyFileSync(files.chat, plain('chat.json'));
  writeFileSync(named, lampJson());
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Elements whose own text, or what is said of them in words, holds a character that turns the order of others, or controls. */
function turning(page: Page): Promise<readonly string[]> {
  return page.evaluate((attributes) => {
    const turns = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
    const found = [...document.querySelectorAll('body *')].filter((element) => {
      // The editor has pictures of its own for them.
      if (element.closest('.monaco-editor') !== null) return false;
      if (attributes.some((name) => turns.test(element.getAttribute(name) ?? ''))) return true;
      return [...element.childNodes].some((node) => node.nodeType === 3 && turns.test(node.nodeValue ?? ''));
    });
    const named = (element: Element | null) => `${element?.tagName} ${element?.className}`;
    return found.map(
      (element) =>
        `${named(element)} < ${named(element.parentElement)} < ${named(element.parentElement?.parentElement ?? null)}`,
    );
  }, SHOWN_ATTRIBUTES);
}

onEachHost(
  'a transcript with texts that turn the order of what is read',
  { start: () => ({ files: [plain('session.jsonl'), plain('chat.json')] }) },
  (step) => {
    step('the list, the rows and each tab show such characters by their codes', async (app) => {
      const { page } = app;
      await page.locator(SELECTORS.libraryItem).nth(1).waitFor();
      const found = new Set<string>(await turning(page));
      for (const item of [0, 1]) {
        await page.locator(SELECTORS.libraryItem).nth(item).click();
        await page.locator('[data-testid="row"]').nth(2).click();
        for (const id of DRAWER_TABS) {
          const tab = page.locator(SELECTORS.drawerTab(id));
          if ((await tab.count()) === 0) continue;
          await openTab(app, id);
          for (const one of await turning(page)) found.add(`${id}: ${one}`);
        }
      }
      expect([...found]).toEqual([]);
    });

    step('so they do in the name of a file, wherever it is shown', async (app) => {
      const { page } = app;
      const before = await page.locator(SELECTORS.libraryItem).count();
      await importFile(app, named);
      await expect.poll(() => page.locator(SELECTORS.libraryItem).count(), SOON).toBe(before + 1);
      const found = new Set<string>(await turning(page));
      await page.locator('[data-testid="row"]').first().click();
      for (const id of ['why', 'problems'] as const) {
        await openTab(app, id);
        for (const one of await turning(page)) found.add(`${id}: ${one}`);
      }
      expect([...found]).toEqual([]);
      await expect.poll(() => page.locator('[title*="<U+202E>"]').count(), SOON).toBeGreaterThan(0);
    });
  },
);
