import { userCodeAnswer } from '../../core/engine/effects/userCode.ts';
import { RequestProjector } from '../../core/engine/requests/index.ts';
import { createSandboxClient, type SandboxClient } from '../../core/engine/sandbox/sandboxClient.ts';
import { type CliFailure, usageFailure } from './failure.ts';
import { fileName } from './readError.ts';

/** Projects in this process; the user's code runs in the sandbox, whose thread starts with the first run. */
export class Projector extends RequestProjector {
  readonly #sandbox: SandboxClient;

  constructor() {
    const sandbox = createSandboxClient();
    super((effect) => userCodeAnswer(sandbox, effect));
    this.#sandbox = sandbox;
  }

  close(): Promise<void> {
    return this.#sandbox.dispose();
  }
}

/** Runs something with a projector, which is closed afterwards. */
export async function withProjector<T>(run: (projector: Projector) => Promise<T>): Promise<T> {
  const projector = new Projector();
  try {
    return await run(projector);
  } finally {
    await projector.close();
  }
}

/** Ends a command whose `--at` no transcript can have, before one is opened. */
export function checkPlace(at: string | undefined): void {
  callPointOf(at, Number.MAX_SAFE_INTEGER);
}

/** The call point asked for: a source index, or `last` = the next request. */
export function callPointOf(at: string | undefined, length: number): number {
  if (at === undefined || at === 'last') return length;
  const index = /^\d+$/.test(at) ? Number(at) : Number.NaN;
  if (index <= length) return index;
  const to = length === Number.MAX_SAFE_INTEGER ? ' on' : ` to ${length}`;
  const accepted = `a message's number from 0${to}, or "last" for the next request`;
  throw usageFailure(`at is ${at}; accepted: ${accepted}`, 'transcript.no_such_place');
}

/** Said of a message that a transcript does not hold. */
export function noSuchMessage(given: string, length: number, file: string): CliFailure {
  const accepted = length === 0 ? 'it holds no messages' : `accepted: a message's number from 0 to ${length - 1}`;
  return usageFailure(`${fileName(file)}: --message is ${given}; ${accepted}`, 'transcript.no_such_place');
}
