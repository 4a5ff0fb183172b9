import type { MessageFacts, MessageMeta } from '../model/message.ts';
import { readRecorded } from '../model/readMessage.ts';
import type { SummaryArtifact } from '../model/summary.ts';
import type { PlacedCompaction, ProjectionEvent, TranscriptSource } from '../model/transcript.ts';
import type { Sha256 } from '../util/hash.ts';
import { canonicalJson, jsonString, valueTextAt } from '../util/json/index.ts';
import { isRecord, numberAt } from '../util/unknown.ts';
import { placeOf, readRecordedProjection } from '../view/recordedProjection.ts';

/** The raw messages of a bundle, with what is recorded beside each, read as a transcript. Facts are read when first asked for. */
export function rawSlice(
  texts: readonly string[],
  summary: string | null,
  compactions: readonly PlacedCompaction[] = [],
  summaries: readonly SummaryArtifact[] = [],
  metas: readonly Pick<MessageMeta, 'provenance' | 'failedCallIds'>[] = [],
  projections: readonly ProjectionEvent[] = [],
): TranscriptSource {
  const facts: (MessageFacts | undefined)[] = [];
  const textAt = (index: number): string => {
    const text = texts[index];
    if (text === undefined) throw new RangeError(`message ${index} of ${texts.length}`);
    return text;
  };
  return {
    length: texts.length,
    summary,
    text: textAt,
    compactions: () => compactions,
    summaries: () => summaries,
    projections: () => projections,
    failedCallIds: (index) => metas[index]?.failedCallIds ?? [],
    facts(index) {
      facts[index] ??= readRecorded(JSON.parse(textAt(index)), metas[index] ?? {});
      return facts[index];
    },
  };
}

/**
 * `sha256:` + hex over what a projection at `at` can see, byte for byte: the transcript's summary as JSON, then the
 * text of each message before the call point, each followed by a line feed; then, if compactions are recorded before it,
 * those as canonical JSON; then likewise the recorded projections; then, if people wrote summaries of it, those.
 */
export function rawSliceHash(source: TranscriptSource, at: number, sha256: Sha256): string {
  const steps = rawSliceHashSteps(source, at, sha256);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** As rawSliceHash, message by message. */
export function* rawSliceHashSteps(source: TranscriptSource, at: number, sha256: Sha256): Generator<void, string> {
  const state = sha256();
  state.update(source.summary === null ? 'null\n' : `${jsonString(source.summary)}\n`);
  for (let index = 0; index < at; index++) {
    state.update(source.text(index)).update('\n');
    yield;
  }
  const compactions = compactionsBefore(source, at);
  if (compactions.length > 0) state.update(canonicalJson(JSON.stringify(compactions))).update('\n');
  const projections = projectionTexts(source, at);
  if (projections.length > 0) state.update(canonicalJson(`[${projections.join(',')}]`)).update('\n');
  const summaries = summariesBefore(source, at);
  if (summaries.length > 0) state.update(canonicalJson(JSON.stringify(summaries))).update('\n');
  return `sha256:${state.hex()}`;
}

/** `sha256:` + hex over what is recorded apart from the messages: the request's members, then the record of each message. */
export function recordedHash(request: string | null, metas: readonly string[], sha256: Sha256): string {
  const state = sha256().update(`${request ?? 'null'}\n`);
  for (const meta of metas) state.update(`${meta}\n`);
  return `sha256:${state.hex()}`;
}

/** The written summaries that a projection at `at` can see. */
export function summariesBefore(source: TranscriptSource, at: number): readonly SummaryArtifact[] {
  return source.summaries().filter((summary) => summary.to <= at);
}

/** The recorded projections of the messages before `at`, as a bundle holds them: JSON texts `{at, event}`. */
export function projectionTexts(source: TranscriptSource, at: number): readonly string[] {
  return (source.projections?.() ?? []).flatMap(({ json, at: place, superseded }) => {
    const recorded = superseded ? null : readRecordedProjection(json);
    const isSeen = recorded !== null && placeOf(recorded, place) <= at;
    return isSeen ? [`{"at":${place},"event":${json}}`] : [];
  });
}

/** A recorded projection of a bundle; null if it is not one. */
export function projectionOf(text: string): ProjectionEvent | null {
  const value: unknown = JSON.parse(text);
  const at = isRecord(value) ? numberAt(value, 'at') : undefined;
  const json = valueTextAt(text, ['event']);
  return at === undefined || json === null ? null : { json, at, superseded: false };
}

/** The recorded compactions that a projection at `at` can see. */
export function compactionsBefore(source: TranscriptSource, at: number): readonly PlacedCompaction[] {
  return source.compactions().filter((compaction) => compaction.at <= at);
}
