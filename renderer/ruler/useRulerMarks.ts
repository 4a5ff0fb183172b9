import { useMemo } from 'react';
import { useAppState } from '../state/context.tsx';
import { trailMarks } from '../state/trailMarks.ts';
import { useAnswer } from '../state/useAnswer.ts';
import { useSessionFindings } from '../state/useSessionFindings.ts';
import { marksAt, type RulerKind, type RulerMark, trailMarksAt } from './marks.ts';

/** Messages that are asked for at most; more cannot be told apart beside the list. */
const MOST = 2000;
const NONE: readonly never[] = [];

interface Wanted {
  readonly kind: RulerKind;
  readonly index: number;
}

export interface RulerMarks {
  readonly marks: readonly RulerMark[];
  readonly rowCount: number;
  /** They are beside other rows than those that are shown: nobody is to see them. */
  readonly isStale: boolean;
}

/** The marks beside the rows of the projection that is shown, in at most so many slots; until they are known those before. */
export function useRulerMarks(slots: number): RulerMarks {
  const id = useAppState((state) => state.session.id);
  const projectionId = useAppState((state) => state.projection.info?.projectionId ?? null);
  const wanted = useWanted();
  const at = useMemo(() => wanted.map(({ index }) => index), [wanted]);
  const question = projectionId === null ? null : { projectionId, slots, at };
  const { value, isLoading } = useAnswer('projection.marks', question, {
    about: id,
    settles: { within: 200, atMost: 600 },
  });
  const trail = useTrailMarks(projectionId);
  const marks = useMemo(() => {
    if (value === null) return NONE;
    const changes = value.changes.map((change): RulerMark => ({ kind: 'change', ...change }));
    const kinds = ['compaction', 'finding', 'hit'] as const;
    const own = kinds.flatMap((kind) =>
      marksAt(
        kind,
        value.rows.filter((_, place) => wanted[place]?.kind === kind),
      ),
    );
    return [...changes, ...own, ...trail];
  }, [value, wanted, trail]);
  return { marks, rowCount: value?.rowCount ?? 0, isStale: isLoading };
}

/** The rows on the trail of the selected message. An answer goes with its question: outcomes are never those of other rows. */
function useTrailMarks(projectionId: string | null): readonly RulerMark[] {
  const trail = useAppState((state) => state.trail);
  const on = useMemo(() => trailMarks(trail).slice(0, MOST), [trail]);
  const at = useMemo(() => on.map(({ index }) => index), [on]);
  const isAsked = projectionId !== null && at.length > 0;
  const { value } = useAnswer('projection.marks', isAsked ? { projectionId, slots: 1, at } : null);
  return useMemo(() => {
    if (value === null) return NONE;
    return trailMarksAt(
      value.rows.map((row: number | null, place) => ({ row, outcome: on[place]?.outcome ?? 'unknown' })),
    );
  }, [value, on]);
}

/** The messages whose rows are marked: where the runtime compacted, what was found, and where the text looked for is. */
function useWanted(): readonly Wanted[] {
  const compactions = useAppState((state) => state.session.info?.compactionMarks ?? NONE);
  const id = useAppState((state) => state.session.id);
  const places = useAppState(({ find }) => (find.isOpen ? (find.trace?.places ?? NONE) : NONE));
  const hits = useAppState(({ search }) => (search.isStepping ? search.hits : NONE));
  const findings = useSessionFindings();
  return useMemo(() => {
    const found = places.flatMap(({ index }) => (index === null ? [] : [index]));
    const searched = hits.flatMap((hit) => (hit.transcriptId === id ? [hit.index] : []));
    return [
      ...compactions.map(({ at }): Wanted => ({ kind: 'compaction', index: at })),
      ...(findings?.findings ?? NONE).map(({ at }): Wanted => ({ kind: 'finding', index: at })),
      ...[...found, ...searched].map((index): Wanted => ({ kind: 'hit', index })),
    ].slice(0, MOST);
  }, [compactions, findings, places, hits, id]);
}
