export { contextPolicy } from './contextPolicy.ts';
export { PARAM_SOURCES, PARAMS, type ParamSource, parseContextPolicy, RESOLVED_FROM } from './params.ts';
export {
  checkScope,
  NO_SCOPES,
  type PolicyScopes,
  policyValues,
  type ResolvedValue,
  resolvePolicy,
  resolveStages,
} from './resolve.ts';
