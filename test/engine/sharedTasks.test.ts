// Work that several ask for, and work that a client has turned away from.
import { describe, expect, it } from 'vitest';
import { ClientWork } from '../../core/engine/clientWork.ts';
import { SharedTasks } from '../../core/engine/session/sharedTasks.ts';
import type { Task } from '../../core/engine/session/workQueue.ts';
import { err, ok, type Result } from '../../core/util/result.ts';

/** A task that ends when it is told to, and says what was done to it. */
function handTask(value: string) {
  let settle: (made: Result<string, 'ended'>) => void = () => undefined;
  const done = new Promise<Result<string, 'ended'>>((resolve) => {
    settle = resolve;
  });
  let ends = 0;
  const task: Task<string> = {
    done,
    end() {
      ends++;
      settle(err('ended'));
    },
  };
  return { task, finish: () => settle(ok(value)), ends: () => ends };
}

describe('work that several ask for', () => {
  it('is begun once, tells all, and goes on until the last of them is gone', async () => {
    const shared = new SharedTasks<string, number>();
    const { task, finish, ends } = handTask('made');
    let begun = 0;
    let tell: (event: number) => void = () => undefined;
    const heard: string[] = [];
    const ask = (name: string) =>
      shared.ask(
        'same',
        (event) => heard.push(`${name} ${event}`),
        (telling) => {
          begun++;
          tell = telling;
          return task;
        },
      );
    const [card, tab] = [ask('card'), ask('tab')];
    tell(1);
    card.end();
    card.end();
    tell(2);
    expect([begun, ends(), heard]).toEqual([1, 0, ['card 1', 'tab 1', 'tab 2']]);
    finish();
    expect(await tab.done).toEqual({ ok: true, value: 'made' });
  });

  it('is begun anew for who asks when it was ended, or is over', async () => {
    const shared = new SharedTasks<string>();
    const tasks = [handTask('first'), handTask('second'), handTask('third')];
    let begun = 0;
    const ask = () =>
      shared.ask(
        'same',
        () => undefined,
        () => tasks[begun++]!.task,
      );
    ask().end();
    const second = ask();
    tasks[1]!.finish();
    expect([tasks[0]!.ends(), await second.done]).toEqual([1, { ok: true, value: 'second' }]);
    await Promise.resolve();
    ask();
    expect(begun).toBe(3);
  });
});

describe('what a client has asked', () => {
  it('ends when it asks about something else, and stays beside what it asks of the same', () => {
    const works = new ClientWork();
    const begin = (client: number, question: string) => {
      const made = handTask('');
      works.begin(client, question, () => made.task);
      return made.ends;
    };
    const [figures, over, others] = [begin(1, 'turn 4'), begin(1, 'turn 4'), begin(2, 'turn 4')];
    expect([figures(), over(), others()]).toEqual([0, 0, 0]);
    const next = begin(1, 'turn 5');
    expect([figures(), over(), others(), next()]).toEqual([1, 1, 0, 0]);
    works.end(1);
    expect([figures(), over(), others(), next()]).toEqual([1, 1, 0, 1]);
  });

  it('is begun before the older work ends, so that work both share goes on', () => {
    const works = new ClientWork();
    const log: string[] = [];
    const task = (name: string): Task<never> => ({
      done: new Promise(() => undefined),
      end: () => log.push(`${name} ends`),
    });
    works.begin(1, 'a', () => task('a'));
    works.begin(1, 'b', () => {
      log.push('b begins');
      return task('b');
    });
    expect(log).toEqual(['b begins', 'a ends']);
  });
});
