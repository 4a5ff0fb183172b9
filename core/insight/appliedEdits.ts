// browser-safe
// What a provider says it edited of a request's context, held against what the stages of those edits would do. Where the
// two disagree the recording is believed: the provider counts by its own tokenizer, and much of its rule is not documented.
import type { AppliedEdit, MessageMeta } from '../model/message.ts';
import type { StageSpec } from '../projection/types.ts';
import { arrayAt, isRecord, recordAt, stringAt } from '../util/unknown.ts';
import type { StageReport } from '../view/types.ts';
import { countOf, grouped } from '../view/words.ts';

/** The edits that an answer can tell of: the stage that does the same, and the names of its figure. */
const EDITS = [
  { type: /^clear_tool_uses_/, kind: 'anthropic_clear_tool_uses', figure: 'cleared_tool_uses', key: 'toolUses' },
  {
    type: /^clear_thinking_/,
    kind: 'anthropic_clear_thinking',
    figure: 'cleared_thinking_turns',
    key: 'thinkingTurns',
  },
] as const;

/** Of each edit that a stage does: what the answer tells, and what the stage did. */
export interface EditAgreement {
  readonly kind: (typeof EDITS)[number]['kind'];
  /** Tool uses, or turns; 0 = the answer tells of no such edit. */
  readonly recorded: number;
  readonly computed: number;
}

/**
 * Holds an answer's edits against the reports of the stages at its call point; empty where the answer tells nothing (an
 * empty list does: nothing was applied), or no stage does such an edit.
 */
export function editAgreements(
  { appliedEdits }: Pick<MessageMeta, 'appliedEdits'>,
  reports: readonly StageReport[],
): readonly EditAgreement[] {
  if (appliedEdits === undefined) return [];
  return EDITS.flatMap(({ type, kind, figure, key }) => {
    const own = reports.filter((report) => report.kind === kind && report.enabled);
    if (own.length === 0) return [];
    const computed = own.reduce((sum, { meta }) => sum + numberOf(meta?.[figure]), 0);
    const recorded = appliedEdits.reduce((sum, edit) => sum + (type.test(edit.type) ? (edit[key] ?? 0) : 0), 0);
    return [{ kind, recorded, computed }];
  });
}

/** Tool uses that the stages of a policy cleared as Anthropic does; null = there is no such stage. */
export function clearedToolUses(reports: readonly StageReport[]): number | null {
  const [found] = editAgreements({ appliedEdits: [] }, reports).filter(({ kind }) => kind === EDITS[0].kind);
  return found?.computed ?? null;
}

/** Stages that the provider itself stands for: with any other the policy asks something else than the request did. */
const OWN: ReadonlySet<string> = new Set([...EDITS.map(({ kind }) => kind), 'recorded_compaction']);

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
  if (!active.every(({ kind }) => OWN.has(kind))) return reports;
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
  const what = (count: number): string =>
    kind === 'anthropic_clear_tool_uses' ? countOf(count, 'tool use') : `thinking of ${countOf(count, 'turn')}`;
  return `Recorded: the provider cleared ${what(recorded)} for this request. This stage, with its options, clears ${what(computed)}. What is recorded is what happened.`;
}

/** An edit in words: `2 tool uses cleared, 230 tok`. */
export function describeEdit({ type, toolUses, thinkingTurns, tokens }: AppliedEdit): string {
  const what =
    toolUses !== undefined
      ? `${countOf(toolUses, 'tool use')} cleared`
      : thinkingTurns !== undefined
        ? `thinking of ${countOf(thinkingTurns, 'turn')} cleared`
        : type;
  return tokens === undefined ? what : `${what}, ${grouped(tokens)} tok`;
}

/** The edits that a recorded request asks for, as stages; those that are not known here are left out. */
export function editStages(settingsJson: string | undefined): readonly StageSpec[] {
  const settings: unknown = JSON.parse(settingsJson ?? '{}');
  const edits = isRecord(settings) ? arrayAt(recordAt(settings, 'context_management') ?? {}, 'edits') : undefined;
  return (edits ?? []).filter(isRecord).flatMap((edit): StageSpec[] => {
    const kind = EDITS.find(({ type }) => type.test(stringAt(edit, 'type') ?? ''))?.kind;
    return kind === undefined ? [] : [{ kind, options: edit }];
  });
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
