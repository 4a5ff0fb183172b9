// What stages remember of a transcript they gather when they are first asked, in one go: seconds for a long one. So it is
// gathered in steps: before a projection that needs it, as far as it needs it, or unasked when a transcript is opened.
import type { TranscriptSource } from '../../model/transcript.ts';
import type { ResolvedStage } from '../../projection/parseSpec.ts';
import { gatherAll, gatherResults, gathers, readInSteps, readsAll } from '../../projection/readAhead.ts';
import type { StageMemo } from '../../view/types.ts';
import { nodeSha256 } from '../nodeHash.ts';
import { createSlicer, type Slicer } from '../slicer.ts';
import type { Task, Turn, WorkQueue } from './workQueue.ts';

/** So few messages are read within a projection, about 50 ms. */
const AT_ONCE = 1_000;
/** Unasked is gathered of transcripts up to so many messages: of so many it takes a second or two, and some 70 MB. */
const MOST_GATHERED = 50_000;
/** Of longer ones hygiene reads when it is asked: what it keeps of a message is larger. */
const MOST_READ = 20_000;

/** An open transcript as far as it is needed here. */
export interface Gathered {
  readonly source: TranscriptSource;
  readonly memo: StageMemo;
  readonly work: WorkQueue;
  /** Messages up to which stages have gathered what they remember, and up to which hygiene has read ahead. */
  gathered: number;
  readAhead: number;
}

/** Gathers what a projection of [0, at) needs. In the foreground (`turn` null) other calls are answered in between. */
export async function gatherFor(
  session: Gathered,
  stages: readonly ResolvedStage[],
  at: number,
  turn: Turn | null,
): Promise<void> {
  const pausing = turn ?? createSlicer();
  if (gathers(stages) && session.gathered + AT_ONCE < at) {
    await inSteps(gatherResults(aheadOf(session), at), pausing);
    session.gathered = Math.max(session.gathered, at);
  }
  if (readsAll(stages) && session.readAhead + AT_ONCE < at) {
    await inSteps(readInSteps(aheadOf(session), session.readAhead, at), pausing);
    session.readAhead = Math.max(session.readAhead, at);
  }
}

/** Where fewer call points than one in so many messages are asked for, most messages are never among the roots. */
const DENSE = 8;

/**
 * Gathers what reachability asks on the way along these call points, before the way: a chart of a session just opened takes a
 * tenth less than where it is read in pieces between the steps of the stages.
 */
export async function gatherForPoints(
  session: Gathered,
  stages: readonly ResolvedStage[],
  points: readonly number[],
  turn: Turn,
): Promise<void> {
  const to = points.at(-1) ?? 0;
  if (!gathers(stages)) return;
  const ahead = aheadOf(session);
  await inSteps(points.length * DENSE < to ? gatherResults(ahead, to) : gatherAll(ahead, to), turn);
  session.gathered = Math.max(session.gathered, to);
}

/**
 * Gathers unasked what most policies need, while nothing else is to be done for this transcript, nor for the `others`
 * that are open. Ends with the session.
 */
export function prefetch(session: Gathered, others: () => Iterable<WorkQueue>): Task<void> {
  const task = session.work.background('ahead', async (turn) => {
    const pausing = {
      pause() {
        const busy = busyOne(others());
        return busy === null ? turn.pause() : turn.rest(busy);
      },
    };
    const { length } = session.source;
    if (length > MOST_GATHERED) return;
    await inSteps(gatherAll(aheadOf(session), length), pausing);
    session.gathered = Math.max(session.gathered, length);
    if (length > MOST_READ) return;
    await inSteps(readInSteps(aheadOf(session), session.readAhead, length), pausing);
    session.readAhead = Math.max(session.readAhead, length);
  });
  // What fails here fails again for whoever asks for it, and is reported then: nobody has asked for anything yet.
  task.done.catch(() => undefined);
  return task;
}

function busyOne(others: Iterable<WorkQueue>): Promise<void> | null {
  for (const other of others) if (other.isActive) return other.quiet();
  return null;
}

function aheadOf({ source, memo }: Gathered) {
  return { source, memo, sha256: nodeSha256 };
}

async function inSteps(steps: Generator<void, void, void>, pausing: Slicer): Promise<void> {
  for (const _ of steps) {
    const pause = pausing.pause();
    if (pause) await pause;
  }
}
