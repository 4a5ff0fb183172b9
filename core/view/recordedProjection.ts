// A recorded projection as it is in a file: a transcript's event, a line of the agent's log, or the live form for
// hosts (ACP). Source: spec of the projection, "Result and event".
import { arrayAt, boolAt, isRecord, numberAt, ownAt, recordAt, stringAt } from '../util/unknown.ts';
import type { RedactionPointer } from './types.ts';

/** What a recorded projection says. Indices are source indices. */
export interface RecordedProjection {
  /** `live` = a log's line or a host's update: the messages before it are put together from what was streamed. */
  readonly form: 'event' | 'live';
  readonly policy: string;
  readonly reason: string;
  readonly prefixHash: string;
  /** Null = the form does not record which messages; then `accountedFor` counts them. */
  readonly keptIndices: readonly number[] | null;
  readonly droppedIndices: readonly number[] | null;
  /** How many raw messages it accounts for; null if it does not say. */
  readonly accountedFor: number | null;
  readonly droppedCount: number;
  readonly pointers: readonly RedactionPointer[];
  readonly reclaimedTokens: number;
  readonly rootsConsulted: readonly string[];
  readonly respectsProviderSignatures: boolean;
  readonly providerSafetyBlocked: boolean;
  readonly summaryKeepLast: number | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads a recorded projection's JSON text; null if it is not one with a policy and a hash. */
export function readRecordedProjection(json: string): RecordedProjection | null {
  const fields = fieldsOf(JSON.parse(json));
  const policy = fields === null ? undefined : stringAt(fields, 'policy');
  const hash = fields === null ? undefined : (stringAt(fields, 'prefix_hash') ?? stringAt(fields, 'prefixHash'));
  if (fields === null || policy === undefined || hash === undefined) return null;
  const form =
    stringAt(fields, 'prefix_hash') !== undefined && stringAt(fields, 'type') === undefined ? 'event' : 'live';
  return { form, policy, prefixHash: hash, ...countsOf(fields), ...restOf(fields) };
}

/** The call point of a recorded projection: a log gives it by the place of its line, an event by what it accounts for. */
export function placeOf({ form, accountedFor }: RecordedProjection, eventAt: number): number {
  return form === 'live' ? eventAt : (accountedFor ?? eventAt);
}

/** Where the decision is in each of the forms. */
function fieldsOf(value: unknown): Fields | null {
  if (!isRecord(value)) return null;
  if (stringAt(value, 'kind') === 'transcript.projection') return recordAt(value, 'metadata') ?? null;
  if (stringAt(value, 'type') === 'transcript_projected') return value;
  const update = recordAt(recordAt(value, 'params') ?? value, 'update') ?? value;
  if (stringAt(update, 'sessionUpdate') !== 'transcript_projected') return null;
  const meta = recordAt(update, '_meta');
  return (meta && recordAt(meta, 'harn')) ?? null;
}

function countsOf(
  fields: Fields,
): Pick<RecordedProjection, 'keptIndices' | 'droppedIndices' | 'accountedFor' | 'droppedCount'> {
  const kept = indicesAt(fields, 'kept_indices');
  if (kept !== null) {
    const dropped = indicesAt(fields, 'dropped_indices') ?? [];
    return {
      keptIndices: kept,
      droppedIndices: dropped,
      accountedFor: kept.length + dropped.length,
      droppedCount: dropped.length,
    };
  }
  const keptCount = either(fields, 'kept_count', 'keptCount');
  const droppedCount = either(fields, 'dropped_count', 'droppedCount') ?? 0;
  if (keptCount === undefined) return { keptIndices: null, droppedIndices: null, accountedFor: null, droppedCount };
  const all = keptCount + droppedCount;
  // Where nothing was dropped, the counts say which messages were kept.
  const known = droppedCount === 0 && Number.isInteger(keptCount) && keptCount >= 0 && keptCount <= MOST_COUNTED;
  const indices = known ? Array.from({ length: keptCount }, (_, index) => index) : null;
  return { keptIndices: indices, droppedIndices: known ? [] : null, accountedFor: all, droppedCount };
}

/** More messages than any transcript has: a count beyond is not made a list of. */
const MOST_COUNTED = 2_000_000;

function restOf(fields: Fields) {
  const pointers = arrayAt(fields, 'redaction_pointers') ?? arrayAt(fields, 'redactionPointers') ?? [];
  const roots = arrayAt(fields, 'roots_consulted') ?? arrayAt(fields, 'rootsConsulted') ?? [];
  return {
    reason: stringAt(fields, 'reason') ?? '',
    pointers: pointers.flatMap(readPointer),
    reclaimedTokens: either(fields, 'reclaimed_tokens', 'reclaimedTokens') ?? 0,
    rootsConsulted: roots.filter((label) => typeof label === 'string'),
    respectsProviderSignatures: boolAt(fields, 'respects_provider_signatures') ?? true,
    providerSafetyBlocked:
      boolAt(fields, 'provider_safety_blocked') ?? boolAt(fields, 'providerSafetyBlocked') ?? false,
    summaryKeepLast: numberAt(fields, 'summary_keep_last') ?? null,
  };
}

function either(fields: Fields, snake: string, camel: string): number | undefined {
  return numberAt(fields, snake) ?? numberAt(fields, camel);
}

function indicesAt(fields: Fields, key: string): number[] | null {
  if (!Array.isArray(ownAt(fields, key))) return null;
  return (arrayAt(fields, key) ?? []).filter((value): value is number => Number.isInteger(value));
}

function readPointer(value: unknown): RedactionPointer[] {
  if (!isRecord(value)) return [];
  const index = numberAt(value, 'source_index');
  if (index === undefined) return [];
  return [
    {
      policy: stringAt(value, 'policy') ?? '',
      source: stringAt(value, 'source') ?? '',
      source_index: index,
      source_block_index: numberAt(value, 'source_block_index') ?? null,
      content_hash: stringAt(value, 'content_hash') ?? '',
      content_chars: numberAt(value, 'content_chars') ?? 0,
      estimated_tokens_reclaimed: numberAt(value, 'estimated_tokens_reclaimed') ?? 0,
      tool_call_id: stringAt(value, 'tool_call_id') ?? null,
      tool_name: stringAt(value, 'tool_name') ?? null,
      reason: stringAt(value, 'reason') ?? '',
    },
  ];
}
