// A bundle on the command line: exported, verified, imported, exported again.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';

const ROLLOUT = join(import.meta.dirname, '../fixtures/codex/rollout.jsonl');
const dir = mkdtempSync(join(tmpdir(), 'parallax-cli-bundle-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const library = ['--library', join(dir, 'lib')];
const bundle = join(dir, 'a report.parallax.json');

test('verify says how to open it; imported it says that it verifies, and again that it was there', async () => {
  expect((await runCli(['export', ROLLOUT, '-o', bundle, '--at', '4'])).code).toBe(0);
  const verified = await runCli(['verify', bundle]);
  expect(verified.stdout).toContain(`to open it  parallax import '${bundle}', or drop it on the app`);
  const prefix = /^prefix +(\S+)$/m.exec(verified.stdout)?.[1] ?? '';
  const imported = await runCli(['import', bundle, ...library]);
  expect(imported).toMatchObject({ code: 0, stderr: '' });
  expect(imported.stdout).toContain('4 messages');
  expect(imported.stdout).toContain(`  a bundle; verified: ${prefix}`);
  const again = JSON.parse((await runCli(['import', bundle, ...library, '--json'])).stdout);
  expect(again).toMatchObject({ transcripts: [{ existed: true, messages: 4 }], bundle: { same: true } });
  expect((await runCli(['ls', ...library])).stdout).toContain('(from a bundle at #4)');
});

test('projected without a policy it is what was reported', async () => {
  const report = join(dir, 'own.parallax.json');
  const { prefixHash } = JSON.parse(
    (await runCli(['export', ROLLOUT, '-o', report, '--policy', 'short_context', '--json'])).stdout,
  );
  const projected = JSON.parse((await runCli(['project', report, '--json', '--no-tokens'])).stdout);
  expect(projected.prefix_hash).toBe(prefixHash);
  expect(projected.spec.stages).toMatchObject([{ kind: 'context_policy' }]);
});

test('one that was changed is imported, and what differs is a finding', async () => {
  const changed = join(dir, 'changed.json');
  const text = readFileSync(bundle, 'utf8');
  writeFileSync(changed, text.replace(/"prefix_hash":"sha256:..../, '"prefix_hash":"sha256:ffff'));
  const run = await runCli(['import', changed, ...library]);
  expect(run.code).toBe(1);
  expect(run.stdout).toMatch(/a bundle; does not verify:\n {4}prefix hash: states sha256:ffff\w+, here sha256:\w+\n/);
});

test('what nothing knows is told with the commands that help', async () => {
  const file = join(dir, 'rows.json');
  writeFileSync(file, '{"rows":[1]}');
  const run = await runCli(['import', file, ...library]);
  expect(run.code).toBe(3);
  expect(run.stderr).toContain('Unknown format: a JSON object with the key rows.');
  expect(run.stderr).toContain(`\`parallax mapping guess ${file}\``);
});

test('findings go into the bundle when they are asked for, and verify lists them', async () => {
  const file = join(dir, 'forgets.json');
  const call = (id: string) => ({
    ...{ role: 'assistant', content: '' },
    tool_calls: [{ id, type: 'function', function: { name: 'read_file', arguments: '{"path":"docs/harbour.md"}' } }],
  });
  const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: `berth_9917 ${'quay '.repeat(60)}` });
  const say = (role: string, content: string) => ({ role, content });
  const messages = [say('user', 'Read.'), call('a'), result('a'), say('assistant', 'Yes.'), say('user', 'Think.')];
  const later = [say('assistant', 'I do.'), say('user', 'Again.'), call('b'), result('b'), say('assistant', 'Done.')];
  writeFileSync(file, JSON.stringify({ model: 'gpt-4o', messages: [...messages, ...later] }));
  const report = join(dir, 'findings.parallax.json');
  const spec = '{"version":1,"stages":[{"kind":"sliding_window","options":{"turns":1}}]}';
  expect((await runCli(['export', file, '-o', report, '--spec', spec, '--findings'])).code).toBe(0);
  const verified = JSON.parse((await runCli(['verify', report, '--json'])).stdout);
  expect(verified).toMatchObject({ same: true, findings: [{ kind: 'forgotten', at: 7, sources: [2] }] });
  const text = (await runCli(['verify', report])).stdout;
  expect(text).toMatch(/findings stated in the bundle\n#7 +forgotten +certain/);
});
