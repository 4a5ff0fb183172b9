// Sweeps as the library keeps them: read again only if this version made them. What another one computed may mean something
// else, so that its figures are not shown; its question is, to be asked again.
import type { TunedPoint } from '../../insight/tune/point.ts';
import {
  AskedSweepSchema,
  FOUND_VERSION,
  FoundHeadSchema,
  FoundSchema,
  OldAskedSchema,
} from '../../protocol/sweepSchemas.ts';
import type { AskedSweep, SweepLine, SweepState, SweptAxis } from '../../protocol/tuneTypes.ts';
import type { StoredSweep } from '../../store/library/sweeps.ts';
import { ENGINE_VERSION } from '../version.ts';

/** What a sweep has found. Kept as JSON. */
export interface Found {
  readonly version: typeof FOUND_VERSION;
  /** The version that computed it. */
  readonly program: string;
  state: Exclude<SweepState, 'outdated'>;
  failure: string | null;
  axes: readonly SweptAxis[];
  size: number | null;
  known: number;
  points: TunedPoint[];
  winner: { readonly at: number; readonly proved: boolean } | null;
  unsaid: readonly string[];
  threads: number;
}

/** A sweep that is at work or kept. */
export interface KnownSweep {
  readonly sweepId: string;
  readonly asked: AskedSweep;
  readonly madeAt: string;
  readonly found: Found;
}

/** One that another version made; `asked` null = not even its question can be read. */
export interface OutdatedSweep extends Pick<KnownSweep, 'sweepId' | 'madeAt'> {
  readonly asked: AskedSweep | null;
  readonly found: null;
}

/** What a sweep that begins has found. */
export function nothingFound(threads: number): Found {
  return {
    ...{ version: FOUND_VERSION, program: ENGINE_VERSION, state: 'running', failure: null, axes: [], size: null },
    ...{ known: 0, points: [], winner: null, unsaid: [], threads },
  };
}

/** Reads a kept sweep. */
export function readSweep({ id, asked, found, madeAt }: StoredSweep): KnownSweep | OutdatedSweep {
  const sweep = { sweepId: id, madeAt };
  if (!isAsked(asked)) return { ...sweep, asked: null, found: null };
  const isOwn = isFound(found) && found.program === ENGINE_VERSION;
  return { ...sweep, asked, found: isOwn ? found : null };
}

// What was written stays as it is, in its order: the id is made of the question, and exports are made of the points.
function isAsked(asked: unknown): asked is AskedSweep {
  return AskedSweepSchema.safeParse(asked).success;
}

function isFound(found: unknown): found is Found {
  return FoundSchema.safeParse(found).success;
}

/** Its line in the list, without reading its points. */
export function lineOfStored({ id, asked, found, madeAt }: StoredSweep): SweepLine {
  const { ids, vary } = OldAskedSchema.parse(asked);
  const line = { sweepId: id, madeAt, ids, vary };
  const head = FoundHeadSchema.safeParse(found).data;
  if (head?.program !== ENGINE_VERSION) return { ...line, state: 'outdated', points: 0, size: null };
  return { ...line, state: head.state, points: head.points.length, size: head.size };
}
