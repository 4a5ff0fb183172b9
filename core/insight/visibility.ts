import type { TranscriptSource } from '../model/transcript.ts';
import type { Projection } from '../projection/types.ts';
import { isUnrendered } from '../view/tokens.ts';
import type { Fate } from '../view/types.ts';
import { type Subject, SubjectReader } from './subject.ts';
import { cutText } from './text/loss.ts';
import type { TraceLoss, TracePoint } from './types.ts';

/** Whether the request at one call point holds something, and if not, the loss (without its turn). */
export interface Observation {
  readonly state: TracePoint['state'];
  readonly loss: Omit<TraceLoss, 'turn'> | null;
}

const REPLACED_CHARS = 2000;

/** How a projection shows a message or part: where it was, or where it was merged or moved to. */
export function observe(source: TranscriptSource, projection: Projection, subject: Subject): Observation {
  if (subject.index >= projection.at) return { state: 'not_yet', loss: null };
  const reader = new SubjectReader(source, subject);
  const { items } = projection.view;
  const concerned = items.filter((item) => !isUnrendered(item) && reader.concerns(item));
  const state = reader.state(concerned);
  if (state === 'visible') return { state, loss: null };
  const standIn = items.findLast(
    (item) => item.kind === 'synthetic' && item.covers.from <= subject.index && subject.index < item.covers.to,
  );
  const instead = standIn === undefined ? null : reader.text(standIn);
  const shown = state === 'changed' ? (reader.shown(concerned) ?? instead) : instead;
  return { state, loss: lossOf(projection, projection.said.fateOf(subject.index), subject, shown) };
}

function lossOf(projection: Projection, fate: Fate, { part }: Subject, shown: string | null) {
  const own = part === null ? undefined : fate.parts?.find((each) => each.part === part);
  return {
    at: projection.at,
    fate: own?.kind ?? fate.kind,
    stage: fate.stage,
    stageTitle: fate.stage === null ? null : (projection.reports[fate.stage]?.title ?? null),
    rule: fate.rule,
    reason: own?.reason || fate.reason,
    replacedBy: shown === null ? null : cutText(shown, REPLACED_CHARS),
  };
}
