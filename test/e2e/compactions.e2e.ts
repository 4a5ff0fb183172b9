import { afterAll, expect } from 'vitest';
import { z } from 'zod';
import { runCli } from '../support/cli.ts';
import type { RunningApp } from './support/forEachHost.ts';
import { onEachHost } from './support/onEachHost.ts';
import { choosePreset, rested, SOON } from './support/person.ts';
import { filesDir } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());

const CONFIG = `export const port = 48213;\nexport const secretName = "quiet-otter";\n${'berth '.repeat(30)}`;

/** A Claude Code session that is compacted by hand, and reads a file again afterwards. */
function sessionText(): string {
  const lines: string[] = [];
  let parent: string | null = null;
  const push = (type: string, more: object): void => {
    const uuid = `u${lines.length}`;
    const timestamp = new Date(Date.UTC(2026, 0, 5, 9, lines.length)).toISOString();
    const base = { parentUuid: parent, isSidechain: false, cwd: '/home/dev/app', sessionId: 's', version: '2.0.14' };
    lines.push(JSON.stringify({ ...base, type, ...more, uuid, timestamp }));
    parent = uuid;
  };
  const ask = (text: string, more = {}): void => push('user', { message: { role: 'user', content: text }, ...more });
  const answer = (content: object, input = 1000): void => {
    const usage = { input_tokens: input, output_tokens: 20 };
    const message = { id: `m${lines.length}`, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5' };
    push('assistant', { message: { ...message, content: [content], usage } });
  };
  const use = (id: string, name: string, input: object): void => answer({ type: 'tool_use', id, name, input });
  const result = (id: string, content: string): void =>
    push('user', { message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] } });
  ask('Please fix the login in src/auth/login.ts. Never edit config/prod.yaml by hand.');
  use('c1', 'Read', { file_path: 'src/auth/settings.ts' });
  result('c1', CONFIG);
  use('c2', 'Edit', { file_path: 'src/auth/login.ts', old_string: 'a', new_string: 'b' });
  result('c2', 'done');
  answer({ type: 'text', text: 'The login is fixed.' }, 150_000);
  push('system', {
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
    logicalParentUuid: parent,
    compactMetadata: { trigger: 'manual', preTokens: 150_000, postTokens: 9_000 },
  });
  ask('The summary so far: fixed src/auth/login.ts. Never edit config/prod.yaml by hand.', { isCompactSummary: true });
  use('c3', 'Read', { file_path: 'src/auth/settings.ts' });
  result('c3', CONFIG);
  use('c4', 'Edit', { file_path: 'src/auth/token.ts', old_string: 'a', new_string: 'b' });
  result('c4', 'done');
  answer({ type: 'text', text: 'All done: the port is 48213.' }, 12_000);
  for (let turn = 0; turn < 3; turn++) {
    ask(`And now, for the time ${turn}?`);
    answer({ type: 'text', text: `Nothing more at ${turn}.` }, 13_000 + turn);
  }
  return lines.join('\n');
}

const file = files.write('session.jsonl', sessionText());

const Told = z.object({
  compactions: z.array(
    z.object({
      at: z.number(),
      survival: z.record(z.string(), z.object({ total: z.number(), survived: z.number(), lost: z.array(z.unknown()) })),
      after: z.object({ rereads: z.number(), rereadTokens: z.number(), firstEditAt: z.number().nullable() }),
    }),
  ),
});

const text = ({ page }: RunningApp, id: string) => page.getByTestId(id).textContent();

onEachHost(
  'a person sees what a compaction lost, and what it cost afterwards',
  { start: () => ({ files: [file] }) },
  (step) => {
    step('from why a message is gone to what its compaction lost', async (app) => {
      const { page } = app;
      await rested(app);
      await page.locator('[data-testid="row"][data-index="0"]').first().click();
      const lost = page.getByTestId('what-was-lost');
      await lost.click();
      await expect.poll(() => text(app, 'compaction-head'), SOON).toContain('Compaction 1 of 1');
      expect(await text(app, 'compaction-head')).toContain('manual, recorded');
    });

    step('the figures are those that the command prints', async (app) => {
      const { page } = app;
      const { stdout } = await runCli(['autopsy', file, '--json']);
      const [compaction] = Told.parse(JSON.parse(stdout)).compactions;
      if (compaction === undefined) throw new Error('the command finds no compaction');
      for (const [name, { total, survived, lost }] of Object.entries(compaction.survival)) {
        const line = page.getByTestId(`survival-${name}`);
        if (total === 0) expect(await line.count()).toBe(0);
        else
          expect(await line.textContent()).toContain(`${survived} of ${total}${Math.round((100 * survived) / total)}%`);
        if (total === 0) continue;
        await line.click();
        await expect.poll(() => page.getByTestId('lost-line').count(), SOON).toBe(lost.length);
        await line.click();
      }
      expect(compaction.after.rereads).toBe(1);
      expect(await page.getByTestId('repeated-call').count()).toBe(1);
      expect(await text(app, 'repeated-work')).toContain('src/auth/settings.ts');
      expect(await text(app, 'repeated-work')).toContain(`First edit at #${compaction.after.firstEditAt}`);
      expect(await text(app, 'trigger')).toMatch(/Before150,000After9,000/);
    });

    step('what was used later comes first, and leads to the message that said it', async (app) => {
      const { page } = app;
      const used = page.locator('[data-testid="lost-line"][data-class="numbers"]').first();
      await expect.poll(() => used.textContent(), SOON).toMatch(/^#\d+number48213#\d+/);
      const said = await used.getAttribute('data-index');
      await used.click();
      await page.keyboard.press('Enter');
      const selected = page.locator('[data-testid="row"][aria-selected="true"]').first();
      await expect.poll(() => selected.getAttribute('data-index'), SOON).toBe(said);
    });

    step('on the raw history nothing is compacted, and the page says what would be', async (app) => {
      const { page } = app;
      await choosePreset(app, 'raw');
      await page.getByTestId('mode-compactions').click();
      await expect.poll(() => text(app, 'compactions'), SOON).toContain('This policy follows no compaction');
      await page.getByTestId('try-summary').click();
    });

    step('a summary that a stage puts in place is taken apart the same', async (app) => {
      const { page } = app;
      await expect.poll(() => text(app, 'compaction-head'), SOON).toContain('put in place by Summary prefix');
      expect(await text(app, 'trigger')).toContain('by the policy, not recorded');
      const { stdout } = await runCli(['autopsy', file, '--json', '--policy', 'summary_prefix_12']);
      const { compactions } = Told.parse(JSON.parse(stdout));
      const head = page.getByTestId('compaction-head');
      expect(await head.textContent()).toContain(`of ${compactions.length}`);
      await head.getByRole('button', { name: /Previous/ }).focus();
      for (let more = 1; more < compactions.length; more++) await page.keyboard.press('[');
      await expect.poll(() => head.getAttribute('data-index'), SOON).toBe('0');
      const { total, survived } = compactions[0]?.survival.paths ?? { total: 0, survived: 0 };
      expect(await text(app, 'survival-paths')).toContain(`${survived} of ${total}`);
    });
  },
);
