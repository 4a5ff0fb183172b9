// browser-safe
// Whether what is shown was sent, or would be: the words for it, the same wherever a projection is shown. What the
// transcript records was sent. What a policy makes of it is a hypothesis and is called one, and so is the request after
// the last message, which nobody has made yet. Nor is a request called sent that a recorded projection should give and
// whose hash it does not: then nobody knows what was sent.
import type { StageTraits, TraitsOf } from '../view/stageTraits.ts';
import type { StageReport } from '../view/types.ts';
import { type NamedSpec, policyName } from './policyName.ts';
import type { ProjectionSpec } from './types.ts';

/** A projection, as far as the words depend on it. */
export interface SentQuestion {
  readonly spec: ProjectionSpec;
  /** The call point: a source index; `messages` = the next request. */
  readonly at: number;
  readonly messages: number;
  /** The transcript records compactions. */
  readonly hasCompactions: boolean;
  /** The transcript records projections; absent = none. */
  readonly hasProjections?: boolean;
  /** Of a what-if: the first message that is not its parent's, from which on no request was made. null = it is none. */
  readonly forkedAt: number | null;
  /** What the stages did there, as far as it is known: a recorded projection says whether it gave its hash. */
  readonly reports?: readonly Pick<StageReport, 'kind' | 'meta'>[];
  /** What is known of kinds of stages. */
  readonly traitsOf: TraitsOf;
}

export interface SentWords {
  /** The projection is the recorded history at a recorded call point, and nothing speaks against it. */
  readonly isSent: boolean;
  readonly verb: 'Sent' | 'Recorded' | 'Would be sent';
  /** `next`, `at #276`. */
  readonly place: string;
  /** `under Reducer pipeline edited`, `(hash not reproduced)`; empty = as recorded. */
  readonly under: string;
  /** All of it: `Sent at #276`, `Recorded at #4 (hash not reproduced)`, `Would be sent next under Reducer pipeline edited`. */
  readonly title: string;
}

/** Of whom no name is known. */
const NAMELESS = 'an edited policy';

/** The words for a projection. `known` = presets and saved policies, by which its policy may be called. */
export function sentWords(question: SentQuestion, known: readonly NamedSpec[]): SentWords {
  const { spec, at, messages, forkedAt, traitsOf } = question;
  const isNext = at >= messages;
  const isHistory = givesRecorded(spec, question);
  const isMade = isHistory && at < Math.min(messages, forkedAt ?? messages);
  const doubt = isMade ? doubtOf(question.reports ?? [], traitsOf) : '';
  const isSent = isMade && doubt === '';
  const verb = isSent ? 'Sent' : isMade ? 'Recorded' : 'Would be sent';
  const place = isNext ? 'next' : `at #${at}`;
  const under = isHistory ? doubt : `under ${policyName(spec, known) ?? NAMELESS}`;
  return { isSent, verb, place, under, title: [verb, place, under].filter((words) => words !== '').join(' ') };
}

const PROVED: ReadonlySet<string> = new Set(['reproduced', 'decision_holds']);

/** Why what a recorded projection gives is not known to be what was sent; empty = it is, or none is recorded there. */
function doubtOf(reports: NonNullable<SentQuestion['reports']>, traitsOf: TraitsOf): string {
  const outcome = reports.find(({ kind }) => traitsOf(kind).gives === 'projections')?.meta?.outcome;
  if (typeof outcome !== 'string' || PROVED.has(outcome)) return '';
  return outcome === 'unchecked' ? '(hash not checked)' : '(hash not reproduced)';
}

/**
 * True if the policy gives the history that the transcript records: what the runtime sent under its own projections, where
 * any is recorded; else what it kept, whole, or where no compaction is recorded, everything. Stages that are off, and `raw`,
 * do nothing.
 */
export function givesRecorded(
  { stages }: ProjectionSpec,
  { hasCompactions, hasProjections = false, traitsOf }: RecordedHistory,
): boolean {
  const enabled = stages.filter((stage) => stage.enabled !== false);
  const active = enabled.map(({ kind, options = {} }) => ({ gives: traitsOf(kind).gives, options }));
  const history = active.filter(({ gives }) => gives !== 'input');
  const isKept = history.every(({ gives, options }) => gives !== undefined && isPlain(options));
  const has = (wanted: StageTraits['gives']) => history.some(({ gives }) => gives === wanted);
  if (hasProjections) return isKept && has('projections');
  return isKept && (has('compactions') || !hasCompactions);
}

type RecordedHistory = Pick<SentQuestion, 'hasCompactions' | 'hasProjections' | 'traitsOf'>;

function isPlain(options: Readonly<Record<string, unknown>>): boolean {
  return Object.values(options).every((value) => value === null || value === undefined);
}
