// Recorded projections as a runtime would have written them, made by this program's own policies.
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { acpNotification, acpUpdate, harnEvent, harnMetadata } from '../../core/projection/harnResult.ts';
import { prefixHash } from '../../core/projection/prefixHash.ts';
import { project } from '../../core/projection/project.ts';
import { stagesOf } from './projecting.ts';

/** The metadata of a projection of the first `at` messages. */
export function metadataOf(source: TranscriptSource, spec: unknown, at = source.length) {
  const stages = stagesOf(spec);
  const projection = project(source, stages, at);
  return harnMetadata({ source, projection, stages, hash: prefixHash(source, projection.view) });
}

/** The event that records it. */
export function eventOf(source: TranscriptSource, spec: unknown, at = source.length) {
  return harnEvent(metadataOf(source, spec, at));
}

/** The line of an agent's log that tells of it. */
export function logLineOf(source: TranscriptSource, spec: unknown, at = source.length) {
  const { policy, reason, prefix_hash, kept_count, dropped_count, ...rest } = metadataOf(source, spec, at);
  const { provider_safety_blocked, redacted_count, reclaimed_tokens, roots_consulted, redaction_pointers } = rest;
  const told = { policy, reason, prefix_hash, kept_count, dropped_count, provider_safety_blocked };
  return {
    emitted_at_ms: 1_760_000_000_000,
    session_id: 's1',
    type: 'transcript_projected',
    ...told,
    redacted_count,
    reclaimed_tokens,
    roots_consulted,
    redaction_pointers,
  };
}

/** The notification that a host is sent of it. */
export function acpLineOf(source: TranscriptSource, spec: unknown, at = source.length) {
  return acpNotification('s1', acpUpdate(metadataOf(source, spec, at)));
}
