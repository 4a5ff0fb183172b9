// What is known of a session's uses stays in memory as long as it is open: a few bytes for each character that was said.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { UseFinder } from '../../core/insight/uses/index.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import { seededRng } from '../../core/util/rng.ts';
import { claudeCodeLines } from '../support/generate.ts';

/** Bytes; measured: 8 of generated sessions, which are full of names, 3 of a recorded one of 25 MB. Plain objects took 13. */
const BYTES_A_CHARACTER = 10;

describe('what is kept of a session to find its uses', () => {
  it('takes a few bytes for each character that was said', () => {
    setFlagsFromString('--expose-gc');
    const gc: () => void = runInNewContext('gc');
    const texts = [...claudeCodeLines({ messages: 1_000 })].map((line) => JSON.stringify(JSON.parse(line).message));
    const source = memorySource(texts);
    for (let index = 0; index < source.length; index++) source.facts(index);
    const characters = texts.reduce((sum, { length }) => sum + length, 0);
    const before = held(gc);
    const finder = new UseFinder(source);
    for (const _ of finder.grow());
    const bytes = held(gc) - before;
    expect(finder.users.length).toBeGreaterThan(200);
    expect(bytes / characters).toBeLessThan(BYTES_A_CHARACTER);
  });

  it('is less by half in a pause, and is made again for a session that goes on', () => {
    setFlagsFromString('--expose-gc');
    const gc: () => void = runInNewContext('gc');
    const texts = [...claudeCodeLines({ messages: 600 })].map((line) => JSON.stringify(JSON.parse(line).message));
    const whole = memorySource(texts);
    let length = 400;
    const finder = new UseFinder(Object.defineProperty({ ...whole }, 'length', { get: () => length }));
    const before = process.memoryUsage().arrayBuffers;
    for (const _ of finder.grow());
    gc();
    const full = process.memoryUsage().arrayBuffers;
    finder.trim();
    gc();
    const trimmed = process.memoryUsage().arrayBuffers;
    expect(full - trimmed).toBeGreaterThan((full - before) * 0.4);
    length = 600;
    for (const _ of finder.grow());
    const once = new UseFinder(whole);
    for (const _ of once.grow());
    const said = (each: UseFinder) =>
      each.users.flatMap((at) => each.usesAt(at).map(({ evidenceId: _, ...use }) => JSON.stringify(use))).sort();
    expect(said(finder)).toEqual(said(once));
    expect(said(once).filter((use) => use.includes('"quote"')).length).toBeGreaterThan(20);
  });

  it('finds a quote of a text that is long ago, among hundreds of thousands of others', () => {
    const rng = seededRng(5);
    const word = (): string => rng.below(36 ** 5).toString(36);
    const sentence = (): string => Array.from({ length: 12 }, word).join(' ');
    const said = Array.from({ length: 400 }, () => Array.from({ length: 40 }, sentence).join('\n'));
    const quoted = [3, 150, 399].map((nth) => said[nth]?.split('\n')[20] ?? '');
    const messages = [
      ...said.map((content) => ({ role: 'user', content })),
      ...quoted.map((content) => ({ role: 'assistant', content })),
    ];
    const finder = new UseFinder(memorySource(messages.map((message) => JSON.stringify(message))));
    for (const _ of finder.grow());
    const found = finder.users.flatMap((at) => finder.usesAt(at).filter(({ kind }) => kind === 'quote'));
    expect(found.map(({ at, evidence, sources }) => [at, evidence, sources[0]?.index])).toEqual(
      quoted.map((text, nth) => [400 + nth, text, [3, 150, 399][nth]]),
    );
  });
});

function held(gc: () => void): number {
  gc();
  gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
