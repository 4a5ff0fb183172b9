// The lint of a request over the protocol.
import type { ProjectionSpec } from '../projection/types.ts';
import type { WireTargetName } from './wireTypes.ts';

/** One thing that a provider would refuse, and the repair that fixes it. */
export interface LintFindingInfo {
  /** Stable, `lint.` and what is wrong. */
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  /** One sentence. */
  readonly text: string;
  /** Position in the projection, from 0. */
  readonly position: number;
  /** Source index; null for a message that no one wrote. */
  readonly index: number | null;
  /** The rule that repairs it, for the option `on` of a hygiene stage; null if none can. */
  readonly repair: string | null;
  readonly repairTitle: string | null;
  /** What the rule does, one clause. */
  readonly done: string | null;
  /** JSON of the message before and after; null = put in, or dropped. Cut at 20,000 characters. */
  readonly before: string | null;
  readonly after: string | null;
  readonly cut: boolean;
  /** Ways out that change the policy or the request, in place of a rule. */
  readonly advice: readonly LintAdvice[];
}

/** A way out of a finding; `spec` = the policy it leads to. */
export interface LintAdvice {
  readonly title: string;
  readonly help: string;
  readonly spec: ProjectionSpec | null;
}

/** What a provider would refuse of a projection. */
export interface LintInfo {
  /** The wire format, for people. */
  readonly wire: string;
  /** Where it is documented. */
  readonly source: string;
  /** How the provider was found. */
  readonly how: string;
  /** The request that can be written for it, for `lint.request`; null = none. */
  readonly target: WireTargetName | null;
  /** Findings in all; the list may hold fewer. */
  readonly total: number;
  readonly findings: readonly LintFindingInfo[];
  /** The rules of the provider's profile that would change something, in their order. */
  readonly repairs: readonly {
    readonly rule: string;
    readonly title: string;
    readonly help: string;
    readonly count: number;
  }[];
}

/** What only the request as it is written can show: settings, headers, tools and messages together. */
export interface RequestLintInfo {
  /** Findings in all; the list may hold fewer. */
  readonly total: number;
  readonly findings: readonly Pick<LintFindingInfo, 'code' | 'severity' | 'text' | 'index'>[];
}

/** A message that a repair would touch. Texts are JSON, cut at 20,000 characters; null = none before, or none after. */
export interface MessageRepairInfo {
  readonly kind: 'rewritten' | 'dropped' | 'merged' | 'inserted' | 'moved';
  /** Source index; null for a message that no one wrote. */
  readonly index: number | null;
  readonly before: string | null;
  readonly after: string | null;
  readonly cut: boolean;
  /** The rules that touch it, in the order they run. */
  readonly rules: readonly string[];
  readonly reason: string;
}

/** What a rule, or the whole profile, would do to a projection. */
export interface LintRepairInfo {
  /** Messages touched in all; the list may hold fewer. */
  readonly total: number;
  readonly changes: readonly MessageRepairInfo[];
  /** Findings that it would leave. */
  readonly left: number;
}
