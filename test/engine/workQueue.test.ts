// The order of a session's work. The clock is the test's own: a slice is over when the test says so.
import { describe, expect, it, test } from 'vitest';
import { type Turn, WorkQueue } from '../../core/engine/session/workQueue.ts';

/** A queue whose every look at the clock is a slice later, so that each border is one; `breaths` counts how often it let go. */
function queueOfSlices() {
  let now = 0;
  let breaths = 0;
  const queue = new WorkQueue({
    now: () => {
      now += 10;
      return now;
    },
    async breathe() {
      breaths++;
      await Promise.resolve();
    },
    wait: () => Promise.resolve(),
  });
  return { queue, breaths: () => breaths };
}

/** A queue on a clock that only the test moves. */
function queueOnClock() {
  let now = 0;
  const waiting: { readonly until: number; readonly wake: () => void }[] = [];
  const queue = new WorkQueue({
    now: () => now,
    breathe: () => Promise.resolve(),
    wait: (ms) =>
      new Promise((wake) => {
        waiting.push({ until: now + ms, wake });
      }),
  });
  const pass = async (ms: number): Promise<void> => {
    now += ms;
    for (const one of waiting.splice(0)) {
      if (one.until <= now) one.wake();
      else waiting.push(one);
    }
    await rest();
  };
  /** Work without end, each slice of it told to `log`. */
  const endless = (log: string[], name: string) => async (turn: Turn) => {
    for (;;) {
      log.push(name);
      now += 10;
      await turn.pause();
    }
  };
  return { queue, pass, endless };
}

/** Lets everything run that can. */
async function rest(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await Promise.resolve();
}

/** Work of so many steps, each told to `log`. */
function steps(log: string[], name: string, count: number) {
  return async (turn: Turn): Promise<string> => {
    for (let step = 1; step <= count; step++) {
      log.push(`${name}${step}`);
      const pause = turn.pause();
      if (pause) await pause;
    }
    return name;
  };
}

/** Something that ends when it is told to. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe('background work', () => {
  it('goes one at a time, by rank, and of one rank in the order in which it was begun', async () => {
    const { queue } = queueOfSlices();
    const log: string[] = [];
    const tasks = [
      queue.background('presets', steps(log, 'table', 2)),
      queue.background('series', steps(log, 'first chart', 2)),
      queue.background('series', steps(log, 'second chart', 1)),
      queue.background('hash', steps(log, 'hash', 2)),
    ];
    await Promise.all(tasks.map(({ done }) => done));
    expect(log).toEqual(['hash1', 'hash2', 'first chart1', 'first chart2', 'second chart1', 'table1', 'table2']);
  });

  it('gives its turn to what ranks before it, and goes on afterwards', async () => {
    const { queue } = queueOfSlices();
    const log: string[] = [];
    const table = queue.background('presets', async (turn) => {
      log.push('table begins');
      const asked = queue.background('asked', steps(log, 'trace', 2));
      await turn.pause();
      log.push('table goes on');
      return asked;
    });
    expect(await table.done).toMatchObject({ ok: true });
    expect(log).toEqual(['table begins', 'trace1', 'trace2', 'table goes on']);
  });

  it('asks for no pause within a slice', async () => {
    let now = 0;
    const queue = new WorkQueue({ now: () => now, breathe: () => Promise.resolve(), wait: () => Promise.resolve() });
    const pauses: boolean[] = [];
    const task = queue.background('series', async (turn) => {
      for (const ms of [1, 2, 2, 1]) {
        now += ms;
        const pause = turn.pause();
        pauses.push(pause !== null);
        await pause;
      }
    });
    await task.done;
    expect(pauses).toEqual([false, false, true, false]);
  });

  it('tells an error to its asker, and the next one has its turn', async () => {
    const { queue } = queueOfSlices();
    const failing = queue.background('series', async (turn) => {
      await turn.pause();
      throw new Error('a stage is broken');
    });
    const next = queue.background('presets', async () => 'made');
    await expect(failing.done).rejects.toThrow('a stage is broken');
    expect(await next.done).toEqual({ ok: true, value: 'made' });
  });
});

describe('background work that nobody wants any more', () => {
  it('ends at its next border, or never begins', async () => {
    const { queue } = queueOfSlices();
    const log: string[] = [];
    const running = queue.background('series', async (turn) => {
      for (let step = 1; ; step++) {
        log.push(`step ${step}`);
        if (step === 3) running.end();
        await turn.pause();
      }
    });
    const waiting = queue.background('presets', steps(log, 'table', 1));
    waiting.end();
    expect(await running.done).toEqual({ ok: false, error: 'ended' });
    expect(await waiting.done).toEqual({ ok: false, error: 'ended' });
    expect(log).toEqual(['step 1', 'step 2', 'step 3']);
  });

  it('ends while it waits for foreground work too', async () => {
    const { queue } = queueOfSlices();
    const { open, opened } = gate();
    const waited = queue.foreground(() => opened);
    const task = queue.background('series', async () => 'never');
    await rest();
    task.end();
    expect(await task.done).toEqual({ ok: false, error: 'ended' });
    open();
    await waited;
  });

  it('takes its own errors for errors, even after it was ended', async () => {
    const { queue } = queueOfSlices();
    const task = queue.background('series', async () => {
      task.end();
      throw new Error('not because it was ended');
    });
    await expect(task.done).rejects.toThrow('not because it was ended');
  });

  it('ends with the session, and what comes later has ended before it began', async () => {
    const { queue } = queueOfSlices();
    const log: string[] = [];
    const running = queue.background('series', async (turn) => {
      log.push('begun');
      queue.close();
      await turn.pause();
      log.push('gone on');
    });
    const waiting = queue.background('presets', steps(log, 'table', 1));
    const both = [await running.done, await waiting.done, await queue.background('hash', steps(log, 'hash', 1)).done];
    expect(both).toEqual(Array.from({ length: 3 }, () => ({ ok: false, error: 'ended' })));
    expect(log).toEqual(['begun']);
  });
});

describe('foreground work', () => {
  it('begins at once, and background work stands still until it is done', async () => {
    const { queue } = queueOfSlices();
    const log: string[] = [];
    const { open, opened } = gate();
    const table = queue.background('presets', steps(log, 'table', 3));
    const answer = queue.foreground(async () => {
      log.push('asked');
      await opened;
      log.push('answered');
    });
    await rest();
    expect([log, queue.isBusy]).toEqual([['asked'], true]);
    open();
    await answer;
    await table.done;
    expect(log).toEqual(['asked', 'answered', 'table1', 'table2', 'table3']);
    expect(queue.isBusy).toBe(false);
  });

  it('interrupts background work at its next border', async () => {
    const { queue } = queueOfSlices();
    const log: string[] = [];
    let answer: Promise<void> = Promise.resolve();
    const table = queue.background('presets', async (turn) => {
      log.push('one');
      answer = queue.foreground(async () => {
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
        log.push('answered');
      });
      await turn.pause();
      log.push('two');
    });
    await table.done;
    await answer;
    expect(log).toEqual(['one', 'answered', 'two']);
  });

  it('leaves background work a slice now and then, so that it ends under a slider that never rests', async () => {
    const { queue } = queueOfSlices();
    const log: string[] = [];
    let isDone = false;
    const table = queue.background('presets', steps(log, 'table', 5));
    void table.done.then(() => {
      isDone = true;
    });
    // The next change is asked for before the one before is answered: there is no moment without foreground work.
    let answers = 0;
    let last = gate();
    let before = queue.foreground(() => last.opened);
    while (!isDone && answers < 500) {
      const next = gate();
      const following = queue.foreground(() => next.opened);
      last.open();
      await before;
      await rest();
      expect(queue.isBusy).toBe(true);
      expect(log.length).toBeLessThanOrEqual(++answers);
      [last, before] = [next, following];
    }
    last.open();
    await before;
    expect([isDone, log.length]).toEqual([true, 5]);
  });

  it('is followed by a moment in which only what makes its answer final goes on, and what was asked since', async () => {
    const { queue, pass, endless } = queueOnClock();
    const log: string[] = [];
    const tasks = [
      queue.background('asked', endless(log, 'old question')),
      queue.background('series', endless(log, 'chart')),
    ];
    await queue.foreground(() => undefined);
    await rest();
    // One slice is owed: it goes to what comes first.
    expect(log).toEqual(['old question']);
    const hash = queue.background('hash', steps(log, 'hash', 1));
    const question = queue.background('asked', steps(log, 'question', 2));
    await Promise.all([hash.done, question.done]);
    await pass(100);
    expect(log).toEqual(['old question', 'question1', 'question2', 'hash1']);
    await pass(200);
    expect(log.at(-1)).toBe('old question');
    for (const task of tasks) task.end();
    await rest();
  });

  it('is not followed at once by what takes long, though it makes its answer final', async () => {
    const { queue, pass } = queueOnClock();
    const log: string[] = [];
    await queue.foreground(() => undefined);
    await queue.background('hash', steps(log, 'owed', 1)).done;
    const long = queue.background('hash', steps(log, 'long', 1), { isLong: true });
    const counts = queue.background('counts', steps(log, 'counts', 1));
    await counts.done;
    await pass(100);
    expect(log).toEqual(['owed1', 'counts1']);
    await pass(200);
    await long.done;
    expect(log).toEqual(['owed1', 'counts1', 'long1']);
  });

  it('makes the moment begin again, and gives one slice in each', async () => {
    const { queue, pass, endless } = queueOnClock();
    const log: string[] = [];
    const chart = queue.background('series', endless(log, 'chart'));
    const slices: number[] = [];
    for (let step = 0; step < 12; step++) {
      await queue.foreground(() => undefined);
      await pass(100);
      slices.push(log.length);
    }
    const counts = slices.map((count, at) => count - (slices[at - 1] ?? 0));
    expect(Math.max(...counts)).toBe(1);
    expect(log.length).toBeGreaterThanOrEqual(4);
    expect(log.length).toBeLessThanOrEqual(6);
    await pass(300);
    const rested = log.length;
    await pass(10);
    expect(log.length).toBeGreaterThan(rested);
    chart.end();
    await rest();
  });

  it('begins again while a person scrolls, without any answer: one slice in each, and all of it when they rest', async () => {
    const { queue, pass, endless } = queueOnClock();
    const log: string[] = [];
    const uses = queue.background('checks', endless(log, 'uses'));
    await rest();
    const before = log.length;
    for (let frame = 0; frame < 20; frame++) {
      queue.beginMoment();
      await pass(100);
    }
    // Two seconds: a slice in each quarter of one at most.
    expect(log.length - before).toBeGreaterThanOrEqual(4);
    expect(log.length - before).toBeLessThanOrEqual(9);
    await pass(300);
    const rested = log.length;
    await pass(10);
    expect(log.length).toBeGreaterThan(rested);
    uses.end();
    await rest();
  });

  it('owes no slice to work that nobody asked for', async () => {
    const { queue } = queueOfSlices();
    const log: string[] = [];
    const unasked = queue.background('ahead', steps(log, 'ahead', 2));
    let last = gate();
    let before = queue.foreground(() => last.opened);
    for (let answers = 0; answers < 5; answers++) {
      const next = gate();
      const following = queue.foreground(() => next.opened);
      last.open();
      await before;
      await rest();
      expect(log).toEqual([]);
      [last, before] = [next, following];
    }
    last.open();
    await before;
    await unasked.done;
    expect(log).toEqual(['ahead1', 'ahead2']);
  });

  it('that fails tells so, and holds nothing up', async () => {
    const { queue } = queueOfSlices();
    await expect(queue.foreground(() => Promise.reject(new Error('no such place')))).rejects.toThrow('no such place');
    await expect(
      queue.foreground(() => {
        throw new Error('thrown at once');
      }),
    ).rejects.toThrow('thrown at once');
    expect(queue.isBusy).toBe(false);
    expect(await queue.background('series', async () => 1).done).toEqual({ ok: true, value: 1 });
  });
});

describe('work that nobody asked for', () => {
  it('gives its turn up until something else is over', async () => {
    const { queue } = queueOfSlices();
    const log: string[] = [];
    const { open, opened } = gate();
    const unasked = queue.background('ahead', async (turn) => {
      log.push('ahead');
      await turn.rest(opened);
      log.push('goes on');
    });
    await rest();
    await queue.background('presets', steps(log, 'table', 2)).done;
    expect(log).toEqual(['ahead', 'table1', 'table2']);
    open();
    expect(await unasked.done).toMatchObject({ ok: true });
    expect(log.at(-1)).toBe('goes on');
  });

  it('ends while it rests', async () => {
    const { queue } = queueOfSlices();
    const { open, opened } = gate();
    const unasked = queue.background('ahead', (turn) => turn.rest(opened));
    await rest();
    queue.close();
    open();
    expect(await unasked.done).toEqual({ ok: false, error: 'ended' });
  });

  it('does not make its queue active; all other work does, and whoever waits for quiet is told', async () => {
    const { queue } = queueOfSlices();
    const { open, opened } = gate();
    const unasked = queue.background('ahead', (turn) => turn.rest(opened));
    await rest();
    expect(queue.isActive).toBe(false);
    await queue.quiet();
    const log: string[] = [];
    const table = queue.background('presets', steps(log, 'table', 2));
    const asked = gate();
    const answer = queue.foreground(() => asked.opened);
    expect(queue.isActive).toBe(true);
    const quiet = queue.quiet().then(() => log.push('quiet'));
    await rest();
    asked.open();
    await answer;
    await table.done;
    await quiet;
    expect([log, queue.isActive]).toEqual([['table1', 'table2', 'quiet'], false]);
    open();
    await unasked.done;
  });
});

it('an idle queue asks for no time', async () => {
  const { queue, breaths } = queueOfSlices();
  await queue.foreground(() => 1);
  await queue.background('series', async () => 1).done;
  await rest();
  const after = breaths();
  await rest();
  await queue.foreground(() => 2);
  await rest();
  expect(breaths()).toBe(after);
});

test('other threads are told of whoever waits, however the work ends', async () => {
  let waiting = 0;
  const waits = { begin: () => void waiting++, end: () => void waiting-- };
  const queue = new WorkQueue(undefined, waits);
  const seen = await queue.foreground(async () => {
    await queue.foreground(() => {});
    return waiting;
  });
  expect(seen).toBe(1);
  await queue
    .foreground(() => {
      throw new Error('it fails');
    })
    .catch(() => {});
  expect(waiting).toBe(0);
});
