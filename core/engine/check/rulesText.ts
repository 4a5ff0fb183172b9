// A file of rules with the policies it names, as the engine takes it: a text in, faults with their lines out.

import { readBaselineText } from '../../check/baseline.ts';
import { byPolicy, type PlacedRule } from '../../check/byPolicy.ts';
import { type PlacedFault, type ReadRules, readRulesText } from '../../check/readRulesText.ts';
import type { Rule } from '../../check/schema.ts';
import { problemTexts } from '../../model/problem.ts';
import { namedSpec, noSuchPolicy } from '../../projection/namedSpec.ts';
import { type ParsedSpec, parseSpec } from '../../projection/parseSpec.ts';
import { STAGES } from '../../projection/stages.ts';
import type { ReadRulesInfo, WantedText } from '../../protocol/checkTypes.ts';
import { err, ok, type Result } from '../../util/result.ts';

/** Rules of one policy; null = none is named: that of the session. */
export interface PolicyRules {
  readonly parsed: ParsedSpec | null;
  readonly members: readonly PlacedRule[];
}

/** Rules as they are run. */
export interface RunnableRules extends Pick<ReadRules, 'reported' | 'lastLines'> {
  readonly rules: readonly Rule[];
  readonly groups: readonly PolicyRules[];
}

/** Reads rules and the policies they name; all faults at once. */
export function readRunnable(text: string): Result<RunnableRules, readonly PlacedFault[]> {
  if (text.trim() === '') return err([{ line: null, text: 'there are no rules yet' }]);
  const read = readRulesText(text);
  if (!read.ok) return read;
  const { file, reported, lastLines, lineOf } = read.value;
  const faults: PlacedFault[] = [];
  const groups = byPolicy(file).map(({ policy, members }): PolicyRules => {
    if (policy === undefined) return { parsed: null, members };
    const parsed = policyOf(policy);
    if (parsed.ok) return { parsed: parsed.value, members };
    const named = members.filter(({ rule }) => rule.policy !== undefined);
    const places = named.length > 0 ? named.map(({ at }) => ['rules', at, 'policy']) : [['policy']];
    faults.push(...places.map((path) => ({ line: lineOf(path), text: `${path.join('.')}: ${parsed.error}` })));
    return { parsed: null, members };
  });
  return faults.length > 0 ? err(faults) : ok({ rules: file.rules, groups, reported, lastLines });
}

/** What a client is shown of a file of rules. */
export function readRulesInfo(text: string, baseline: string | null): ReadRulesInfo {
  const read = readRunnable(text);
  if (!read.ok) return { rules: [], faults: read.error, wantsBaseline: false };
  const { reported, lastLines, rules } = read.value;
  const wantsBaseline = asksForBaseline(rules);
  const recorded = wantsBaseline && baseline !== null ? readBaselineText(baseline) : null;
  if (recorded?.ok === false) {
    const fault = `the baseline ${recorded.error}. Record it again, or open another`;
    return { rules: [], faults: [{ line: null, text: fault }], wantsBaseline };
  }
  const infos = reported.map((rule, at) => {
    const written = rules[at];
    return { ...rule, lastLine: lastLines[at] ?? null, wants: written === undefined ? null : wantedOf(written) };
  });
  return { rules: infos, faults: [], wantsBaseline };
}

/** Whether a rule compares with what was recorded. */
export function asksForBaseline(rules: readonly Rule[]): boolean {
  return rules.some((rule) => 'baseline' in rule);
}

function policyOf(given: unknown): Result<ParsedSpec, string> {
  const value = typeof given === 'string' ? specOfText(given) : ok(given);
  if (!value.ok) return value;
  const parsed = parseSpec(value.value, STAGES);
  if (parsed.ok) return parsed;
  return err(problemTexts(parsed.error));
}

// A name, or JSON, as on the command line; a file of the machine is not read for a page.
function specOfText(text: string): Result<unknown, string> {
  const known = namedSpec(text);
  if (known !== null) return ok(known);
  if (!/^\s*[{["]/.test(text)) return err(noSuchPolicy(text));
  try {
    const value: unknown = JSON.parse(text);
    return ok(value);
  } catch (error) {
    if (error instanceof SyntaxError) return err(`the spec is not JSON: ${error.message}`);
    throw error;
  }
}

/** What of a rule would have to be kept in requests; null = the rule asks for something else. */
function wantedOf(rule: Rule): WantedText | null {
  if ('watch' in rule) return { text: rule.watch, matchCase: false, wholeWord: false, inItsPlace: false };
  if (!('text' in rule) || !['original', 'present'].includes(rule.state ?? 'present')) return null;
  const { text, match_case: matchCase = false, whole_word: wholeWord = false } = rule;
  return { text, matchCase, wholeWord, inItsPlace: rule.state === 'original' };
}
