import { afterAll, expect } from 'vitest';
import type { RunningApp } from './support/host.ts';
import { onEachHost } from './support/onEachHost.ts';
import { rested, SOON } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());

const HOSTILE = [
  '<script>document.title = "hit"</script><img src="https://evil.example/a.png" onerror="document.title = 1">',
  '![pixel](https://evil.example/b.png) [go](https://evil.example/c) [run](javascript:alert(1)) <https://evil.example/d>',
  '<div style="position:fixed;inset:0;z-index:9999">over all</div><style>* { display: none }</style>',
  `| ${'wide'.repeat(400)} |\n|---|\n| ${'x'.repeat(3000)} |`,
  `# ${'W'.repeat(2000)}`,
].join('\n\n');

const call = (id: string, name: string, input: unknown) => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name, input }],
});
const result = (id: string, content: string) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content }],
});

/** Source indexes of the messages that the steps name. */
const AT = { plan: 1, edit: 2, command: 4, output: 5, read: 7, todo: 8, hostile: 10, long: 12 };
const PARAGRAPH = `A paragraph with **bold** words, ${'and more of them '.repeat(24)}\n\n`;
const LONG = `${PARAGRAPH.repeat(2_400)}The end.`;
const session = files.write(
  'readable.json',
  JSON.stringify({
    model: 'claude-opus-4-5',
    max_tokens: 1000,
    messages: [
      { role: 'user', content: 'Mend the lamp.' },
      {
        role: 'assistant',
        content: '## Plan\n\n1. Read **lamp.ts**\n2. Run `npm test`\n\n| part | state |\n|---|---|\n| lamp | off |',
      },
      call('a', 'Edit', { file_path: '/w/lamp.ts', old_string: 'on\noff', new_string: 'on\ndimmed' }),
      result('a', 'The file /w/lamp.ts has been updated.'),
      call('b', 'Bash', { command: 'npm test', description: 'Run the tests', timeout: 60_000 }),
      result('b', '\u001b[31mFAIL\u001b[0m lamp.test.ts\n1 failed'),
      call('c', 'Read', { file_path: '/w/lamp.ts' }),
      result('c', '     1→const on = true;\n     2→const off = false;'),
      call('d', 'TodoWrite', {
        todos: [
          { content: 'Read', status: 'completed', activeForm: 'Reading' },
          { content: 'Mend', status: 'in_progress', activeForm: 'Mending' },
        ],
      }),
      result('d', 'ok'),
      { role: 'assistant', content: HOSTILE },
      { role: 'user', content: 'And the log?' },
      { role: 'assistant', content: LONG },
    ],
  }),
);

const drawer = ({ page }: RunningApp) => page.locator(SELECTORS.drawer).last();

/** Selects a message by its row and shows it rendered. */
async function read(app: RunningApp, index: number): Promise<void> {
  await app.page.locator(SELECTORS.rowOf(index)).click();
  await app.page.locator(SELECTORS.drawerTab('rendered')).click();
  await drawer(app).locator('.part').first().waitFor();
}

const texts = (app: RunningApp, selector: string) => drawer(app).locator(selector).allTextContents();

onEachHost('a person reads what an agent wrote and did', { start: () => ({ files: [session] }) }, (step) => {
  step('Markdown is drawn: headings, lists, tables', async (app) => {
    await rested(app);
    await read(app, AT.plan);
    await expect.poll(() => texts(app, '.part h2'), SOON).toEqual(['Plan']);
    expect(await texts(app, 'li')).toEqual(['Read lamp.ts', 'Run npm test']);
    expect(await texts(app, 'th')).toEqual(['part', 'state']);
  });

  step('an edit is a diff, a command a terminal with its colours, a file has its line numbers', async (app) => {
    await read(app, AT.edit);
    await expect.poll(() => texts(app, '.diff-out'), SOON).toEqual(['removed off\n']);
    expect(await texts(app, '.diff-in')).toEqual(['added dimmed\n']);
    await read(app, AT.command);
    await expect.poll(() => texts(app, '.tool-body'), SOON).toEqual(['$ npm test']);
    expect(await texts(app, '.tool-fields dt')).toContain('timeout');
    await read(app, AT.output);
    await expect.poll(() => texts(app, '.ansi-red'), SOON).toEqual(['FAIL']);
    await read(app, AT.read);
    await expect.poll(() => texts(app, '.line-text'), SOON).toEqual(['const on = true;\n', 'const off = false;\n']);
    const numbers = await drawer(app)
      .locator('.line-number')
      .evaluateAll((all) => all.map((one) => one.dataset.number));
    expect(numbers).toEqual(['1', '2']);
  });

  step('Shift+R shows what is recorded, and again what people read', async (app) => {
    const raw = drawer(app).locator('[data-testid="raw-text"]');
    await app.page.locator(SELECTORS.rowOf(AT.read)).click();
    await app.page.keyboard.press('Shift+R');
    await expect.poll(() => raw.textContent(), SOON).toBe('     1→const on = true;\n     2→const off = false;');
    await app.page.keyboard.press('Shift+R');
    await expect.poll(() => raw.count(), SOON).toBe(0);
  });

  step('an opened row is read the same way', async (app) => {
    await app.page.locator(SELECTORS.rowOf(AT.plan)).click();
    await app.page.keyboard.press('Enter');
    const heads = app.page.locator(`${SELECTORS.rowDetail} h2`);
    await expect.poll(() => heads.allTextContents(), SOON).toEqual(['Plan']);
    await app.page.keyboard.press('Enter');
  });

  step('a hostile text runs nothing, asks for nothing and stays in its place', async (app) => {
    const { page } = app;
    const title = await page.title();
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(request.url()));
    await read(app, AT.hostile);
    await expect.poll(() => drawer(app).locator('.markdown').textContent(), SOON).toContain('over all');
    expect(asked.filter((url) => url.includes('evil'))).toEqual([]);
    expect(await drawer(app).locator('.reading :is(a, img, script, style, iframe, form, [style])').count()).toBe(0);
    expect(await page.title()).toBe(title);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    const box = await drawer(app).locator('.reading').first().boundingBox();
    const around = await drawer(app).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((around?.x ?? 0) + (around?.width ?? 0));
  });

  step('a message of a megabyte is there in pieces, to its end', async (app) => {
    await read(app, AT.long);
    await expect.poll(() => drawer(app).locator('.markdown strong').count(), SOON).toBeGreaterThan(10);
    await drawer(app)
      .getByRole('button', { name: /^Show all/ })
      .click();
    await expect.poll(() => drawer(app).locator('.markdown').textContent(), SOON).toMatch(/The end\.$/);
  });
});
