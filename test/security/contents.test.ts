// Contents that no tool writes, shown to every format: each is read, or told why not; nothing throws, hangs or pollutes.
import { afterAll, describe, expect, test } from 'vitest';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { importText } from '../../core/importers/memory.ts';
import { HOSTILE_CONTENTS } from './hostileContents.ts';

const SOON_MS = 20_000;
const cases = Object.entries(HOSTILE_CONTENTS);
let contained = 0;

afterAll(() => console.log(`contents: ${cases.length} files, ${contained} contained`));

describe('read, or told why not', () => {
  test.each(cases)('%s', { timeout: SOON_MS }, (_, make) => {
    const { transcripts, problems } = importText(make(), { unpack: unpackZlib });
    expect(transcripts.length > 0 || problems.length > 0).toBe(true);
    for (const { text } of problems) {
      expect(text.length).toBeLessThan(5_000);
      expect(text).not.toMatch(/fault of this program|\n {4}at /);
    }
    for (const { messages } of transcripts) for (const { text } of messages.slice(0, 50)) JSON.parse(text);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    contained++;
  });
});
