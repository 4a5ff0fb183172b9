// Writes one conversation: what its events come to, in order.

import type { SourceRecord } from '../../../model/importSink.ts';
import type { ImportedMessage, Origin, TranscriptMeta } from '../../../model/transcript.ts';
import { type Fields, isRecord, numberAt, ownAt, stringAt } from '../../../util/unknown.ts';
import { defined, Extent, humanText, isoTime, originOf } from '../../reading/shared.ts';
import type { Tally } from '../../reading/tally.ts';
import type { TrackingSink } from '../../reading/trackingSink.ts';
import { type AnswerPart, answerText, type EventReading } from './reading.ts';
import { V0Events } from './v0.ts';
import { readV1 } from './v1.ts';

interface Answer {
  readonly parts: AnswerPart[];
  readonly origins: Origin[];
  readonly eventIds: string[];
  /** Its source index, once it has been handed over. */
  index: number | null;
}

/** The events of one transcript, on their way to the sink. */
export class Conversation {
  readonly #sink: TrackingSink;
  readonly #tally: Tally;
  readonly #v0 = new V0Events();
  readonly #extent = new Extent();
  // Source index by event id, as long as the model's view may hold it.
  readonly #inView = new Map<string, number>();
  #summary: number | null = null;
  #said: number | null = null;
  #answer: Answer | null = null;
  #isTitled = false;

  /** Begins the transcript `key`. */
  constructor(sink: TrackingSink, tally: Tally, key: string, meta: TranscriptMeta) {
    this.#sink = sink;
    this.#tally = tally;
    this.#isTitled = meta.title !== undefined;
    sink.begin(key, meta);
  }

  /** Takes an event: `text` within `record`. Why nothing came of it, where nothing did. */
  event(record: SourceRecord, text: string, fields: Fields): string | null {
    const reading = Object.hasOwn(fields, 'kind') ? readV1(text, fields) : this.#v0.read(text, fields);
    this.#extent.time(isoTime(ownAt(fields, 'timestamp')));
    const id = stringAt(fields, 'id') ?? numberAt(fields, 'id')?.toString();
    if (reading.as === 'call') {
      this.#part(record, reading.answer, id);
      return null;
    }
    this.settle();
    this.#answer = null;
    if (reading.as === 'nothing') {
      if (reading.joins && id !== undefined && this.#said !== null) this.#inView.set(id, this.#said);
      return reading.why;
    }
    if (reading.as === 'message') this.#message(record, reading, id);
    else if (reading.as === 'compaction') this.#compaction(record, text, fields, reading);
    else this.note(record, reading.kind, reading.line, text, reading.known, isoTime(ownAt(fields, 'timestamp')));
    return null;
  }

  /** An entry of the audit. */
  note(record: SourceRecord, kind: string, line: string, json: string, known = true, timestamp?: string): void {
    if (!known) this.#tally.add('import.unknown_record', originOf(record), kind.replace('unknown:', ''));
    const at = this.#sink.length;
    const origin = originOf(record);
    this.#sink.event({ kind, at, visibility: 'internal', text: line, ...defined({ timestamp }), json, origin });
  }

  /** What is known of the conversation beside its events; later fields win. */
  about(meta: Partial<TranscriptMeta>): void {
    for (const model of meta.models ?? []) this.#extent.model(model);
    if (meta.title !== undefined) this.#isTitled = true;
    this.#sink.meta({ ...meta, ...this.#extent.meta() });
  }

  /** Hands over the answer that is being joined, as it stands. */
  settle(): void {
    const answer = this.#answer;
    if (!answer || answer.index !== null) return;
    answer.index = this.#sink.message(messageOf(answer));
    for (const id of answer.eventIds) this.#inView.set(id, answer.index);
  }

  end(): void {
    this.settle();
    this.#sink.meta(this.#extent.meta());
  }

  #part(record: SourceRecord, part: AnswerPart, id: string | undefined): void {
    const current = this.#answer;
    const joins = current && part.responseId !== null && current.parts[0]?.responseId === part.responseId;
    if (!joins) {
      this.settle();
      this.#answer = {
        parts: [part],
        origins: [originOf(record)],
        eventIds: id === undefined ? [] : [id],
        index: null,
      };
      return;
    }
    current.parts.push(part);
    current.origins.push(originOf(record));
    if (id !== undefined) current.eventIds.push(id);
    if (current.index === null) return;
    if (id !== undefined) this.#inView.set(id, current.index);
    this.#sink.amend(current.index, messageOf(current));
  }

  #message(
    record: SourceRecord,
    { text, meta, about }: EventReading & { as: 'message' },
    id: string | undefined,
  ): void {
    const value: unknown = JSON.parse(text);
    this.#extent.model(meta.model);
    if (about) this.#sink.meta(about);
    if (!this.#isTitled && isRecord(value) && value.role === 'user' && !meta.injected) this.#title(value);
    const index = this.#sink.message({ text, value, meta, origins: [originOf(record)] });
    if (isRecord(value) && value.role === 'assistant') this.#said = index;
    if (id !== undefined) this.#inView.set(id, index);
  }

  #title(message: Fields): void {
    const title = humanText(ownAt(message, 'content'));
    if (title === undefined) return;
    this.#isTitled = true;
    this.#sink.meta({ title });
  }

  // What was not forgotten stays beside the summary, in its order; only a new summary takes the place of the one before.
  #compaction(record: SourceRecord, text: string, fields: Fields, reading: EventReading & { as: 'compaction' }): void {
    for (const id of [...this.#inView.keys()]) if (reading.forgotten(id)) this.#inView.delete(id);
    const at = this.#sink.length;
    const kept = new Set(this.#inView.values());
    if (reading.summary === null && this.#summary !== null) kept.add(this.#summary);
    const preserved = [...kept].sort((a, b) => a - b);
    const timestamp = isoTime(ownAt(fields, 'timestamp'));
    const { summary, line } = reading;
    const event = { kind: 'compaction', at, visibility: 'internal' as const, text: line, ...defined({ timestamp }) };
    const before = new Set([...this.#inView.values()].slice(0, reading.offset ?? 0)).size;
    const summaryAfter = summary === null || before === 0 ? undefined : before;
    const facts = defined({ summaryIndex: summary === null ? undefined : at, preserved, summaryAfter });
    this.#sink.compaction({ ...event, json: text, origin: originOf(record) }, { at, ...facts });
    if (summary === null) return;
    const made = `{"role":"user","content":${summary}}`;
    const value: unknown = JSON.parse(made);
    const meta = { ...defined({ timestamp }), compactSummary: true };
    this.#summary = this.#sink.message({ text: made, value, meta, origins: [originOf(record)] });
  }
}

function messageOf({ parts, origins }: Answer): ImportedMessage {
  const text = answerText(parts);
  const value: unknown = JSON.parse(text);
  return { text, value, meta: parts[0]?.meta ?? {}, origins };
}
