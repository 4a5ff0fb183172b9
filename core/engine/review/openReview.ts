// A transcript that one client looks through before it leaves.
import type { StatedFinding } from '../../model/statedFinding.ts';
import type { StatedWatchpoint } from '../../model/statedWatchpoint.ts';
import { settledSpec } from '../../projection/binding/facts.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import type { Projection } from '../../projection/types.ts';
import type { BundleCost, BundleInput } from '../../report/bundle.ts';
import { type OwnRules, ownDetector } from '../../scrub/own.ts';
import { Review } from '../../scrub/review.ts';
import { type Decision, Scrubber } from '../../scrub/scrubber.ts';
import type { ScrubSubject } from '../../scrub/transcript.ts';
import { loadCounter } from '../../tokens/counters.ts';
import type { Engine } from '../engine.ts';
import { inTurns } from '../session/inTurns.ts';
import type { Session, SettledInputs } from '../session/session.ts';
import type { Turn } from '../session/workQueue.ts';

/** What is to leave: a request of a transcript, and what goes with it. */
export interface Leaving {
  readonly session: Session;
  readonly parsed: ParsedSpec;
  readonly at: number;
  readonly findings: readonly StatedFinding[];
  readonly watchpoints: readonly StatedWatchpoint[];
  /** The projection of the original, and what it was made with. */
  readonly projection: Projection;
  readonly inputs: SettledInputs;
  /** What names the transcript in a bundle. */
  readonly named: BundleInput['transcript'];
  /** null = not known. */
  readonly cost: BundleCost | null;
  readonly rules: OwnRules;
}

/** A review with all that is found. */
export interface OpenReview {
  readonly leaving: Leaving;
  readonly scrubber: Scrubber;
  readonly subject: ScrubSubject;
  readonly review: Review;
  /** Values by the numbers that clients name them by. */
  readonly keys: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
}

/** Finds everything, and takes in what was decided before about the same values. */
export async function openReview(engine: Engine, leaving: Leaving, turn: Turn): Promise<OpenReview> {
  const own = ownDetector(leaving.rules);
  // Rules were tried before they were kept; one that an older version kept and this one refuses must not go unheeded.
  if (!own.ok) throw new Error(own.error);
  const { session, parsed } = leaving;
  const counter = await loadCounter(session.tokenizerFor(parsed.spec.tokenizer));
  const scrubber = new Scrubber({ detectors: [own.value], count: (text) => counter.count(text) });
  const subject = subjectOf(leaving);
  const review = new Review(scrubber, subject);
  await inTurns(review.scan(), turn);
  const keys = review.keys();
  for (const [key, decision] of engine.library.tables.scrubbing.decisions(keys)) {
    if (isDecision(decision)) review.decide([key], decision);
  }
  return { leaving, scrubber, subject, review, keys, numbers: new Map(keys.map((key, number) => [key, number])) };
}

/** JSON that leaves with the messages, in the order of {@link ScrubSubject.others}. */
function subjectOf({ session, parsed, at, findings, watchpoints, named, inputs }: Leaving): ScrubSubject {
  const { source } = session;
  // The title goes with what names the transcript, which is among the others.
  const { title: _, ...meta } = source.row().meta;
  const spec = settledSpec(parsed.spec, inputs.binding);
  const others = [spec, named, findings, watchpoints].map((value) => JSON.stringify(value));
  return { source, at, meta, metaOf: (index) => source.meta(index), others };
}

function isDecision(word: string): word is Decision {
  return word === 'mask' || word === 'keep' || word === 'take_out';
}
