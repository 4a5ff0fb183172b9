// Results of sweeps in the library: what a spec comes to in a transcript is computed once.
import type { TunedSession } from '../../insight/tune/point.ts';
import type { ProjectionSpec } from '../../projection/types.ts';
import { SweptSessionSchema } from '../../protocol/sweepSchemas.ts';
import { isRecord } from '../../util/unknown.ts';
import type { Engine } from '../engine.ts';
import { resultKey } from './contentKey.ts';
import type { KeptSweeps } from './sweep.ts';

/** A session of a sweep, and what names its content. */
export interface KeyedSession {
  readonly id: string;
  readonly key: string;
}

/** Reads and writes the results of these sessions. `known` is called for each that need not be computed. */
export function keptSweeps(engine: Engine, sessions: readonly KeyedSession[], known: () => void): KeptSweeps {
  const { sweeps } = engine.library.tables;
  const keyed = (session: number, spec: ProjectionSpec, what: 'sums' | 'signature') => {
    const found = sessions[session];
    if (found === undefined) throw new RangeError(`no session ${session} of ${sessions.length}`);
    return { id: found.id, key: resultKey(found.key, spec, what) };
  };
  const put = (id: string, key: string, figures: unknown, totals: readonly number[]): void => {
    if (engine.mayNote) sweeps.putResults(id, [{ key, figures, totals }], new Date().toISOString());
  };
  return {
    session(session, spec) {
      const row = sweeps.result(keyed(session, spec, 'sums').key);
      if (row === null || !areFigures(row.figures)) return null;
      known();
      return { ...row.figures, totals: row.totals };
    },
    keepSession(session, spec, { totals, ...figures }) {
      const { id, key } = keyed(session, spec, 'sums');
      put(id, key, figures, totals);
    },
    signature(session, spec) {
      const row = sweeps.result(keyed(session, spec, 'signature').key);
      if (row === null || !isRecord(row.figures)) return undefined;
      const { signature } = row.figures;
      return typeof signature === 'string' ? signature : null;
    },
    keepSignature(session, spec, signature) {
      const { id, key } = keyed(session, spec, 'signature');
      put(id, key, { signature }, []);
    },
  };
}

function areFigures(figures: unknown): figures is Omit<TunedSession, 'totals'> {
  return SweptSessionSchema.safeParse(figures).success;
}
