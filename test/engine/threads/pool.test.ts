import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type PoolThread, ThreadPool } from '../../../core/engine/threads/pool.ts';
import type { FromThread, Outcome } from '../../../core/engine/threads/types.ts';
import { type Rng, seededRng } from '../../../core/util/rng.ts';

afterEach(() => void vi.useRealTimers());

interface Task {
  readonly id: number;
  readonly key: number;
}

interface Sent extends Task {
  readonly isOpen: boolean;
}

type Message = Sent | 'cancel' | 'farewell' | 'hello' | 'posted';

/** A thread that does what the walk wants, when it wants. What it has said may arrive after it was asked to end, as with real ones. */
class FakeThread implements PoolThread {
  at: Sent | null = null;
  open: number | null = null;
  cancelled = false;
  isEnding = false;
  hasExited = false;
  readonly greeted: Message[] = [];
  readonly #listeners = new Map<string, (given: never) => void>();

  on(event: string, listener: (given: never) => void): this {
    this.#listeners.set(event, listener);
    return this;
  }

  postMessage(message: Message): void {
    if (this.hasExited) return;
    if (message === 'farewell') this.isEnding = true;
    else if (message === 'cancel') this.cancelled = this.at !== null;
    else if (typeof message === 'string') this.greeted.push(message);
    else this.#take(message);
  }

  #take(task: Sent): void {
    if (this.at !== null) throw new Error('a thread was given a second task');
    if (this.isEnding) throw new Error('a thread that is ending was given a task');
    if (task.isOpen && this.open !== task.key) throw new Error(`thread has ${this.open} open, not ${task.key}`);
    if (task.id === UNSENDABLE) throw new TypeError('it cannot be cloned');
    this.at = task;
  }

  terminate(): Promise<void> {
    this.isEnding = true;
    return Promise.resolve();
  }

  ref(): void {}
  unref(): void {}

  emit(event: 'message' | 'error' | 'exit', given: unknown): void {
    this.#listeners.get(event)?.(given as never);
  }

  say(message: FromThread<number, number, string>): void {
    if (message.kind === 'answer' || message.kind === 'failed' || message.kind === 'stopped') {
      if (message.kind === 'answer') this.open = this.at?.key ?? null;
      else this.open = null;
      this.at = null;
      this.cancelled = false;
    }
    this.emit('message', message);
  }

  exit(code: number, error?: Error): void {
    this.hasExited = true;
    if (error !== undefined) this.emit('error', error);
    this.emit('exit', code);
  }
}

const UNSENDABLE = -1;
const answerTo = ({ id }: Task): number => id * 7 + 1;

interface Asked {
  readonly task: Task;
  readonly abort: AbortController;
  readonly outcomes: (Outcome<number> | 'rejected')[];
  readonly milliseconds: number | undefined;
}

/** A pool over fake threads, and all that was asked of it. */
function poolOf(rng: Rng, most: number) {
  const threads: FakeThread[] = [];
  const cooperative = rng.chance();
  const pool = new ThreadPool<Task, number, number, string>({
    url: new URL('file:///none.ts'),
    most,
    keyOf: ({ key }) => key,
    messageOf: (task, isOpen) => ({ ...task, isOpen }),
    ...(rng.chance() && { farewell: 'farewell' }),
    ...(rng.chance() && { idleMilliseconds: rng.below(30) }),
    greeting: () => 'hello',
    start: () => {
      const thread = new FakeThread();
      threads.push(thread);
      return thread;
    },
  });
  const asked: Asked[] = [];
  const ask = (id: number): void => {
    const task = { id, key: rng.below(3) };
    const milliseconds = rng.chance(0.2) ? 1 + rng.below(20) : undefined;
    const abort = new AbortController();
    if (rng.chance(0.05)) abort.abort();
    const one: Asked = { task, abort, outcomes: [], milliseconds };
    asked.push(one);
    void pool
      .ask(task, {
        signal: abort.signal,
        ...(cooperative && { cancel: 'cancel' }),
        ...(milliseconds !== undefined && { milliseconds }),
      })
      .then(
        (outcome) => one.outcomes.push(outcome),
        () => one.outcomes.push('rejected'),
      );
  };
  return { pool, threads, asked, ask, cooperative };
}

const living = (threads: readonly FakeThread[]) => threads.filter(({ hasExited }) => !hasExited);

/** What a thread does next. True = it died of itself. */
function act(rng: Rng, thread: FakeThread, died: Set<number>): void {
  if (thread.isEnding) {
    // What was on its way arrives; then it is gone.
    if (thread.at !== null && rng.chance(0.3)) thread.say({ kind: 'answer', answer: -1 });
    thread.exit(1);
    return;
  }
  const { at } = thread;
  const what = rng.next();
  if (what < 0.08) {
    if (at !== null) died.add(at.id);
    thread.exit(rng.below(3), rng.chance() ? new Error('out of luck') : undefined);
  } else if (what < 0.2) thread.say({ kind: 'news', news: 'something' });
  else if (what < 0.3) thread.say({ kind: 'progress', progress: 1 });
  else if (at === null) return;
  else if (thread.cancelled) thread.say({ kind: 'stopped' });
  else if (what < 0.4) thread.say({ kind: 'failed', message: `no ${at.id}` });
  else thread.say({ kind: 'answer', answer: answerTo(at) });
}

function expectTruth({ task, abort, outcomes, milliseconds }: Asked, died: ReadonlySet<number>, isClosed: boolean) {
  expect(outcomes, `task ${task.id}`).toHaveLength(1);
  const [outcome] = outcomes;
  if (task.id === UNSENDABLE) {
    expect(outcome === 'rejected' || (typeof outcome === 'object' && outcome.kind === 'stopped')).toBe(true);
    return;
  }
  if (outcome === undefined || outcome === 'rejected') throw new Error(`task ${task.id} was rejected`);
  if (outcome.kind === 'answer') expect(outcome.answer).toBe(answerTo(task));
  if (outcome.kind === 'failed') expect(outcome.message).toBe(`no ${task.id}`);
  if (outcome.kind === 'died') expect(died).toContain(task.id);
  if (outcome.kind === 'late') expect(milliseconds).toBeDefined();
  if (outcome.kind === 'stopped') expect(abort.signal.aborted || isClosed).toBe(true);
}

describe('a task is answered exactly once, whatever dies or is cancelled', () => {
  test.each(Array.from({ length: 400 }, (_, seed) => seed))('seed %i', async (seed) => {
    vi.useFakeTimers();
    const rng = seededRng(seed);
    const most = 1 + rng.below(4);
    const walk = poolOf(rng, most);
    const { pool, threads, asked, ask } = walk;
    const died = new Set<number>();
    for (let step = 0; step < 60; step++) {
      const what = rng.next();
      const awake = living(threads);
      if (what < 0.35) ask(rng.chance(0.03) ? UNSENDABLE : step);
      else if (what < 0.45 && asked.length > 0) rng.pick(asked).abort.abort();
      else if (what < 0.55) await vi.advanceTimersByTimeAsync(rng.below(15));
      else if (what < 0.58) pool.wake();
      else if (what < 0.6) pool.post('posted');
      else if (awake.length > 0) act(rng, rng.pick(awake), died);
      expect(living(threads).filter(({ isEnding }) => !isEnding).length).toBeLessThanOrEqual(most);
      // Nothing waits while a thread has nothing to do.
      await vi.advanceTimersByTimeAsync(0);
      const unanswered = asked.filter(({ outcomes }) => outcomes.length === 0).length;
      const busy = living(threads).filter(({ at, isEnding }) => at !== null && !isEnding).length;
      expect(busy).toBe(Math.min(unanswered, most));
    }
    const isClosed = rng.chance();
    if (!isClosed) {
      // All that was asked is done by threads that do their work.
      for (let round = 0; round < 200; round++) {
        for (const thread of living(threads)) {
          if (thread.isEnding) thread.exit(0);
          else if (thread.at !== null) thread.say({ kind: 'answer', answer: answerTo(thread.at) });
        }
      }
      await vi.advanceTimersByTimeAsync(0);
      for (const one of asked) expectTruth(one, died, false);
    }
    const closed = pool.close();
    await vi.advanceTimersByTimeAsync(0);
    for (const one of asked) expectTruth(one, died, true);
    const ended = vi.fn();
    void closed.then(ended);
    for (const thread of living(threads)) {
      await vi.advanceTimersByTimeAsync(0);
      expect(thread.isEnding).toBe(true);
      expect(ended).not.toHaveBeenCalled();
      thread.exit(0);
    }
    await closed;
    expect(await pool.ask({ id: 0, key: 0 })).toEqual({ kind: 'stopped' });
    expect(living(threads)).toEqual([]);
    for (const { greeted } of threads) expect(greeted[0]).toBe('hello');
  });
});

describe('over real threads', () => {
  interface Real {
    readonly how: 'double' | 'throw' | 'exit' | 'spin' | 'fail' | 'unsendable' | 'dieLater';
    readonly value: number;
  }
  const open = (most: number) => {
    const url = new URL('./threadOfPool.ts', import.meta.url);
    const pool = new ThreadPool<Real, number, number>({ url, most });
    onTestFinished(() => pool.close());
    return pool;
  };

  test('each end of a task is an outcome, and the next task is done', async () => {
    const pool = open(1);
    const ask = (how: Real['how'], value = 4) => pool.ask({ how, value });
    expect(await ask('double')).toEqual({ kind: 'answer', answer: 8 });
    expect(await ask('throw')).toMatchObject({ kind: 'died', reason: 'out of luck', code: 1 });
    expect(await ask('exit')).toEqual({ kind: 'died', reason: '', code: 3 });
    expect(await ask('fail')).toEqual({ kind: 'failed', message: 'it does not work' });
    expect(await pool.ask({ how: 'spin', value: 0 }, { milliseconds: 100 })).toEqual({ kind: 'late' });
    expect(await ask('unsendable')).toMatchObject({ kind: 'failed' });
    const abort = new AbortController();
    const cancelled = pool.ask({ how: 'spin', value: 0 }, { signal: abort.signal });
    abort.abort();
    expect(await cancelled).toEqual({ kind: 'stopped' });
    expect(await ask('double', 5)).toEqual({ kind: 'answer', answer: 10 });
  });

  test('a thread that dies without a task is nobody’s failure', async () => {
    const pool = open(1);
    expect(await pool.ask({ how: 'dieLater', value: 1 })).toMatchObject({ kind: 'answer' });
    await wait(200);
    expect(await pool.ask({ how: 'double', value: 2 })).toEqual({ kind: 'answer', answer: 4 });
  });

  test('closing stops what is under way and what waits', async () => {
    const pool = open(1);
    const asked = [pool.ask({ how: 'spin', value: 0 }), pool.ask({ how: 'double', value: 1 })];
    await pool.close();
    expect(await Promise.all(asked)).toEqual([{ kind: 'stopped' }, { kind: 'stopped' }]);
  });
});
