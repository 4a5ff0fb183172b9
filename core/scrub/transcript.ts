// A transcript written with stand-ins: messages, what is recorded apart from them, and what goes with them into a bundle.

import type { MessageMeta } from '../model/message.ts';
import type { PlacedCompaction, ProjectionEvent, TranscriptMeta, TranscriptSource } from '../model/transcript.ts';
import { rawSlice } from '../report/rawSlice.ts';
import type { Scrubber } from './scrubber.ts';
import { settledJson } from './settled.ts';

/** What is scrubbed: a transcript as the rest of the program reads it, up to a call point. */
export interface ScrubSubject {
  readonly source: TranscriptSource;
  /** Messages that leave: those before it. */
  readonly at: number;
  readonly meta: Pick<TranscriptMeta, 'title' | 'systemJson' | 'toolsJson' | 'settingsJson'>;
  metaOf(index: number): MessageMeta;
  /** The spec and other JSON that goes with it. */
  readonly others: readonly string[];
}

/** A scrubbed transcript. `others` in the order they were given. */
export interface Scrubbed {
  readonly source: TranscriptSource;
  readonly meta: ScrubSubject['meta'];
  metaOf(index: number): MessageMeta;
  readonly others: readonly string[];
}

/** JSON texts of what is recorded apart from the messages and says something: title, prompt, tools, settings. */
export function frontTexts(meta: ScrubSubject['meta']): readonly string[] {
  const { systemJson, toolsJson, settingsJson, title } = meta;
  return [title === undefined ? undefined : JSON.stringify({ title }), systemJson, toolsJson, settingsJson].filter(
    (json) => json !== undefined,
  );
}

/** Reads all that leaves; a step for each text, so that a host can pause. */
export function* learnSubject(scrubber: Scrubber, subject: ScrubSubject): Generator<void> {
  for (const json of textsOf(subject)) {
    scrubber.learn(json);
    yield;
  }
}

/** A JSON text that leaves, and where it is from. */
export interface PlacedText {
  readonly json: string;
  /** Source index of the message that it is, or that it is recorded with; null = of no message. */
  readonly index: number | null;
  /** The message itself, what is recorded with it, or what is apart from the messages. */
  readonly of: 'message' | 'record' | 'front';
}

/** All JSON texts that leave, before they are written. */
export function* textsOf(subject: ScrubSubject): Generator<string> {
  for (const { json } of placedTexts(subject)) yield json;
}

/** The same, with their places. */
export function* placedTexts(subject: ScrubSubject): Generator<PlacedText> {
  const { source, at, metaOf } = subject;
  const apart = (json: string): PlacedText => ({ json, index: null, of: 'front' });
  for (const json of frontTexts(subject.meta)) yield apart(json);
  for (const json of subject.others) yield apart(json);
  if (source.summary !== null) yield apart(JSON.stringify({ summary: source.summary }));
  for (let index = 0; index < at; index++) {
    yield { json: source.text(index), index, of: 'message' };
    yield { json: JSON.stringify(metaOf(index)), index, of: 'record' };
  }
  for (const compaction of source.compactions()) {
    if (compaction.at > at) continue;
    for (const json of compaction.replacement ?? []) yield apart(json);
    yield apart(JSON.stringify(withoutReplacement(compaction)));
  }
  for (const { json } of projectionsOf(source, at)) yield apart(json);
  for (const summary of source.summaries()) if (summary.to <= at) yield apart(JSON.stringify(summary));
}

/** Writes all that leaves, a step for each message. {@link learnSubject} has read it. */
export function* scrubSubject(scrubber: Scrubber, subject: ScrubSubject): Generator<void, Scrubbed> {
  const { source, at, metaOf } = subject;
  const texts: string[] = [];
  const metas: MessageMeta[] = [];
  for (let index = 0; index < at; index++) {
    texts.push(scrubber.mask(source.text(index)));
    metas.push(settledJson(scrubber, metaOf(index)));
    yield;
  }
  const scrubbed = rawSlice(
    texts,
    source.summary === null ? null : settledJson(scrubber, { summary: source.summary }).summary,
    source.compactions().flatMap((one) => (one.at > at ? [] : [scrubbedCompaction(scrubber, one)])),
    source.summaries().flatMap((one) => (one.to > at ? [] : [settledJson(scrubber, one)])),
    metas,
    projectionsOf(source, at).map((event): ProjectionEvent => ({ ...event, json: scrubber.mask(event.json) })),
  );
  return {
    source: scrubbed,
    meta: scrubbedFront(scrubber, subject.meta),
    metaOf: (index) => metas[index] ?? {},
    others: subject.others.map((json) => scrubber.mask(json)),
  };
}

function withoutReplacement({ replacement: _, ...rest }: PlacedCompaction): Omit<PlacedCompaction, 'replacement'> {
  return rest;
}

function projectionsOf(source: TranscriptSource, at: number): readonly ProjectionEvent[] {
  return (source.projections?.() ?? []).filter((event) => event.at <= at);
}

function scrubbedCompaction(scrubber: Scrubber, compaction: PlacedCompaction): PlacedCompaction {
  const { replacement } = compaction;
  const rest = settledJson(scrubber, withoutReplacement(compaction));
  return replacement === undefined ? rest : { ...rest, replacement: replacement.map((json) => scrubber.mask(json)) };
}

function scrubbedFront(scrubber: Scrubber, meta: ScrubSubject['meta']): ScrubSubject['meta'] {
  const { title, systemJson, toolsJson, settingsJson } = meta;
  return {
    ...(title !== undefined && { title: settledJson(scrubber, { title }).title }),
    ...(systemJson !== undefined && { systemJson: scrubber.mask(systemJson) }),
    ...(toolsJson !== undefined && { toolsJson: scrubber.mask(toolsJson) }),
    ...(settingsJson !== undefined && { settingsJson: scrubber.mask(settingsJson) }),
  };
}
