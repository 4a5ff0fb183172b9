// browser-safe
// What a policy is called: by its name, and by its stages, whichever of the known ones it is.
import { canonicalJson } from '../util/json/index.ts';
import type { ProjectionSpec, StageSpec } from './types.ts';

/** A named policy to choose from. */
export interface NamedSpec {
  readonly name: string;
  readonly title: string;
  readonly spec: ProjectionSpec;
}

/**
 * Same stages in the same order with the same options and switches, whatever the spec's name. The screen asks it of every
 * preset at each step of a slider: options are compared only where the stages are alike.
 */
export function sameStages(
  { stages: a }: Pick<ProjectionSpec, 'stages'>,
  { stages: b }: Pick<ProjectionSpec, 'stages'>,
): boolean {
  return a === b || (a.length === b.length && a.every((stage, at) => isSameStage(stage, b[at])));
}

function isSameStage(a: StageSpec, b: StageSpec | undefined): boolean {
  if (a === b) return true;
  if (b === undefined || a.kind !== b.kind || (a.enabled ?? true) !== (b.enabled ?? true)) return false;
  return a.options === b.options || optionsKey(a) === optionsKey(b);
}

function optionsKey({ options = {} }: StageSpec): string {
  return canonicalJson(JSON.stringify(options));
}

/** Which of the policies this is, and whether it was edited since; null = none of them. */
export function identify<N extends NamedSpec>(
  spec: ProjectionSpec,
  known: readonly N[],
): { readonly policy: N; readonly edited: boolean } | null {
  const byName = known.find((one) => one.spec.name === spec.name || one.name === spec.name);
  const equal = byName && sameStages(byName.spec, spec) ? byName : known.find((one) => sameStages(one.spec, spec));
  if (equal) return { policy: equal, edited: false };
  return byName ? { policy: byName, edited: true } : null;
}

/** `Reducer pipeline`, `Reducer pipeline edited`, the name that the spec brings; null = it has none. */
export function policyName(spec: ProjectionSpec, known: readonly NamedSpec[]): string | null {
  const found = identify(spec, known);
  if (found === null) return spec.name ?? null;
  return found.edited ? `${found.policy.title} edited` : found.policy.title;
}
