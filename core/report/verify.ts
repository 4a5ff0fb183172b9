import type { SliceStatement } from '../model/sliceStatement.ts';
import { isWithin, type StatedFinding } from '../model/statedFinding.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import type { Projection } from '../projection/types.ts';
import { sha256 as pureSha256, type Sha256 } from '../util/hash.ts';
import { canonicalJson } from '../util/json/index.ts';
import { isRecord } from '../util/unknown.ts';
import { projectedTexts } from './bundle.ts';
import { rawSliceHash, recordedHash } from './rawSlice.ts';
import type { Bundle } from './readBundle.ts';
import { isEmptied } from './slice/emptied.ts';
import type { VerifyReport } from './types.ts';

type Difference = VerifyReport['differences'][number];

/**
 * Compares what a bundle states with what it holds, and with `projection`: the bundle's own raw slice projected here,
 * by the bundle's spec, at its call point. Of messages and fates the first difference is reported.
 */
export function verifyBundle(
  bundle: Bundle,
  projection: Projection,
  engineVersion: string,
  sha256: Sha256 = pureSha256,
): VerifyReport {
  const { head, source } = bundle;
  const { findings = [] } = head;
  const here = [...projectedTexts(projection, source)].map((text) => canonicalJson(text));
  const there = bundle.projected.map((text) => canonicalJson(text));
  const prefixHash = hashOf(here, sha256);
  const differences = [
    difference('raw slice', head.transcript.sha256, rawSliceHash(source, head.at, sha256)),
    recordedDifference(bundle, sha256),
    difference('stated prefix hash of the projected messages', head.prefix_hash, hashOf(there, sha256)),
    difference('prefix hash', head.prefix_hash, prefixHash),
    firstDifference('projected message', there, here),
    firstDifference('fate of message', head.fates.map(decisionOf), projection.fates.map(decisionOf)),
    firstDifference('redaction pointer', head.pointers.map(canonicalOf), projection.pointers.map(canonicalOf)),
    ...findingDifferences(findings, head.at),
    ...sliceDifferences(head.slice, source, head.at),
  ].filter((found) => found !== null);
  return {
    same: differences.length === 0,
    differences,
    engineVersion: { bundle: head.engineVersion, here: engineVersion },
    messages: here.length,
    prefixHash,
    findings,
  };
}

// The prefix hash over messages that are canonical already.
function hashOf(canonical: readonly string[], sha256: Sha256): string {
  const state = sha256().update('[');
  for (const [at, text] of canonical.entries()) state.update(at === 0 ? text : `,${text}`);
  return `sha256:${state.update(']').hex()}`;
}

// What was decided, not in which words: sentences grow from one version to the next, and explanations with them.
function decisionOf(fate: object): string {
  const decided: Record<string, unknown> = { ...fate };
  if (decided.kind === 'kept') return 'kept';
  for (const word of ['reason', 'chip', 'evidence']) delete decided[word];
  if (Array.isArray(decided.parts)) {
    decided.parts = decided.parts.map((part: unknown) =>
      isRecord(part) ? { part: part.part, kind: part.kind } : part,
    );
  }
  return canonicalOf(decided);
}

function canonicalOf(value: unknown): string {
  return canonicalJson(JSON.stringify(value));
}

function difference(what: string, expected: string, got: string): Difference | null {
  return expected === got ? null : { what, expected, got };
}

/** What a bundle says of its slice that its messages are not. */
export function sliceDifferences(
  slice: SliceStatement | undefined,
  source: TranscriptSource,
  at: number,
): readonly Difference[] {
  if (slice === undefined) return [];
  const whole = new Uint8Array(at);
  for (const [from, to] of slice.whole) whole.fill(1, from, Math.max(from, to));
  const outside = Array.from(whole.keys()).filter((index) => whole[index] === 0);
  const words = outside.find((index) => !isEmptied(source.text(index)));
  return [
    difference('slice: messages without their words', String(slice.emptied), String(outside.length)),
    words === undefined
      ? null
      : { what: `slice: message ${words}`, expected: 'without its words', got: 'with its words' },
  ].filter((found) => found !== null);
}

/** What a bundle's findings point to that is not in it. */
export function findingDifferences(findings: readonly StatedFinding[], end: number): readonly Difference[] {
  return findings.flatMap((finding, nth): Difference[] => {
    if (isWithin(finding, end)) return [];
    const places = [finding.at, ...finding.sources].map((index) => `#${index}`).join(', ');
    return [{ what: `finding ${nth}`, expected: places, got: `messages before #${end}` }];
  });
}

// Bundles of older versions hold nothing of it.
function recordedDifference({ head, request, metas }: Bundle, sha256: Sha256): Difference | null {
  const isThere = request !== null || metas.length > 0;
  const stated = head.transcript.recorded_sha256 ?? '(none)';
  return difference(
    'what is recorded apart from the messages',
    stated,
    isThere ? recordedHash(request, metas, sha256) : '(none)',
  );
}

function firstDifference(what: string, expected: readonly string[], got: readonly string[]): Difference | null {
  const length = Math.max(expected.length, got.length);
  for (let at = 0; at < length; at++) {
    const [a, b] = [expected[at] ?? '(none)', got[at] ?? '(none)'];
    if (a !== b) return { what: `${what} ${at}`, ...around(a, b) };
  }
  return null;
}

const BEFORE = 60;
const AROUND = 300;

// Of long texts only the surroundings of the first differing character.
function around(expected: string, got: string): { readonly expected: string; readonly got: string } {
  let at = 0;
  while (at < expected.length && expected[at] === got[at]) at++;
  const from = Math.max(0, at - BEFORE);
  const cut = (text: string): string => {
    const part = text.slice(from, from + AROUND);
    return `${from > 0 ? '…' : ''}${part}${from + AROUND < text.length ? '…' : ''}`;
  };
  return { expected: cut(expected), got: cut(got) };
}
