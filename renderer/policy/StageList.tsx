import { ArrowDownUp } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { StageInfo } from '../../core/protocol/types.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { moveStage, problemsOf, removeStage } from '../state/editSpec.ts';
import { useDetailFate } from '../state/useDetail.tsx';
import { usePolicyEdit } from '../state/usePolicyEdit.ts';
import { useTried } from '../state/useTried.ts';
import { AddStage } from './AddStage.tsx';
import { inOrder, orderProblems } from './placeStage.ts';
import { StageCard } from './StageCard.tsx';
import { ProblemLine } from './StageReportLines.tsx';
import { useSpecProblems } from './useSpecProblems.ts';
import { useStageDrag } from './useStageDrag.ts';

const NONE: readonly StageInfo[] = [];

/** The stages in order. */
export function StageList() {
  const { tried } = useTried();
  const stages = useAppState((state) => state.projection.spec.stages);
  const reports = useAppState((state) => state.projection.info?.reports);
  const describe = useAppState((state) => state.describe);
  const deciding = useDetailFate();
  const problems = useSpecProblems();
  const edit = usePolicyEdit();
  const [fresh, setFresh] = useState<number | null>(null);
  const kinds = describe?.stages ?? NONE;
  const misplaced = orderProblems(stages, kinds);
  const list = useRef<HTMLOListElement>(null);
  const focusNext = useRef<number | null>(null);
  // Every card gets them: while they stay the same, a card is drawn again only for what it shows itself.
  const { store } = useApp();
  const move = useCallback(
    (from: number, to: number) => {
      const place = Math.max(0, Math.min(store.getState().projection.spec.stages.length - 1, to));
      if (place === from) return;
      focusNext.current = place;
      edit((spec) => moveStage(spec, from, place));
    },
    [store, edit],
  );
  const remove = useCallback(
    (at: number) => {
      focusNext.current = Math.min(at, store.getState().projection.spec.stages.length - 2);
      edit((spec) => removeStage(spec, at));
    },
    [store, edit],
  );
  const drag = useStageDrag(move);
  // The focus goes with the card that was moved; cards are keyed by place, so that sliders survive every other edit.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the list changed
  useEffect(() => {
    const place = focusNext.current;
    focusNext.current = null;
    setFresh(null);
    if (place !== null) list.current?.querySelector<HTMLElement>(`[data-stage="${place}"] .stage-toggle`)?.focus();
  }, [stages]);
  return (
    <>
      {problemsOf(problems, null).map((problem, number) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
        <ProblemLine key={number} problem={problem} />
      ))}
      {stages.length === 0 && (
        <p className="no-stages">No stages: the transcript is sent as it is. Choose a preset, or add a stage.</p>
      )}
      <ol ref={list} className="stages" aria-label="Stages, in order">
        {stages.map((stage, at) => (
          <StageCard
            // biome-ignore lint/suspicious/noArrayIndexKey: a stage is its place in the list
            key={`${at} ${stage.kind}`}
            stage={stage}
            at={at}
            count={stages.length}
            info={describe?.stages.find((one) => one.kind === stage.kind) ?? null}
            report={reports?.find((one) => one.stage === at) ?? null}
            problems={[...problemsOf(problems, at), ...problemsOf(misplaced, at)]}
            isTried={tried?.stages.includes(at) === true}
            isNew={fresh === at}
            isDeciding={deciding === at}
            drag={drag}
            move={move}
            remove={remove}
          />
        ))}
      </ol>
      <div className="stages-foot">
        <AddStage
          onAdd={(at) => {
            focusNext.current = at;
            setFresh(at);
          }}
        />
        {misplaced.some(({ code }) => code !== 'spec.raw_among_others') && (
          <button
            type="button"
            className="add-stage"
            title="Recorded compaction, policies, reducers, injection, hygiene"
            data-testid="stages-sort"
            onClick={() => edit((spec) => inOrder(spec, kinds))}
          >
            <ArrowDownUp size={14} aria-hidden /> Sort stages
          </button>
        )}
      </div>
    </>
  );
}
