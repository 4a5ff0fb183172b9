// What a run of checks comes to, for whoever prints it.
import type { RuleOutcome, Verdict } from './types.ts';

/** A rule as it is reported. */
export interface ReportedRule {
  /** Its own, else what it says. */
  readonly name: string;
  readonly text: string;
  /** 1-based line of the rule in the file of rules; null = not known. */
  readonly line: number | null;
}

/** An outcome with the line of the transcript it points to. */
export interface ReportedOutcome extends RuleOutcome {
  /** 1-based; null = none in particular. */
  readonly line: number | null;
}

/** A transcript that was checked, or that could not be read. */
export interface CheckedTranscript {
  /** The file's path as it was given; with several transcripts in one, the key of this one behind it. */
  readonly name: string;
  readonly file: string;
  readonly outcomes: readonly ReportedOutcome[];
  /** Why nothing was checked; null = it was. */
  readonly error: string | null;
}

/** A whole run. */
export interface CheckReport {
  readonly rulesFile: string;
  readonly rules: readonly ReportedRule[];
  readonly transcripts: readonly CheckedTranscript[];
}

/** How many outcomes there are of each kind, and transcripts that could not be read. */
export function countVerdicts({ transcripts }: CheckReport): Readonly<Record<Verdict | 'unreadable', number>> {
  const counts = { passed: 0, failed: 0, unchecked: 0, unreadable: 0 };
  for (const { outcomes, error } of transcripts) {
    if (error !== null) counts.unreadable++;
    for (const { verdict } of outcomes) counts[verdict]++;
  }
  return counts;
}

/** Rules that were held against no transcript at all: a name misspelt, most likely. */
export function neverChecked({ rules, transcripts }: CheckReport): readonly ReportedRule[] {
  const outcomes = transcripts.flatMap((transcript) => transcript.outcomes);
  if (outcomes.length === 0) return [];
  return rules.filter((_, at) => outcomes.every(({ rule, verdict }) => rule !== at || verdict === 'unchecked'));
}
