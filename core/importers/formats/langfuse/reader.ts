import type { ImportSink, SourceRecord } from '../../../model/importSink.ts';
import type { Origin, TranscriptMeta } from '../../../model/transcript.ts';
import { type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { defined, originOf } from '../../reading/shared.ts';
import { Tally } from '../../reading/tally.ts';
import type { FormatReader } from '../../types.ts';
import { emitThreads, TraceFolder } from '../trace/folder.ts';
import { type Json, jsonAt, jsonElements } from '../trace/json.ts';
import { itemOf, kindOf } from './observation.ts';

const ID = 'langfuse';

interface Held {
  readonly json: Json;
  readonly fields: Fields;
  readonly origin: Origin;
  /** Its record, if it has a separate one. */
  readonly record: SourceRecord | null;
}

/** Holds a file's observations until its end: they are in no order, and what a trace is about may come last. */
export class LangfuseReader implements FormatReader {
  readonly #sink: ImportSink;
  readonly #tally = new Tally();
  readonly #observations = new Map<string, Held>();
  readonly #traces: Fields[] = [];
  #elements = 0;

  constructor(sink: ImportSink) {
    this.#sink = sink;
  }

  record(record: SourceRecord): void {
    const json = { text: record.text, value: record.value };
    if (record.path.length > 0) this.#elements++;
    if (record.path.length > 0) this.#observation(json, originOf(record), record);
    else if (this.#elements > 0) this.#trace(record.value);
    else this.#whole(record, json);
  }

  // A line, or a document that has its observations elsewhere: an observation, or a trace that holds some.
  #whole(record: SourceRecord, json: Json): void {
    const lists = [jsonAt(json, 'observations'), jsonAt(json, 'trace', 'observations')];
    const inside = lists.flatMap(jsonElements);
    if (inside.length === 0) {
      this.#observation(json, originOf(record), record);
      return;
    }
    this.#trace(record.value);
    for (const observation of inside) this.#observation(observation, originOf(record), null);
  }

  #trace(value: unknown): void {
    if (isRecord(value)) this.#traces.push(recordAt(value, 'trace') ?? value);
  }

  // A trace may carry its observations a second time, without what went in and out of them.
  #observation(json: Json, origin: Origin, record: SourceRecord | null): void {
    const fields = isRecord(json.value) ? json.value : {};
    const id = stringAt(fields, 'id');
    const key = id === undefined ? `${origin.byteStart} ${this.#observations.size}` : `id ${id}`;
    const known = this.#observations.get(key);
    const isFuller = !known || payloads(fields) >= payloads(known.fields);
    if (isFuller) this.#observations.set(key, { json, fields, origin, record });
    const lesser = isFuller ? known?.record : record;
    if (lesser) this.#sink.ignored(lesser, 'the observation stands in the file a second time');
  }

  end(): void {
    const sessions = new Map(this.#traces.map((trace) => [stringAt(trace, 'id'), stringAt(trace, 'sessionId')]));
    const items = [...this.#observations.values()].map(({ json, fields, origin }) => {
      const kind = kindOf(fields);
      if (kind.startsWith('unknown:')) this.#tally.add('import.unknown_record', origin, kind.slice(8));
      return itemOf(json, fields, origin, sessions.get(stringAt(fields, 'traceId')));
    });
    const threads = new TraceFolder(ID, this.#tally).fold(items);
    emitThreads(threads, this.#sink, this.#titleMeta());
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
  }

  #titleMeta(): Partial<TranscriptMeta> {
    const [trace, ...others] = this.#traces;
    return trace && others.length === 0 ? defined({ title: stringAt(trace, 'name') }) : {};
  }
}

function payloads(fields: Fields): number {
  const held = ['input', 'output', 'metadata'].map((key) => ownAt(fields, key) ?? null);
  return held.filter((value) => value !== null && value !== '{}').length;
}
