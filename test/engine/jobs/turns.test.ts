import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { othersTurn, urgently } from '../../../core/engine/jobs/turns.ts';

test('what is urgent goes before sliced work, as a whole, and may fail', async () => {
  let slices = 0;
  let isDone = false;
  const sliced = (async () => {
    while (!isDone) {
      await othersTurn();
      slices++;
    }
  })();
  await setImmediate();
  const during: number[] = [];
  const work = (async () => {
    await setImmediate();
    for (let step = 0; step < 20; step++) {
      during.push(slices);
      await setImmediate();
    }
    throw new Error('no disk');
  })();
  await expect(urgently(work)).rejects.toThrow('no disk');
  // One slice was under way when it began.
  expect(new Set(during.slice(1)).size).toBe(1);
  const after = slices;
  for (let step = 0; step < 5; step++) await setImmediate();
  expect(slices).toBeGreaterThan(after);
  isDone = true;
  await sliced;
});
