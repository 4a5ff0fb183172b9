// Policy, window and tokenizer belong to the transcript they were chosen for. The library keeps them with it; another
// transcript is shown with its own, or as it was recorded. What was chosen elsewhere comes along only when it is asked for.
// The overhead is kept likewise, apart from them: it is a fact of the session and not of a policy.
import type { TranscriptChoice, TranscriptInfo } from '../../core/protocol/types.ts';
import { type Core, patch, toast } from './core.ts';
import { withoutOverhead } from './editBudget.ts';
import { toProtocolError } from './engine.ts';
import { RAW_SPEC } from './initial.ts';
import type { AppState, Elsewhere, PolicyStep, ProjectionState, SessionState } from './types.ts';

export interface Choices {
  /** Another transcript is shown, or none; `before` = what was shown. */
  arrive(id: string | null, before: SessionState): void;
  /** The library says what it keeps of the transcript; called before the answer is shown. */
  opened(info: TranscriptInfo): void;
  /** What is chosen for the transcript that is open is chosen for this one too. */
  passOn(to: string): void;
  /** Writes what was chosen since the last time. */
  write(): Promise<void>;
  stop(): void;
}

/** What is chosen for a transcript, and what can be undone and redone there. */
interface Held {
  readonly choice: TranscriptChoice;
  readonly past: readonly PolicyStep[];
  readonly future: readonly PolicyStep[];
}

const NOTHING: TranscriptChoice = { spec: null, window: null, tokenizer: null };

export function keepChoices(core: Core): Choices {
  /** What was chosen and said here; it is newer than what the library answers. */
  const held = new Map<string, Held>();
  const overheads = new Map<string, number>();
  const unwritten = new Map<string, TranscriptChoice>();
  const now = () => choiceOf(core.store.getState().projection);
  const show = ({ choice: { spec, window, tokenizer }, past, future }: Held) => {
    const shown = { spec: spec ?? RAW_SPEC, chosen: spec !== null, window, tokenizer, past, future };
    patch(core, 'projection', shown);
  };
  const hold = (id: string, choice: TranscriptChoice) => {
    const { past, future } = core.store.getState().projection;
    held.set(id, { choice, past, future });
  };
  const keepOverhead = (id: string, tokens: number) => {
    overheads.set(id, tokens);
    void writeOverhead(core, id, tokens);
  };
  const stop = core.store.subscribe(({ session: { id, info, overhead }, projection }) => {
    if (id === null || info === null) return;
    if (overhead !== (overheads.get(id) ?? 0)) keepOverhead(id, overhead);
    const known = held.get(id)?.choice ?? NOTHING;
    const choice = choiceOf(projection);
    if (isSame(choice, known)) return;
    hold(id, choice);
    unwritten.set(id, choice);
  });
  return {
    arrive(id, before) {
      if (before.id !== null && before.info !== null) {
        const choice = now();
        hold(before.id, choice);
        const elsewhere = { id: before.id, title: before.info.title, choice };
        if (!isSame(choice, NOTHING)) patch(core, 'projection', { elsewhere });
      }
      // What is said where nothing is open is of the transcript that comes.
      const overhead = (id === null ? undefined : overheads.get(id)) ?? (before.id === null ? before.overhead : 0);
      patch(core, 'session', { overhead });
      const known = id === null ? undefined : held.get(id);
      // What was chosen where nothing was open is meant for the transcript that comes.
      if (known !== undefined || before.id !== null) show(known ?? { choice: NOTHING, past: [], future: [] });
    },
    opened({ id, choice, overhead }) {
      const said = overheads.get(id);
      if (said === undefined && overhead !== null) {
        overheads.set(id, overhead);
        patch(core, 'session', { overhead });
      } else if (said !== undefined && said !== (overhead ?? 0)) keepOverhead(id, said);
      if (held.has(id) || !isSame(now(), NOTHING)) return;
      const { spec = null, ...counted } = choice ?? NOTHING;
      // The policy of a bundle brings its session's.
      if (said === undefined && overhead === null && spec?.budget?.overhead !== undefined) {
        patch(core, 'session', { overhead: spec.budget.overhead });
      }
      const own = { choice: { ...counted, spec: spec && withoutOverhead(spec) }, past: [], future: [] };
      held.set(id, own);
      show(own);
    },
    passOn(to) {
      overheads.set(to, core.store.getState().session.overhead);
      hold(to, now());
      unwritten.set(to, now());
    },
    async write() {
      const waiting = [...unwritten];
      unwritten.clear();
      await Promise.all(waiting.map(([id, choice]) => writeOne(core, id, choice)));
    },
    stop,
  };
}

async function writeOverhead(core: Core, id: string, tokens: number): Promise<void> {
  try {
    await core.engine.call('transcript.setOverhead', { id, tokens });
  } catch (thrown) {
    const { code, message } = toProtocolError(thrown);
    // It was removed meanwhile.
    if (code === 'transcript.unknown') return;
    toast(core, { tone: 'error', text: 'Couldn’t save the overhead for this transcript.', detail: message });
  }
}

/** What was chosen for another transcript and could be used for this one too; null = nothing. */
export function elsewhereOf({ projection, session }: AppState): Elsewhere | null {
  const { elsewhere } = projection;
  return elsewhere === null || elsewhere.id === session.id ? null : elsewhere;
}

async function writeOne(core: Core, id: string, choice: TranscriptChoice): Promise<void> {
  try {
    await core.engine.call('transcript.setChoice', { id, choice });
  } catch (thrown) {
    // It was removed meanwhile.
    if (toProtocolError(thrown).code !== 'transcript.unknown') throw thrown;
  }
}

function choiceOf({ spec, chosen, window, tokenizer }: ProjectionState): TranscriptChoice {
  return { spec: chosen ? spec : null, window, tokenizer };
}

function isSame(a: TranscriptChoice, b: TranscriptChoice): boolean {
  return a.spec === b.spec && a.window === b.window && a.tokenizer === b.tokenizer;
}
