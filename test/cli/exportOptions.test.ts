// An option that would do nothing is refused with what to do, before anything is read or written.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { checkExportOptions } from '../../cli/support/exportOptions.ts';
import { CliFailure } from '../../cli/support/failure.ts';
import { KINDS } from '../../core/scrub/kinds.ts';
import { runCli } from '../support/cli.ts';

const dir = mkdtempSync(join(tmpdir(), 'parallax-options-'));
const session = join(dir, 'chat.json');
writeFileSync(
  session,
  JSON.stringify({
    messages: [
      { role: 'user', content: 'where is the key?' },
      { role: 'assistant', content: 'in the drawer' },
    ],
  }),
);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function refusal(options: object): string | null {
  try {
    checkExportOptions(session, options);
    return null;
  } catch (error) {
    if (error instanceof CliFailure && error.exit === 2) return error.message;
    throw error;
  }
}

describe('export', () => {
  test.each([
    ['--keep does nothing with --unscrubbed', { unscrubbed: true, keep: ['email'] }],
    ['--word does nothing with --unscrubbed', { unscrubbed: true, word: ['a'] }],
    ['--library does nothing with --unscrubbed', { unscrubbed: true, library: 'x' }],
    ['--text needs --slice', { text: 'a' }],
    ['--html does nothing with --wire', { wire: 'openai', html: 'x.html' }],
    ['--slice does nothing with --wire', { wire: 'openai', slice: true }],
    ['--unscrubbed does nothing with --wire', { wire: 'openai', unscrubbed: true }],
    ['--keep does nothing with --thread', { thread: 'jido', keep: ['email'] }],
    ['--policy does nothing with --thread', { thread: 'jido', policy: 'raw' }],
    ['--strict needs --wire', { strict: true }],
    ['--model needs --wire', { model: 'x' }],
    ['--model does nothing with --thread', { thread: 'jido', model: 'x' }],
    ['--wire or --thread, not both', { wire: 'openai', thread: 'jido' }],
    ['--html and --output are the same file', { output: 'a', html: './a' }],
    ['--output is the transcript itself', { output: session }],
    ['--html is empty', { output: 'a', html: '' }],
    ['--output is empty', { output: '' }],
    ['give one of them', { output: 'a', out: 'b' }],
  ])('%s', (said, options) => {
    expect(refusal(options)).toContain(said);
  });

  test.each([
    { output: 'a', html: 'b', markdown: 'c', slice: true, text: 'x', keep: ['email'], maskCandidates: true },
    { output: 'a', unscrubbed: true, findings: true, sign: 'k' },
    { wire: 'openai', model: 'm', maxTokens: '3', repair: true, strict: true, policy: 'raw', json: true },
    { thread: 'jido', library: 'l', output: 'a' },
  ])('takes what acts together: %o', (options) => {
    expect(refusal(options)).toBeNull();
  });

  test('a kind that is none, and a text that nobody says, are refused, and nothing is written', async () => {
    const out = join(dir, 'out.json');
    const typo = await runCli(['export', session, '-o', out, '--keep', 'emial']);
    expect(typo).toMatchObject({ code: 2, stdout: '' });
    expect(typo.stderr).toContain('there is no kind "emial"');
    for (const kind of KINDS) expect(typo.stderr).toContain(kind);
    const scrub = await runCli(['scrub', session, '--keep', 'emial']);
    expect(scrub.code).toBe(2);
    expect((await runCli(['scrub', session, '--word', ''])).stderr).toContain('--word is empty');
    const nowhere = await runCli(['scrub', session, '--library', join(dir, 'none')]);
    expect(nowhere).toMatchObject({ code: 3, stdout: '' });
    expect((await runCli(['keys', '-o', ''])).stderr).toContain('-o is empty');
    expect((await runCli(['worker', '--parquet', ''])).stderr).toContain('--parquet is empty');
    const unsaid = await runCli(['export', session, '-o', out, '--slice', '--text', 'nobody says this']);
    expect(unsaid).toMatchObject({ code: 2, stdout: '' });
    expect(unsaid.stderr).toContain('no message before the call point says this text');
    expect(await runCli(['export', session, '-o', out, '--slice', '--text', 'the drawer'])).toMatchObject({ code: 0 });
    expect(readdirSync(dir).sort()).toEqual(['chat.json', 'out.json']);
  });
});
