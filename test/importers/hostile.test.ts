// Files made to be slow, or to break what reads them: the work grows as the file does, and every message is read.
import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { guessMapping } from '../../core/importers/formats/generic/guess.ts';
import { importText } from '../../core/importers/memory.ts';
import { sniff } from '../../core/importers/sniff.ts';
import { addsUp, codes, jsonl } from './support.ts';

/** A stored (unpacked) zip archive of these members, without a directory. */
function archive(names: readonly string[]): Uint8Array {
  const content = Buffer.from('{}');
  return Buffer.concat(
    names.map((name) => {
      const bytes = Buffer.from(name);
      const header = Buffer.alloc(30);
      header.writeUInt32LE(0x04034b50, 0);
      header.writeUInt16LE(20, 4);
      header.writeUInt32LE(0x8f5c9d43, 14);
      header.writeUInt32LE(content.length, 18);
      header.writeUInt32LE(content.length, 22);
      header.writeUInt16LE(bytes.length, 26);
      return Buffer.concat([header, bytes, content]);
    }),
  );
}

const samples = (count: number) => archive(Array.from({ length: count }, (_, i) => `samples/${i}_epoch_1.json`));
const msOf = (work: () => unknown): number => {
  const began = performance.now();
  work();
  return performance.now() - began;
};

test('an Inspect archive of many samples without ids: eight times the samples, no more than some ten times the work', () => {
  importText(samples(500));
  const small = Math.max(
    5,
    msOf(() => importText(samples(2_000))),
  );
  const large = msOf(() => expect(importText(samples(16_000)).counts.transcripts).toBe(16_000));
  expect(large / small).toBeLessThan(30);
});

test.each([
  [17, 1 << 20],
  [17, 17 << 20],
  [40, 1 << 20],
])('lines, the first of which has %i MB: all are read', (megabytes, chunkSize) => {
  const body = (text: string) => ({ model: 'm', messages: [{ role: 'user', content: text }] });
  const text = jsonl(body('x'.repeat(megabytes << 20)), body('two'), body('three'));
  const read = importText(text, { chunkSize });
  expect(read.format).toBe('openai-chat');
  expect(codes(read).filter((code) => code !== 'import.history_rewritten')).toEqual([]);
  expect([read.counts.messages, addsUp(read)]).toEqual([3, true]);
});

test('a long document on one line is read as a document, with and without a line end', () => {
  const text = JSON.stringify({
    messages: [
      { role: 'user', content: 'x'.repeat(18 << 20) },
      { role: 'assistant', content: 'y' },
    ],
  });
  for (const end of ['', '\n', '\n\n']) {
    const read = importText(text + end, { chunkSize: 1 << 20 });
    expect([read.format, read.counts.messages, codes(read)]).toEqual(['openai-chat', 2, []]);
  }
});

test('ids that are objects with a toString of their own', () => {
  const bad = { toString: 1, valueOf: 1 };
  const files = [
    jsonl(
      { type: 'start', messageId: 'm' },
      { type: 'text-start', id: 'a' },
      { type: 'text-delta', id: 'a', delta: 'hi' },
      { type: 'text-end', id: 'a' },
      { type: 'text-delta', id: bad, delta: 'ho' },
      { type: 'finish' },
    ),
    JSON.stringify([{ task_id: bad, trial: bad, traj: [{ role: 'user', content: 'hi' }] }]),
    JSON.stringify({
      question_ID: 'q',
      mistake_agent: 'a',
      mistake_step: bad,
      history: [{ role: 'a', content: 'hi' }],
    }),
  ];
  for (const file of files) {
    const read = importText(file);
    expect(codes(read)).not.toContain('import.reader_failed');
    expect(read.counts.messages).toBeGreaterThan(0);
  }
  const calls = jsonl(
    { who: 'bot', says: 'x', calls: [{ id: bad, name: 'f', args: {} }] },
    { who: 'tool', says: 'y', for: bad },
  );
  expect(() => guessMapping(sniff(new TextEncoder().encode(calls), true))).not.toThrow();
});
