import { describe, expect, it } from 'vitest';
import { GarbageLimit, whileWalking } from '../../core/engine/garbageLimit.ts';

const OFTEN = '--heap-growing-percent=25';
const SELDOM = '--heap-growing-percent=100';

function limits() {
  const flags: string[] = [];
  return { flags, limit: new GarbageLimit((set) => void flags.push(set)) };
}

describe('the limit of garbage', () => {
  it('is low at first, higher from the first walk that begins to the last that ends', () => {
    const { flags, limit } = limits();
    expect(flags).toEqual([OFTEN]);
    limit.begin();
    limit.begin();
    limit.end();
    expect(flags).toEqual([OFTEN, SELDOM]);
    limit.end();
    expect(flags).toEqual([OFTEN, SELDOM, OFTEN]);
  });

  it('is low again after a walk, also after one that fails or is ended', async () => {
    const { flags, limit } = limits();
    await whileWalking(limit, 100_000, () => {
      expect(flags.at(-1)).toBe(SELDOM);
      return Promise.resolve();
    });
    expect(flags.at(-1)).toBe(OFTEN);
    const ended = whileWalking(limit, 100_000, () => Promise.reject(new Error('ended')));
    await expect(ended).rejects.toThrow('ended');
    expect(flags).toEqual([OFTEN, SELDOM, OFTEN, SELDOM, OFTEN]);
  });

  it('stays as it is while a short session is walked', async () => {
    const { flags, limit } = limits();
    expect(await whileWalking(limit, 10_000, () => Promise.resolve(7))).toBe(7);
    expect(flags).toEqual([OFTEN]);
  });
});
