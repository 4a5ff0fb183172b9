// Reads a file by a mapping. Records are lines, elements of a document's list of messages, or a whole document.

import type { ImportSink, SourceRecord } from '../../../model/importSink.ts';
import { findPlaces, pathText } from '../../../model/mapping/path.ts';
import type { JsonPath } from '../../../model/message.ts';
import { valueAt } from '../../../model/partText.ts';
import { isRecord, stringAt } from '../../../util/unknown.ts';
import { defined, originOf, titleOf } from '../../reading/shared.ts';
import { sliceAt } from '../../reading/slices.ts';
import { Tally } from '../../reading/tally.ts';
import { TrackingSink } from '../../reading/trackingSink.ts';
import type { FormatReader } from '../../types.ts';
import type { MappingSteps, Steps } from './compile.ts';
import { Conversation } from './conversation.ts';
import { type MappedPlace, readPlace } from './message.ts';
import { Silent } from './silent.ts';

/** A place of a record, and what the rules made of it. */
interface ReadPlace {
  /** From the file's root, the line's for lines. */
  readonly path: JsonPath;
  readonly text: string;
  readonly value: unknown;
  readonly made: readonly MappedPlace[];
}

/** Records held until the first message says which transcript they belong to. */
const MAX_WAITING = 200;

/** The generic reader. `title` is the mapping's, for its messages to people. */
export class GenericReader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #steps: MappingSteps;
  readonly #tally = new Tally();
  readonly #conversations = new Map<string, Conversation>();
  #waiting: SourceRecord[] = [];
  #current: Conversation | null = null;
  // Elements of a list came as separate records: then a record without a path is what stands around them.
  #isSplit = false;
  #places = 0;
  readonly #silent = new Silent();

  constructor(sink: ImportSink, steps: MappingSteps) {
    this.#sink = new TrackingSink(sink);
    this.#steps = steps;
  }

  record(record: SourceRecord): void {
    const places = this.#placesIn(record);
    this.#places += places.length;
    const speaks = places.some(({ made }) => made.some(({ messages }) => messages.length > 0));
    if (!speaks && this.#current === null && this.#waiting.length < MAX_WAITING) {
      this.#waiting.push(record);
      return;
    }
    if (this.#current === null) this.#begin(record, places);
    for (const place of places) this.#place(record, place);
    this.#facts(record);
    const isAround = record.path.length === 0 && places.length === 0 && this.#isSplit;
    if (!speaks && !isAround && places.length === 0) this.#event(record, record.text, record.value, null);
  }

  end(): void {
    if (this.#current === null) this.#nothing();
    for (const conversation of this.#conversations.values()) conversation.end();
    for (const problem of [...this.#tally.problems(), ...this.#silent.problems()]) this.#sink.problem(problem);
  }

  #placesIn(record: SourceRecord): readonly ReadPlace[] {
    if (record.path.length > 0) this.#isSplit = true;
    const rest = this.#steps.at.slice(record.path.length);
    return findPlaces(record.value, rest).map((path) => {
      const value = valueAt(record.value, path);
      const text = path.length === 0 ? record.text : (sliceAt(record.text, path) ?? 'null');
      const made = this.#steps.messages.map((rule) => readPlace(rule, text, value));
      return { path: [...record.path, ...path], text, value, made };
    });
  }

  #place(record: SourceRecord, { path, text, value, made }: ReadPlace): void {
    const speaks = made.some(({ messages }) => messages.length > 0);
    const key = this.#keyOf(record, path, value);
    if (speaks) this.#enter(record, key, this.#groupOf(value));
    else this.#conversations.get(key)?.enter();
    const conversation = this.#conversations.get(key) ?? this.#current;
    for (const one of made) conversation?.place(record, one);
    if (!speaks) this.#event(record, text, value, made[0]?.role ?? null);
  }

  #enter(record: SourceRecord, key: string, group: string | null): void {
    const known = this.#conversations.get(key);
    if (known !== undefined) {
      known.enter();
      this.#current = known;
      return;
    }
    const isTree = this.#steps.messages.some(({ parent }) => parent !== null);
    this.#current = new Conversation(this.#sink, this.#tally, key, isTree);
    this.#conversations.set(key, this.#current);
    if (group !== null) this.#current.facts({ sessionId: group });
    this.#facts(record);
  }

  // What came before the first message stands before it.
  #begin(record: SourceRecord, places: readonly ReadPlace[]): void {
    const first = places.find(({ made }) => made.some(({ messages }) => messages.length > 0)) ?? places[0];
    if (first === undefined) this.#enter(record, 'main', null);
    else this.#enter(record, this.#keyOf(record, first.path, first.value), this.#groupOf(first.value));
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const one of waiting) this.record(one);
  }

  #keyOf(record: SourceRecord, path: JsonPath, value: unknown): string {
    const { transcriptDepth } = this.#steps;
    const parts: string[] = [];
    if (transcriptDepth !== null) {
      const isLine = record.path.length === 0 && !this.#isSplit;
      parts.push([...(isLine ? [`line ${record.line}`] : []), ...path.slice(0, transcriptDepth)].join('/'));
    }
    const group = this.#groupOf(value);
    if (group !== null) parts.push(group);
    return parts.length === 0 ? 'main' : parts.join(' ');
  }

  #groupOf(value: unknown): string | null {
    return scalar(value, this.#steps.by) ?? null;
  }

  // Id and title are in the transcript's place: in this record, if that is not within an element.
  #facts(record: SourceRecord): void {
    const { transcriptAt, transcriptDepth, transcriptId, title } = this.#steps;
    if (transcriptId === null && title === null) return;
    if (record.path.length > transcriptAt.length) return;
    for (const place of findPlaces(record.value, transcriptAt.slice(record.path.length))) {
      const value = valueAt(record.value, place);
      const facts = defined({ sessionId: scalar(value, transcriptId), title: titleOf(scalar(value, title) ?? '') });
      if (Object.keys(facts).length === 0) continue;
      const path = [...record.path, ...place];
      const own =
        transcriptDepth === null ? this.#current : this.#conversations.get(this.#keyOf(record, path, undefined));
      own?.facts(facts);
    }
  }

  #event(record: SourceRecord, json: string, value: unknown, role: string | null): void {
    const type = isRecord(value)
      ? (stringAt(value, 'type') ?? stringAt(value, 'event') ?? stringAt(value, 'kind'))
      : undefined;
    const what = role === null ? (type ?? 'no role') : `role ${role}`;
    this.#silent.add(role, record);
    const text = titleOf(role === null ? `no message: ${json}` : `the role "${role}" is not mapped: ${json}`) ?? what;
    const at = this.#sink.length;
    const kind = `unknown:${what.slice(0, 60)}`;
    this.#sink.event({ kind, at, visibility: 'internal', text, json, origin: originOf(record) });
  }

  // Not a word was found: no transcript is better than an empty one.
  #nothing(): void {
    const path = this.#steps.at;
    const found = this.#places === 0 ? 'nothing is where the mapping looks for messages' : 'what is there has no role';
    const [first] = this.#waiting;
    for (const record of this.#waiting) this.#sink.ignored(record, 'the mapping found no message in the file');
    const keys = isRecord(first?.value)
      ? `; the first record has the keys ${Object.keys(first.value).slice(0, 12).join(', ')}`
      : '';
    const text = `The mapping found no message in this file: ${found} (${pathOf(path)})${keys}. Change the mapping and import again.`;
    this.#sink.problem({ code: 'mapping.no_messages', severity: 'error', text });
  }
}

function scalar(value: unknown, steps: Steps | null): string | undefined {
  const place = steps === null ? undefined : findPlaces(value, steps)[0];
  const found = place === undefined ? undefined : valueAt(value, place);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
}

function pathOf(steps: Steps): string {
  return pathText({ root: '$', steps });
}
