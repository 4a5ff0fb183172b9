import type { Calibration } from '../model/calibration.ts';
import type { MessageMeta } from '../model/message.ts';
import type { ScrubReport } from '../model/scrubReport.ts';
import type { SliceStatement } from '../model/sliceStatement.ts';
import type { StatedFinding } from '../model/statedFinding.ts';
import type { StatedWatchpoint } from '../model/statedWatchpoint.ts';
import type { TranscriptMeta, TranscriptSource, WhatIf } from '../model/transcript.ts';
import { prefixHash } from '../projection/prefixHash.ts';
import type { Projection, ProjectionSpec } from '../projection/types.ts';
import { sha256 as pureSha256, type Sha256 } from '../util/hash.ts';
import { canonicalJson } from '../util/json/index.ts';
import { itemText } from '../view/reader.ts';
import { BUNDLE_MARK, type BundleInputs, type BundleTokens, type BundleTranscript } from './format.ts';
import { compactionsBefore, projectionTexts, rawSliceHash, recordedHash, summariesBefore } from './rawSlice.ts';

/** What goes into a bundle. `createdAt` is the caller's clock, if any; no hash covers it. */
export interface BundleInput {
  readonly engineVersion: string;
  readonly transcript: {
    readonly id: string;
    readonly format: string;
    readonly title: string;
    /** Messages it has; absent: those of `source`. */
    readonly messages?: number;
    /** The model it was counted for. */
    readonly model?: string;
    /** The window that its runtime recorded. Unit: tokens. */
    readonly contextWindow?: number;
    /** The line that made its counts the provider's; null = they are plain; absent = so in a bundle that does not say. */
    readonly calibration?: Calibration | null;
    /** Set for a what-if: its messages from `at` on were typed here. */
    readonly whatIf?: Pick<WhatIf, 'parentId' | 'at'>;
  };
  /** What is recorded apart from the messages' texts; absent = nothing. */
  readonly recorded?: BundleRecorded;
  readonly source: TranscriptSource;
  readonly spec: ProjectionSpec;
  readonly projection: Projection;
  readonly tokens: BundleTokens | null;
  /** Tokens that each stage saved, by its position; for the description alone, as the cost is. Null = nobody counted. */
  readonly saved?: readonly (number | null)[] | null;
  /** What the projection's stages counted with; absent = none did. */
  readonly inputs?: BundleInputs;
  /** Findings that were chosen for it, of the messages before the call point; absent = none. */
  readonly findings?: readonly StatedFinding[];
  /** Watched texts that were chosen for it; absent = none. */
  readonly watchpoints?: readonly StatedWatchpoint[];
  /** What its scrubbing found; absent = it was not scrubbed, which the bundle says. */
  readonly scrub?: ScrubReport;
  /** Set if `source` is a slice; see core/report/slice. */
  readonly slice?: SliceStatement;
  readonly createdAt?: string;
  /** For the description alone; absent = not known. */
  readonly cost?: BundleCost;
  /** A faster SHA-256 than the pure one, where the host has it. */
  readonly sha256?: Sha256;
}

/** What a whole session costs, as recorded and under the spec (as SessionCost of core/insight). US dollars; null = not known. */
export interface BundleCost {
  readonly requests: number;
  /** Of them: those of whose model no price is known. */
  readonly unpriced: number;
  readonly recordedRequests: number;
  readonly recorded: number | null;
  readonly policy: number | null;
  /** Of both: the answers, and how many are counted. */
  readonly output: number;
  readonly answers: number;
  /** Whose prices: rows of the price list. */
  readonly models: readonly string[];
}

/** What is recorded of it. */
export function bundleCost(
  { total, ...recorded }: Pick<BundleCost, 'requests' | 'unpriced' | 'output' | 'answers'> & { readonly total: number },
  prices: readonly { readonly model: string }[],
): BundleCost {
  const { requests, unpriced } = recorded;
  return {
    ...{ ...recorded, requests: requests + unpriced, recordedRequests: requests },
    ...{ recorded: total, policy: null, models: prices.map(({ model }) => model) },
  };
}

/** What a transcript records apart from its messages' texts. */
export interface BundleRecorded extends Pick<TranscriptMeta, 'systemJson' | 'toolsJson' | 'settingsJson'> {
  meta(index: number): MessageMeta;
}

const UNSCRUBBED: ScrubReport = { scrubbed: false, findings: [] };

/** The hashes a bundle states. */
export interface BundleSums {
  readonly prefixHash: string;
  readonly rawSha256: string;
  /** Absent: nothing is recorded apart from the messages. */
  readonly recordedSha256?: string;
}

/** The exact texts of a projection's messages, in order. */
export function* projectedTexts(projection: Projection, source: TranscriptSource): Generator<string> {
  for (const item of projection.view.items) yield itemText(item, source);
}

/** The hashes of a bundle that would be written. */
export function bundleSums(input: BundleInput): BundleSums {
  const { projection, source, sha256 = pureSha256 } = input;
  return { prefixHash: prefixHash(source, projection.view, sha256), ...recordedSums(input) };
}

/** The hashes of what a bundle holds, without that of the projection. */
export function recordedSums(input: BundleInput): Omit<BundleSums, 'prefixHash'> {
  const { projection, source, recorded, sha256 = pureSha256 } = input;
  const rawSha256 = rawSliceHash(source, projection.at, sha256);
  const recordedSha256 = recordedSum(recorded, projection.at, sha256);
  return recordedSha256 === null ? { rawSha256 } : { rawSha256, recordedSha256 };
}

/** The hash of what is recorded apart from the messages before `at`; null: nothing is. */
export function recordedSum(recorded: BundleRecorded | undefined, at: number, sha256: Sha256): string | null {
  const request = requestText(recorded);
  const metas = metaTexts(recorded, at);
  return request === null && metas.length === 0 ? null : recordedHash(request, metas, sha256);
}

function requestText(recorded: BundleRecorded | undefined): string | null {
  const { systemJson, toolsJson, settingsJson } = recorded ?? {};
  const members = Object.entries({ system: systemJson, tools: toolsJson, settings: settingsJson });
  const given = members.flatMap(([name, json]) => (json === undefined ? [] : [`${JSON.stringify(name)}:${json}`]));
  return given.length === 0 ? null : `{${given.join(',')}}`;
}

// One for each message, or none at all.
function metaTexts(recorded: BundleRecorded | undefined, at: number): readonly string[] {
  if (recorded === undefined) return [];
  const texts = Array.from({ length: at }, (_, index) => canonicalText(recorded.meta(index)));
  return texts.every((text) => text === '{}') ? [] : texts;
}

/**
 * The bundle as chunks of JSON text, one message or fate at a time: a raw slice may be 100 MB. Deterministic: the same
 * input gives the same bytes. Secrets in the input are in it as they are: core/scrub takes them out before.
 */
export function* bundleChunks(input: BundleInput, sums: BundleSums = bundleSums(input)): Generator<string> {
  const { projection, source, recorded } = input;
  yield `{"parallax":${JSON.stringify(BUNDLE_MARK)}`;
  yield member('engineVersion', input.engineVersion);
  if (input.createdAt !== undefined) yield member('createdAt', input.createdAt);
  yield member('scrub', input.scrub ?? UNSCRUBBED);
  if (input.slice !== undefined) yield member('slice', input.slice);
  yield member('transcript', transcriptMember(input, sums));
  yield member('spec', input.spec);
  yield member('at', projection.at);
  yield member('prefix_hash', sums.prefixHash);
  yield member('tokens', input.tokens);
  if (input.inputs !== undefined) yield member('inputs', input.inputs);
  yield member('reports', projection.reports);
  yield member('pointers', projection.pointers);
  if (input.findings !== undefined && input.findings.length > 0) {
    yield* arrayMember('findings', input.findings.map(canonicalText));
  }
  if (input.watchpoints !== undefined && input.watchpoints.length > 0) {
    yield* arrayMember('watchpoints', input.watchpoints.map(canonicalText));
  }
  yield* arrayMember('fates', jsonTexts(projection.fates));
  yield `,\n"raw":{"summary":${JSON.stringify(source.summary)}`;
  const compactions = compactionsBefore(source, projection.at);
  if (compactions.length > 0) yield* arrayMember('compactions', compactions.map(canonicalText));
  const projections = projectionTexts(source, projection.at);
  if (projections.length > 0) yield* arrayMember('projections', projections);
  const summaries = summariesBefore(source, projection.at);
  if (summaries.length > 0) yield* arrayMember('summaries', summaries.map(canonicalText));
  const request = requestText(recorded);
  if (request !== null) yield `,\n"request":${request}`;
  const metas = metaTexts(recorded, projection.at);
  if (metas.length > 0) yield* arrayMember('meta', metas);
  yield* arrayMember('messages', rawTexts(source, projection.at));
  yield '},\n"projected":{"count":';
  yield String(projection.view.items.length);
  yield* arrayMember('messages', projectedTexts(projection, source));
  yield '}}\n';
}

function transcriptMember({ transcript, source }: BundleInput, sums: BundleSums): BundleTranscript {
  const { id, format, title, model, contextWindow, calibration, messages = source.length, whatIf } = transcript;
  return {
    id,
    format,
    title,
    ...(model !== undefined && { model }),
    ...(contextWindow !== undefined && { context_window: contextWindow }),
    ...(calibration !== undefined && { calibration }),
    ...(whatIf !== undefined && { what_if: { parent: whatIf.parentId, at: whatIf.at } }),
    messages,
    sha256: sums.rawSha256,
    ...(sums.recordedSha256 !== undefined && { recorded_sha256: sums.recordedSha256 }),
  };
}

function member(name: string, value: unknown): string {
  return `,\n"${name}":${JSON.stringify(value)}`;
}

function* arrayMember(name: string, texts: Iterable<string>): Generator<string> {
  yield `,\n"${name}":[`;
  let separator = '\n';
  for (const text of texts) {
    yield separator;
    yield text;
    separator = ',\n';
  }
  yield '\n]';
}

// By its content alone: whoever made the object, the bundle is the same.
function canonicalText(value: unknown): string {
  return canonicalJson(JSON.stringify(value));
}

function* jsonTexts(values: Iterable<unknown>): Generator<string> {
  for (const value of values) yield JSON.stringify(value);
}

function* rawTexts(source: TranscriptSource, at: number): Generator<string> {
  for (let index = 0; index < at; index++) yield source.text(index);
}
