import type { Fate } from '../../view/types.ts';
import type { ResolvedStage } from '../parseSpec.ts';
import type { Break, ThinkingDecider } from './decider.ts';
import type { BindingCause, BindingInputs, ThinkingCounts, ThinkingOutcome } from './types.ts';

/** Looks up what a stage says of a message; null = nothing. */
export type FateOf = (stage: number, index: number) => Fate | null;

/** What the provider makes of the thinking in the request that was judged last. */
export function outcomeOf(
  judge: ThinkingDecider,
  inputs: BindingInputs,
  stages: readonly ResolvedStage[],
  fateOf: FateOf,
): ThinkingOutcome {
  const { reader, checks, enforced } = inputs;
  const counts = countsOf(judge, inputs);
  const { failing, foreign } = counts;
  const first = failing === 0 ? null : judge.firstFailing();
  const strange = foreign === 0 ? null : judge.firstForeign();
  return {
    ...counts,
    ...{ reader, checks, enforced },
    first: first && { index: first.block.index, part: first.block.part, cause: causeOf(first.by, stages, fateOf) },
    runs: judge.sentRuns(),
    firstForeign: strange && { index: strange.block.index, part: strange.block.part, maker: strange.maker },
  };
}

/** The same in numbers: cheap enough to be asked at each call point. */
export function countsOf({ failing, foreign, sent }: ThinkingDecider, { onMismatch }: BindingInputs): ThinkingCounts {
  return { onMismatch, sent, failing, foreign, dropped: foreign + (onMismatch === 'drop_block' ? failing : 0) };
}

/** The cause in words. */
export function causeOf(by: Break, stages: readonly ResolvedStage[], fateOf: FateOf): BindingCause {
  const title = stages.find(({ position }) => position === by.stage)?.title ?? null;
  const fate = by.stage === null || by.index === null ? null : fateOf(by.stage, by.index);
  return {
    ...{ kind: by.kind, stage: by.stage, title, index: by.index },
    fate: fate?.kind ?? null,
    rule: fate?.rule ?? null,
    reason: reasonOf(by, title, fate),
  };
}

function reasonOf({ kind, index, compaction, isAfter }: Break, title: string | null, fate: Fate | null): string {
  const who = title ?? 'a stage';
  const what = index === null ? 'an earlier message' : `#${index}`;
  switch (kind) {
    case 'stage':
      return `${who} ${deedOf(fate)} ${what}, which came before the block when it was made`;
    case 'gap':
      return `${who} took the thinking out of ${what} and left earlier thinking: what is sent must be an unbroken run`;
    case 'recorded':
      return isAfter === true
        ? `the block was made after recorded compaction ${compaction ?? ''}, which is not applied here`
        : `the block was made before recorded compaction ${compaction ?? ''}, which changed what is before it`;
    case 'cut':
      return `the compaction block cuts between two messages of one role, at ${what}: kept thinking is not carried over`;
    case 'system':
      return 'the system prompt is another one';
    case 'tools':
      return 'the tools are others';
  }
}

function deedOf(fate: Fate | null): string {
  switch (fate?.kind) {
    case 'dropped':
      return 'dropped';
    case 'summarised':
      return 'put a summary in place of';
    case 'merged':
      return 'merged';
    case 'redacted':
      return 'cleared a result in';
    case 'rewritten':
      return 'rewrote';
    default:
      return 'changed the conversation at';
  }
}
