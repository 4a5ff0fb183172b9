import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { RunningApp } from './support/host.ts';
import { isDesktop } from './support/launchDesktop.ts';
import { onEachHost } from './support/onEachHost.ts';
import { openOffered } from './support/person.ts';

const MESSAGES = [
  { role: 'user', content: 'Where does the heliotrope grow?' },
  { role: 'assistant', content: 'On the wall behind the chapel.' },
];
const OTHERS = [
  { role: 'user', content: 'And the comfrey?' },
  { role: 'assistant', content: 'In the ditch along the road.' },
];

let dir: string;
let file: string;
let other: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-import-'));
  chmodSync(dir, 0o755); // the app may run as another user
  file = join(dir, 'session.json');
  writeFileSync(file, JSON.stringify({ messages: MESSAGES }));
  other = join(dir, 'other.json');
  writeFileSync(other, JSON.stringify({ messages: OTHERS }));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function sees(app: RunningApp, text: string): Promise<void> {
  await app.page.getByText(text).first().waitFor();
}

/** Presses the import button and answers the question for a file, in whichever way this host asks it. */
async function chooseFile(app: RunningApp, path: string): Promise<void> {
  const button = app.page.getByRole('button', { name: /import/i }).first();
  if (isDesktop(app)) {
    await app.electron.evaluate(({ dialog }, chosen) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
    }, path);
    await button.click();
    return;
  }
  const [chooser] = await Promise.all([app.page.waitForEvent('filechooser'), button.click()]);
  await chooser.setFiles(path);
}

onEachHost('a person brings in a transcript', { start: () => ({ files: [file] }) }, (step) => {
  step('by naming it on the command line, and finds it again after a restart', async (app) => {
    await sees(app, 'On the wall behind the chapel.');
    await app.restart();
    await sees(app, 'Where does the heliotrope grow?');
  });

  step('by choosing it', async (app) => {
    await chooseFile(app, other);
    await openOffered(app);
    await sees(app, 'In the ditch along the road.');
  });
});
