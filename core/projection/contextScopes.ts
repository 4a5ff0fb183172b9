// browser-safe
// Context policies that are behind a spec. They are put into the spec before it runs: a projection depends on its spec
// alone, and a bundle holds all that decided.
export {
  checkScope,
  NO_SCOPES,
  type PolicyScopes,
  policyValues,
  type ResolvedValue,
  resolvePolicy,
} from '../stages/context/index.ts';

import { type PolicyScopes, resolveStages } from '../stages/context/index.ts';
import { type ParsedSpec, parseSpec } from './parseSpec.ts';
import type { StageRegistry } from './registry.ts';

/** A parsed spec with its context policies resolved; the same one if no scope adds anything. */
export function withScopes(parsed: ParsedSpec, scopes: PolicyScopes, registry: StageRegistry): ParsedSpec {
  const stages = resolveStages(parsed.spec.stages, scopes);
  if (stages === parsed.spec.stages) return parsed;
  const resolved = parseSpec({ ...parsed.spec, stages }, registry);
  // Scopes are checked when they are set; one that does not parse any more is left out.
  return resolved.ok ? resolved.value : parsed;
}
