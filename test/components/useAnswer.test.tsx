// @vitest-environment happy-dom
// The one way in which a component asks the engine: when it asks, and whose answer it shows.
import { act } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { useAppState } from '../../renderer/state/context.tsx';
import { type AskOptions, useAnswer } from '../../renderer/state/useAnswer.ts';
import { draw } from './support.tsx';

interface Question extends AskOptions {
  readonly index: number | null;
}

function Probe({ index, ...options }: Question) {
  const { value, isLoading, error } = useAnswer('record.get', index === null ? null : { id: 't', index }, options);
  const shown = value?.records[0]?.json;
  const failed = error && `failed: ${error.code}`;
  const words = [shown, failed].filter(Boolean).join(', ') || 'nothing';
  return <p data-testid="probe">{isLoading ? `${words}, asking` : words}</p>;
}

/** A probe whose answers come when the test says so, in any order. */
function probe(first: Question) {
  const waiting: {
    readonly index: number;
    readonly resolve: (json: string) => void;
    readonly reject: (code: string) => void;
  }[] = [];
  const answer = ({ index }: { readonly index: number }) =>
    new Promise((resolve, fail) => {
      waiting.push({
        index,
        resolve: (json) => resolve({ records: [{ json }] }),
        reject: (code) => fail(Object.assign(new Error('no luck'), { code, expected: true })),
      });
    });
  const drawn = draw(<Probe {...first} />, { 'record.get': answer as never });
  return {
    waiting,
    words: () => drawn.getByTestId('probe').textContent,
    ask: (next: Question) => drawn.redraw(<Probe {...next} />),
    say: (call: number, json: string) => act(async () => waiting[call]?.resolve(json)),
    fail: (call: number, code = 'record.unknown') => act(async () => waiting[call]?.reject(code)),
    leave: () => drawn.unmount(),
  };
}

describe('an answer of the engine', () => {
  it('goes with its question: what was said of another is not shown', async () => {
    const { words, ask, say } = probe({ index: 1 });
    expect(words()).toBe('nothing, asking');
    await say(0, 'one');
    expect(words()).toBe('one');
    ask({ index: 2 });
    expect(words()).toBe('nothing, asking');
    await say(1, 'two');
    expect(words()).toBe('two');
  });

  it('is dropped if it comes after another question was asked', async () => {
    const { words, ask, say } = probe({ index: 1, about: 'it' });
    ask({ index: 2, about: 'it' });
    await say(1, 'two');
    await say(0, 'one');
    expect(words()).toBe('two');
  });

  it('stays until the next one is here, while both are about the same', async () => {
    const { words, ask, say } = probe({ index: 1, about: 'it' });
    await say(0, 'one');
    ask({ index: 2, about: 'it' });
    expect(words()).toBe('one, asking');
    ask({ index: 3, about: 'something else' });
    expect(words()).toBe('nothing, asking');
    ask({ index: 3, about: null });
    expect(words()).toBe('nothing, asking');
  });

  it('is asked for again when the question is another by value, or when it is told to', async () => {
    const { waiting, ask } = probe({ index: 1, again: ['a'] });
    ask({ index: 1, again: ['a'] });
    expect(waiting).toHaveLength(1);
    ask({ index: 1, again: ['b'] });
    expect(waiting).toHaveLength(2);
    ask({ index: 2, again: ['b'] });
    expect(waiting.map(({ index }) => index)).toEqual([1, 1, 2]);
  });

  it('about the same is asked for once the question rests, and now and then while it does not', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const settles = { within: 100, atMost: 250 };
      const { waiting, ask } = probe({ index: 0, about: 'it', settles });
      expect(waiting).toHaveLength(1);
      for (let step = 1; step <= 10; step++) {
        vi.advanceTimersByTime(50);
        ask({ index: step, about: 'it', settles });
      }
      // 250 ms after the one before, and so on.
      expect(waiting.map(({ index }) => index)).toEqual([0, 5, 10]);
      ask({ index: 11, about: 'it', settles });
      vi.advanceTimersByTime(100);
      expect(waiting.at(-1)?.index).toBe(11);
      ask({ index: 12, about: 'something else', settles });
      expect(waiting.at(-1)?.index).toBe(12);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is not asked for where nothing is asked', async () => {
    const { waiting, words, ask } = probe({ index: null });
    expect([waiting.length, words()]).toEqual([0, 'nothing']);
    ask({ index: 1 });
    expect(waiting).toHaveLength(1);
    ask({ index: null });
    expect(words()).toBe('nothing');
  });

  it('that failed says why, and gives way to the next', async () => {
    const { words, ask, say, fail } = probe({ index: 1, about: 'it' });
    await fail(0);
    expect(words()).toBe('failed: record.unknown');
    ask({ index: 2, about: 'it' });
    await say(1, 'two');
    expect(words()).toBe('two');
  });

  it('stays after an error it is told to outlast, if that is about the same', async () => {
    const keeps = ({ code }: { readonly code: string }) => code === 'record.unknown';
    const { words, ask, say, fail } = probe({ index: 1, about: 'it', keeps });
    await say(0, 'one');
    ask({ index: 2, about: 'it', keeps });
    await fail(1);
    expect(words()).toBe('one, failed: record.unknown');
    ask({ index: 3, about: 'something else', keeps });
    await fail(2);
    expect(words()).toBe('failed: record.unknown');
    ask({ index: 4, about: 'something else', keeps: () => false });
    await say(3, 'four');
    ask({ index: 5, about: 'something else', keeps: () => false });
    await fail(4);
    expect(words()).toBe('failed: record.unknown');
  });

  it('is still to come where a newer question took the place of its own: that is no failure', async () => {
    const { words, ask, fail, say } = probe({ index: 1 });
    await fail(0, 'request.superseded');
    expect(words()).toBe('nothing, asking');
    ask({ index: 2 });
    await say(1, 'two');
    expect(words()).toBe('two');
  });

  it('stays where the question after it was replaced, if both are about the same', async () => {
    const { words, ask, fail, say } = probe({ index: 1, about: 'it' });
    await say(0, 'one');
    ask({ index: 2, about: 'it' });
    await fail(1, 'request.superseded');
    expect(words()).toBe('one, asking');
    ask({ index: 3, about: 'something else' });
    await fail(2, 'request.superseded');
    expect(words()).toBe('nothing, asking');
  });

  it('is asked for once the question has rested', async () => {
    vi.useFakeTimers();
    try {
      const { waiting, ask, leave } = probe({ index: 1, wait: 100 });
      vi.advanceTimersByTime(90);
      ask({ index: 2, wait: 100 });
      vi.advanceTimersByTime(90);
      expect(waiting).toHaveLength(0);
      vi.advanceTimersByTime(20);
      expect(waiting.map(({ index }) => index)).toEqual([2]);
      ask({ index: 3, wait: 100 });
      leave();
      vi.advanceTimersByTime(200);
      expect(waiting).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });
});

it('A question about a projection that the engine has forgotten is asked of the next one, without an error', async () => {
  let forgotten: string | null = null;
  const drawnTexts = new Set<string>();
  function Shown() {
    const projectionId = useAppState((state) => state.projection.info?.projectionId ?? null);
    const { value, error } = useAnswer('projection.why', projectionId === null ? null : { projectionId, index: 1 });
    drawnTexts.add(error?.code ?? (value === null ? 'nothing' : 'answered'));
    return null;
  }
  const why = ({ projectionId }: { readonly projectionId: string }) => {
    forgotten ??= projectionId;
    if (projectionId !== forgotten) return { index: 1 };
    throw Object.assign(new Error('no longer at hand'), { code: 'projection.unknown', expected: true });
  };
  const { app } = draw(<Shown />, { 'projection.why': why as never });
  await act(() => app.actions.open('t1'));
  await expect.poll(() => [...drawnTexts]).toEqual(['nothing', 'answered']);
  expect(app.store.getState().projection.info?.projectionId).not.toBe(forgotten);
});
