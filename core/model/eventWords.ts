// browser-safe
// What an event says in words, where its record says more than its one line: one sentence for screen and command line.
import { countOf, grouped } from '../util/counts.ts';
import { entryOf, type Fields, numberAt, ownAt, recordAt, stringAt } from '../util/unknown.ts';
import { ASSET_EVENT, readAsset } from './asset.ts';
import { BUDGET_EVENT, factsOf, PROJECTION_EVENT, rewriteOf } from './lineage.ts';

/** The kinds of which {@link describeEvent} has more to say than their line. */
const WORDS: Readonly<Record<string, (json: string) => string>> = {
  [BUDGET_EVENT]: (json) => describeBudget(factsOf(json)),
  [PROJECTION_EVENT]: (json) => describeProjection(factsOf(json)),
  compaction: describeCompaction,
  system_prompt: (json) => describeFingerprint(factsOf(json)),
  [ASSET_EVENT]: describeAsset,
};

/** What a recorded event says, in a line; empty if its own line says all that is known of it. */
export function describeEvent(kind: string, json: string): string {
  return entryOf(WORDS, kind)?.(json) ?? '';
}

/**
 * What a retention budget did, of the event's facts or of `metadata.transcript_budget.last_action`: `transcript
 * trimmed: 104 messages, at most 100 allowed; 4 messages removed`.
 */
export function describeBudget(facts: Fields): string {
  const action = stringAt(facts, 'action') ?? 'acted';
  const removed = [
    amount(numberAt(facts, 'removed_messages') ?? numberAt(facts, 'dropped'), 'message'),
    amount(numberAt(facts, 'removed_events'), 'event'),
  ].filter((words) => words !== '');
  const cause = describeCause(facts);
  const source = stringAt(facts, 'source');
  return [
    `${entryOf(ACTION_WORDS, action) ?? action}${cause === '' ? '' : `: ${cause}`}`,
    ...(removed.length === 0 ? [] : [`${removed.join(' and ')} removed`]),
    ...(source === undefined ? [] : [`by ${source}`]),
  ].join('; ');
}

const ACTION_WORDS: Readonly<Record<string, string>> = {
  trim: 'transcript trimmed',
  trimmed: 'transcript trimmed',
  compact: 'transcript compacted',
  compacted: 'transcript compacted',
  reject: 'change rejected',
  rejected: 'change rejected',
};

const LIMITS: readonly (readonly [reason: RegExp, limit: string, used: string, words: string])[] = [
  [/message/, 'max_messages', 'messages', 'messages'],
  [/event/, 'max_events', 'events', 'events'],
  [/byte/, 'max_approx_bytes', 'approx_bytes', 'bytes'],
];

// Which limit was over: how much there was, and how much may be.
function describeCause(facts: Fields): string {
  const reason = stringAt(facts, 'reason') ?? '';
  const policy = recordAt(facts, 'policy') ?? facts;
  const used = recordAt(facts, 'usage_attempted') ?? recordAt(facts, 'usage_before') ?? {};
  const named =
    LIMITS.find(([pattern]) => pattern.test(reason)) ??
    LIMITS.find(([, limit]) => numberAt(policy, limit) !== undefined);
  if (named === undefined) return reason;
  const [, limit, usage, words] = named;
  const most = numberAt(policy, limit);
  const had = numberAt(used, usage);
  if (most === undefined) return had === undefined ? reason : `${grouped(had)} ${words}`;
  return had === undefined
    ? `at most ${grouped(most)} ${words} allowed`
    : `${grouped(had)} ${words}, at most ${grouped(most)} allowed`;
}

function describeProjection(facts: Fields): string {
  const policy = stringAt(facts, 'policy') ?? 'unnamed';
  const kept = countAt(facts, 'kept_indices', 'kept_count', 'keptCount');
  const dropped = countAt(facts, 'dropped_indices', 'dropped_count', 'droppedCount');
  const redacted = numberAt(facts, 'redacted_count') ?? numberAt(facts, 'redactedCount') ?? 0;
  const hash = stringAt(facts, 'prefix_hash') ?? stringAt(facts, 'prefixHash');
  return [
    policy,
    ...(kept === undefined ? [] : [`${grouped(kept)} kept`]),
    ...(dropped === undefined || dropped === 0 ? [] : [`${grouped(dropped)} hidden`]),
    ...(redacted === 0 ? [] : [`${amount(redacted, 'result')} reclaimed`]),
    ...(ownAt(facts, 'provider_safety_blocked') === true || ownAt(facts, 'providerSafetyBlocked') === true
      ? ['blocked: signed reasoning']
      : []),
    ...(hash === undefined ? [] : [hash.slice(0, 'sha256:'.length + 12)]),
  ].join(' · ');
}

function countAt(facts: Fields, list: string, ...names: readonly string[]): number | undefined {
  const indices = ownAt(facts, list);
  if (Array.isArray(indices)) return indices.length;
  for (const name of names) {
    const count = numberAt(facts, name);
    if (count !== undefined) return count;
  }
  return undefined;
}

function describeCompaction(json: string): string {
  const facts = factsOf(json);
  const rewrite = rewriteOf({ kind: 'compaction', json });
  const mode = stringAt(facts, 'mode');
  const strategy = stringAt(facts, 'strategy');
  const before = numberAt(facts, 'estimated_tokens_before') ?? numberAt(facts, 'estimatedTokensBefore');
  const after = numberAt(facts, 'estimated_tokens_after') ?? numberAt(facts, 'estimatedTokensAfter');
  if (rewrite === null) return '';
  const { messages, snapshotAssetId } = rewrite;
  return [
    ...[mode, strategy].filter((word) => word !== undefined),
    ...(messages === null ? [] : [`${amount(messages, 'message')} archived`]),
    ...(before === undefined || after === undefined ? [] : [`~${grouped(before)} → ~${grouped(after)} tok`]),
    ...(snapshotAssetId === null ? [] : [`snapshot ${snapshotAssetId}`]),
  ].join(' · ');
}

/** The fingerprint that a `system_prompt` event carries; null if none. */
export function fingerprintOf(facts: Fields): string | null {
  for (const key of ['fingerprint', 'sha256', 'hash', 'prompt_hash']) {
    const found = stringAt(facts, key);
    if (found !== undefined) return found;
  }
  return null;
}

function describeFingerprint(facts: Fields): string {
  const found = fingerprintOf(facts);
  const bytes = numberAt(facts, 'bytes');
  if (found === null) return '';
  return `fingerprint ${found}${bytes === undefined ? '' : ` · ${amount(bytes, 'byte')}`}`;
}

function describeAsset(json: string): string {
  const asset = readAsset(json);
  if (asset === null) return '';
  const { id, kind, mime, name, path, payload } = asset;
  const held = payload === null ? (path === null ? 'no data and no path' : path) : 'in the file';
  return [kind, id, ...(name === null ? [] : [name]), ...(mime === null ? [] : [mime]), held].join(' · ');
}

function amount(count: number | undefined, singular: string): string {
  return count === undefined || count === 0 ? '' : countOf(count, singular);
}
