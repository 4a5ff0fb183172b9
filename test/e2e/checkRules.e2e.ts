import { readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';
import { z } from 'zod';
import { sampleSession } from '../../core/sample/index.ts';
import { runCli } from '../support/cli.ts';
import type { RunningApp } from './support/forEachHost.ts';
import { isDesktop } from './support/launchDesktop.ts';
import { onEachHost } from './support/onEachHost.ts';
import { command, dropFiles, importFile, rested, SOON, saveFile } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const session = files.write('session.jsonl', sampleSession());

const RULES = `version: 1
rules:
  - name: Fits the window
    fits: true
  - name: Keeps the port
    text: "8443"
    state: original
  - watch: "8443"
  - tokens: 20000
  - text: "nobody ever says this"
`;
const rules = files.write('agent.rules.yaml', RULES);
const other = files.write('other.jsonl', sampleSession().replaceAll('8443', '9117'));
const lenient = files.write('lenient.rules.yaml', RULES.replace('20000', '90000'));
const faulty = files.write('faulty.rules.yaml', RULES.replace('20000', 'many'));

const Report = z.object({
  rules: z.array(z.object({ name: z.string(), line: z.int() })),
  transcripts: z.array(z.object({ outcomes: z.array(z.object({ verdict: z.string(), found: z.string() })) })),
});

/** What `parallax check` prints of the same files, as the screen's rows have it. */
async function fromCli(path: string): Promise<readonly (readonly string[])[]> {
  const { stdout } = await runCli(['check', path, session, '--format', 'json']);
  const report = Report.parse(JSON.parse(stdout));
  return report.rules.map(({ name, line }, at) => {
    const { verdict = '', found = '' } = report.transcripts[0]?.outcomes[at] ?? {};
    return [verdict, name, found, String(line)];
  });
}

async function rows({ page }: RunningApp): Promise<readonly (readonly string[])[]> {
  return page.getByTestId('checks-row').evaluateAll((all) =>
    all
      .map((row) => row as HTMLElement)
      .toSorted((a, b) => Number(a.dataset.rule) - Number(b.dataset.rule))
      .map((row) => {
        const cell = (name: string) => row.querySelector(name)?.textContent?.trim() ?? '';
        return [row.dataset.verdict ?? '', cell('.checks-name'), cell('td.checks-found'), cell('td.checks-line')];
      }),
  );
}

const done = ({ page }: RunningApp) => page.locator('[data-testid="checks"][data-state="done"]').waitFor();
const open = ({ page }: RunningApp, path: string) => page.getByTestId('checks-field').first().setInputFiles(path);
const outcome = ({ page }: RunningApp) => page.getByTestId('checks-outcome');

onEachHost('a person holds rules against a session', { start: () => ({ files: [session] }) }, (step) => {
  step('opens the mode: there are no rules yet, and nothing is green', async (app) => {
    await rested(app);
    await command(app, 'Mode: Checks');
    await app.page.getByTestId('checks-first').waitFor();
    expect(await app.page.getByTestId('checks-row').count()).toBe(0);
  });

  step('opens a file with a fault: its line is said, and no rule is run', async (app) => {
    await open(app, faulty);
    await app.page.getByTestId('checks-faults').waitFor();
    expect(await app.page.getByTestId('checks-faults').textContent()).toContain('1 fault in faulty.rules.yaml');
    expect(await app.page.getByTestId('checks-fault').textContent()).toContain('line 9: rules.3.tokens');
    expect(await app.page.getByTestId('checks-run').isDisabled()).toBe(true);
  });

  step('opens the file as it should be: results are those of the command, failures first', async (app) => {
    await open(app, rules);
    await done(app);
    const expected = await fromCli(rules);
    expect(await rows(app)).toEqual(expected);
    expect(expected.map(([verdict]) => verdict)).toEqual(['passed', 'failed', 'failed', 'failed', 'unchecked']);
    const verdicts = app.page.getByTestId('checks-row');
    expect(await verdicts.evaluateAll((all) => all.map((row) => (row as HTMLElement).dataset.rule))).toEqual([
      ...['1', '2', '3', '0', '4'],
    ]);
    const counts = await app.page.getByTestId('checks-counts').textContent();
    expect(counts).toMatch(/3 failed.*1 passed.*1 not checked.*33 requests/);
  });

  step('saves the results as JUnit: what the command prints', async (app) => {
    await app.page.getByTestId('checks-save').click();
    // The window of the desktop asks by the system's own dialog where a download goes.
    if (isDesktop(app)) {
      expect(await app.page.getByRole('menuitem').allTextContents()).toEqual([
        'Text',
        'JSON',
        'JUnit XML',
        'SARIF 2.1',
      ]);
      await app.page.keyboard.press('Escape');
      return;
    }
    const path = files.write('results.xml', '');
    const suggested = await saveFile(app, path, () => app.page.getByRole('menuitem', { name: 'JUnit XML' }).click());
    expect(suggested).toBe('agent.results.junit.xml');
    const { stdout } = await runCli(['check', rules, session, '--format', 'junit']);
    const named = (text: string) => text.replaceAll(/[^"\s(]*\/(?=agent\.rules\.yaml|session\.jsonl)/g, '');
    expect(named(readFileSync(path, 'utf8'))).toBe(named(stdout));
  });

  step('reads what the first failure rests on, and goes to the next one by N', async (app) => {
    const pane = outcome(app);
    expect(await pane.locator('pre').textContent()).toContain('state: original');
    expect(await app.page.getByTestId('checks-strip').getAttribute('data-states')).toBe(
      'original gone elsewhere elsewhere',
    );
    expect(await app.page.getByTestId('checks-place').first().textContent()).toMatch(
      /#0.*not in the next request.*8443.*line 2/,
    );
    await app.page.getByTestId('checks-table').click({ position: { x: 5, y: 5 } });
    await app.page.keyboard.press('n');
    await expect.poll(() => pane.getAttribute('data-rule'), SOON).toBe('2');
    expect(await app.page.getByTestId('checks-found').textContent()).toMatch(/^gone at #47: since #47/);
  });

  step('sees changes that are proved to make it pass', async (app) => {
    const passing = app.page.getByTestId('checks-passing');
    await passing.waitFor();
    expect(await passing.textContent()).toContain('Pin #0');
    const price = passing.getByTestId('checks-price').first();
    await expect.poll(() => price.textContent(), SOON).toMatch(/tok · session .*tok, (?:[≈~]?[+−]\$\d|–)/);
  });

  step('goes to the place on the timeline by Enter, and comes back to the same results', async (app) => {
    const { page } = app;
    await page.getByTestId('checks-place').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('.workspace[data-mode="timeline"]').waitFor();
    await expect
      .poll(() => page.locator('.row[aria-selected="true"], [data-index="0"]').count(), SOON)
      .toBeGreaterThan(0);
    await page.keyboard.press('ControlOrMeta+5');
    await done(app);
    expect(await rows(app)).toEqual(await fromCli(rules));
  });

  step('edits the rules and runs them by F5: the figures are others', async (app) => {
    const { page } = app;
    await open(app, lenient);
    await expect.poll(() => rows(app), SOON).toEqual(await fromCli(lenient));
    await done(app);
    await page.getByTestId('checks-edit').click();
    await page.locator('.checks-editor .monaco-editor textarea, .checks-editor .monaco-editor').first().waitFor();
    await page.locator('.checks-editor .view-lines').click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('  - cost: 0');
    await page.getByTestId('checks-stale').waitFor();
    await page.waitForFunction(() => document.querySelector('[data-testid="checks-run"]:not([disabled])') !== null);
    await page.keyboard.press('F5');
    await expect.poll(async () => (await rows(app)).length, SOON).toBe(6);
    await done(app);
    expect((await rows(app))[5]).toEqual(['failed', 'input cost ≤ $0', '$0.29', '11']);
  });

  step('drops a file of rules: it is run, and not imported', async (app) => {
    const { page } = app;
    const before = await page.locator(SELECTORS.libraryItem).count();
    await dropFiles(app, [rules], () => page.locator(SELECTORS.dropOverlay).waitFor());
    await expect.poll(() => page.getByTestId('checks-file').textContent(), SOON).toContain('agent.rules.yaml');
    await expect.poll(() => rows(app), SOON).toEqual(await fromCli(rules));
    await page.locator(SELECTORS.dropOverlay).waitFor({ state: 'detached' });
    expect(await page.locator(SELECTORS.libraryItem).count()).toBe(before);
  });

  step('runs them over the library: each rule says in how many, and leads to the transcript', async (app) => {
    const { page } = app;
    await importFile(app, other);
    await page.locator('.workspace').waitFor();
    await command(app, 'Mode: Checks');
    await page.getByRole('radio', { name: 'Library 2' }).click();
    await page.getByTestId('checks-run').click();
    const found = async () => Object.fromEntries((await rows(app)).map(([, name, words]) => [name, words]));
    await expect.poll(found, SOON).toEqual({
      'Fits the window': 'passed in 2 of 2',
      'Keeps the port': 'failed in 1 of 2, 1 not checked',
      'text “8443” is never gone': 'failed in 1 of 2, 1 not checked',
      'peak ≤ 20,000 tokens': 'failed in 2 of 2',
      'text “nobody ever says this” is present at the end': 'not checked in 2 of 2',
    });
    await done(app);
    await page.locator('tr[data-rule="1"]').click();
    const first = page.getByTestId('checks-transcripts').getByRole('button').first();
    expect(await first.textContent()).toMatch(/^ Failed.*elsewhere, word for word at #68.*line 2$/);
    await first.click();
    await page.locator('.workspace[data-mode="timeline"]').waitFor();
    await expect.poll(() => page.locator(SELECTORS.rowOf(0)).getAttribute('aria-selected'), SOON).toBe('true');
  });
});
