// `parallax trace` over files: what a stage asks its host for is answered, exit codes say whether the text stands there.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const BODY = {
  model: 'claude-sonnet-4-5',
  system: 'Never touch main.',
  messages: [
    { role: 'user', content: 'first question' },
    { role: 'user', content: [{ type: 'text', text: 'second in a row' }] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'answer A' },
        { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: 'references\\analyze.md' } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 't1',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } }],
        },
      ],
    },
    { role: 'assistant', content: 'answer B' },
  ],
};
const SPEC = JSON.stringify({
  version: 1,
  stages: [{ kind: 'hygiene', options: { profile: 'anthropic', image_max_bytes: 20 } }],
});

let dir: string;
let file: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-trace-'));
  file = join(dir, 'body.json');
  writeFileSync(file, JSON.stringify(BODY));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const trace = (...args: readonly string[]) => runCli(['trace', file, ...args, '--spec', SPEC]);

describe('a trace under a stage that asks its host for something', () => {
  it.each([
    ['answer B', 0, 'where it was first said: #4'],
    ['second in a row', 0, 'in merged turn #0'],
    ['references\\analyze.md', 0, 'where it was first said: #2'],
    ['never touch MAIN', 0, 'in the system prompt'],
    ['references\\\\analyze.md', 1, 'nowhere'],
  ])('--text %s', async (text, code, words) => {
    expect(await trace('--text', text)).toMatchObject({ code, stderr: '', stdout: expect.stringContaining(words) });
  });

  it('--message', async () => {
    expect(await trace('--message', '4')).toMatchObject({ code: 0 });
    expect(await trace('--message', '1')).toMatchObject({ code: 0 });
  });

  it('runs the user’s code along the call points, too', async () => {
    const spec = JSON.stringify({ policy: 'custom', projector: '(m) => m.slice(1)' });
    const run = await runCli(['trace', file, '--text', 'first question', '--spec', spec]);
    expect(run).toMatchObject({ code: 1, stdout: expect.stringMatching(/^Gone from the request since call #2/) });
  });
});
