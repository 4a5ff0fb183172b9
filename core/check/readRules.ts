import { SURVIVAL_CLASSES } from '../insight/autopsy/types.ts';
import { FINDING_KINDS } from '../insight/findings/types.ts';
import { err, ok, type Result } from '../util/result.ts';
import { isRecord } from '../util/unknown.ts';
import { RULE_KINDS, RULES_SCHEMA, type Rule, type RuleFile, type RuleKind } from './schema.ts';

/** What is wrong with a file of rules. `path` leads to the value: `['rules', 3, 'state']`. */
export interface RuleFault {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** Reads rules; all faults at once. */
export function readRules(value: unknown): Result<RuleFile, readonly RuleFault[]> {
  const faults = isRecord(value) && Array.isArray(value.rules) ? value.rules.flatMap(kindFaults) : [];
  if (faults.length > 0) return err(faults);
  const read = RULES_SCHEMA.safeParse(value);
  if (!read.success) return err(read.error.issues.flatMap((issue) => faultsOf(issue, value)));
  const named = read.data.rules.flatMap(nameFaults);
  return named.length > 0 ? err(named) : ok(read.data);
}

/** The member that says what a rule checks. */
export function kindOf(rule: Rule): RuleKind {
  const kind = RULE_KINDS.find((each) => each in rule);
  if (kind === undefined) throw new Error('a rule that checks nothing was accepted');
  return kind;
}

// Said before the schema: of a dozen shapes it could only say that none fits.
function kindFaults(rule: unknown, at: number): readonly RuleFault[] {
  const path = ['rules', at];
  if (!isRecord(rule)) return [{ path, text: 'a rule is a mapping of its members' }];
  const kinds = RULE_KINDS.filter((kind) => kind in rule);
  if (kinds.length === 1) return [];
  if (kinds.length > 1) return [{ path, text: `a rule checks one thing; this one names ${kinds.join(' and ')}` }];
  return [{ path, text: `a rule checks one of ${RULE_KINDS.join(', ')}; this one names none of them` }];
}

type Issue = NonNullable<ReturnType<typeof RULES_SCHEMA.safeParse>['error']>['issues'][number];

function faultsOf(issue: Issue, file: unknown): readonly RuleFault[] {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  if (issue.code !== 'invalid_union') return [{ path, text: issue.message }];
  const kind = RULE_KINDS.findIndex((each) => isRecord(valueAt(file, path)) && each in Object(valueAt(file, path)));
  // Of the shapes of rules the one that the rule's kind has; of other choices the first.
  const chosen = path.length === 2 && path[0] === 'rules' ? issue.errors[kind] : issue.errors[0];
  if (chosen === undefined || chosen.length === 0) return [{ path, text: issue.message }];
  const inner = chosen.flatMap((each) => faultsOf(each as Issue, valueAt(file, path)));
  if (path[0] !== 'rules' || path.length !== 2) return [{ path, text: issue.errors.map(textOf).join('; or ') }];
  return inner.map((fault) => ({ ...fault, path: [...path, ...fault.path] }));
}

function textOf(issues: readonly { readonly message: string }[]): string {
  return issues.map(({ message }) => message).join(', ');
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, step) => {
    if (Array.isArray(inner)) return inner[Number(step)];
    return isRecord(inner) ? inner[String(step)] : undefined;
  }, value);
}

function nameFaults(rule: Rule, at: number): readonly RuleFault[] {
  if ('findings' in rule) {
    const { kind } = rule.findings;
    if (kind === undefined || FINDING_KINDS.some((each) => each === kind)) return [];
    return [{ path: ['rules', at, 'findings', 'kind'], text: unknown('kind of finding', kind, FINDING_KINDS) }];
  }
  if ('survival' in rule) {
    const given = rule.survival.class;
    if (SURVIVAL_CLASSES.some((each) => each === given)) return [];
    return [{ path: ['rules', at, 'survival', 'class'], text: unknown('class', given, SURVIVAL_CLASSES) }];
  }
  if ('filter' in rule && rule.rows.min === undefined && rule.rows.max === undefined) {
    return [{ path: ['rules', at, 'rows'], text: 'rows needs min or max' }];
  }
  return [];
}

function unknown(what: string, given: string, accepted: readonly string[]): string {
  return `there is no ${what} "${given}"; there are ${accepted.join(', ')}`;
}
