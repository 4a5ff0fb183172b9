import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PendingHash } from '../../core/engine/session/pendingHash.ts';
import { claudeCodeFile } from '../support/generate.ts';
import { testEngine } from './support.ts';

describe('PendingHash', () => {
  it('gives nothing until it is there, and then the hash at once', async () => {
    let arrive: (hash: string) => void = () => undefined;
    const pending = new PendingHash(
      new Promise((resolve) => {
        arrive = resolve;
      }),
    );
    expect([pending.known, await pending.within(1)]).toEqual([null, null]);
    const waiting = pending.within(60_000);
    arrive('sha256:1');
    expect([await waiting, pending.known, await pending.within(0)]).toEqual(['sha256:1', 'sha256:1', 'sha256:1']);
  });

  it('tells a failure to those who wait, and leaves nobody else with it', async () => {
    const failing = () => new PendingHash(wait(1).then(() => Promise.reject(new Error('no such message'))));
    await expect(failing().within(60_000)).rejects.toThrow('no such message');
    const unasked = failing();
    await wait(10);
    expect(unasked.known).toBeNull();
  });
});

describe('a projection whose hash may come later', () => {
  it('has the hash that waiting for it gives', async () => {
    const { client, add } = testEngine();
    const id = await add('long.jsonl', claudeCodeFile({ messages: 3_000, seed: 5 }));
    for (const spec of ['raw', 'reachability_gc']) {
      const later = await client.call('projection.set', { id, spec, at: null, hash: 'later' });
      const { prefixHash } = await client.call('projection.hash', { projectionId: later.projectionId });
      const now = await client.call('projection.set', { id, spec, at: null });
      expect([spec, now.projectionId, now.prefixHash]).toEqual([spec, later.projectionId, prefixHash]);
      expect([null, prefixHash]).toContain(later.prefixHash);
    }
  });
});
