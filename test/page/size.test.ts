// What a page weighs: its program in every page, and the text packed.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bytesOfText, textOfBytes } from '../../core/page/byteText.ts';
import { seededRng } from '../../core/util/rng.ts';
import { runCli } from '../support/cli.ts';

/** From this size of text on docs/page.md promises at most two and a half times the text. */
const HOLDS_FROM = 190_000;

test('bytes come back from text that a script element of a UTF-8 file holds unchanged', () => {
  const rng = seededRng(7);
  for (let length = 0; length < 300; length++) {
    const random = Uint8Array.from({ length }, () => rng.below(256));
    for (const bytes of [random, ...[0, 10, 13, 60, 120, 255].map((value) => new Uint8Array(length).fill(value))]) {
      const text = textOfBytes(bytes);
      expect(text).not.toMatch(/[\0\r\n<]/);
      expect(bytesOfText(Buffer.from(text).toString())).toEqual(bytes);
    }
  }
});

test('random bytes are an eighth longer as text; zeros, each an escape, no more than that', () => {
  const rng = seededRng(8);
  const random = Uint8Array.from({ length: 100_000 }, () => rng.below(256));
  for (const bytes of [random, new Uint8Array(100_000)]) {
    expect(Buffer.byteLength(textOfBytes(bytes)) / bytes.length).toBeLessThan(1.15);
  }
});

test('a page is at most two and a half times its text from the size on that the docs name', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'parallax-size-'));
  try {
    const rng = seededRng(9);
    const words = () => Array.from({ length: 90 }, () => `word${rng.below(997)}`).join(' ');
    const messages: unknown[] = [];
    let length = 0;
    for (let turn = 0; length < HOLDS_FROM; turn++) {
      const content = `Turn ${turn}: ${words()}`;
      length += content.length;
      messages.push({ role: turn % 2 === 0 ? 'user' : 'assistant', content });
    }
    writeFileSync(join(dir, 'session.json'), JSON.stringify({ messages }));
    const page = join(dir, 'page.html');
    const run = await runCli(['export', join(dir, 'session.json'), '-o', join(dir, 'out.json'), '--html', page]);
    expect(run, run.stderr).toMatchObject({ code: 0 });
    expect(statSync(page).size / length).toBeLessThanOrEqual(2.5);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
