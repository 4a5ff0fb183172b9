import type { TranscriptSource, WhatIf } from '../model/transcript.ts';
import { prefixHash } from '../projection/prefixHash.ts';
import type { Projection, ProjectionSpec } from '../projection/types.ts';
import { sha256 as pureSha256, type Sha256 } from '../util/hash.ts';
import { itemText } from '../view/reader.ts';
import { BUNDLE_MARK, type BundleInputs, type BundleTokens } from './format.ts';
import { compactionsBefore, rawSliceHash, summariesBefore } from './rawSlice.ts';

/** What goes into a bundle. `createdAt` is the caller's clock, if any; no hash covers it. */
export interface BundleInput {
  readonly engineVersion: string;
  readonly transcript: {
    readonly id: string;
    readonly format: string;
    readonly title: string;
    /** Set for a what-if: its messages from `at` on were typed here. */
    readonly whatIf?: Pick<WhatIf, 'parentId' | 'at'>;
  };
  readonly source: TranscriptSource;
  readonly spec: ProjectionSpec;
  readonly projection: Projection;
  readonly tokens: BundleTokens | null;
  /** What the projection's stages counted with; absent = none did. */
  readonly inputs?: BundleInputs;
  readonly createdAt?: string;
  /** A faster SHA-256 than the pure one, where the host has it. */
  readonly sha256?: Sha256;
}

/** The hashes a bundle states. */
export interface BundleSums {
  readonly prefixHash: string;
  readonly rawSha256: string;
}

/** The exact texts of a projection's messages, in order. */
export function* projectedTexts(projection: Projection, source: TranscriptSource): Generator<string> {
  for (const item of projection.view.items) yield itemText(item, source);
}

/** The hashes of a bundle that would be written. */
export function bundleSums(input: BundleInput): BundleSums {
  const { projection, source, sha256 = pureSha256 } = input;
  return {
    prefixHash: prefixHash(source, projection.view, sha256),
    rawSha256: rawSliceHash(source, projection.at, sha256),
  };
}

/**
 * The bundle as chunks of JSON text, one message or fate at a time: a raw slice may be 100 MB. Deterministic: the same
 * input gives the same bytes. Secrets in the transcript are in it as they are.
 */
export function* bundleChunks(input: BundleInput, sums: BundleSums = bundleSums(input)): Generator<string> {
  const { projection, source, transcript } = input;
  yield `{"parallax":${JSON.stringify(BUNDLE_MARK)}`;
  yield member('engineVersion', input.engineVersion);
  if (input.createdAt !== undefined) yield member('createdAt', input.createdAt);
  const { id, format, title, whatIf } = transcript;
  const label = whatIf === undefined ? {} : { what_if: { parent: whatIf.parentId, at: whatIf.at } };
  yield member('transcript', { id, format, title, ...label, messages: source.length, sha256: sums.rawSha256 });
  yield member('spec', input.spec);
  yield member('at', projection.at);
  yield member('prefix_hash', sums.prefixHash);
  yield member('tokens', input.tokens);
  if (input.inputs !== undefined) yield member('inputs', input.inputs);
  yield member('reports', projection.reports);
  yield member('pointers', projection.pointers);
  yield* arrayMember('fates', jsonTexts(projection.fates));
  yield `,\n"raw":{"summary":${JSON.stringify(source.summary)}`;
  const compactions = compactionsBefore(source, projection.at);
  if (compactions.length > 0) yield* arrayMember('compactions', jsonTexts(compactions));
  const summaries = summariesBefore(source, projection.at);
  if (summaries.length > 0) yield* arrayMember('summaries', jsonTexts(summaries));
  yield* arrayMember('messages', rawTexts(source, projection.at));
  yield '},\n"projected":{"count":';
  yield String(projection.view.items.length);
  yield* arrayMember('messages', projectedTexts(projection, source));
  yield '}}\n';
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

function* jsonTexts(values: Iterable<unknown>): Generator<string> {
  for (const value of values) yield JSON.stringify(value);
}

function* rawTexts(source: TranscriptSource, at: number): Generator<string> {
  for (let index = 0; index < at; index++) yield source.text(index);
}
