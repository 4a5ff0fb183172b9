import { needsOf } from '../../filter/match.ts';
import type { Handlers } from '../../protocol/serve.ts';
import { err, ok } from '../../util/result.ts';
import type { Engine } from '../engine.ts';
import { SUPERSEDED } from '../failures.ts';
import { filteredProjection, readFilter } from '../session/filterRows.ts';
import { createSlicer } from '../slicer.ts';
import { findProjection } from './projection.ts';
import { usesUnder } from './uses.ts';

const LISTED = 50;
/** Messages between two looks at the clock. */
const STEP = 256;

/** Filters of rows: what has to be looked for before, and what a field's values are. */
export function filterHandlers(engine: Engine): Pick<Handlers, 'filter.prepare' | 'filter.values'> {
  const words = engine.clientWork();
  const uses = engine.clientWork();
  return {
    async 'filter.prepare'({ id, spec, filters }, client) {
      const found = engine.session(id);
      if (!found.ok) return found;
      const session = found.value;
      const exprs = filters.map((text) => readFilter(text).expr);
      const missing = exprs.flatMap((expr) => session.filtering.missing(expr));
      if (missing.length > 0) {
        const question = `${id} ${JSON.stringify(missing)}`;
        const task = words.begin(client.clientId, question, () =>
          session.work.background('asked', (turn) => session.filtering.lookFor(missing, turn)),
        );
        if (!(await task.done).ok) return err(SUPERSEDED);
      }
      if (exprs.some((expr) => needsOf(expr).uses)) {
        const known = await usesUnder(engine, uses, client.clientId, id, spec);
        if (!known.ok) return known;
      }
      return ok({});
    },
    async 'filter.values'({ projectionId, field }) {
      const found = findProjection(engine, projectionId);
      if (!found.ok) return found;
      const { session, projected, tokens } = found.value;
      const about = filteredProjection(session, projected.spec, projected, tokens, '');
      // Counts of a menu are of this policy or not there.
      const row = session.filtering.row(about.usesOf === null ? about : { ...about, uses: null });
      const counts = new Map<string, number>();
      const slicer = createSlicer();
      for (let index = 0; index < projected.messages; index++) {
        const parts = Math.max(1, session.source.facts(index).parts.length);
        for (let part = 0; part < parts; part++) {
          const own = row.at(index, part).values(field);
          for (const value of typeof own === 'string' ? [own] : (own ?? []))
            counts.set(value, (counts.get(value) ?? 0) + 1);
        }
        const pause = index % STEP === 0 ? slicer.pause() : null;
        if (pause) await pause;
      }
      const values = [...counts].map(([value, count]) => ({ value, count }));
      return ok({ values: values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, LISTED) });
    },
  };
}
