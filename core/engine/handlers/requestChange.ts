import type { Handlers } from '../../protocol/serve.ts';
import { err, ok } from '../../util/result.ts';
import { type Engine, failure } from '../engine.ts';
import type { Projected } from '../session/projected.ts';
import { differenceLines, type FoundChange, findRequestChange } from '../session/requestChange.ts';
import { type FoundProjection, findProjection } from './projection.ts';

/** Lines that one answer holds. */
const MOST_LINES = 500;

/** Why a request differs from the one before it. */
export function requestChangeHandlers(engine: Engine): Pick<Handlers, 'projection.change' | 'projection.changeLines'> {
  const known = new WeakMap<Projected, Promise<FoundChange>>();
  const changeOf = (found: FoundProjection): Promise<FoundChange> => {
    const change = known.get(found.projected) ?? findRequestChange(engine, found);
    known.set(found.projected, change);
    change.catch(() => known.delete(found.projected));
    return change;
  };
  return {
    async 'projection.change'({ projectionId }) {
      const found = findProjection(engine, projectionId);
      if (!found.ok) return found;
      return ok((await changeOf(found.value)).info);
    },
    async 'projection.changeLines'({ projectionId, cause, from, to }) {
      const found = findProjection(engine, projectionId);
      if (!found.ok) return found;
      const { causes } = await changeOf(found.value);
      const asked = causes[cause];
      if (asked === undefined) return err(failure('request.no_such_cause', `The request has no cause ${cause}.`));
      const end = Math.min(to, from + MOST_LINES);
      return ok({
        from,
        total: asked.differences.length,
        lines: differenceLines(found.value.session, asked, from, end),
      });
    },
  };
}
