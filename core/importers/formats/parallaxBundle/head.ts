// What a bundle says of itself: everything that is not a message.

import type { CacheDiagnosis, DiagnosedCause } from '../../../model/cacheDiagnosis.ts';
import type { InputTransformation } from '../../../model/inputTransformations.ts';
import type { AppliedEdit, BilledRequest, MessageMeta, ThreadEntryMeta, Usage } from '../../../model/message.ts';
import { readProvenance } from '../../../model/provenance.ts';
import type { ScrubCount, ScrubReport } from '../../../model/scrubReport.ts';
import type { SliceAnswer, SliceStatement } from '../../../model/sliceStatement.ts';
import { STATED_FINDINGS_MOST, type StatedFinding } from '../../../model/statedFinding.ts';
import { STATED_WATCHPOINTS_MOST, type StatedWatchpoint, WATCH_COLORS } from '../../../model/statedWatchpoint.ts';
import type { SummaryArtifact } from '../../../model/summary.ts';
import type { BundleOrigin, PlacedCompaction } from '../../../model/transcript.ts';
import { isJsonText } from '../../../util/json/index.ts';
import { arrayAt, type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { defined, nonEmpty, windowFrom } from '../../reading/shared.ts';

/** The versions that are read here. */
const VERSIONS: readonly unknown[] = [1, 2];

/** The version a bundle has; null if it is one that is read here. */
export function foreignVersion(document: unknown): string | null {
  const mark = isRecord(document) ? recordAt(document, 'parallax') : undefined;
  const version = mark && ownAt(mark, 'version');
  return VERSIONS.includes(version) ? null : (JSON.stringify(version) ?? 'none');
}

/** The members before the messages; null if one that must be there is missing or of another type. */
export function originOfBundle(document: unknown): BundleOrigin | null {
  const fields = isRecord(document) ? recordAt(document, 'transcript') : undefined;
  if (!isRecord(document) || fields === undefined) return null;
  const transcript = transcriptOf(fields);
  const at = numberAt(document, 'at');
  const prefixHash = stringAt(document, 'prefix_hash');
  const rawSha256 = stringAt(fields, 'sha256');
  const spec = ownAt(document, 'spec');
  if (transcript === null || at === undefined || !isIndex(at) || !isRecord(spec)) return null;
  if (prefixHash === undefined || rawSha256 === undefined) return null;
  const engineVersion = stringAt(document, 'engineVersion') ?? '';
  const recordedSha256 = stringAt(fields, 'recorded_sha256');
  const createdAt = stringAt(document, 'createdAt');
  const found = (arrayAt(document, 'findings') ?? []).slice(0, STATED_FINDINGS_MOST).flatMap(findingOf);
  const findings = found.length > 0 ? found : undefined;
  const watched = (arrayAt(document, 'watchpoints') ?? []).slice(0, STATED_WATCHPOINTS_MOST).flatMap(watchpointOf);
  const watchpoints = watched.length > 0 ? watched : undefined;
  const scrub = scrubOf(recordAt(document, 'scrub'));
  const slice = sliceOf(recordAt(document, 'slice'));
  const stated = defined({ recordedSha256, createdAt, findings, watchpoints, scrub, slice });
  return { transcript, at, spec, prefixHash, rawSha256, engineVersion, ...stated };
}

function sliceOf(fields: Fields | undefined): SliceStatement | undefined {
  if (fields === undefined) return undefined;
  const [emptied, tried] = [numberAt(fields, 'emptied'), numberAt(fields, 'tried')];
  const minimal = ownAt(fields, 'minimal');
  if (emptied === undefined || tried === undefined || typeof minimal !== 'boolean') return undefined;
  const whole = (arrayAt(fields, 'whole') ?? []).flatMap((range): (readonly [number, number])[] => {
    const [from, to]: readonly unknown[] = Array.isArray(range) ? range : [];
    return isIndex(from) && isIndex(to) ? [[from, to]] : [];
  });
  const answer = answerOf(recordAt(fields, 'answer'));
  return { whole, emptied, tried, minimal, ...(answer !== undefined && { answer }) };
}

function answerOf(fields: Fields | undefined): SliceAnswer | undefined {
  const [text, state] = fields === undefined ? [] : [stringAt(fields, 'text'), stringAt(fields, 'state')];
  if (fields === undefined || text === undefined || state === undefined) return undefined;
  const [stage, rule] = [stringAt(fields, 'stage') ?? null, stringAt(fields, 'rule') ?? null];
  return { text, state, since: numberAt(fields, 'since') ?? null, stage, rule };
}

function scrubOf(fields: Fields | undefined): ScrubReport | undefined {
  const scrubbed = fields && ownAt(fields, 'scrubbed');
  if (fields === undefined || typeof scrubbed !== 'boolean') return undefined;
  const findings = (arrayAt(fields, 'findings') ?? []).flatMap((one): ScrubCount[] => {
    if (!isRecord(one)) return [];
    const [kind, tier] = [stringAt(one, 'kind'), stringAt(one, 'tier')];
    const [count, masked] = [numberAt(one, 'count'), numberAt(one, 'masked')];
    if (kind === undefined || count === undefined || masked === undefined) return [];
    return tier === 'definite' || tier === 'candidate' ? [{ kind, tier, count, masked }] : [];
  });
  const same = ownAt(fields, 'same_outcome');
  return { scrubbed, findings, ...(typeof same === 'boolean' && { same_outcome: same }) };
}

// One that is not as it should be is left out; `verify` refuses the file for it.
function findingOf(value: unknown): readonly StatedFinding[] {
  if (!isRecord(value)) return [];
  const [kind, evidence, certainty] = (['kind', 'evidence', 'certainty'] as const).map((key) => stringAt(value, key));
  const at = numberAt(value, 'at');
  const sources = arrayAt(value, 'sources')?.filter(isIndex) ?? [];
  if (kind === undefined || evidence === undefined || at === undefined || !isIndex(at)) return [];
  const figures = { tokens: numberAt(value, 'tokens') ?? null, cost: numberAt(value, 'cost') ?? null };
  const loss = lossOf(recordAt(value, 'loss'));
  return [{ kind, at, evidence, sources, certainty: certainty ?? 'probable', loss, ...figures }];
}

function watchpointOf(value: unknown): readonly StatedWatchpoint[] {
  if (!isRecord(value)) return [];
  const [text, name = null, color] = [stringAt(value, 'text'), stringAt(value, 'name'), numberAt(value, 'color')];
  if (text === undefined || text.trim() === '' || color === undefined || !isIndex(color)) return [];
  const [matchCase, wholeWord] = [ownAt(value, 'matchCase') === true, ownAt(value, 'wholeWord') === true];
  return [{ text, matchCase, wholeWord, name, color: color % WATCH_COLORS }];
}

function lossOf(fields: Fields | undefined): StatedFinding['loss'] {
  const since = fields && numberAt(fields, 'since');
  if (fields === undefined || since === undefined) return null;
  const [stageTitle = null, rule = null] = (['stageTitle', 'rule'] as const).map((key) => stringAt(fields, key));
  return { since, stageTitle, rule, reason: stringAt(fields, 'reason') ?? '' };
}

const LINE = ['factor', 'base', 'requests', 'residual', 'spread'] as const;

function transcriptOf(fields: Fields): BundleOrigin['transcript'] | null {
  const id = stringAt(fields, 'id');
  const format = stringAt(fields, 'format');
  const title = stringAt(fields, 'title');
  const messages = numberAt(fields, 'messages');
  if (id === undefined || format === undefined || title === undefined || messages === undefined) return null;
  const whatIf = whatIfOf(recordAt(fields, 'what_if'));
  const calibration = calibrationOf(ownAt(fields, 'calibration'));
  const [model, contextWindow] = [stringAt(fields, 'model'), windowFrom(numberAt(fields, 'context_window'))];
  return { id, format, title, messages, ...defined({ model, contextWindow, calibration, whatIf }) };
}

// Undefined: an older version wrote the bundle, and counted plainly.
function calibrationOf(value: unknown): BundleOrigin['transcript']['calibration'] {
  if (value === null) return null;
  if (!isRecord(value)) return undefined;
  const [factor, base, requests, residual, spread] = LINE.map((name) => numberAt(value, name));
  const isWhole = factor !== undefined && base !== undefined && requests !== undefined;
  if (!isWhole || residual === undefined || spread === undefined) return undefined;
  return { model: stringAt(value, 'model') ?? null, factor, base, requests, residual, spread };
}

function whatIfOf(fields: Fields | undefined): BundleOrigin['transcript']['whatIf'] {
  const parentId = fields && stringAt(fields, 'parent');
  const at = fields && numberAt(fields, 'at');
  return parentId === undefined || at === undefined ? undefined : { parentId, at };
}

const KINDS = ['summary', 'replacement', 'cleared', 'opaque'] as const;

/** A recorded compaction; null if it is not as bundles have them. */
export function compactionOf(value: unknown): PlacedCompaction | null {
  if (!isRecord(value)) return null;
  const at = numberAt(value, 'at');
  const given = stringAt(value, 'kind');
  const kind = KINDS.find((each) => each === given);
  const replacement = arrayAt(value, 'replacement');
  const isSound =
    at !== undefined && isIndex(at) && kind === given && (replacement === undefined || replacement.every(isJson));
  if (!isSound) return null;
  return {
    at,
    ...defined({
      kind,
      replacement: replacement?.filter(isText),
      incomplete: value.incomplete === true ? (true as const) : undefined,
      clearedCallIds: arrayAt(value, 'clearedCallIds')?.filter(isText),
      opaqueChars: numberAt(value, 'opaqueChars'),
      trigger: stringAt(value, 'trigger'),
      preTokens: numberAt(value, 'preTokens'),
      postTokens: numberAt(value, 'postTokens'),
      summaryIndex: numberAt(value, 'summaryIndex'),
      preserved: arrayAt(value, 'preserved')?.filter(isIndex),
      summaryAfter: numberAt(value, 'summaryAfter'),
      timestamp: stringAt(value, 'timestamp'),
    }),
  };
}

/** A summary that was apart from the messages; null if it is none. */
export function summaryOf(value: unknown): SummaryArtifact | null {
  if (!isRecord(value)) return null;
  const from = numberAt(value, 'from');
  const to = numberAt(value, 'to');
  const version = numberAt(value, 'version');
  const content = stringAt(value, 'content');
  const origin = (['recorded', 'written'] as const).find((each) => each === ownAt(value, 'origin'));
  if (from === undefined || to === undefined || version === undefined) return null;
  return content === undefined || origin === undefined ? null : { from, to, content, version, origin };
}

const TEXTS = [
  'timestamp',
  'model',
  'stopReason',
  'id',
  'requestId',
  'callId',
  'parentCallId',
  'agentId',
  'effort',
  'speed',
] as const;
const FLAGS = ['injected', 'compactSummary', 'sidechain', 'typed', 'apiError'] as const;
const USAGE = ['input', 'output', 'cacheRead', 'cacheWrite', 'cacheWrite1h', 'reasoning', 'total'] as const;

/** What was recorded with a message. Fields that are not known here are passed over. */
export function metaOf(value: unknown): MessageMeta {
  if (!isRecord(value)) return {};
  const texts = TEXTS.map((key) => [key, stringAt(value, key)] as const);
  const flags = FLAGS.map((key) => [key, ownAt(value, key) === true ? true : undefined] as const);
  const usage = usageOf(recordAt(value, 'usage'));
  const iteration = numberAt(value, 'iteration');
  const failedCallIds = arrayAt(value, 'failedCallIds')?.filter(isText);
  const appliedEdits = arrayAt(value, 'appliedEdits')?.filter(isRecord).map(editOf);
  const cacheDiagnosis = diagnosisOf(ownAt(value, 'cacheDiagnosis'));
  return defined({
    ...Object.fromEntries([...texts, ...flags]),
    usage,
    iteration,
    cacheDiagnosis,
    failedCallIds,
    appliedEdits,
    entries: arrayAt(value, 'entries')?.map(entryOf),
    inputTransformations: arrayAt(value, 'inputTransformations')?.filter(isRecord).map(transformationOf),
    provenance: readProvenance(ownAt(value, 'provenance')),
  });
}

// One for each entry: an unknown one says nothing, and those behind it keep their places.
function entryOf(value: unknown): ThreadEntryMeta {
  if (!isRecord(value)) return {};
  const tag = (['ok', 'error'] as const).find((each) => each === ownAt(value, 'tag'));
  const flag = (key: string) => (ownAt(value, key) === true ? (true as const) : undefined);
  return defined({
    id: stringAt(value, 'id'),
    timestamp: stringAt(value, 'timestamp'),
    isModelInPayload: flag('isModelInPayload'),
    tag,
    isPair: flag('isPair'),
    isJson: flag('isJson'),
  });
}

const CAUSES: readonly DiagnosedCause[] = [
  'model',
  'system',
  'tools',
  'messages',
  'input',
  'compaction',
  'parameter',
  'unknown',
];

function diagnosisOf(value: unknown): CacheDiagnosis | undefined {
  if (!isRecord(value)) return undefined;
  const given = ownAt(value, 'cause');
  const cause = given === null ? null : CAUSES.find((each) => each === given);
  if (cause === undefined) return undefined;
  return { cause, ...defined({ word: stringAt(value, 'word'), missedTokens: numberAt(value, 'missedTokens') }) };
}

function usageOf(fields: Fields | undefined): Usage | undefined {
  if (fields === undefined) return undefined;
  const [input, output, cacheRead, cacheWrite, cacheWrite1h, reasoning, total] = USAGE.map((key) =>
    numberAt(fields, key),
  );
  const requests = arrayAt(fields, 'requests')?.filter(isRecord).map(billedOf);
  return nonEmpty({ input, output, cacheRead, cacheWrite, cacheWrite1h, reasoning, total, requests });
}

function billedOf(fields: Fields): BilledRequest {
  const kind = (['message', 'compaction'] as const).find((each) => each === ownAt(fields, 'kind')) ?? 'other';
  const { reasoning: _reasoning, total: _total, requests: _requests, ...figures } = usageOf(fields) ?? {};
  return { kind, ...figures };
}

function transformationOf(fields: Fields): InputTransformation {
  const textOf = (key: string): string => stringAt(fields, key) ?? '';
  return { type: textOf('type'), path: textOf('path'), reason: textOf('reason') };
}

function editOf(fields: Fields): AppliedEdit {
  const [toolUses, thinkingTurns, tokens] = (['toolUses', 'thinkingTurns', 'tokens'] as const).map((key) =>
    numberAt(fields, key),
  );
  return { type: stringAt(fields, 'type') ?? '', ...defined({ toolUses, thinkingTurns, tokens }) };
}

function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isJson(value: unknown): boolean {
  return isText(value) && isJsonText(value);
}
