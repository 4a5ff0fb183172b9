// What somebody without the program sees of a report: one file, opened from disk, that asks nobody for anything.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';
import { violations } from './support/axe.ts';
import { chromiumArgs, findChromium } from './support/chromium.ts';
import { SOON } from './support/person.ts';

const HOSTILE = [
  '</script><script>window.hit = 1</script>',
  '<img src=x onerror="window.hit = 2"><iframe srcdoc="<script>parent.hit = 3</script>"></iframe>',
  '[press](javascript:window.hit=4) ![](https://example.com/x.png) <!--',
  'backwards \u202e and \u2066 isolated \u0000',
].join('\n\n');
const TURNS = 700;
const SPEC = '{"version":1,"name":"last_turns","stages":[{"kind":"sliding_window","options":{"turns":300}}]}';

const folder = mkdtempSync(join(tmpdir(), 'parallax-page-'));
const executablePath = findChromium();
let browser: Browser | null = null;
let page: Page;
let texts = 0;
const requests: string[] = [];
const complaints: string[] = [];

function session(): string {
  const words = (turn: number) => Array.from({ length: 90 }, (_, at) => `word${(turn * 31 + at * 7) % 997}`).join(' ');
  const messages = Array.from({ length: TURNS }, (_, turn) => [
    { role: 'user', content: turn === TURNS - 1 ? HOSTILE : `Turn ${turn}: ${words(turn)}` },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: `Heard ${turn}. ${turn === 3 ? 'The lighthouse is at 4711.' : words(turn + 1)}` },
      ],
    },
  ]).flat();
  return JSON.stringify({ messages });
}

describe.skipIf(executablePath === null)('the page of a report', () => {
  beforeAll(async () => {
    const text = session();
    texts = Buffer.byteLength(text);
    writeFileSync(join(folder, 'session.json'), text);
    const out = ['-o', join(folder, 'report.json'), '--html', join(folder, 'report.html')];
    const run = await runCli(['export', join(folder, 'session.json'), ...out, '--spec', SPEC]);
    expect(run.code, run.stderr).toBe(0);
    if (executablePath === null) return;
    browser = await chromium.launch({ executablePath, args: chromiumArgs(), headless: true });
    page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark' });
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(pathToFileURL(join(folder, 'report.html')).href);
    await page.locator('[data-testid="row"]').first().waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const fate = () => page.locator('[data-testid="why-fate"]').textContent();

  it('is at most two and a half times the text, and draws only what is in sight', async () => {
    const { length } = readFileSync(join(folder, 'report.html'));
    expect(length / texts).toBeLessThan(2.5);
    expect(await page.locator('[data-testid="row"]').count()).toBeLessThan(150);
  });

  it('says what it is, and that it is scrubbed', async () => {
    expect(await page.title()).toContain('Turn 0: word0');
    expect(await page.locator('[data-testid="page-scrubbed"]').textContent()).toContain('nothing to mask');
    const foot = await page.locator('[data-testid="page-foot"]').textContent();
    expect(foot).toContain('last_turns');
    expect(foot).toContain('Would be sent next under last_turns');
    expect(foot).toContain('Made with Parallax');
  });

  it('finds a text by the keyboard and says which stage took it out, and why', async () => {
    await page.locator('#timeline').focus();
    await page.keyboard.press('/');
    await page.keyboard.type('lighthouse is at 4711');
    await expect.poll(() => page.locator('[data-testid="page-found"]').textContent(), SOON).toBe('1 found');
    await page.keyboard.press('Enter');
    await expect.poll(fate, SOON).toContain('Dropped by stage 1, Sliding window');
    expect(await page.locator('[data-testid="why"]').textContent()).toContain('300 turns');
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('[data-testid="row"][aria-expanded="true"], .row-detail').first().waitFor();
  });

  it('runs nothing that a message says, and leads nowhere', async () => {
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.locator('[data-testid="drawer-tab"][data-tab="rendered"]').click();
    await page.getByText('window.hit = 1').first().waitFor();
    expect(await page.evaluate(() => Reflect.get(window, 'hit') ?? null)).toBeNull();
    const own = await page.locator('script:not([type="text/plain"])').count();
    expect(own).toBe(2);
    expect(await page.locator('a[href^="javascript"], iframe, img[src^="http"]').count()).toBe(0);
  });

  it('has its tabs in a narrow window, too, and says whole what its field is for', async () => {
    const size = page.viewportSize() ?? { width: 1280, height: 720 };
    for (const width of [480, 720, 1024]) {
      await page.setViewportSize({ width, height: 700 });
      for (const tab of ['why', 'rendered']) {
        await page.locator(`[data-testid="drawer-tab"][data-tab="${tab}"]`).click();
        await page.locator(`[data-testid="drawer-tab"][data-tab="${tab}"][aria-selected="true"]`).waitFor();
      }
      const field = page.locator('.page-find-field input');
      const room = await field.evaluate((input: HTMLInputElement) => {
        const pen = document.createElement('canvas').getContext('2d');
        if (pen === null) return Number.NaN;
        pen.font = getComputedStyle(input).font;
        return input.clientWidth - pen.measureText(input.placeholder).width;
      });
      expect([width, room >= 0]).toEqual([width, true]);
    }
    await page.setViewportSize(size);
  });

  it('is accessible, light and dark, and asked for nothing but itself', async () => {
    expect(await violations(page, null)).toEqual([]);
    await page.locator('[data-testid="theme-button"]').click();
    await expect.poll(() => page.locator('html').getAttribute('data-theme'), SOON).toBe('light');
    expect(await violations(page, null)).toEqual([]);
    expect(requests.filter((url) => !url.startsWith('file:'))).toEqual([]);
    expect(requests).toHaveLength(1);
    expect(complaints).toEqual([]);
  });
});
