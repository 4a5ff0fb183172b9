// Rules held against transcripts, as the mode Checks shows them.
import type { NewRecords } from '../check/baseline.ts';
import type { RuleEvidence } from '../check/evidence.ts';
import type { PlacedFault } from '../check/readRulesText.ts';
import type { ReportedOutcome, ReportedRule } from '../check/report.ts';
import type { ProjectionSpec } from '../projection/types.ts';

export type { NewRecords } from '../check/baseline.ts';
export type { ChangedFigure, EvidencePlace, EvidenceRun, EvidenceState, RuleEvidence } from '../check/evidence.ts';
export type { PlacedFault } from '../check/readRulesText.ts';
export type { ReportedOutcome, ReportedRule } from '../check/report.ts';
export type { BaselineRecord, Verdict } from '../check/types.ts';

/** Characters of a file of rules at most. */
export const RULES_CHARS = 1_000_000;

/** Characters of a file of baselines at most: of some ten thousand transcripts. */
export const BASELINE_CHARS = 8_000_000;

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
  /** Whether a rule compares with what was recorded. */
  readonly wantsBaseline: boolean;
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

/** A transcript as baselines have it. */
export interface CheckedBaseline extends Pick<NewRecords, 'records'> {
  /** What it is recorded under; null = not known: it came from no file, or several recorded transcripts are alike. */
  readonly key: string | null;
  /** Recorded transcripts of which it may be any; none where the key is known. */
  readonly alike: readonly string[];
  /** Whether something was recorded of it before. */
  readonly isRecorded: boolean;
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
  /** What a baseline would record of it; null = no rule compares with one. */
  readonly baseline: CheckedBaseline | null;
}

/** A file of rules as a client has it. */
export interface GivenRules {
  /** The text of the file of rules. */
  readonly rules: string;
  /** The text of its file of baselines; null = there is none. */
  readonly baseline: string | null;
  /** The file of rules: baselines name transcripts from its folder. Null = it is not known. */
  readonly path: string | null;
}

/** What is asked for. */
export interface AskedCheck extends GivenRules {
  /** Transcripts of the library, each once. */
  readonly ids: readonly string[];
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

/** A change of a policy under which a rule passes. */
export interface PassingChange {
  readonly words: string;
  readonly spec: ProjectionSpec;
}

/** Changes under which a rule passes. */
export interface PassingChanges {
  readonly passing: readonly PassingChange[];
  /** How many changes were tried, and how many there are. */
  readonly tried: number;
  readonly of: number;
  /** Why no change of a policy makes it pass; null = some were tried. */
  readonly none: string | null;
}

/** What a rule says of a transcript under another policy. */
export interface TriedPolicy {
  readonly verdict: ReportedOutcome['verdict'];
  readonly found: string;
}
