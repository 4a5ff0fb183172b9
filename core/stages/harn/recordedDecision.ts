// A recorded decision as it is in the event: which messages were kept, which dropped, which bodies replaced.
import { valueTextAt } from '../../util/json/index.ts';
import type { RecordedProjection } from '../../view/recordedProjection.ts';
import type { Fate, RedactionPointer, StageContext, View, ViewItem } from '../../view/types.ts';
import { countOf } from '../../view/words.ts';
import { redactMessage, replacementText } from './redaction.ts';
import { summaryItem } from './summaryPrefix.ts';

/** What the decision makes of a view. */
export interface Decided {
  readonly items: readonly ViewItem[];
  readonly fates: ReadonlyMap<number, Fate>;
}

/** What is in place of a summary whose text the event does not record. */
export function unknownSummary(messages: number): string {
  return `[summary of ${countOf(messages, 'earlier message')}; its text is not recorded]`;
}

/**
 * The view behind a recorded decision, and the fates. `summary` = the text in place of what summary_prefix dropped. Null
 * if the decision cannot be followed: it names messages or bodies that are not there, or does not say which.
 */
export function decidedView(
  view: View,
  recorded: RecordedProjection,
  { source, at, stage }: Pick<StageContext, 'source' | 'at' | 'stage'>,
  summary: string | null,
): Decided | null {
  const { keptIndices, droppedIndices, policy } = recorded;
  if (keptIndices === null || droppedIndices === null) return null;
  if (recorded.form === 'live' && recorded.accountedFor !== at) return null;
  if ([...keptIndices, ...droppedIndices].some((index) => index < 0 || index >= at)) return null;
  const dropped = new Set(droppedIndices);
  const pointers = Map.groupBy(recorded.pointers, (pointer) => pointer.source_index);
  const summarises = policy === 'summary_prefix' && dropped.size > 0;
  const items: ViewItem[] = summarises
    ? [summaryItem(summary ?? unknownSummary(dropped.size), dropped.size, stage)]
    : [];
  const fates = new Map<number, Fate>();
  for (const item of view.items) {
    const own = item.kind === 'source' ? pointers.get(item.index) : undefined;
    if (item.kind === 'source' && dropped.has(item.index)) {
      fates.set(item.index, goneFate(stage, recorded, summarises));
    } else if (item.kind === 'source' && own !== undefined && item.text === undefined) {
      const text = redacted(source.text(item.index), own);
      if (text === null) return null;
      items.push({ ...item, text });
      fates.set(item.index, redactedFate(stage, recorded, own));
    } else items.push(item);
  }
  return { items, fates };
}

function goneFate(stage: number, { policy, reason }: RecordedProjection, summarises: boolean): Fate {
  const kind = summarises ? 'summarised' : 'dropped';
  const verb = summarises ? 'replaced by a summary' : 'hidden';
  return {
    kind,
    stage,
    rule: 'recorded_projection',
    reason: `${verb} by the recorded ${policy} projection${why(reason, policy)}`,
  };
}

function redactedFate(
  stage: number,
  { policy, reason }: RecordedProjection,
  pointers: readonly RedactionPointer[],
): Fate {
  const chars = pointers.reduce((sum, pointer) => sum + pointer.content_chars, 0);
  const body = `its body (${countOf(chars, 'character')})`;
  const said = `${body} was replaced by a pointer by the recorded ${policy} projection${why(reason, policy)}`;
  return { kind: 'redacted', stage, rule: 'recorded_projection', reason: said, pointers };
}

function why(reason: string, policy: string): string {
  return reason === '' || reason === policy ? '' : `: ${reason}`;
}

function redacted(text: string, pointers: readonly RedactionPointer[]): string | null {
  const redactions = pointers.map((pointer) => ({
    path: pointer.source_block_index === null ? [] : ['content', pointer.source_block_index],
    pointer,
    replacement: replacementText(pointer),
  }));
  if (redactions.some(({ path }) => valueTextAt(text, path) === null)) return null;
  return redactMessage(text, redactions);
}
