export { Draft, draftsIn, openDrafts } from './draft.ts';
export { type HygieneParams, hygiene, profileFor } from './hygiene.ts';
export { type Finding, type LintInput, lint } from './lint/lint.ts';
export { WIRES } from './lint/wires.ts';
export { TARGET_NAMES, unknownName } from './names.ts';
export {
  DEFAULT_OPTIONS,
  type Detection,
  detect,
  detectionOf,
  PROFILE_NAMES,
  type Profile,
  type ProfileName,
  policyOf,
  profileOf,
  sameOptions,
} from './profiles.ts';
export { readAhead } from './readAhead.ts';
export { repair } from './repair.ts';
export { isRepair } from './report.ts';
export { RULES, ruleNamed } from './rules/index.ts';
export { answerFrom, answersBefore, evidenceFor, type Home } from './target.ts';
export {
  type Change,
  type HygieneRule,
  RULE_NAMES,
  type RuleContext,
  type RuleName,
  type Target,
  type Wire,
} from './types.ts';
