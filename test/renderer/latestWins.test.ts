import { describe, expect, it } from 'vitest';
import { latestWins } from '../../renderer/state/latestWins.ts';

describe('latest wins', () => {
  it('runs one at a time and skips what was replaced while it waited', async () => {
    const ran: number[] = [];
    const ends: (() => void)[] = [];
    const queue = latestWins<number>((job) => {
      ran.push(job);
      return new Promise((end) => ends.push(end));
    });
    for (const job of [1, 2, 3, 4]) queue.push(job);
    expect(ran).toEqual([1]);
    ends[0]?.();
    await Promise.resolve();
    await Promise.resolve();
    expect(ran).toEqual([1, 4]);
    expect(queue.busy()).toBe(true);
    ends[1]?.();
    await Promise.resolve();
    await Promise.resolve();
    expect(ran).toEqual([1, 4]);
    expect(queue.busy()).toBe(false);
  });

  it('forgets the waiting job when told to', async () => {
    const ran: number[] = [];
    let end = () => {};
    const queue = latestWins<number>((job) => {
      ran.push(job);
      return new Promise((resolve) => {
        end = () => resolve();
      });
    });
    queue.push(1);
    queue.push(2);
    queue.clear();
    end();
    await Promise.resolve();
    await Promise.resolve();
    expect(ran).toEqual([1]);
  });
});
