// What the provider says it did to the thinking of a recorded request, as findings, held against what is computed of it.
// Where the two disagree the recording is right: it is the provider's own check.
import { describeReason, type InputTransformation, isDropped, isLetThrough } from '../model/inputTransformations.ts';
import type { MessageMeta } from '../model/message.ts';
import type { Problem } from '../model/problem.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import { isAsRecorded } from '../projection/asRecorded.ts';
import type { ThinkingCounts } from '../projection/binding/types.ts';
import type { ProjectionSpec } from '../projection/types.ts';
import { countOf, grouped } from '../view/words.ts';

/** A projected request, and the answer that is at its call point. */
export interface AnsweredRequest {
  readonly source: Pick<TranscriptSource, 'compactions' | 'projections'>;
  readonly spec: ProjectionSpec;
  readonly at: number;
  /** What is worked out of its thinking; null = it is not checked. */
  readonly thinking: ThinkingCounts | null;
  readonly meta: Pick<MessageMeta, 'inputTransformations'>;
}

/** Findings on a request; none of one that was not sent: a policy's own gives another history. */
export function transformationProblems({ source, spec, at, thinking, meta }: AnsweredRequest): readonly Problem[] {
  const { inputTransformations: reported } = meta;
  if (reported === undefined) return [];
  if (!isAsRecorded(spec, source)) return [];
  return [
    ...droppedProblem(reported.filter(isDropped), thinking, at),
    ...allowedProblem(reported.filter(isLetThrough), at),
  ];
}

function droppedProblem(
  dropped: readonly InputTransformation[],
  thinking: ThinkingCounts | null,
  at: number,
): readonly Problem[] {
  if (dropped.length === 0 && (thinking?.dropped ?? 0) === 0) return [];
  const severity = dropped.length > 0 ? 'warning' : 'info';
  const text = `${describeDropped(dropped)}${differs(dropped.length, thinking?.dropped)}`;
  return [{ code: 'thinking.provider_dropped', severity, text, where: { index: at } }];
}

function allowedProblem({ length }: readonly InputTransformation[], at: number): readonly Problem[] {
  if (length === 0) return [];
  const blocks = `${countOf(length, 'thinking block')} that ${length === 1 ? 'was' : 'were'} made in another conversation`;
  const text = `The provider let through ${blocks}; accounts made from 2026-08-31 on are refused. It judges each block alone: more may fail.`;
  return [{ code: 'thinking.provider_allowed', severity: 'info', text, where: { index: at } }];
}

function describeDropped(dropped: readonly InputTransformation[]): string {
  if (dropped.length === 0) return 'The provider dropped no thinking of this request.';
  const reasons = [...new Set(dropped.map(({ reason }) => describeReason(reason)))].filter((words) => words !== '');
  const why = reasons.length === 0 ? '' : ` (${reasons.join('; ')})`;
  return `The provider dropped ${countOf(dropped.length, 'thinking block')} of this request${why}.`;
}

function differs(recorded: number, computed: number | undefined): string {
  if (computed === undefined || computed === recorded) return '';
  return ` Computed here: ${grouped(computed)}; the recording is right.`;
}
