// What a provider says it edited of a request's context, held against what the stages of those edits would do. Where the
// two disagree the recording is believed: the provider counts by its own tokenizer, and much of its rule is not documented.
import type { MessageMeta } from '../model/message.ts';
import { STAGES } from '../projection/stages.ts';
import type { StageSpec } from '../projection/types.ts';
import { arrayAt, isRecord, recordAt, stringAt } from '../util/unknown.ts';
import type { ProviderEdit } from '../view/stageTraits.ts';
import type { StageReport } from '../view/types.ts';
import { countOf } from '../view/words.ts';

/** A stage that does a provider's edit: an answer names the edit, and its figure. */
interface EditStage {
  readonly kind: string;
  readonly edit: ProviderEdit;
}

const EDITS: readonly EditStage[] = STAGES.stages.flatMap(({ kind, traits: { edit } }) =>
  edit === undefined ? [] : [{ kind, edit }],
);

/** Of each edit that a stage does: what the answer reports, and what the stage did. */
export interface EditAgreement {
  readonly kind: string;
  /** Tool uses, or turns; 0 = the answer reports no such edit. */
  readonly recorded: number;
  readonly computed: number;
}

/**
 * Compares an answer's edits with the reports of the stages at its call point; empty where the answer reports nothing (an
 * empty list does: nothing was applied), or no stage does such an edit.
 */
export function editAgreements(
  { appliedEdits }: Pick<MessageMeta, 'appliedEdits'>,
  reports: readonly StageReport[],
): readonly EditAgreement[] {
  if (appliedEdits === undefined) return [];
  return EDITS.flatMap(({ kind, edit }) => {
    const { prefix, figure, key } = edit;
    const own = reports.filter((report) => report.kind === kind && report.enabled);
    if (own.length === 0) return [];
    const computed = own.reduce((sum, { meta }) => sum + numberOf(meta?.[figure]), 0);
    const recorded = appliedEdits.reduce((sum, each) => sum + (each.type.startsWith(prefix) ? (each[key] ?? 0) : 0), 0);
    return [{ kind, recorded, computed }];
  });
}

/** Tool uses that the stages of a policy cleared as Anthropic does; null = there is no such stage. */
export function clearedToolUses(reports: readonly StageReport[]): number | null {
  const found = editAgreements({ appliedEdits: [] }, reports).find(
    ({ kind }) => STAGES.traitsOf(kind).edit?.key === 'toolUses',
  );
  return found?.computed ?? null;
}

// What the provider itself stands for: with any other stage the policy asks something else than the request did.
function isOwn({ kind }: StageReport): boolean {
  const { edit, gives } = STAGES.traitsOf(kind);
  return edit !== undefined || gives === 'compactions';
}

/**
 * The reports, with a word of what was recorded where a stage did something else than the provider says it did. Only under
 * policies of the provider's own edits: any other is a what-if. `stages` = stages of the spec: behind their reports stand
 * those of the provider's last steps, which are part of every request.
 */
export function withRecordedEdits(
  reports: readonly StageReport[],
  meta: Pick<MessageMeta, 'appliedEdits'>,
  stages: number,
): readonly StageReport[] {
  const active = reports.slice(0, stages).filter(({ enabled }) => enabled);
  if (!active.every(isOwn)) return reports;
  const differing = editAgreements(meta, reports).filter(({ recorded, computed }) => recorded !== computed);
  if (differing.length === 0) return reports;
  return reports.map((report) => {
    const found = differing.find(({ kind }) => kind === report.kind);
    if (found === undefined || !report.enabled) return report;
    const problem = { code: 'projection.recorded_edit', severity: 'warning', text: describeDifference(found) } as const;
    return { ...report, problems: [...report.problems, problem] };
  });
}

function describeDifference({ kind, recorded, computed }: EditAgreement): string {
  const { of = '', unit = 'edit' } = STAGES.traitsOf(kind).edit ?? {};
  const what = (count: number): string => `${of}${countOf(count, unit)}`;
  return `Recorded: the provider cleared ${what(recorded)} for this request. This stage, with its options, clears ${what(computed)}. What is recorded is what happened.`;
}

/** The edits that a recorded request asks for, as stages; those that are not known here are left out. */
export function editStages(settingsJson: string | undefined): readonly StageSpec[] {
  const settings: unknown = JSON.parse(settingsJson ?? '{}');
  const edits = isRecord(settings) ? arrayAt(recordAt(settings, 'context_management') ?? {}, 'edits') : undefined;
  return (edits ?? []).filter(isRecord).flatMap((edit): StageSpec[] => {
    const type = stringAt(edit, 'type') ?? '';
    const kind = EDITS.find((stage) => type.startsWith(stage.edit.prefix))?.kind;
    return kind === undefined ? [] : [{ kind, options: edit }];
  });
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
