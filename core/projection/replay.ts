// Recorded projections replayed: the same policy on the same raw prefix must give the same hash. An event does not
// record every option (min_chars, root texts, a written summary), so a difference is told apart: does the recorded
// decision itself still lead from the raw messages to the recorded hash?
import type { Problem } from '../model/problem.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import { sha256 as plainSha256 } from '../util/hash.ts';
import { arrayAt, boolAt, isRecord, numberAt, recordAt, stringAt } from '../util/unknown.ts';
import type { RedactionPointer, View } from '../view/types.ts';
import { applyRecorded } from './applyRecorded.ts';
import { parseSpec } from './parseSpec.ts';
import { prefixHash } from './prefixHash.ts';
import { type ProjectOptions, project } from './project.ts';
import type { StageRegistry } from './registry.ts';

/** A `transcript.projection` event as far as it can be read. Indices are source indices. */
export interface RecordedProjection {
  readonly policy: string;
  readonly reason: string;
  readonly prefixHash: string;
  readonly keptIndices: readonly number[];
  readonly droppedIndices: readonly number[];
  /** How many raw messages the indices account for; null if the event records none. */
  readonly accountedFor: number | null;
  readonly pointers: readonly RedactionPointer[];
  readonly rootsConsulted: readonly string[];
  readonly respectsProviderSignatures: boolean;
  readonly providerSafetyBlocked: boolean;
  readonly summaryKeepLast: number | null;
}

/**
 * What came of a replay. `reproduced` = the policy gave the hash; `decision_holds` = only the recorded decision did;
 * `not_recorded` = a custom function made messages of its own, and neither it nor they are in the event.
 */
export interface Replay {
  readonly recorded: RecordedProjection;
  /** The call point: how many raw messages the projection covered. */
  readonly at: number;
  readonly outcome: 'reproduced' | 'decision_holds' | 'not_recorded' | 'mismatch';
  /** The hash the policy gives here. */
  readonly prefixHash: string;
  readonly problems: readonly Problem[];
}

/** Reads a recorded event's JSON text; null if it is no `transcript.projection` with a policy and a hash. */
export function readRecordedProjection(json: string): RecordedProjection | null {
  const event: unknown = JSON.parse(json);
  if (!isRecord(event) || stringAt(event, 'kind') !== 'transcript.projection') return null;
  const metadata = recordAt(event, 'metadata');
  const policy = metadata === undefined ? undefined : stringAt(metadata, 'policy');
  const hash = metadata === undefined ? undefined : stringAt(metadata, 'prefix_hash');
  if (metadata === undefined || policy === undefined || hash === undefined) return null;
  const keptIndices = indicesAt(metadata, 'kept_indices');
  const droppedIndices = indicesAt(metadata, 'dropped_indices');
  const hasIndices = arrayAt(metadata, 'kept_indices') !== undefined;
  return {
    policy,
    reason: stringAt(metadata, 'reason') ?? '',
    prefixHash: hash,
    keptIndices,
    droppedIndices,
    accountedFor: hasIndices ? keptIndices.length + droppedIndices.length : null,
    pointers: (arrayAt(metadata, 'redaction_pointers') ?? []).flatMap(readPointer),
    rootsConsulted: (arrayAt(metadata, 'roots_consulted') ?? []).filter((label) => typeof label === 'string'),
    respectsProviderSignatures: boolAt(metadata, 'respects_provider_signatures') ?? true,
    providerSafetyBlocked: boolAt(metadata, 'provider_safety_blocked') ?? false,
    summaryKeepLast: numberAt(metadata, 'summary_keep_last') ?? null,
  };
}

function indicesAt(fields: Readonly<Record<string, unknown>>, key: string): number[] {
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

/**
 * Replays a recorded projection on the raw messages it covered. `eventAt` = how many messages stood before the event,
 * used where the event does not tell by its indices. A mismatch is a problem `projection.replay_mismatch`.
 */
export function replay(
  source: TranscriptSource,
  recorded: RecordedProjection,
  eventAt: number,
  registry: StageRegistry,
  options: ProjectOptions = {},
): Replay {
  const at = coveredMessages(recorded, eventAt, source.length);
  const hashOf = (view: View): string => prefixHash(source, view, options.sha256 ?? plainSha256);
  const hashes = recordedOptions(recorded, at).flatMap((option) => {
    const parsed = parseSpec(option, registry);
    return parsed.ok ? [hashOf(project(source, parsed.value.stages, at, options).view)] : [];
  });
  const base = { recorded, at, prefixHash: hashes[0] ?? '' };
  if (hashes.includes(recorded.prefixHash)) {
    return { ...base, prefixHash: recorded.prefixHash, outcome: 'reproduced', problems: [] };
  }
  const decided = applyRecorded(source, recorded, at);
  if (decided !== null && hashOf(decided) === recorded.prefixHash) {
    return { ...base, outcome: 'decision_holds', problems: [unrecordedOptions(recorded, at)] };
  }
  if (recorded.policy === 'custom') {
    return { ...base, outcome: 'not_recorded', problems: [unrecordedFunction(recorded, at)] };
  }
  return { ...base, outcome: 'mismatch', problems: [mismatch(recorded, at, base.prefixHash)] };
}

// Policies account for each raw message: kept or dropped. An event of a file that lists events apart stands at 0.
function coveredMessages(recorded: RecordedProjection, eventAt: number, length: number): number {
  return Math.min(recorded.accountedFor ?? eventAt, length);
}

// What the policy may have been given: a summary is not recorded, and a transcript may have got its own only later.
function recordedOptions(recorded: RecordedProjection, at: number): readonly Readonly<Record<string, unknown>>[] {
  const option = recordedOption(recorded);
  if (recorded.policy !== 'summary_prefix') return [option];
  const summary = `[${at - (recorded.summaryKeepLast ?? 0)} earlier messages summarized]`;
  return [option, { ...option, summary }];
}

function recordedOption(recorded: RecordedProjection): Readonly<Record<string, unknown>> {
  const window = recorded.rootsConsulted.map((label) => /^last_(\d+)_messages$/.exec(label)?.[1]).find(Boolean);
  return {
    policy: recorded.policy,
    respect_provider_signatures: recorded.respectsProviderSignatures,
    ...(recorded.summaryKeepLast !== null && { keep_last: recorded.summaryKeepLast }),
    ...(window !== undefined && { root_window: Number(window) }),
    ...(recorded.rootsConsulted.includes('write_barrier_required') && { require_write_barrier: true }),
  };
}

function unrecordedOptions(recorded: RecordedProjection, at: number): Problem {
  const text =
    recorded.policy === 'custom'
      ? 'The recorded custom decision leads to its hash; its function is not recorded, so it cannot be run again.'
      : `The recorded ${recorded.policy} decision leads to its hash, but the policy with the options the event records decides otherwise here: options it does not record were set, or it was made by rules that differ.`;
  return { code: 'projection.replay_options', severity: 'info', text, where: { index: at } };
}

function unrecordedFunction(recorded: RecordedProjection, at: number): Problem {
  const text = `The recorded custom projection of the first ${at} messages cannot be replayed: its function is not recorded, and the messages it kept do not by themselves give the hash ${recorded.prefixHash}.`;
  return { code: 'projection.replay_not_recorded', severity: 'warning', text, where: { index: at } };
}

function mismatch(recorded: RecordedProjection, at: number, got: string): Problem {
  const text = `The recorded ${recorded.policy} projection of the first ${at} messages has hash ${recorded.prefixHash}, here it is ${got === '' ? 'not known' : got}: messages, policy or options are not what they were.${recorded.policy === 'summary_prefix' ? ' A summary given as an option is not recorded.' : ''}`;
  return { code: 'projection.replay_mismatch', severity: 'error', text, where: { index: at } };
}
