// Texts that would run, load, or paint outside their place if any view took them for more than text.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { DRAWER_TABS } from '../../renderer/state/tabs.ts';
import { onEachHost } from './support/onEachHost.ts';
import { SELECTORS } from './support/selectors.ts';

const REMOTE = 'http://parallax.invalid';
const RUNS = 'document.title=`ran`;window.parallaxRan=1';
const TEXTS: readonly string[] = [
  `<script>${RUNS}</script><img src=x onerror="${RUNS}"><iframe srcdoc="<script>parent.${RUNS}</script>"></iframe>`,
  `<svg xmlns="http://www.w3.org/2000/svg" onload="${RUNS}"><image href="${REMOTE}/svg.png"/></svg>`,
  `<style>@import url(${REMOTE}/a.css); body{display:none} *{position:fixed!important}</style>`,
  `[a](javascript:${RUNS}) [b](data:text/html,x) ![c](${REMOTE}/c.png) ![d](javascript:${RUNS}) <${REMOTE}/auto>`,
  `![e](data:image/svg+xml,<svg onload="${RUNS}"/>)\n\n[f]: ${REMOTE}/f.png\n\n![f]`,
  `\u001b[2J\u001b[50A\u001b[200C moved \u001b]8;;javascript:${RUNS}\u0007link\u001b]8;;\u0007 \u009b31m`,
  `a\u202ereversed\u202c \u2066isolated\u2069 zero\u200bwidth\ufeff`,
  `tower ${'a\u0301\u0302\u0303\u0304\u0305'.repeat(8)}${'\u0336\u0337'.repeat(200)}`,
  'w'.repeat(100_000),
  `| ${'head | '.repeat(60)}\n| ${'--- | '.repeat(60)}\n${`| ${'cell | '.repeat(60)}\n`.repeat(40)}`,
  `${Array.from({ length: 60 }, (_, depth) => `${'  '.repeat(depth)}- level ${depth}`).join('\n')}`,
  `${'> '.repeat(120)}quoted`,
  `\`\`\`html\n<script>${RUNS}</script>\n\`\`\`\n\n$$\\href{javascript:${RUNS}}{x}$$`,
];

const dir = mkdtempSync(join(tmpdir(), 'parallax-rendering-'));
const file = join(dir, `${'long-name-'.repeat(20)}<img src=x onerror=x>.json`.replaceAll('/', ''));
beforeAll(() => {
  writeFileSync(file, JSON.stringify(TEXTS.flatMap(messagesOf)));
  chmodSync(dir, 0o755);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A text as a person's, as arguments and as the result of a call, and as an answer. */
function messagesOf(text: string, at: number): readonly unknown[] {
  const id = `call_${at}`;
  const name = ['shell', 'apply_patch', 'read_file', 'todo_write'][at % 4] ?? 'shell';
  const call = { id, type: 'function', function: { name, arguments: JSON.stringify({ command: text, path: text }) } };
  return [
    { role: 'user', content: text },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: text },
    { role: 'assistant', content: text },
  ];
}

/** What of the page went beyond text: what ran, what may load, and what paints outside the row or the panel it is in. */
function escapes(page: Page): Promise<readonly string[]> {
  return page.evaluate((remote) => {
    const found: string[] = [];
    if ('parallaxRan' in window || document.title === 'ran') found.push('a script ran');
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways');
    for (const one of document.querySelectorAll('#root :is(script, iframe, object, embed, style, base, form[action])'))
      if (one.closest('.monaco-editor') === null) found.push(`an element ${one.tagName}`);
    for (const one of document.querySelectorAll('#root :is([href], [src])'))
      for (const name of ['href', 'src'])
        if (/^\s*(javascript:|data:text)/i.test(one.getAttribute(name) ?? '')) found.push(`${one.tagName} ${name}`);
    for (const one of document.querySelectorAll('#root [src]'))
      if ((one.getAttribute('src') ?? '').startsWith(remote)) found.push(`${one.tagName} loads`);
    for (const box of document.querySelectorAll('[data-testid="row"], .drawer')) {
      const outer = box.getBoundingClientRect();
      for (const inner of box.querySelectorAll('*')) {
        let { left, right, top, bottom } = inner.getBoundingClientRect();
        if (right - left === 0 || bottom - top === 0) continue;
        for (let up = inner.parentElement; up !== null && box.contains(up); up = up.parentElement) {
          const { overflowX, overflowY } = getComputedStyle(up);
          const edge = up.getBoundingClientRect();
          if (overflowX !== 'visible') [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
          if (overflowY !== 'visible') [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
        }
        if (right <= left || bottom <= top) continue;
        if (left < outer.left - 1 || right > outer.right + 1 || top < outer.top - 1 || bottom > outer.bottom + 1)
          found.push(`${inner.tagName} .${inner.getAttribute('class')} paints outside ${box.getAttribute('class')}`);
      }
    }
    return found;
  }, REMOTE);
}

onEachHost('a transcript whose texts are more than text', { start: () => ({ files: [file] }) }, (step) => {
  step('rows opened, and the tabs of the first: nothing runs, loads, or leaves its place', async ({ page }) => {
    const left: string[] = [];
    page.on('request', (request) => {
      if (request.url().startsWith(REMOTE)) left.push(request.url());
    });
    await page.locator(SELECTORS.libraryItem).first().click();
    const found = new Set<string>();
    let opened = 0;
    const rows = page.locator('[data-testid="row"]');
    await rows.nth(2).click();
    await page.keyboard.press('Home');
    for (let at = 0; at < TEXTS.length * 4; at++) {
      await page.keyboard.press('Enter');
      await page.waitForTimeout(40);
      if ((await page.locator('[data-testid="row"][aria-expanded="true"]').count()) > 0) opened++;
      for (const one of await escapes(page)) found.add(one);
      await page.keyboard.press('Enter');
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Home');
    for (const id of DRAWER_TABS) {
      const tab = page.locator(SELECTORS.drawerTab(id));
      if ((await tab.count()) === 0) continue;
      await tab.click();
      await page.waitForTimeout(100);
      for (const one of await escapes(page)) found.add(`${id}: ${one}`);
    }
    expect([...found]).toEqual([]);
    expect(left).toEqual([]);
    expect(opened).toBeGreaterThan(TEXTS.length);
  });

  step('the measure itself reports what leaves its place', async ({ page }) => {
    await page.evaluate(() => {
      const outside = document.createElement('a');
      outside.setAttribute('href', 'javascript:0');
      outside.style.cssText = 'position:fixed;left:0;top:0;width:9px;height:9px';
      document.querySelector('.drawer')?.append(outside);
    });
    expect(await escapes(page)).toContain('A href');
    expect((await escapes(page)).join()).toContain('paints outside');
    await page.evaluate(() => document.querySelector('.drawer > a[href="javascript:0"]')?.remove());
  });
});
