// Lines of a stream of requests: each on its own, whatever the one before it was.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { linesIn } from '../../cli/support/lines.ts';
import { runCli } from '../support/cli.ts';
import { tempDir } from '../support/tempLibrary.ts';

async function linesOf(chunks: readonly (string | Uint8Array)[], most?: number): Promise<readonly unknown[]> {
  const lines: unknown[] = [];
  for await (const line of linesIn(Readable.from(chunks), most)) lines.push(line);
  return lines;
}

test('lines are put together over chunks, in the middle of a character too', async () => {
  const bytes = Buffer.from('{"a":"é😀"}\n{}');
  for (let size = 1; size <= bytes.length; size++) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.subarray(n * size, (n + 1) * size),
    );
    expect(await linesOf(chunks)).toEqual([{ text: '{"a":"é😀"}' }, { text: '{}' }]);
  }
});

test('one that is too long, or not UTF-8, is passed over, and the next is read', async () => {
  const long = 'x'.repeat(100);
  expect(await linesOf([`${long}\n{}\n${long}`, long, '\n[]'], 150)).toEqual([
    { text: long },
    { text: '{}' },
    { fault: 'too_long' },
    { text: '[]' },
  ]);
  expect(await linesOf([Buffer.from([0x7b, 0xff, 0x7d, 0x0a]), '{}'])).toEqual([{ fault: 'not_utf8' }, { text: '{}' }]);
});

test('the answers say so, and the others are answered', async () => {
  const request = '{"id":1,"messages":[{"role":"user","content":"hi"}]}';
  const file = join(tempDir(), 'requests.ndjson');
  writeFileSync(
    file,
    Buffer.concat([Buffer.from(`${request}\n{"id":2,"x":"`), Buffer.from([0xff]), Buffer.from(`"}\n${request}`)]),
  );
  const run = await runCli(['project', '--ndjson', '--no-tokens', file]);
  expect(run.code).toBe(0);
  const answers = run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers).toMatchObject([
    { id: 1, result: {} },
    { id: null, error: { code: 'request.not_utf8', message: 'line 2: it is not UTF-8' } },
    { id: 1, result: {} },
  ]);
});
