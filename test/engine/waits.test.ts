// Who waits for the engine, as threads see it that nobody waits for. The clock is the test's own.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runSurveys } from '../../core/engine/survey/runSurveys.ts';
import { Waits } from '../../core/engine/threads/waits.ts';
import { openLibrary } from '../support/tempLibrary.ts';
import { testEngine } from './support.ts';

/** Waits on a clock that only the test moves, and another thread's view of them. */
function onClock(start = 0) {
  let now = start;
  const waiting: { readonly until: number; readonly wake: () => void }[] = [];
  const clock = {
    now: () => now,
    wait: (ms: number) =>
      new Promise<void>((wake) => {
        waiting.push({ until: now + ms, wake });
      }),
  };
  const waits = new Waits(undefined, clock);
  const other = new Waits(waits.shared, clock);
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 10) {
      now += 10;
      for (const one of waiting.splice(0)) {
        if (one.until <= now) one.wake();
        else waiting.push(one);
      }
      await turns();
    }
  };
  /** Whether the other thread may go on: asks now, and says what came of it when called. */
  const ask = async (): Promise<() => boolean> => {
    let isCalm = false;
    void other.calm().then(() => {
      isCalm = true;
    });
    await turns();
    return () => isCalm;
  };
  return { waits, pass, ask };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

// A word of 32 bits goes round after 25 days.
for (const start of [0, 5_000, 2 ** 31 - 100, 2 ** 32 - 100]) {
  test(`a thread stands still while somebody waits, and for a moment after (clock at ${start})`, async () => {
    const { waits, pass, ask } = onClock(start);
    expect((await ask())(), 'nobody has asked for anything').toBe(true);
    waits.begin();
    waits.begin();
    const isCalm = await ask();
    await pass(500);
    waits.end();
    // It looks again every 250 ms: not at the time of the second answer.
    await pass(400);
    expect(isCalm(), 'one of two has the answer').toBe(false);
    waits.end();
    await pass(200);
    expect(isCalm(), 'what is asked next comes within a moment').toBe(false);
    await pass(60);
    expect(isCalm()).toBe(true);
  });
}

test('each call begins a moment, and the next one begins it again', async () => {
  const { waits, pass, ask } = onClock();
  waits.beginMoment();
  const isCalm = await ask();
  await pass(200);
  waits.beginMoment();
  await pass(200);
  expect(isCalm()).toBe(false);
  await pass(60);
  expect(isCalm()).toBe(true);
});

test('a thread gets a slice every two seconds under a person who never rests', async () => {
  const { waits, pass, ask } = onClock();
  waits.begin();
  const isCalm = await ask();
  await pass(1_900);
  expect(isCalm()).toBe(false);
  await pass(400);
  expect(isCalm()).toBe(true);
});

const MESSAGES = [
  { role: 'user', content: 'Read it.' },
  { role: 'assistant', content: 'Yes.' },
];

test('the library is looked through between the calls of those who wait, and not before', async () => {
  const { add, dir } = testEngine();
  for (const nth of [1, 2]) await add(`${nth}.json`, JSON.stringify({ model: `gpt-${nth}`, messages: MESSAGES }));
  const library = openLibrary(join(dir, 'library'));
  const gate = Promise.withResolvers<void>();
  const waits = new Waits();
  let asked = 0;
  waits.calm = () => {
    asked++;
    return gate.promise;
  };
  const { signal } = new AbortController();
  const run = runSurveys(library, [], { onProgress: () => {}, signal, waits });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(asked).toBe(1);
  gate.resolve();
  await run;
  // Before each transcript, for its count, and in the session's own order of work.
  expect(asked).toBeGreaterThan(4);
  expect(library.tables.surveys.keys().size).toBe(2);
});

test('a look through the library that stands still is stopped at once', async () => {
  const { add, dir } = testEngine();
  await add('1.json', JSON.stringify({ model: 'gpt-4o', messages: MESSAGES }));
  // Time does not pass: only what stops the run ends the wait.
  const wait = (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((ended) => {
      signal?.addEventListener('abort', () => ended());
    });
  const waits = new Waits(undefined, { now: () => 0, wait });
  waits.begin();
  const abort = new AbortController();
  const options = { onProgress: () => {}, signal: abort.signal, waits };
  const run = runSurveys(openLibrary(join(dir, 'library')), [], options);
  setImmediate(() => abort.abort(new Error('an import came')));
  await expect(run).rejects.toThrow('an import came');
});
