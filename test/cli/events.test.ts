import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { ARCHIVED, harnSession } from '../support/harnSession.ts';

let dir: string;
const paths = { inline: '', beside: '', wrong: '' };

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-events-'));
  const write = (name: string, text: string) => {
    writeFileSync(join(dir, name), text);
    return join(dir, name);
  };
  mkdirSync(join(dir, 'assets'));
  write('assets/s.json', ARCHIVED);
  const session = JSON.stringify(harnSession());
  paths.inline = write('inline.json', session);
  paths.beside = write('beside.json', JSON.stringify(harnSession({ storage: { path: 'assets/s.json' } })));
  paths.wrong = write(
    'wrong.json',
    session.replaceAll(/"prefix_hash":"sha256:[0-9a-f]{64}"/g, '"prefix_hash":"sha256:00"'),
  );
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

test.each(['inline', 'beside'] as const)('recorded projections replay, the snapshot %s', async (name) => {
  const run = await runCli(['events', paths[name], '--transcript', 'main']);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toMatch(/transcript\.projection .* hash reproduced \(on snapshot snap\)$/m);
  expect(run.stdout).toMatch(/transcript\.projection .* hash reproduced$/m);
  expect(run.stdout).toMatch(/transcript_budget .* private .*104 messages, at most 100 allowed; 4 messages removed/);
});

test('from stdin, which has no folder, the snapshot beside cannot be had: that is no finding', async () => {
  const run = await runCli(['events', '-'], JSON.stringify(harnSession({ storage: { path: 'assets/s.json' } })));
  expect(run.code).toBe(0);
  expect(run.stdout).toContain('hash not checked: its messages are not here');
});

test('--kind and --json give events with their records word for word', async () => {
  const run = await runCli([
    'events',
    paths.inline,
    '--transcript',
    'main',
    '--kind',
    'compaction',
    '--kind',
    'asset',
    '--json',
  ]);
  const lines = run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ kind }) => kind)).toEqual(['compaction', 'asset', 'asset', 'asset']);
  expect(lines[0]).toMatchObject({
    words: 'auto · 5 messages archived · snapshot snap',
    event: { kind: 'compaction' },
  });
});

test('--kinds counts them', async () => {
  const run = await runCli(['events', paths.inline, '--transcript', 'main', '--kinds']);
  expect(run.stdout).toBe(
    'asset                  3\ncompaction             1\nmessage                2\nsystem_prompt          1\ntranscript.projection  2\ntranscript_budget      1\n',
  );
});

test('--acp gives recorded projections as a host is sent them, and they are read again', async () => {
  const run = await runCli(['events', paths.inline, '--transcript', 'main', '--acp']);
  const [update] = run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(update).toMatchObject({
    method: 'session/update',
    params: {
      sessionId: 'tr_now',
      update: {
        sessionUpdate: 'transcript_projected',
        _meta: { harn: { policy: 'clean_tool_repair', droppedCount: 2 } },
      },
    },
  });
  const again = await runCli(['events', '-', '--kind', 'transcript.projection', '--json'], run.stdout);
  expect(again.stdout.trim().split('\n')).toHaveLength(2);
});

test('a hash that nothing leads to is a finding, told by the other commands too', async () => {
  const run = await runCli(['events', paths.wrong, '--transcript', 'main']);
  expect(run.code).toBe(1);
  expect(run.stdout).toContain('HASH NOT REPRODUCED');
  for (const command of ['project', 'lint', 'usage']) {
    const told = await runCli([command, paths.wrong, '--transcript', 'main']);
    expect(told.stderr, command).toContain('error projection.replay_mismatch');
  }
});

test('project --acp gives the update of what is projected', async () => {
  const run = await runCli(['project', paths.inline, '--transcript', 'main', '--policy', 'raw', '--acp']);
  expect(JSON.parse(run.stdout)).toMatchObject({
    params: { update: { sessionUpdate: 'transcript_projected', _meta: { harn: { policy: 'raw', keptCount: 2 } } } },
  });
});

test('as_projected is what is shown where projections are recorded', async () => {
  const run = await runCli(['project', paths.inline, '--transcript', 'main', '--json']);
  const { policy, stages, request } = JSON.parse(run.stdout);
  expect([policy, stages[0].meta.outcome, request.title]).toEqual(['raw', 'reproduced', 'Would be sent next']);
});

test('a bundle of what was projected verifies, and shows it again', async () => {
  const session = harnSession();
  const shown = {
    ...session,
    events: session.events.filter(({ kind }) => !['compaction', 'transcript_budget'].includes(kind)),
  };
  const file = join(dir, 'shown.json');
  writeFileSync(file, JSON.stringify({ ...shown, messages: JSON.parse(ARCHIVED).messages }));
  const bundle = join(dir, 'shown.bundle.json');
  const exported = await runCli(['export', file, '--transcript', 'main', '-o', bundle]);
  expect(exported).toMatchObject({ code: 0 });
  expect(await runCli(['verify', bundle])).toMatchObject({ code: 0 });
  const again = await runCli(['project', bundle, '--json']);
  expect(JSON.parse(again.stdout)).toMatchObject({ policy: 'clean_tool_repair', dropped_count: 2 });
});
