// What Harn's transcript_project returns, field by field, and the event and live form that go with it. Source: spec of
// the projection, "Result and event".
import type { TranscriptSource } from '../model/transcript.ts';
import { raw, recordedProjection, summaryPrefix } from '../stages/harn/index.ts';
import { RawJson, stringifyWithRaw } from '../util/json/index.ts';
import { ownAt } from '../util/unknown.ts';
import { itemText } from '../view/reader.ts';
import type { RecordedProjection } from '../view/recordedProjection.ts';
import type { RedactionPointer, StageReport } from '../view/types.ts';
import type { ResolvedStage } from './parseSpec.ts';
import type { Projection } from './types.ts';

/** The metadata of a `transcript.projection` event. Indices are source indices. */
export interface HarnMetadata {
  readonly policy: string;
  readonly reason: string;
  readonly prefix_hash: string;
  readonly kept_indices: readonly number[];
  readonly dropped_indices: readonly number[];
  readonly kept_count: number;
  readonly dropped_count: number;
  readonly redacted_indices: readonly number[];
  readonly redacted_count: number;
  readonly reclaimed_tokens: number;
  readonly reclaimed_chars: number;
  readonly roots_consulted: readonly string[];
  readonly redaction_pointers: readonly RedactionPointer[];
  readonly respects_provider_signatures: boolean;
  readonly provider_safety_blocked: boolean;
  /** Null unless summary_prefix. */
  readonly summary_keep_last: number | null;
}

/** The event that records a projection; it goes to a transcript's events, never to its messages. */
export interface HarnEvent {
  readonly kind: 'transcript.projection';
  readonly role: 'system';
  readonly visibility: 'internal';
  readonly text: string;
  readonly metadata: HarnMetadata;
}

/** The result object. `messages` are the exact JSON texts; print it with stringifyWithRaw, or harnResultJson. */
export interface HarnResult extends Omit<HarnMetadata, 'respects_provider_signatures' | 'summary_keep_last'> {
  readonly messages: readonly RawJson[];
  readonly event: HarnEvent;
}

/** What the result is made of. Of several stages the last enabled one gives policy and reason; `hash` = prefixHash. */
export interface HarnResultInput {
  readonly source: TranscriptSource;
  readonly projection: Projection;
  readonly stages: readonly ResolvedStage[];
  readonly hash: string;
}

/** The metadata of a projection as Harn records it. */
export function harnMetadata({ projection, stages, hash }: HarnResultInput): HarnMetadata {
  const last = stages.findLast((stage) => stage.enabled);
  const report = projection.reports.findLast((each) => each.enabled);
  const keepLast = ownAt({ ...last?.bound.params }, 'keepLast');
  return {
    policy: recordedPolicy(report) ?? last?.kind ?? raw.kind,
    reason: report?.reason ?? 'raw_passthrough',
    prefix_hash: hash,
    kept_indices: projection.keptIndices,
    dropped_indices: projection.droppedIndices,
    kept_count: projection.keptIndices.length,
    dropped_count: projection.droppedIndices.length,
    redacted_indices: projection.redactedIndices,
    redacted_count: projection.pointers.length,
    reclaimed_tokens: sumOf(projection.reports, (each) => each.reclaimedTokens),
    reclaimed_chars: sumOf(projection.reports, (each) => each.reclaimedChars),
    roots_consulted: [...new Set(projection.reports.flatMap((each) => each.rootsConsulted))],
    redaction_pointers: projection.pointers,
    respects_provider_signatures: ownAt({ ...last?.bound.params }, 'respectProviderSignatures') !== false,
    provider_safety_blocked: projection.providerSafetyBlocked,
    summary_keep_last: last?.kind === summaryPrefix.kind && typeof keepLast === 'number' ? keepLast : null,
  };
}

// Of a recorded projection that is shown: the policy that made it.
function recordedPolicy(report: StageReport | undefined): string | null {
  const policy = report?.kind === recordedProjection.kind ? report.meta?.policy : undefined;
  return typeof policy === 'string' ? policy : null;
}

function sumOf(reports: readonly StageReport[], value: (report: StageReport) => number): number {
  return reports.reduce((sum, report) => sum + value(report), 0);
}

/** The whole result. */
export function harnResult(input: HarnResultInput): HarnResult {
  const metadata = harnMetadata(input);
  const { respects_provider_signatures: _respects, summary_keep_last: _keepLast, ...fields } = metadata;
  const { source, projection } = input;
  const messages = projection.view.items.map((item) => new RawJson(itemText(item, source)));
  return { ...fields, messages, event: harnEvent(metadata) };
}

/** The event of a projection. */
export function harnEvent(metadata: HarnMetadata): HarnEvent {
  return { kind: 'transcript.projection', role: 'system', visibility: 'internal', text: metadata.reason, metadata };
}

/** The result as JSON text: the projected messages are in it byte for byte. */
export function harnResultJson(input: HarnResultInput): string {
  return stringifyWithRaw(harnResult(input));
}

/** What the running stage reports of a projection. */
export interface AcpProjection {
  readonly policy: string;
  readonly reason: string;
  readonly prefixHash: string;
  readonly keptCount: number;
  readonly droppedCount: number;
  readonly providerSafetyBlocked: boolean;
  readonly redactedCount: number;
  readonly reclaimedTokens: number;
  readonly rootsConsulted: readonly string[];
  readonly redactionPointers: readonly RedactionPointer[];
}

/** The live form for hosts: an ACP session update. */
export function acpUpdate(metadata: HarnMetadata) {
  return updateOf({
    policy: metadata.policy,
    reason: metadata.reason,
    prefixHash: metadata.prefix_hash,
    keptCount: metadata.kept_count,
    droppedCount: metadata.dropped_count,
    providerSafetyBlocked: metadata.provider_safety_blocked,
    redactedCount: metadata.redacted_count,
    reclaimedTokens: metadata.reclaimed_tokens,
    rootsConsulted: metadata.roots_consulted,
    redactionPointers: metadata.redaction_pointers,
  });
}

/** The live form of a projection that a transcript records. */
export function acpUpdateOf(recorded: RecordedProjection) {
  const { accountedFor, droppedCount, pointers } = recorded;
  return updateOf({
    policy: recorded.policy,
    reason: recorded.reason,
    prefixHash: recorded.prefixHash,
    keptCount: Math.max(0, (accountedFor ?? 0) - droppedCount),
    droppedCount,
    providerSafetyBlocked: recorded.providerSafetyBlocked,
    redactedCount: pointers.length,
    reclaimedTokens: recorded.reclaimedTokens,
    rootsConsulted: recorded.rootsConsulted,
    redactionPointers: pointers,
  });
}

function updateOf(harn: AcpProjection) {
  return { sessionUpdate: 'transcript_projected', _meta: { harn } } as const;
}

/** The update as a host receives it: a JSON-RPC notification of ACP. */
export function acpNotification(sessionId: string, update: ReturnType<typeof acpUpdate>) {
  return { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } } as const;
}
