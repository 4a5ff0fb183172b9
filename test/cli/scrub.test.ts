// What leaves is scrubbed: listed, exported with stand-ins, stopped if something is left, signed.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { seededRng } from '../../core/util/rng.ts';
import { runCli } from '../support/cli.ts';
import { fillTemplate } from '../support/vectors/secrets.ts';

const dir = mkdtempSync(join(tmpdir(), 'parallax-cli-scrub-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const rng = seededRng(9);
const TOKEN = fillTemplate('ghp_{AN36}', rng).text;
const PASSWORD = fillTemplate('{AN20}', rng).text;
const session = join(dir, 'session.json');
writeFileSync(
  session,
  JSON.stringify({
    messages: [
      { role: 'user', content: `Use DB_PASSWORD=${PASSWORD} in /home/mirandak/work, the host is 10.1.2.3` },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'run', arguments: JSON.stringify({ command: `echo '\n${TOKEN}'` }) },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: JSON.stringify({ stdout: `\n${TOKEN}\n${PASSWORD}` }) },
      { role: 'user', content: 'go on' },
    ],
  }),
);
const clean = join(dir, 'clean.json');
writeFileSync(
  clean,
  JSON.stringify({
    messages: [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'hello' },
    ],
  }),
);

const holds = (text: string): readonly string[] =>
  [TOKEN, PASSWORD, 'mirandak'].filter((value) => text.includes(value));

test('scrub lists kinds and places without values, and exits with 1; of a clean session with 0', async () => {
  const { code, stdout } = await runCli(['scrub', session, '--json']);
  expect(code).toBe(1);
  expect(holds(stdout)).toEqual([]);
  const { findings: all } = JSON.parse(stdout);
  // The title is made of the first message.
  expect(all[0]).toMatchObject({ kind: 'password', index: null, part: null, path: ['title'] });
  const findings = all.filter(({ index }: { readonly index: number | null }) => index !== null);
  expect(findings).toMatchObject([
    { kind: 'password', tier: 'definite', index: 0, part: 0, from: 16, to: 36 },
    { kind: 'home', tier: 'definite', index: 0, part: 0 },
    { kind: 'ip_address', tier: 'candidate', index: 0 },
    { kind: 'github_token', index: 1, part: 0 },
    { kind: 'github_token', index: 2 },
    { kind: 'password', index: 2 },
  ]);
  expect(findings[3].standIn).toBe(findings[4].standIn);
  expect((await runCli(['scrub', clean])).code).toBe(0);
});

test('an export is scrubbed, verifies, says what was masked, and holds no value; again it is the same', async () => {
  const out = join(dir, 'a.json');
  const exported = await runCli(['export', session, '-o', out, '--policy', 'all_steps']);
  expect(exported.code).toBe(0);
  // Nobody looked through them: what may be a secret is said where it leaves.
  expect(exported.stderr).toBe(
    'parallax: 2 candidates not masked (ip_address 2): "parallax scrub" says where, --mask-candidates masks them\n',
  );
  const text = readFileSync(out, 'utf8');
  expect(holds(text)).toEqual([]);
  expect(text).toContain('10.1.2.3');
  expect(JSON.parse(text)).toMatchObject({ parallax: { version: 2 }, scrub: { scrubbed: true, same_outcome: true } });
  expect(await runCli(['verify', out])).toMatchObject({ code: 0 });
  // The address is a candidate, and the title is cut off in it.
  expect((await runCli(['verify', out])).stdout).toMatch(/^scrubbed +yes: 7 masked or taken out, 2 kept$/m);
  const again = join(dir, 'again.json');
  expect((await runCli(['export', out, '-o', again])).code).toBe(0);
  expect(JSON.parse(readFileSync(again, 'utf8')).raw).toEqual(JSON.parse(text).raw);
});

test('--mask-candidates masks those too, --keep keeps a kind, --unscrubbed keeps all and says so', async () => {
  const [a, b, c] = ['b.json', 'c.json', 'd.json'].map((name) => join(dir, name)) as [string, string, string];
  expect(await runCli(['export', session, '-o', a, '--mask-candidates'])).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(a, 'utf8')).not.toContain('10.1.2.3');
  await runCli(['export', session, '-o', b, '--keep', 'home']);
  expect((await runCli(['export', session, '-o', join(dir, 'kept.json'), '--keep', 'personal'])).stderr).toBe('');
  expect(holds(readFileSync(b, 'utf8'))).toEqual(['mirandak']);
  await runCli(['export', session, '-o', c, '--unscrubbed']);
  expect(holds(readFileSync(c, 'utf8'))).toHaveLength(3);
  expect((await runCli(['verify', c])).stdout).toMatch(/^scrubbed +no: it holds what the session held$/m);
});

test('what is signed is checked by its key, and a changed file is noticed', async () => {
  const [mine, other, out] = ['mine', 'other', 'signed.json'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  await runCli(['keys', '-o', mine]);
  await runCli(['keys', '-o', other]);
  expect((await runCli(['keys', '-o', mine])).code).toBe(3);
  expect((await runCli(['export', session, '-o', out, '--sign', `${mine}.pem`])).code).toBe(0);
  expect(await runCli(['verify', out, '--key', `${mine}.pub.pem`])).toMatchObject({ code: 0 });
  expect(await runCli(['verify', out, '--key', `${other}.pub.pem`])).toMatchObject({ code: 1 });
  writeFileSync(out, `${readFileSync(out, 'utf8')} `);
  const changed = await runCli(['verify', out, '--key', `${mine}.pub.pem`]);
  expect(changed).toMatchObject({ code: 1 });
  expect(changed.stdout).toContain('the file was changed since');
});

test('where the signature cannot be written, the command says that the bundle is there', async () => {
  const [key, out] = [join(dir, 'signer'), join(dir, 'unsigned.json')];
  await runCli(['keys', '-o', key]);
  mkdirSync(`${out}.dsse.json`);
  const summary = join(dir, 'unsigned.md');
  const run = await runCli(['export', session, '-o', out, '--sign', `${key}.pem`, '--markdown', summary]);
  expect(run.code).toBe(3);
  expect(run.stderr).toContain(`${out} is written; its signature cannot be written`);
  expect(run.stderr.trimEnd().split('\n')).toEqual([
    expect.stringContaining('candidates not masked'),
    expect.stringContaining('is written'),
  ]);
  expect(await runCli(['verify', out])).toMatchObject({ code: 0 });
  expect(existsSync(summary)).toBe(false);
});

test('a bundle of version 1 verifies', async () => {
  const out = join(dir, 'v1.json');
  await runCli(['export', session, '-o', out, '--unscrubbed']);
  const { scrub: _, ...old } = JSON.parse(readFileSync(out, 'utf8'));
  writeFileSync(out, JSON.stringify({ ...old, parallax: { ...old.parallax, version: 1 } }));
  expect(await runCli(['verify', out])).toMatchObject({ code: 0 });
});

test('a key that is none, and a pattern that is none, are refused before anything is written', async () => {
  const out = join(dir, 'none.json');
  expect((await runCli(['export', session, '-o', out, '--sign', clean])).code).toBe(3);
  expect((await runCli(['export', session, '-o', out, '--pattern', '('])).code).toBe(2);
  expect(existsSync(out)).toBe(false);
});
