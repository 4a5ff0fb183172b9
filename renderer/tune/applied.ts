import type { ProjectionSpec } from '../../core/projection/types.ts';
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
  const before = isRecord(swept) && Array.isArray(swept.stages) ? swept.stages : [];
  if (before.length !== stages.length) return false;
  return stages.every((stage, at) => {
    const varied = vary.flatMap((one) => (one.stage === at ? [one.option] : []));
    return stageKey(stage, varied) === stageKey(before[at], varied);
  });
}

interface Varied {
  readonly stage: number;
  readonly option: string;
}

function stageKey(stage: unknown, without: readonly string[]): string {
  if (!isRecord(stage)) return JSON.stringify([stage, true, []]);
  const options = isRecord(stage.options) ? Object.entries(stage.options) : [];
  const left = options.filter(([name]) => !without.includes(name)).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([stage.kind, stage.enabled !== false, left]);
}
