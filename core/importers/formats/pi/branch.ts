// Writes entries, one transcript at a time, and knows which messages a compaction keeps.

import type { TranscriptMeta } from '../../../model/transcript.ts';
import { numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import type { SourceRecord } from '../../types.ts';
import { defined, Extent, humanText, originOf } from '../shared.ts';
import type { Tally } from '../tally.ts';
import type { TrackingSink } from '../trackingSink.ts';
import { describeEntry, type EntryMessage, entryTime, messageOf } from './entry.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The entries of one path from the root, on their way to the sink. `serial` = an entry's place in the file, from 0. */
export class BranchWriter {
  readonly #sink: TrackingSink;
  readonly #tally: Tally;
  readonly #serialOf: (id: string) => number | undefined;
  readonly #startOf = new Map<number, number>();
  readonly #summaries = new Set<number>();
  readonly #extent = new Extent();
  #title: string | undefined;
  #name: string | undefined;

  /** Begins the transcript `key`. `serialOf` finds the entry of an id. */
  constructor(
    sink: TrackingSink,
    tally: Tally,
    serialOf: (id: string) => number | undefined,
    key: string,
    meta: TranscriptMeta,
  ) {
    this.#sink = sink;
    this.#tally = tally;
    this.#serialOf = serialOf;
    sink.begin(key, meta);
  }

  /** `again` = a transcript written before holds this entry: it is told as a message or compaction, no more as an event. */
  entry(serial: number, record: SourceRecord, fields: Fields, again: boolean): void {
    this.#startOf.set(serial, this.#sink.length);
    const message = messageOf(record, fields);
    const isCompaction = stringAt(fields, 'type') === 'compaction';
    if (isCompaction) this.#compaction(record, fields, message);
    if (message) this.#message(record, message, again);
    else if (!isCompaction && !again) this.#event(record, fields);
  }

  /** Says what is known of the transcript as a whole. */
  end(): void {
    this.#sink.meta({ ...this.#extent.meta(), ...defined({ title: this.#name ?? this.#title }) });
  }

  #message(record: SourceRecord, { text, value, meta }: EntryMessage, again: boolean): void {
    this.#extent.time(meta.timestamp);
    this.#extent.model(meta.model);
    const index = this.#sink.message({ text, value, meta, origins: [originOf(record)] });
    if (meta.compactSummary) this.#summaries.add(index);
    if (this.#title === undefined && !again && !meta.injected && !meta.compactSummary) this.#title = titleIn(value);
  }

  #compaction(record: SourceRecord, fields: Fields, summary: EntryMessage | null): void {
    const at = this.#sink.length;
    const facts = defined({
      trigger: ownAt(fields, 'fromHook') === true ? 'extension' : undefined,
      preTokens: numberAt(fields, 'tokensBefore'),
      summaryIndex: summary ? at : undefined,
      preserved: this.#preserved(fields, at),
    });
    this.#sink.compaction(this.#heldEvent(record, fields, 'compaction'), { at, ...facts });
  }

  // What stands from the first kept entry on goes along with the summary, older summaries excepted.
  #preserved(fields: Fields, at: number): readonly number[] | undefined {
    const id = stringAt(fields, 'firstKeptEntryId');
    const serial = id === undefined ? numberAt(fields, 'firstKeptEntryIndex') : this.#serialOf(id);
    const from = serial === undefined ? undefined : this.#startOf.get(serial);
    if (from === undefined) return undefined;
    const kept: number[] = [];
    for (let index = from; index < at; index++) if (!this.#summaries.has(index)) kept.push(index);
    return kept;
  }

  #event(record: SourceRecord, fields: Fields): void {
    const face = describeEntry(fields);
    if (!face.known) this.#tally.add('import.unknown_record', originOf(record), face.kind.replace('unknown:', ''));
    if (stringAt(fields, 'type') === 'session_info') this.#name = stringAt(fields, 'name');
    this.#extent.time(entryTime(fields));
    this.#sink.event(this.#heldEvent(record, fields, face.kind));
  }

  #heldEvent(record: SourceRecord, fields: Fields, kind: string) {
    const { text } = describeEntry(fields);
    const timestamp = defined({ timestamp: entryTime(fields) });
    const origin = originOf(record);
    return {
      kind,
      at: this.#sink.length,
      visibility: 'internal' as const,
      text,
      ...timestamp,
      json: record.text,
      origin,
    };
  }
}

function titleIn(message: unknown): string | undefined {
  const fields = recordAt({ message }, 'message') ?? {};
  return ownAt(fields, 'role') === 'user' ? humanText(ownAt(fields, 'content')) : undefined;
}
