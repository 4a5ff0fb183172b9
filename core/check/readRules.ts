import { parseFilter } from '../filter/parseFilter.ts';
import { SURVIVAL_CLASSES } from '../insight/autopsy/types.ts';
import { FINDING_KINDS } from '../insight/findings/types.ts';
import { KIND_GROUPS, KINDS } from '../scrub/kinds.ts';
import { isNear } from '../search/filters.ts';
import { err, ok, type Result } from '../util/result.ts';
import { isRecord } from '../util/unknown.ts';
import { TARGET_NAMES, unknownName } from '../wire/lint.ts';
import { ruleName, secretsOf } from './ruleText.ts';
import { MEMBERS, RULE_KINDS, RULES_SCHEMA, type Rule, type RuleFile } from './schema.ts';

/** What is wrong with a file of rules. `path` leads to the value: `['rules', 3, 'state']`. */
export interface RuleFault {
  readonly path: readonly (string | number)[];
  readonly text: string;
  /** The rule that it cannot be beside; absent = there is none. */
  readonly other?: readonly (string | number)[];
}

/** A filter is one at every time, or never. */
const ANY_TIME = { time: 0, zoneMinutes: 0 };

/** Reads rules; all faults at once. */
export function readRules(value: unknown): Result<RuleFile, readonly RuleFault[]> {
  const written: readonly unknown[] = isRecord(value) && Array.isArray(value.rules) ? value.rules : [];
  const kinds = written.flatMap(kindFaults);
  const read = RULES_SCHEMA.safeParse(value);
  const hasKind = ({ path: [first, at] }: RuleFault) =>
    first !== 'rules' || !kinds.some((fault) => fault.path[1] === at);
  const shapes = read.success ? [] : read.error.issues.flatMap((issue) => faultsOf(issue, value)).filter(hasKind);
  const alike = read.success ? namesakes(read.data.rules) : [];
  const faults = [...shapes, ...kinds, ...written.flatMap(namesIn), ...alike];
  return read.success && faults.length === 0 ? ok(read.data) : err(faults.toSorted(byRule));
}

// One record is kept of each name: of two rules that share one the later would overwrite what the first recorded.
function namesakes(rules: readonly Rule[]): readonly RuleFault[] {
  const first = new Map<string, number>();
  return rules.flatMap((rule, at): readonly RuleFault[] => {
    if (!('baseline' in rule)) return [];
    const name = ruleName(rule);
    const before = first.get(name);
    if (before === undefined) {
      first.set(name, at);
      return [];
    }
    const text = `another rule with a baseline is called "${name}", and one record is kept of each name: give it a name`;
    return [{ path: ['rules', at, 'name'], text, other: ['rules', before] }];
  });
}

/** Faults in the names of a rule that has the shape of one. */
function namesIn(rule: unknown, at: number): readonly RuleFault[] {
  const read = RULES_SCHEMA.shape.rules.element.safeParse(rule);
  return read.success ? nameFaults(read.data, at) : [];
}

// Those of the file first, then in the order of the rules.
function byRule(a: RuleFault, b: RuleFault): number {
  return Number(a.path[1] ?? -1) - Number(b.path[1] ?? -1);
}

// Said before the schema: of a dozen shapes it could only say that none fits.
function kindFaults(rule: unknown, at: number): readonly RuleFault[] {
  const path = ['rules', at];
  if (!isRecord(rule)) return [{ path, text: 'a rule is a mapping of its members' }];
  const kinds = RULE_KINDS.filter((kind) => kind in rule);
  if (kinds.length === 1) return [];
  if (kinds.length > 1) return [{ path, text: `a rule checks one thing; this one names ${kinds.join(' and ')}` }];
  const hint = meantText(Object.keys(rule), RULE_KINDS);
  return [{ path, text: `a rule checks one of ${RULE_KINDS.join(', ')}; this one names none of them${hint}` }];
}

type Issue = NonNullable<ReturnType<typeof RULES_SCHEMA.safeParse>['error']>['issues'][number];

function faultsOf(issue: Issue, file: unknown): readonly RuleFault[] {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  if (issue.code !== 'invalid_union') return [{ path, text: `${issue.message}${hintOf(issue, valueAt(file, path))}` }];
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
  if ('secrets' in rule) {
    const { kind } = secretsOf(rule.secrets);
    const accepted = [...KIND_GROUPS, ...KINDS];
    if (accepted.includes(kind)) return [];
    const text = `there is no kind of secret "${kind}"; there are the groups ${KIND_GROUPS.join(', ')}, and the kinds that parallax scrub lists`;
    return [{ path: ['rules', at, 'secrets', 'kind'], text: `${text}${meantText([kind], accepted)}` }];
  }
  if ('valid_for' in rule) {
    // As `lint --provider` reads it: capitals and other spellings are accepted.
    if (unknownName({ provider: rule.valid_for, modelApi: '' }) === null && rule.valid_for.trim() !== '') return [];
    return [{ path: ['rules', at, 'valid_for'], text: unknown('provider', rule.valid_for, TARGET_NAMES.providers) }];
  }
  if ('survival' in rule) {
    const given = rule.survival.class;
    if (SURVIVAL_CLASSES.some((each) => each === given)) return [];
    return [{ path: ['rules', at, 'survival', 'class'], text: unknown('class', given, SURVIVAL_CLASSES) }];
  }
  if ('filter' in rule) {
    const { problems } = parseFilter(rule.filter, ANY_TIME);
    const broken = problems.find(({ severity }) => severity === 'error');
    if (broken !== undefined) {
      return [{ path: ['rules', at, 'filter'], text: `${broken.text} (character ${broken.from + 1} of the filter)` }];
    }
  }
  if ('filter' in rule && rule.rows.min === undefined && rule.rows.max === undefined) {
    return [{ path: ['rules', at, 'rows'], text: 'rows needs min or max' }];
  }
  return [];
}

function unknown(what: string, given: string, accepted: readonly string[]): string {
  return `there is no ${what} "${given}"; there are ${accepted.join(', ')}${meantText([given], accepted)}`;
}

// What of an enumeration or of the members of a mapping was probably meant.
function hintOf(issue: Issue, given: unknown): string {
  if (issue.code === 'invalid_value')
    return typeof given === 'string' ? meantText([given], issue.values.map(String)) : '';
  return issue.code === 'unrecognized_keys' ? meantText(issue.keys, MEMBERS) : '';
}

function meantText(given: readonly string[], accepted: readonly string[]): string {
  for (const each of given) {
    const near = each.length < 3 ? undefined : accepted.find((one) => isNear(each.toLowerCase(), one));
    if (near !== undefined) return `. Did you mean ${near}?`;
  }
  return '';
}
