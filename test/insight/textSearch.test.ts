// A search keeps how far it came: askers that leave, come back or take turns read each message once, and get one answer.
import { expect, test } from 'vitest';
import { anchorsOf } from '../../core/insight/anchors/anchors.ts';
import { anchorFinder, distinctAnchors } from '../../core/insight/anchors/finder.ts';
import { type TextQuery, TranscriptSearch } from '../../core/insight/text/search.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { seededRng } from '../../core/util/rng.ts';
import { textPattern } from '../../core/util/textPattern.ts';
import { transcriptOf } from '../support/projecting.ts';

const TEXT = 'src/login.ts line 12, seen by npm_token_3';
const MESSAGES = Array.from({ length: 400 }, (_, index) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: `${'filler '.repeat(index % 60)}${index % 37 === 5 ? TEXT : ''}${index % 11 === 3 ? ' src/login.ts' : ''}`,
}));

/** A source that counts how often each message's text is read. */
function counting(source: TranscriptSource): { readonly source: TranscriptSource; readonly reads: number[] } {
  const reads = new Array<number>(source.length).fill(0);
  const text = (index: number): string => {
    reads[index] = (reads[index] ?? 0) + 1;
    return source.text(index);
  };
  return { source: Object.assign(Object.create(source), { text }) as TranscriptSource, reads };
}

function query(): TextQuery {
  const pattern = textPattern(TEXT, { matchCase: false, wholeWord: false });
  if (pattern === null) throw new Error('there is a text');
  return { pattern, finder: anchorFinder(distinctAnchors(anchorsOf(TEXT))) };
}

function drain<T>(steps: Generator<void, T, void>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

test.each([1, 2, 3, 4, 5])('askers that leave and take turns read each message once (seed %i)', (seed) => {
  const random = seededRng(seed);
  const whole = drain(new TranscriptSearch(transcriptOf(MESSAGES), query()).finish());
  expect(whole.messages.size).toBeGreaterThan(40);
  const { source, reads } = counting(transcriptOf(MESSAGES));
  const search = new TranscriptSearch(source, query());
  const askers = [search.finish(), search.finish(), search.finish()];
  for (let turn = 0; turn < 6; turn++) askers[random.below(askers.length)]?.next();
  // The first has left; the others go on where all of them came.
  expect(drain(search.finish())).toEqual(whole);
  expect(reads).toEqual(new Array<number>(MESSAGES.length).fill(1));
});

test('a search pauses by how much it read, not by how many messages', () => {
  const long = Array.from({ length: 8 }, () => ({ role: 'user', content: 'words '.repeat(20_000) }));
  const steps = new TranscriptSearch(transcriptOf(long), query()).finish();
  let pauses = 0;
  while (steps.next().done !== true) pauses++;
  expect(pauses).toBe(long.length);
});
