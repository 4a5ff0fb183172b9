// A thread that ends its tasks in the way they name.
import { answerTasks } from '../../../core/engine/threads/answerTasks.ts';

function later(action: () => void, milliseconds: number): void {
  setTimeout(action, milliseconds);
}

answerTasks(async ({ how, value }: { readonly how: string; readonly value: number }): Promise<unknown> => {
  if (how === 'throw') {
    later(() => {
      throw new Error('out of luck');
    }, 0);
    await new Promise(() => {});
  }
  if (how === 'exit') process.exit(3);
  if (how === 'fail') throw new Error('it does not work');
  if (how === 'spin') for (;;);
  if (how === 'unsendable') return () => value;
  if (how === 'dieLater') later(() => process.exit(1), 20);
  return value * 2;
});
