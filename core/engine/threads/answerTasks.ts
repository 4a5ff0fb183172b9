// The thread's side of a pool.
import { parentPort, workerData } from 'node:worker_threads';
import { type FromThread, StoppedError, type StopWord } from './types.ts';

/** Throws StoppedError once the pool of this thread has been closed. */
export function stopCheck(): () => void {
  const { stop }: StopWord = workerData;
  const stopped = new Int32Array(stop);
  return () => {
    if (Atomics.load(stopped, 0) !== 0) throw new StoppedError();
  };
}

/** Answers what the pool of this thread sends, one at a time; what is thrown is an answer too. */
export function answerTasks<Message, Answer, Progress = never>(
  answer: (message: Message, onProgress: (progress: Progress) => void) => Answer | Promise<Answer>,
): void {
  const port = parentPort;
  if (port === null) throw new Error('the thread of a pool was not started as a thread');
  const check = stopCheck();
  const post = (message: FromThread<Answer, Progress>): void => port.postMessage(message);
  const respond = async (message: Message): Promise<void> => {
    try {
      check();
      // Within: an answer that cannot be sent is a failure too.
      post({ kind: 'answer', answer: await answer(message, (progress) => post({ kind: 'progress', progress })) });
    } catch (error) {
      if (error instanceof StoppedError) post({ kind: 'stopped' });
      else post({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  };
  port.on('message', (message: Message) => void respond(message));
}
