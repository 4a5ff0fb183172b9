import type { ImportSink, SourceRecord } from '../../../model/importSink.ts';
import { isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { originOf } from '../../reading/shared.ts';
import { Tally } from '../../reading/tally.ts';
import type { FormatReader } from '../../types.ts';
import { emitThreads, TraceFolder } from '../trace/folder.ts';
import type { TraceItem } from '../trace/item.ts';
import { type Json, jsonAt, jsonElements } from '../trace/json.ts';
import { membersOf } from './attributes.ts';
import { isSpan, itemOf } from './span.ts';

const ID = 'otel';

interface Held {
  readonly record: SourceRecord;
  readonly span: Json;
  /** The scope it is in: known by name, or the place of that in the document, which comes last. */
  readonly scope: string | readonly (string | number)[];
}

/** Holds a file's spans until its end: a span is written when it ends, so a call stands before what it is part of. */
export class OtelReader implements FormatReader {
  readonly #sink: ImportSink;
  readonly #tally = new Tally();
  readonly #held: Held[] = [];
  #document: Json | null = null;

  constructor(sink: ImportSink) {
    this.#sink = sink;
  }

  record(record: SourceRecord): void {
    const json = { text: record.text, value: record.value };
    // …, scopeSpans, 0, spans, 3
    if (record.path.length > 0) this.#held.push({ record, span: json, scope: record.path.slice(0, -2) });
    else if (this.#held.some(({ scope }) => typeof scope !== 'string')) this.#document = json;
    else this.#whole(record, json);
  }

  // A line, or a document that has its spans elsewhere.
  #whole(record: SourceRecord, json: Json): void {
    const found = [...spansIn(json)];
    if (found.length === 0) found.push({ span: json, scope: '' });
    for (const { span, scope } of found) this.#held.push({ record, span, scope });
  }

  end(): void {
    const items = this.#held.map((held) => this.#item(held));
    emitThreads(new TraceFolder(ID, this.#tally).fold(items), this.#sink);
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
  }

  #item({ record, span, scope }: Held): TraceItem {
    const origin = originOf(record);
    const name = typeof scope === 'string' ? scope : this.#document ? scopeName(jsonAt(this.#document, ...scope)) : '';
    const item = itemOf(span, isRecord(span.value) ? span.value : {}, { origin, scope: name });
    if (isSpan(span.value)) return item;
    this.#tally.add('import.unknown_record', origin, 'untyped');
    return { ...item, kind: 'unknown:untyped', line: 'a record that is no span' };
  }
}

interface Found {
  readonly span: Json;
  readonly scope: string;
}

function* spansIn(json: Json): Generator<Found> {
  if (Array.isArray(json.value)) {
    for (const element of jsonElements(json)) yield* spansIn(element);
    return;
  }
  if (!isRecord(json.value)) return;
  const batches = jsonElements(jsonAt(json, 'resourceSpans'));
  for (const scoped of batches.flatMap((batch) => jsonElements(jsonAt(batch, 'scopeSpans')))) {
    for (const span of jsonElements(jsonAt(scoped, 'spans'))) yield { span, scope: scopeName(scoped) };
  }
  if (batches.length > 0) return;
  const list = jsonElements(jsonAt(json, 'spans'));
  if (list.length > 0) for (const span of list) yield { span, scope: '' };
  else if (isSpan(json.value)) yield { span: json, scope: scopeOf(json.value) };
  else for (const [, span] of membersOf(json)) if (isSpan(span.value)) yield { span, scope: '' };
}

function scopeName(scoped: Json | null): string {
  return scoped && isRecord(scoped.value) ? scopeOf(scoped.value) : '';
}

function scopeOf(fields: Readonly<Record<string, unknown>>): string {
  const scope =
    recordAt(fields, 'scope') ?? recordAt(fields, 'instrumentationScope') ?? recordAt(fields, 'instrumentation_scope');
  return (
    (scope && stringAt(scope, 'name')) ??
    (typeof ownAt(fields, 'scope') === 'string' ? (stringAt(fields, 'scope') ?? '') : '')
  );
}
