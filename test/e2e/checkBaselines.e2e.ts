import { chmodSync, copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { z } from 'zod';
import { sampleSession } from '../../core/sample/index.ts';
import { baselineRules, NEW_RULE } from '../support/baselineRules.ts';
import { runCli } from '../support/cli.ts';
import type { RunningApp } from './support/forEachHost.ts';
import { isDesktop } from './support/launchDesktop.ts';
import { onEachHost } from './support/onEachHost.ts';
import { command, rested, SOON } from './support/person.ts';
import { filesDir } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());
const session = files.write('session.jsonl', sampleSession());
const rules = files.write('agent.rules.yaml', baselineRules(1));
const baseline = rules.replace('.yaml', '.baseline.json');

const Report = z.object({
  transcripts: z.array(z.object({ outcomes: z.array(z.object({ verdict: z.string(), found: z.string() })) })),
});

async function update(): Promise<void> {
  await runCli(['check', rules, session, '--update']);
  chmodSync(baseline, 0o644); // the app may run as another user
}

async function fromCli(): Promise<readonly (readonly string[])[]> {
  const { stdout } = await runCli(['check', rules, session, '--format', 'json']);
  const [only] = Report.parse(JSON.parse(stdout)).transcripts;
  return (only?.outcomes ?? []).map(({ verdict, found }) => [verdict, found]);
}

const rows = ({ page }: RunningApp) =>
  page.getByTestId('checks-row').evaluateAll((all) =>
    all
      .map((row) => row as HTMLElement)
      .toSorted((a, b) => Number(a.dataset.rule) - Number(b.dataset.rule))
      .map((row) => [row.dataset.verdict ?? '', row.querySelector('td.checks-found')?.textContent?.trim() ?? '']),
  );
const verdicts = async (app: RunningApp) => (await rows(app)).map(([verdict]) => verdict);
const note = ({ page }: RunningApp) => page.getByTestId('checks-baseline');
const open = ({ page }: RunningApp, paths: readonly string[]) =>
  page
    .getByTestId('checks-field')
    .first()
    .setInputFiles([...paths]);

/** Records, and answers the file that was saved. */
async function record(app: RunningApp, path: string): Promise<string> {
  const button = app.page.getByTestId('checks-record');
  if (isDesktop(app)) {
    // In place of the system's dialog.
    await app.electron.evaluate(({ BrowserWindow }, chosen) => {
      for (const window of BrowserWindow.getAllWindows())
        window.webContents.session.once('will-download', (_event, item) => item.setSavePath(chosen));
    }, path);
    await button.click();
    await expect.poll(() => existsSync(path) && readFileSync(path, 'utf8') !== '', SOON).toBe(true);
  } else {
    const [download] = await Promise.all([app.page.waitForEvent('download'), button.click()]);
    expect(download.suggestedFilename()).toBe('agent.rules.baseline.json');
    await download.saveAs(path);
  }
  return readFileSync(path, 'utf8');
}

onEachHost('a person compares a session with a recorded baseline', { start: () => ({ files: [session] }) }, (step) => {
  step(
    'opens rules and their baseline: one passes, one fails, one was never recorded, as the command says',
    async (app) => {
      writeFileSync(rules, baselineRules(1));
      await update();
      writeFileSync(rules, baselineRules(2, NEW_RULE));
      await rested(app);
      await command(app, 'Mode: Checks');
      await open(app, [rules, baseline]);
      await expect.poll(() => verdicts(app), SOON).toEqual(['passed', 'failed', 'unchecked']);
      expect(await rows(app)).toEqual(await fromCli());
      expect(await note(app).textContent()).toContain(
        'Compared with agent.rules.baseline.json, recorded as session.jsonl.',
      );
      await expect
        .poll(() => app.page.getByTestId('checks-outcome').textContent(), SOON)
        .toContain('where the change is meant, update the baseline');
    },
  );

  step('updates it: the file is the one of the command, and all rules pass', async (app) => {
    const saved = await record(app, join(files.path, isDesktop(app) ? 'saved.desktop.json' : 'saved.web.json'));
    await expect.poll(() => verdicts(app), SOON).toEqual(['passed', 'passed', 'passed']);
    const before = readFileSync(baseline, 'utf8');
    await update();
    expect(saved).toBe(readFileSync(baseline, 'utf8'));
    writeFileSync(baseline, before);
  });

  step('opens rules alone: the desktop finds the baseline beside them, a browser has to be given it', async (app) => {
    const other = join(rules, '..', 'other.rules.yaml');
    copyFileSync(rules, other);
    copyFileSync(baseline, join(rules, '..', 'other.rules.baseline.json'));
    await open(app, [other]);
    if (isDesktop(app)) {
      await expect.poll(() => verdicts(app), SOON).toEqual(['passed', 'failed', 'unchecked']);
      expect(await note(app).textContent()).toContain('Compared with other.rules.baseline.json');
      return;
    }
    await expect.poll(() => verdicts(app), SOON).toEqual(['unchecked', 'unchecked', 'unchecked']);
    expect(await note(app).textContent()).toContain('none is open');
    await open(app, [join(rules, '..', 'other.rules.baseline.json')]);
    await expect.poll(() => verdicts(app), SOON).toEqual(['passed', 'failed', 'unchecked']);
  });

  step('is told where a baseline that was edited by hand is wrong, and nothing is run', async (app) => {
    const broken = files.write(
      'broken.baseline.json',
      readFileSync(baseline, 'utf8').replace('"tokens": ', '"tokns": '),
    );
    await open(app, [rules, broken]);
    await app.page.getByTestId('checks-faults').waitFor();
    expect(await app.page.getByTestId('checks-fault').textContent()).toContain('transcripts.session.jsonl');
    expect(await app.page.getByTestId('checks-run').isDisabled()).toBe(true);
  });
});
