// A bug report of a session with secrets in it: looked through, decided about, written, and opened by somebody else.
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { unpackPiece } from '../../core/engine/page/bundlePage.ts';
import { piecesOf } from '../../core/page/html.ts';
import { seededRng } from '../../core/util/rng.ts';
import { runCli } from '../support/cli.ts';
import { chromiumArgs, findChromium } from './support/chromium.ts';
import type { RunningApp } from './support/forEachHost.ts';
import { onEachHost } from './support/onEachHost.ts';
import { choosePreset, dropFiles, nextHash, SOON, shownHash, toastWith } from './support/person.ts';
import { saveBundle, savePage } from './support/saveBundle.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir, lampMessages } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());

const TOKEN = 'ghp_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA2cD4';
const GUESS = 'brightlamp42';
const PERSON = 'mirandak';

const session = files.write('heron.json', JSON.stringify({ model: 'gpt-4o', messages: messages() }));

function messages() {
  const image = `data:image/png;base64,${png().toString('base64')}`;
  return [
    ...lampMessages(),
    { role: 'user', content: `Deploy heron from /home/${PERSON}/lamp with ${TOKEN}` },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: 'd1',
          type: 'function',
          function: { name: 'run', arguments: JSON.stringify({ command: `echo "a\\n${TOKEN}"` }) },
        },
      ],
    },
    {
      role: 'tool',
      tool_call_id: 'd1',
      content: JSON.stringify({ password: GUESS, out: `/home/${PERSON}/lamp/x.ts` }),
    },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: image } }] },
    { role: 'assistant', content: 'Heron is deployed.' },
  ];
}

// A picture of 24 × 24 grey pixels at random.
function png(): Buffer {
  const rng = seededRng(7);
  const rows = Array.from({ length: 24 }, () => [0, ...Array.from({ length: 24 }, () => rng.below(256))]);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(24, 0);
  head.writeUInt32BE(24, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const data = deflateSync(Buffer.from(rows.flat()));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc(body));
  return Buffer.concat([size, body, sum]);
}

function crc(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}

const bundles = new Map<RunningApp['kind'], string>();
const folderOf = (app: RunningApp): string => join(files.path, app.kind);

async function save(app: RunningApp, within = ''): Promise<string> {
  const folder = join(folderOf(app), within);
  mkdirSync(folder, { recursive: true });
  // The desktop app may run as somebody else.
  chmodSync(folder, 0o777);
  return saveBundle(app, folder);
}

// All that can be read in a file: its bytes, and its strings as they are once decoded, layer by layer.
function decoded(path: string): string {
  let text = readFileSync(path, 'utf8');
  const all = [text];
  for (let depth = 0; depth < 4; depth++) {
    text = text.replaceAll(/\\(["\\/])/g, '$1').replaceAll('\\n', '\n');
    all.push(text);
  }
  return all.join('\n');
}

// As somebody who has nothing but a browser opens it.
async function opensAlone(path: string, isWatching = false) {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('no Chromium');
  const browser = await chromium.launch({ executablePath, args: chromiumArgs() });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    let requests = 0;
    page.on('request', () => requests++);
    await page.goto(pathToFileURL(path).href);
    await page.getByTestId('row').first().waitFor();
    if (isWatching) await page.locator('[data-testid="watch-name"]:not([data-state="unknown"])').first().waitFor();
    const lines = await page.getByTestId('page-note').locator('p').allTextContents();
    return {
      requests,
      rows: await page.getByTestId('row').count(),
      note: lines[0]?.slice(0, 'Expected No ghp_'.length),
      happened: lines[1]?.replace('Happened ', ''),
      watched: await page.getByTestId('watch-name').allTextContents(),
      edits: await page.getByTestId('watch-edit').count(),
    };
  } finally {
    await browser.close();
  }
}

const kindOf = (app: RunningApp, kind: string) => app.page.locator(`[data-testid="review-kind"][data-kind="${kind}"]`);
const status = (app: RunningApp) => app.page.getByTestId('review-status').textContent();

async function report(app: RunningApp): Promise<void> {
  await app.page.keyboard.press('ControlOrMeta+e');
  await app.page.locator(SELECTORS.exportDialog).waitFor();
  await app.page.getByTestId('review-outcome').waitFor();
}

onEachHost('a person reviews what leaves', { start: () => ({ files: [session] }) }, (step, host) => {
  step('sees what was found, and that a guess is undecided', async (app) => {
    const { page } = app;
    await page.locator(SELECTORS.rowOf(0)).waitFor();
    await report(app);
    expect(await kindOf(app, 'github_token').locator('.review-kind-name').textContent()).toBe(
      'GitHub token21 value, 2 messages',
    );
    expect(await kindOf(app, 'home').getAttribute('data-tier')).toBe('definite');
    // Images have fewer choices: the figures before them are under the others all the same.
    const ends = await app.page
      .locator('.review-definite .review-kind-title > .num')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right)));
    expect([ends.length > 1, new Set(ends).size]).toEqual([true, 1]);
    expect(await kindOf(app, 'image').count()).toBe(1);
    expect(await status(app)).toMatch(/^6 found, 4 masked, 1 taken out, 1 value undecided in 1 place/);
    expect(await page.locator(SELECTORS.exportButton).isDisabled()).toBe(true);
    expect(await page.getByTestId('review-outcome').getAttribute('data-same')).toBe('true');
  });

  step('looks at the picture that is taken out, and at a place in the transcript', async (app) => {
    const { page } = app;
    await kindOf(app, 'image').locator('.review-kind-name').click();
    await page.getByRole('button', { name: 'Look at it' }).click();
    await page.locator('.review-place img').waitFor();
    expect(await page.locator('.review-place').textContent()).toContain('24 × 24 pixels');
    await kindOf(app, 'github_token').locator('.review-kind-name').click();
    const places = page.getByTestId('review-place');
    await expect.poll(() => places.count(), SOON).toBe(2);
    expect(await places.first().locator('.review-before').textContent()).toBe(TOKEN);
    expect(await places.first().locator('.review-after').textContent()).toMatch(/^ghp_\w{36}$/);
    await places.first().locator('.review-place-show').click();
    await page.locator(SELECTORS.exportDialog).waitFor({ state: 'detached' });
    await page.locator(SELECTORS.rowOf(25)).waitFor();
    await report(app);
  });

  step('decides by the keyboard, names an own word, and searches what goes out', async (app) => {
    const { page } = app;
    // The undecided kind is the one that is shown.
    await page.locator('.review-place-show').first().focus();
    await page.keyboard.press('m');
    await expect.poll(() => status(app), SOON).toMatch(/^6 found, 5 masked, 1 taken out, 0 kept/);
    await page.getByTestId('review-add-rule').click();
    await page.getByTestId('review-rule').fill('heron');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => kindOf(app, 'own').locator('.review-kind-name').textContent(), SOON)
      .toMatch(/^Own words22 values/);
    // What was decided holds after all was looked through again.
    await expect.poll(() => status(app), SOON).toMatch(/^8 found, 7 masked, 1 taken out, 0 kept; \d/);
    await page.getByRole('radio', { name: 'Whole file' }).click();
    for (const value of [TOKEN, GUESS, PERSON, 'heron']) {
      await page.getByTestId('review-search').fill(value);
      await expect.poll(() => page.getByTestId('review-hits').textContent(), SOON).toBe('Not in it');
    }
    await page.getByTestId('review-search').fill('the lamp flickers');
    await expect.poll(() => page.getByTestId('review-hits').textContent(), SOON).toMatch(/^1 of [234]$/);
    await page.locator('.review-hit').waitFor();
  });

  step('says what was expected, and writes: nothing of it is in the decoded bytes, and it verifies', async (app) => {
    const { page } = app;
    await page.getByTestId('review-expected').fill(`No ${TOKEN} in a command.`);
    await page.getByTestId('review-happened').fill('It was printed.');
    const path = await save(app);
    bundles.set(host, path);
    const issue = (await page.getByTestId('issue-text').textContent()) ?? '';
    expect(issue).toContain('**Happened:** It was printed.');
    expect(issue).toContain('- scrubbed: 8 masked or taken out, 0 kept');
    const leaving = `${decoded(path)}\n${issue}`;
    for (const value of [TOKEN, GUESS, PERSON]) expect(leaving).not.toContain(value);
    expect(leaving).not.toMatch(/heron/i);
    const { scrub } = JSON.parse(readFileSync(path, 'utf8'));
    expect(scrub).toMatchObject({ scrubbed: true, same_outcome: true });
    const run = await runCli(['verify', path]);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toMatch(/^result\s+the same$/m);
  });

  step('writes its page too: it opens from disk, asks nobody, and holds nothing of what was masked', async (app) => {
    const { page } = app;
    const path = await savePage(app, folderOf(app));
    expect(path).toMatch(/\.parallax\.html$/);
    const html = readFileSync(path, 'utf8');
    const leaving = [html, ...[...piecesOf(html, unpackPiece)].map(({ json }) => json)].join('\n');
    for (const value of [TOKEN, GUESS, PERSON]) expect(leaving).not.toContain(value);
    expect(leaving).toContain('It was printed.');
    const opened = await opensAlone(path);
    expect(opened).toMatchObject({ requests: 1, note: 'Expected No ghp_', happened: 'It was printed.' });
    expect(opened.rows).toBeGreaterThan(10);
    await page.keyboard.press('Escape');
  });

  step('lets only what the result needs leave: the same request, its forgotten words not in the file', async (app) => {
    const { page } = app;
    const before = await shownHash(app);
    await choosePreset(app, 'window_40');
    await page.locator(SELECTORS.param('turns')).locator('input').fill('2');
    await nextHash(app, before);
    await report(app);
    const size = () => page.getByTestId('review-size').textContent();
    const whole = await size();
    await page.getByTestId('review-slice').focus();
    await page.keyboard.press('Space');
    await expect
      .poll(() => page.getByTestId('review-slice-words').textContent(), SOON)
      .toMatch(/^\d+ messages without words: request, outcomes and pointers are the same, projected again\.$/);
    expect(await size()).not.toBe(whole);
    const path = await save(app, 'slice');
    const text = readFileSync(path, 'utf8');
    expect(text).not.toContain('Then look at the fuse');
    expect(JSON.parse(text).slice).toMatchObject({ minimal: true });
    expect((await runCli(['verify', path])).stdout).toMatch(/^result\s+the same$/m);
    await page.keyboard.press('Escape');
  });

  step('lets a watched text go with it: the page shows where it was lost, and lets nothing be changed', async (app) => {
    const { page } = app;
    await page.keyboard.press('ControlOrMeta+f');
    await page.locator(SELECTORS.findInput).fill('Then look at the fuse');
    await page.getByTestId('find-watch').click();
    await page.getByTestId('watch-name').waitFor();
    await page.locator(SELECTORS.findInput).press('Escape');
    await report(app);
    await page.getByTestId('export-watchpoints').getByRole('checkbox').check();
    await save(app, 'watched');
    const alone = await opensAlone(await savePage(app, join(folderOf(app), 'watched')), true);
    expect(alone).toMatchObject({ requests: 1, edits: 0 });
    expect(alone.watched).toEqual([expect.stringMatching(/^1Then look at the fusegone since #\d+$/)]);
    await page.keyboard.press('Escape');
  });

  step(
    'opens the one that was written in the other host, or first in this: it verifies, and holds stand-ins',
    async (app) => {
      const { page } = app;
      const path = bundles.get(host === 'desktop' && bundles.has('web') ? 'web' : host) ?? '';
      expect(existsSync(path)).toBe(true);
      await dropFiles(app, [path]);
      await toastWith(app, 'Imported 1 transcript').getByRole('button', { name: 'Open' }).click();
      await page.locator('[data-testid="bundle-chip"][data-state="same"]').waitFor();
      await page.locator(SELECTORS.rowOf(25)).waitFor();
      await report(app);
      // Stand-ins are not found again; the e-mail form of one would be, and there is none here.
      expect(await status(app)).toMatch(/^Nothing found;/);
      await page.keyboard.press('Escape');
    },
  );
});
