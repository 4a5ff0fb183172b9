// The part of a scrubbed copy that its result needs: which messages may leave without their words, found by projecting.
import type { MessageMeta } from '../../model/message.ts';
import type { SliceStatement } from '../../model/sliceStatement.ts';
import type { StatedFinding } from '../../model/statedFinding.ts';
import type { StatedWatchpoint } from '../../model/statedWatchpoint.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import type { Projection } from '../../projection/types.ts';
import {
  EmptiedMessages,
  emptiedMeta,
  isSameResult,
  messagesWith,
  neededBy,
  slicedSource,
  slicedTokens,
  smallestSlice,
} from '../../report/slice/index.ts';
import type { Engine } from '../engine.ts';
import { inTurns } from '../session/inTurns.ts';
import type { Session } from '../session/session.ts';
import type { Turn } from '../session/workQueue.ts';
import { type Copy, projectCopy } from './projectCopy.ts';

/** What leaves of a copy: all of it, or its slice. */
export interface Part {
  readonly source: TranscriptSource;
  readonly projection: Projection;
  metaOf(index: number): MessageMeta;
  /** null = all of it. */
  readonly slice: SliceStatement | null;
}

/** The smallest slice of a copy with the projection that all of it gives. A projection for each step, in turns. */
export async function sliceCopy(
  engine: Engine,
  {
    session,
    copy,
    projection,
    findings,
    watchpoints,
  }: {
    readonly session: Session;
    readonly copy: Copy;
    readonly projection: Projection;
    readonly findings: readonly StatedFinding[];
    readonly watchpoints: readonly StatedWatchpoint[];
  },
  turn: Turn,
): Promise<Part> {
  const { scrubbed, parsed, at, tokens } = copy;
  const { source } = scrubbed;
  const metaOf = (index: number): MessageMeta => scrubbed.metaOf(index);
  const all = new Set(Array.from({ length: at }, (_, index) => index));
  const bare = slicedSource(source, at, all, new EmptiedMessages(source, metaOf));
  const settling = session.settledInputs(parsed.spec, { ...scrubbed, source: bare });
  await turn.rest(settling.then(() => undefined));
  const ofBare = (await settling).tokens;
  const project = (tried: TranscriptSource, emptied: ReadonlySet<number>): Promise<Projection> =>
    projectCopy(engine, { ...copy, tokens: slicedTokens(tokens, ofBare, emptied) }, turn, tried);
  // Where a watched text stood is what it is watched for.
  const keep = new Set([...neededBy(findings), ...(await inTurns(messagesWith(source, at, watchpoints), turn))]);
  const steps = smallestSlice({ source, projection, metaOf, keep });
  let step = steps.next();
  while (step.done !== true) {
    const tried = { projection: await project(step.value.source, step.value.emptied), source: step.value.source };
    step = steps.next(isSameResult({ projection, source }, tried));
    await turn.pause();
  }
  const { emptied, statement, source: sliced } = step.value;
  return {
    source: sliced,
    projection: await project(sliced, emptied),
    metaOf: (index) => (emptied.has(index) ? emptiedMeta(metaOf(index)) : metaOf(index)),
    slice: statement,
  };
}
