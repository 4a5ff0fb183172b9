import type { EngineClient } from '../../core/protocol/client.ts';
import type { ResultOf } from '../../core/protocol/methods.ts';
import type { FollowInfo, LiveFile } from '../../core/protocol/types.ts';
import { grouped, note, oneLine, writeJson, writeLine } from './output.ts';

/** What an import came to. */
export type Imported = ResultOf<'import.result'>;

/**
 * Follows paths and says what came in, a line (of JSON) for each growth of a file, until SIGINT or SIGTERM. Following
 * begins with an import of what is there: `onImported` gets each before anything that came later is reported.
 */
export async function followUntilInterrupted(
  engine: EngineClient,
  paths: readonly string[],
  { json, onImported }: { readonly json: boolean; readonly onImported: (found: Imported) => Promise<void> },
): Promise<void> {
  const reporter = new GrowthReporter(json);
  const stop = engine.on('follow', ({ follows }) =>
    reporter.report(follows.filter(({ path }) => paths.includes(path))),
  );
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  for (const path of paths) {
    const { jobId } = await engine.call('follow.start', { path, keep: false });
    await onImported(await engine.call('import.result', { jobId }));
  }
  note(`following ${paths.length === 1 ? paths[0] : `${paths.length} paths`}; Ctrl+C ends it`);
  // The channel to the engine keeps no process alive.
  const alive = setInterval(() => {}, 60_000);
  await interrupted;
  clearInterval(alive);
  stop();
  await reporter.written;
}

/** Says of each file what is new since it was last said. */
class GrowthReporter {
  readonly #json: boolean;
  readonly #said = new Map<string, LiveFile>();
  readonly #problems = new Map<string, string>();
  /** Settles when everything has been written. */
  written: Promise<void> = Promise.resolve();

  constructor(json: boolean) {
    this.#json = json;
  }

  report(follows: readonly FollowInfo[]): void {
    for (const { path, live, problem } of follows) {
      if (problem !== null && this.#problems.get(path) !== problem.text) note(oneLine(problem.text, 300));
      this.#problems.set(path, problem?.text ?? '');
      for (const file of live.toReversed()) this.#file(file);
    }
  }

  #file(file: LiveFile): void {
    const before = this.#said.get(file.path);
    if (before?.messages === file.messages && before.waitingBytes === file.waitingBytes) return;
    this.#said.set(file.path, file);
    const { path, transcriptIds, messages, changedAt, waitingBytes } = file;
    const waiting = waitingBytes > 0 ? `  (${grouped(waitingBytes)} bytes of an unfinished line wait)` : '';
    const say = this.#json
      ? () =>
          writeJson({ file: path, transcripts: transcriptIds, messages, at: changedAt, waiting_bytes: waitingBytes })
      : () => writeLine(`${path}  ${grouped(messages)} messages${waiting}`);
    this.written = this.written.then(say);
  }
}
