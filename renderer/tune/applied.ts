import { sameStages } from '../../core/projection/policyName.ts';
import type { ProjectionSpec, StageSpec } from '../../core/projection/types.ts';
import type { SweptPoint } from '../../core/protocol/tuneTypes.ts';
import { isRecord } from '../../core/util/unknown.ts';

/**
 * The policy that a point is applied as. Where the sweep was asked of the policy in use, only its stages change: what is chosen
 * of window and overhead stays as it is chosen; else it is the point's policy as it was tried.
 */
export function appliedSpec(
  { spec: point }: Pick<SweptPoint, 'spec'>,
  swept: unknown,
  { spec, asked }: { readonly spec: ProjectionSpec; readonly asked: ProjectionSpec },
): ProjectionSpec {
  if (!isRecord(swept) || !sameBesidesStages(swept, { ...asked })) return point;
  const { name: _name, ...rest } = spec;
  return { ...rest, stages: point.stages };
}

function sameBesidesStages(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const rest = ({ stages: _stages, name: _name, ...others }: Readonly<Record<string, unknown>>) =>
    JSON.stringify(others);
  return rest(a) === rest(b);
}

/** Whether the policy on screen is the one that was swept, whatever values its varied options have now. */
export function isSwept(swept: unknown, vary: readonly Varied[], { stages }: Pick<ProjectionSpec, 'stages'>): boolean {
  const before: readonly unknown[] = isRecord(swept) && Array.isArray(swept.stages) ? swept.stages : [];
  const fixed = (all: readonly unknown[]) => ({ stages: all.map((stage, at) => withoutVaried(stage, at, vary)) });
  return sameStages(fixed(before), fixed(stages));
}

interface Varied {
  readonly stage: number;
  readonly option: string;
}

// A stage may be its kind alone, as a spec writes it.
function withoutVaried(stage: unknown, at: number, vary: readonly Varied[]): StageSpec {
  if (!isRecord(stage)) return { kind: String(stage) };
  const options = Object.entries(isRecord(stage.options) ? stage.options : {});
  const left = options.filter(([name]) => !vary.some((one) => one.stage === at && one.option === name));
  return { kind: String(stage.kind), enabled: stage.enabled !== false, options: Object.fromEntries(left) };
}
