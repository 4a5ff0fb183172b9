import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PendingHash } from '../../core/engine/session/pendingHash.ts';
import { claudeCodeFile } from '../support/generate.ts';
import { testEngine, whenCounted } from './support.ts';

describe('PendingHash', () => {
  it('gives nothing until it is there, and then the hash at once', async () => {
    let arrive: (hash: string) => void = () => undefined;
    let made = 0;
    const pending = new PendingHash(() => {
      made++;
      return new Promise((resolve) => {
        arrive = resolve;
      });
    });
    expect([made, pending.known, await pending.within(1)]).toEqual([0, null, null]);
    const waiting = pending.within(60_000);
    arrive('sha256:1');
    expect([await waiting, pending.known, await pending.within(0)]).toEqual(['sha256:1', 'sha256:1', 'sha256:1']);
    expect([made, await pending.ready()]).toEqual([1, 'sha256:1']);
  });

  it('keeps nobody for a first slice of it, where nobody waits', async () => {
    const order: string[] = [];
    const pending = new PendingHash(async () => {
      await nextTurn();
      order.push('slice');
      return 'sha256:1';
    });
    const answered = pending.within(0).then((hash) => order.push(`answer ${hash}`));
    expect(await pending.ready()).toBe('sha256:1');
    await answered;
    expect(order).toEqual(['answer null', 'slice']);
  });

  it('need not begin at once for whoever takes what is there', async () => {
    const heard: boolean[] = [];
    const pending = () =>
      new PendingHash(async (isAwaited) => {
        heard.push(isAwaited);
        return 'sha256:1';
      });
    await pending().ready();
    await pending().within(0);
    await pending().until(Promise.resolve(null));
    expect(heard).toEqual([true, false, false]);
  });

  it('tells a failure to those who wait, and tries again for the next', async () => {
    let tries = 0;
    const pending = new PendingHash(async () => {
      tries++;
      await wait(1);
      if (tries === 1) throw new Error('no such message');
      return 'sha256:2';
    });
    await expect(pending.within(60_000)).rejects.toThrow('no such message');
    expect([pending.known, await pending.ready(), tries]).toEqual([null, 'sha256:2', 2]);
  });
});

describe('a hash that nobody waits for any more', () => {
  function pendingHash() {
    let fail: (error: Error) => void = () => undefined;
    const told = { made: 0, ended: 0 };
    const pending = new PendingHash(
      () => {
        told.made++;
        return new Promise((_, reject) => {
          fail = reject;
        });
      },
      () => {
        told.ended++;
        fail(new Error('ended'));
      },
    );
    return { pending, told };
  }

  it('is ended, and made anew for who asks again', async () => {
    const { pending, told } = pendingHash();
    expect(await pending.until(Promise.resolve(null))).toBeNull();
    pending.abandon();
    await wait(1);
    void pending.within(60_000).catch(() => undefined);
    expect(told).toEqual({ made: 2, ended: 1 });
    await wait(1);
  });

  it('is not joined while it ends: who asks then gets a hash of its own', async () => {
    const begun: { give(hash: string): void; fail(error: Error): void }[] = [];
    const make = () => new Promise<string>((give, fail) => begun.push({ give, fail }));
    const pending = new PendingHash(make); // ends at its next border, as a queue's work does
    expect(await pending.until(Promise.resolve(null))).toBeNull();
    pending.abandon();
    const next = pending.ready();
    begun[0]?.fail(new Error('ended'));
    await wait(1);
    expect(begun).toHaveLength(2);
    const joined = pending.ready();
    begun[1]?.give('sha256:3');
    expect([await next, await joined, begun.length]).toEqual(['sha256:3', 'sha256:3', 2]);
  });

  it('goes on as long as somebody else waits', async () => {
    const { pending, told } = pendingHash();
    const other = pending.ready();
    expect(await pending.until(Promise.resolve(null))).toBeNull();
    pending.abandon();
    expect(told).toEqual({ made: 1, ended: 0 });
    void other.catch(() => undefined);
  });
});

describe('a projection whose hash may come later', () => {
  it('has the hash that waiting for it gives', async () => {
    const { client, add } = testEngine();
    const id = await add('long.jsonl', claudeCodeFile({ messages: 3_000, seed: 5 }));
    // Other counts are another projection.
    await whenCounted(client, id);
    for (const spec of ['raw', 'reachability_gc']) {
      const none = await client.call('projection.set', { id, spec, at: null, hash: 'none' });
      expect(none.prefixHash).toBeNull();
      const later = await client.call('projection.set', { id, spec, at: null, hash: 'later' });
      const { prefixHash } = await client.call('projection.hash', { projectionId: later.projectionId });
      const now = await client.call('projection.set', { id, spec, at: null });
      expect([spec, now.projectionId, now.prefixHash]).toEqual([spec, later.projectionId, prefixHash]);
      expect([null, prefixHash]).toContain(later.prefixHash);
    }
  });
});
