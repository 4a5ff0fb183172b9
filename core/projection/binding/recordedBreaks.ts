// Where recorded compactions changed what the model was sent. A block made before one was bound to the history as it was
// then, a block made after it to what the compaction left; in the other history either fails.
import { effectiveFrom, type PlacedCompaction, type TranscriptSource } from '../../model/transcript.ts';
import { boolAt } from '../../util/unknown.ts';
import type { ResolvedStage } from '../parseSpec.ts';
import { type Place, placeBefore } from './places.ts';

/** A change of the recorded history. */
export interface RecordedBreak {
  /** Requests from this call point on hold the changed history. */
  readonly from: number;
  /** The first place that changed. */
  readonly place: Place;
  readonly kind: 'summaries' | 'replacements' | 'clearing';
  /** Its number among the compactions, from 1. */
  readonly number: number;
}

/** The changes in the order in which they took effect. */
export function recordedBreaks(source: TranscriptSource): readonly RecordedBreak[] {
  const breaks: RecordedBreak[] = [];
  for (const [at, compaction] of source.compactions().entries()) {
    const place = firstChange(source, compaction);
    if (place === null) continue;
    breaks.push({ from: effectiveFrom(compaction), place, kind: kindOf(compaction), number: at + 1 });
  }
  return breaks.sort((a, b) => a.from - b.from);
}

function kindOf({ kind }: PlacedCompaction): RecordedBreak['kind'] {
  if (kind === 'cleared') return 'clearing';
  return kind === undefined || kind === 'summary' ? 'summaries' : 'replacements';
}

function firstChange(source: TranscriptSource, compaction: PlacedCompaction): Place | null {
  const { kind, summaryIndex, preserved, summaryAfter = 0 } = compaction;
  if (kind === 'cleared') return firstCleared(source, compaction);
  if (kind === 'replacement' || kind === 'opaque') return placeBefore(0);
  // Nothing says what was kept: the history is left as it is.
  if (summaryIndex === undefined && preserved === undefined) return null;
  let kept = 0;
  while (kept < summaryAfter && preserved?.[kept] === kept) kept++;
  return placeBefore(kept);
}

function firstCleared(source: TranscriptSource, { clearedCallIds = [], at }: PlacedCompaction): Place | null {
  const ids = new Set<string | null | undefined>(clearedCallIds);
  for (let index = 0; index < Math.min(at, source.length); index++) {
    const { parts } = source.facts(index);
    if (parts.some(({ kind, callId }) => kind === 'tool_result' && typeof callId === 'string' && ids.has(callId)))
      return placeBefore(index);
  }
  return null;
}

/** Which of the changes a spec's own history has at any call point: those of its recorded compaction that are not off. */
export function appliedKinds(stages: readonly ResolvedStage[]): ReadonlySet<RecordedBreak['kind']> {
  const kinds = new Set<RecordedBreak['kind']>();
  for (const { enabled, keepsThinking, bound } of stages) {
    if (!enabled || keepsThinking !== 'recorded') continue;
    for (const kind of ['summaries', 'replacements', 'clearing'] as const) {
      if (boolAt({ ...bound.params }, kind) !== false) kinds.add(kind);
    }
  }
  return kinds;
}
