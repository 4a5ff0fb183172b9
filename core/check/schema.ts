// The rules of `parallax check`, as they are written. The published schema (docs/check.schema.json) is made of this one.
import { z } from 'zod';
import { SURVIVAL_CLASSES } from '../insight/autopsy/types.ts';
import { FINDING_KINDS } from '../insight/findings/types.ts';
import { KIND_GROUPS, KINDS } from '../scrub/kinds.ts';
import { TARGET_NAMES } from '../wire/lint.ts';

/** Where a rule looks: the next request, every request, the first one after each compaction, or the request before a message. */
const at = z.union([z.enum(['end', 'calls', 'compactions']), z.int().min(0)]);

/** At most so much. Of what adds up along the session `at` is how far it is counted: up to and with that request. */
const atMost = z.union([z.number().min(0), z.strictObject({ max: z.number().min(0), at: at.optional() })]);

const count = z.strictObject({ min: z.int().min(0).optional(), max: z.int().min(0).optional() });

const share = z.union([
  z.number().min(0).max(1),
  z.string().regex(/^(100(\.0+)?|\d{1,2}(\.\d+)?)%$/, 'a share is a number from 0 to 1, or from "0%" to "100%"'),
]);

/**
 * A word of a list. The schema publishes the list for editors; readRules holds words against it, for it also says what was
 * probably meant.
 */
const word = (accepted: readonly string[]) =>
  z
    .string()
    .min(1)
    .meta({ enum: [...accepted] });

/** Findings of `parallax scrub`; absent, `kind` is the group `secret`, `tier` is definite. */
const secrets = z.union([
  z.int().min(0),
  z.strictObject({
    max: z.int().min(0),
    kind: word([...KIND_GROUPS, ...KINDS]).optional(),
    tier: z.enum(['definite', 'candidate', 'any']).optional(),
  }),
]);

const common = {
  name: z.string().min(1).optional(),
  /** In place of the file's. */
  policy: z.unknown().optional(),
};

const rule = z.union([
  z.strictObject({
    ...common,
    text: z.string().min(1),
    state: z.enum(['original', 'elsewhere', 'partly', 'gone', 'present', 'absent']).optional(),
    at: at.optional(),
    match_case: z.boolean().optional(),
    whole_word: z.boolean().optional(),
  }),
  z.strictObject({ ...common, watch: z.string().min(1) }),
  z.strictObject({ ...common, uses_gone: atMost }),
  z.strictObject({ ...common, tokens: atMost }),
  z.strictObject({ ...common, cost: atMost }),
  z.strictObject({ ...common, cache_breaks: atMost }),
  z.strictObject({ ...common, fits: z.union([z.literal(true), z.int().min(1)]) }),
  z.strictObject({ ...common, valid_for: word(TARGET_NAMES.providers), at: at.optional() }),
  z.strictObject({
    ...common,
    findings: z.strictObject({ kind: word(FINDING_KINDS).optional(), max: z.int().min(0) }),
  }),
  z.strictObject({ ...common, secrets }),
  z.strictObject({ ...common, survival: z.strictObject({ class: word(SURVIVAL_CLASSES), min: share }) }),
  z.strictObject({ ...common, filter: z.string().min(1), rows: count }),
  z.strictObject({ ...common, baseline: z.literal(true) }),
]);

/** A file of rules. */
export const RULES_SCHEMA = z.strictObject({
  version: z.literal(1),
  /** A policy's or preset's name, or a spec; absent = as every command: what was sent, what was kept, or raw. */
  policy: z.unknown().optional(),
  rules: z.array(rule).min(1),
});

/** What a file of rules holds. */
export type RuleFile = z.infer<typeof RULES_SCHEMA>;

/** One rule, as it is written. */
export type Rule = RuleFile['rules'][number];

/** What a rule checks: the member that says so. */
export const RULE_KINDS = [
  ...(['text', 'watch', 'uses_gone', 'tokens', 'cost', 'cache_breaks'] as const),
  ...(['fits', 'valid_for', 'findings', 'secrets', 'survival', 'filter', 'baseline'] as const),
] as const;

/** Every member that a file of rules or a rule may have. */
export const MEMBERS: readonly string[] = [
  ...RULE_KINDS,
  ...['version', 'rules', 'policy', 'name', 'state', 'at', 'match_case', 'whole_word', 'max', 'min'],
  ...['kind', 'tier', 'class', 'rows'],
];

export type RuleKind = (typeof RULE_KINDS)[number];

/** The member that says what a rule checks. */
export function kindOf(rule: Rule): RuleKind {
  const kind = RULE_KINDS.find((each) => each in rule);
  if (kind === undefined) throw new Error('a rule that checks nothing was accepted');
  return kind;
}

/** The JSON schema of a file of rules, draft 2020-12. */
export function rulesJsonSchema(): unknown {
  return {
    ...z.toJSONSchema(RULES_SCHEMA, { target: 'draft-2020-12' }),
    title: 'Rules of parallax check',
  };
}
