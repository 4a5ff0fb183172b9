// browser-safe
// What Harn's lifecycle events say of the history they changed. Source: seeds/harn-transcript-architecture.txt; the field
// names are those of the runtime's files.
import { isRecord, numberAt, recordAt, stringAt } from '../util/unknown.ts';
import type { ProjectionEvent, RecordedCompaction } from './transcript.ts';

/** Kind of the event that records a projection, whatever the runtime's log calls it. */
export const PROJECTION_EVENT = 'transcript.projection';
/** Kind of the event that records what a retention budget did. */
export const BUDGET_EVENT = 'transcript_budget';
const COMPACTION_EVENT = 'compaction';

/** The kinds of events that a transcript's lineage is read from. */
export const LINEAGE_EVENTS: readonly string[] = [PROJECTION_EVENT, COMPACTION_EVENT, BUDGET_EVENT];

/** An event as far as a lineage is read from it. */
export interface LineageEvent {
  readonly kind: string;
  readonly json: string;
  readonly at: number;
}

/** The event that rewrote the history: which, and the asset that holds what was there before it, if it names one. */
export interface Rewrite {
  readonly kind: string;
  readonly snapshotAssetId: string | null;
  /** Messages that it archived or removed; null = not recorded. */
  readonly messages: number | null;
}

/** How the event rewrote the history: a compaction, or a retention budget that trimmed it; null = it did not. */
export function rewriteOf({ kind, json }: Pick<LineageEvent, 'kind' | 'json'>): Rewrite | null {
  if (kind !== COMPACTION_EVENT && kind !== BUDGET_EVENT) return null;
  const facts = factsOf(json);
  if (kind === BUDGET_EVENT) {
    const action = stringAt(facts, 'action') ?? '';
    if (!/^(trim|compact)/.test(action)) return null;
    return {
      kind,
      snapshotAssetId: null,
      messages: numberAt(facts, 'removed_messages') ?? numberAt(facts, 'dropped') ?? null,
    };
  }
  const snapshot = stringAt(facts, 'snapshot_asset_id') ?? stringAt(facts, 'snapshotAssetId');
  const archived = numberAt(facts, 'archived_messages') ?? numberAt(facts, 'archivedMessages');
  return { kind, snapshotAssetId: snapshot ?? null, messages: archived ?? null };
}

/** A compaction before message `at`, as its event records it. */
export function compactionOf(json: string, at: number): RecordedCompaction {
  const facts = factsOf(json);
  const trigger = stringAt(facts, 'mode') ?? stringAt(facts, 'strategy');
  const preTokens = numberAt(facts, 'estimated_tokens_before') ?? numberAt(facts, 'estimatedTokensBefore');
  const postTokens = numberAt(facts, 'estimated_tokens_after') ?? numberAt(facts, 'estimatedTokensAfter');
  return {
    at,
    ...(trigger !== undefined && { trigger }),
    ...(preTokens !== undefined && { preTokens }),
    ...(postTokens !== undefined && { postTokens }),
  };
}

/** What an event records beside its kind and text: its `metadata`, or where there is none the event itself. */
export function factsOf(json: string): Readonly<Record<string, unknown>> {
  const event: unknown = JSON.parse(json);
  if (!isRecord(event)) return {};
  const inUpdate = recordAt(recordAt(recordAt(event, 'params') ?? event, 'update') ?? event, '_meta');
  const inMeta = inUpdate === undefined ? undefined : recordAt(inUpdate, 'harn');
  return recordAt(event, 'metadata') ?? inMeta ?? event;
}

/** The recorded projections among events, in order. */
export function projectionEvents(events: readonly LineageEvent[]): readonly ProjectionEvent[] {
  const found: ProjectionEvent[] = [];
  let superseded = false;
  for (const event of events.toReversed()) {
    if (event.kind === PROJECTION_EVENT) found.push({ json: event.json, at: event.at, superseded });
    else superseded ||= rewriteOf(event) !== null;
  }
  return found.reverse();
}
