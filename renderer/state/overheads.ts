// What requests of a transcript hold that nobody recorded. The spec says it, because it is counted with it; the library
// keeps it with the transcript, because it is a fact of the session and not of a policy. So another policy has the
// same, and another transcript has its own.
import type { ProjectionSpec } from '../../core/projection/types.ts';
import type { TranscriptInfo } from '../../core/protocol/types.ts';
import { type Core, patch, toast } from './core.ts';
import { setOverhead } from './editBudget.ts';
import { toProtocolError } from './engine.ts';

export interface Overheads {
  /** Another transcript is shown, or none; `before` = the one that was. */
  arrive(id: string | null, before: string | null): void;
  /** The library says what it keeps of the transcript; called before the answer is shown. */
  opened(info: TranscriptInfo): void;
  /** What is said of the transcript that is open is said of this one too. */
  passOn(to: string): void;
  stop(): void;
}

export function keepOverheads(core: Core): Overheads {
  /** What was said here; it is newer than what the library answers. */
  const said = new Map<string, number>();
  const now = () => core.store.getState().projection.spec.budget?.overhead ?? 0;
  // Policies that can be undone and redone go on to the next transcript: with what is said of that one.
  const give = (tokens: number) => {
    const { spec, past, future } = core.store.getState().projection;
    const said = (one: ProjectionSpec) => ((one.budget?.overhead ?? 0) === tokens ? one : setOverhead(one, tokens));
    patch(core, 'projection', { spec: said(spec), past: past.map(said), future: future.map(said) });
  };
  const keep = (id: string, tokens: number) => {
    said.set(id, tokens);
    core.engine.call('transcript.setOverhead', { id, tokens }).catch((thrown: unknown) => {
      const { code, message } = toProtocolError(thrown);
      if (code === 'transcript.unknown') return;
      toast(core, { tone: 'error', text: 'Couldn’t save the overhead for this transcript.', detail: message });
    });
  };
  const stop = core.store.subscribe(({ session }) => {
    if (session.id === null || session.info === null) return;
    if (now() !== (said.get(session.id) ?? 0)) keep(session.id, now());
  });
  return {
    arrive(id, before) {
      const known = id === null ? 0 : said.get(id);
      // What a restored or chosen policy says holds where nothing was open: it is of the transcript that comes.
      if (known !== undefined || before !== null) give(known ?? 0);
    },
    opened({ id, overhead }) {
      const known = said.get(id);
      if (known !== undefined) {
        if (known !== (overhead ?? 0)) keep(id, known);
      } else if (overhead !== null) {
        said.set(id, overhead);
        give(overhead);
      }
    },
    passOn(to) {
      said.set(to, now());
    },
    stop,
  };
}
