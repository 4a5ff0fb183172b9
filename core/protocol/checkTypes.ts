// Rules held against transcripts, as the mode Checks shows them.
import type { RuleEvidence } from '../check/evidence.ts';
import type { PlacedFault } from '../check/readRulesText.ts';
import type { ReportedOutcome, ReportedRule } from '../check/report.ts';
import type { ProjectionSpec } from '../projection/types.ts';

export type { ChangedFigure, EvidencePlace, EvidenceRun, EvidenceState, RuleEvidence } from '../check/evidence.ts';
export type { PlacedFault } from '../check/readRulesText.ts';
export type { ReportedOutcome, ReportedRule } from '../check/report.ts';
export type { Verdict } from '../check/types.ts';

/** Characters of a file of rules at most. */
export const RULES_CHARS = 1_000_000;

/** A rule as it was read. */
export interface ReadRule extends ReportedRule {
  /** Its last line, 1-based; null = not known. */
  readonly lastLine: number | null;
  /** The text that it looks for and wants in the request; null = it wants something else. */
  readonly wants: WantedText | null;
}

/** A text that a rule wants to be in requests. */
export interface WantedText {
  readonly text: string;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  /** In the message that first said it, not just anywhere. */
  readonly inItsPlace: boolean;
}

/** A file of rules as it was read: rules, or what is wrong with it. */
export interface ReadRulesInfo {
  readonly rules: readonly ReadRule[];
  readonly faults: readonly PlacedFault[];
}

/** The policy that a rule was held against. */
export interface CheckedPolicy {
  readonly title: string;
  readonly spec: ProjectionSpec;
}

/** An outcome. Of a single transcript with what it rests on. */
export interface CheckedOutcome extends ReportedOutcome {
  /** Position in `policies`. */
  readonly policy: number;
  readonly evidence: CheckedEvidence | null;
}

/** What an outcome rests on, with the lines of the transcript's file. */
export interface CheckedEvidence extends Omit<RuleEvidence, 'places'> {
  readonly places: readonly (RuleEvidence['places'][number] & { readonly line: number | null })[];
}

/** A transcript that was checked, or why it could not be. */
export interface CheckedInfo {
  readonly id: string;
  readonly error: string | null;
  /** In the order of the rules; none where it could not be read. */
  readonly outcomes: readonly CheckedOutcome[];
  readonly policies: readonly CheckedPolicy[];
  /** Requests that were looked at, with the next one. */
  readonly calls: number;
}

/** What is asked for. */
export interface AskedCheck {
  /** Transcripts of the library, each once. */
  readonly ids: readonly string[];
  /** The text of the file of rules. */
  readonly rules: string;
  /** Chosen by the client: `check` events carry it. */
  readonly run: string;
}

/**
 * How far a run is. Of several transcripts each that is done (`checked`), and how many are; of one how many of its requests were
 * looked at, under each policy that the rules name.
 */
export interface CheckNews {
  readonly run: string;
  readonly checked: CheckedInfo | null;
  readonly done: number;
  readonly total: number;
}

/** A run, in the order of the transcripts. */
export interface CheckResult {
  readonly checked: readonly CheckedInfo[];
  readonly ms: number;
}

/** What a rule says of a transcript under another policy. */
export interface TriedPolicy {
  readonly verdict: ReportedOutcome['verdict'];
  readonly found: string;
}
