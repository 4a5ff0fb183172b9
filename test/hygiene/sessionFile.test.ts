import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repairSessionFile } from '../../core/engine/files/repairSessionFile.ts';
import { runCli } from '../support/cli.ts';

const HEADER = '{"type":"session","version":7,"id":"s-1"}';
const MESSAGE = '{"type":"message","id":"m1","message":{"role":"user","content":"hello"}}';

let dir: string;
let path: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-repair-'));
  path = join(dir, 's.jsonl');
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('a session file', () => {
  it('with broken lines loses them, and is kept as it was beside', async () => {
    const before = `${HEADER}\n{oops\n${MESSAGE}\nnot json`;
    writeFileSync(path, before, { mode: 0o640 });
    chmodSync(path, 0o640);
    const result = await repairSessionFile(path, { now: () => 7, pid: 5 });
    expect(result).toMatchObject({ repaired: true, droppedLines: 2, lines: [2, 4], backupPath: `${path}.bak-5-7` });
    expect(readFileSync(path, 'utf8')).toBe(`${HEADER}\n${MESSAGE}\n`);
    expect(readFileSync(`${path}.bak-5-7`, 'utf8')).toBe(before);
    for (const file of [path, `${path}.bak-5-7`]) expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readdirSync(dir).sort()).toEqual(['s.jsonl', 's.jsonl.bak-5-7']);
  });

  it('with nothing broken is not written, whatever its line ends', async () => {
    const before = `${HEADER}\r\n\r\n${MESSAGE}`;
    writeFileSync(path, before);
    const { mtimeMs, ino } = statSync(path);
    expect(await repairSessionFile(path)).toEqual({ repaired: false, droppedLines: 0, lines: [], warnings: [] });
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(statSync(path)).toMatchObject({ mtimeMs, ino });
    expect(readdirSync(dir)).toEqual(['s.jsonl']);
  });

  it('that is none, is empty or is not there is left alone', async () => {
    writeFileSync(path, `${MESSAGE}\n{bad`);
    expect(await repairSessionFile(path)).toMatchObject({
      repaired: false,
      droppedLines: 1,
      reason: 'invalid session header',
    });
    writeFileSync(path, '{bad\n');
    expect(await repairSessionFile(path)).toMatchObject({ repaired: false, reason: 'empty session file' });
    expect(await repairSessionFile(join(dir, 'none'))).toMatchObject({ reason: 'missing session file', warnings: [] });
    expect(await repairSessionFile(dir)).toMatchObject({
      reason: expect.stringContaining('failed to read session file: '),
    });
  });

  it('whose backup cannot be written stays as it is', async () => {
    const before = `${HEADER}\n{bad`;
    writeFileSync(path, before);
    writeFileSync(`${path}.bak-5-7`, 'taken');
    const result = await repairSessionFile(path, { now: () => 7, pid: 5 });
    expect(result).toMatchObject({ repaired: false, reason: expect.stringContaining('repair failed: ') });
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(readFileSync(`${path}.bak-5-7`, 'utf8')).toBe('taken');
    expect(readdirSync(dir).sort()).toEqual(['s.jsonl', 's.jsonl.bak-5-7']);
  });
});

describe('the command line', () => {
  it('repairs, and with --check only looks', async () => {
    writeFileSync(path, `${HEADER}\n${MESSAGE}\n{bad`);
    expect(await runCli(['repair', path, '--check'])).toMatchObject({ code: 1, stdout: `${path}: line 3 broken\n` });
    expect(readdirSync(dir)).toEqual(['s.jsonl']);
    const run = await runCli(['repair', path, '--json']);
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ repaired: true, lines: [3] });
    expect(await runCli(['repair', path])).toMatchObject({ code: 0, stdout: `${path}: nothing broken, not written\n` });
    expect(await runCli(['repair', join(dir, 'none')])).toMatchObject({ code: 3, stdout: '' });
  });

  it('lints: findings with their repair, exit code 1', async () => {
    const messages = [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: '{}' } }],
      },
      { role: 'user', content: 'well?' },
    ];
    writeFileSync(path, JSON.stringify({ messages }));
    const run = await runCli(['lint', path, '--provider', 'openai']);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('OpenAI chat completions (openai): 1 finding');
    expect(run.stdout).toContain('the call of ls has no result');
    const json = await runCli(['lint', path, '--provider', 'openai', '--json']);
    const [finding] = JSON.parse(json.stdout).findings;
    expect(finding).toMatchObject({ code: 'lint.unanswered_call', index: 1, repair: 'pairing', before: null });
    expect(JSON.parse(finding.after)).toMatchObject({ role: 'tool', tool_call_id: 'c1', is_error: true });
    const mended = await runCli(['lint', path, '--provider', 'openai', '--policy', 'hygiene']);
    expect(mended).toMatchObject({ code: 0, stdout: 'OpenAI chat completions (openai): nothing to object to.\n' });
  });
});
