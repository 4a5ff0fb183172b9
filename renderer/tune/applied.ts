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
