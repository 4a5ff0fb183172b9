import type { ImportSink, SourceRecord } from '../../../model/importSink.ts';
import type { TranscriptMeta } from '../../../model/transcript.ts';
import { replaceAt } from '../../../util/json/index.ts';
import { arrayAt, type Fields, isRecord, ownAt, stringAt } from '../../../util/unknown.ts';
import { fingerprint } from '../../fingerprint.ts';
import { HistoryFolder } from '../../reading/historyFolder.ts';
import { defined, Extent, humanText, isoTime, originOf, titleOf } from '../../reading/shared.ts';
import { elementSpans, sliceAt } from '../../reading/slices.ts';
import { Tally } from '../../reading/tally.ts';
import { TrackingSink } from '../../reading/trackingSink.ts';
import type { FormatReader } from '../../types.ts';
import { identityOf, isAnswer, isMessage, isRemoveAll, type LangchainMessage, readLangchain } from './message.ts';
import { answersIn, isInput, type Place, placesIn, restOf, sessionIn, updatesIn } from './places.ts';

const ID = 'langchain';
/** Messages that stand one by one; transcripts of lists have numbers. */
const MAIN = 'main';
const FIRST = '0';

interface Facts {
  readonly extent: Extent;
  isTitled: boolean;
}

/** Reads messages one by one, and the lists in states, checkpoints, runs and calls of models, each history once. */
export class LangchainReader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #tally = new Tally();
  readonly #folder: HistoryFolder<LangchainMessage>;
  readonly #facts = new Map<string, Facts>();
  #record: SourceRecord | null = null;
  readonly #answered = new Set<string>();
  #elements = 0;
  // What a model was asked in the record before: a lone answer after it is the model's.
  #asked: readonly LangchainMessage[] | null = null;

  constructor(sink: ImportSink) {
    this.#sink = new TrackingSink(sink);
    this.#folder = new HistoryFolder<LangchainMessage>({
      identity: identityOf,
      begin: (key) => this.#enter(key),
      emit: (message, preserved) => this.#emit(message, preserved),
      isSummary: ({ isSummary }) => isSummary,
    });
  }

  record(record: SourceRecord): void {
    this.#record = record;
    const { value, path } = record;
    const asked = this.#asked;
    this.#asked = null;
    if (path.length > 0) this.#elements++;
    if (path.length === 0 && this.#elements > 0) this.#document(record);
    else if (isMessage(value)) this.#single(record);
    else if (isRecord(value) || Array.isArray(value)) this.#lists(record, value, asked);
    else this.#unknown(record, record.text);
  }

  end(): void {
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
  }

  #enter(key: string): void {
    if (this.#sink.key !== key) this.#sink.begin(key, { format: ID });
  }

  #single(record: SourceRecord): void {
    this.#enter(MAIN);
    const message = readLangchain(record.text, record.value);
    if (message) this.#emit(message);
    else this.#removed(record, record.text);
  }

  #emit(message: LangchainMessage, preserved?: readonly number[]): void {
    const record = this.#record;
    if (!record) return;
    const at = this.#sink.length;
    const origin = originOf(record);
    if (message.meta.id !== undefined) this.#answered.add(fingerprint(identityOf(message)));
    if (message.isSummary) {
      const event = { kind: 'compaction', at, visibility: 'internal' as const, text: 'the history was summarised' };
      this.#sink.compaction(
        { ...event, json: message.text, origin },
        { at, summaryIndex: at, ...defined({ preserved }) },
      );
    }
    this.#sink.message({ text: message.text, value: message.value, meta: message.meta, origins: [origin] });
    this.#see(message);
  }

  #see({ value, meta, isSummary }: LangchainMessage): void {
    const key = this.#sink.key ?? MAIN;
    const facts = this.#facts.get(key) ?? { extent: new Extent(), isTitled: false };
    this.#facts.set(key, facts);
    facts.extent.time(meta.timestamp);
    facts.extent.model(meta.model);
    const isTitle = !facts.isTitled && !isSummary && isRecord(value) && value.role === 'user';
    const title = isTitle ? humanText(ownAt(value, 'content')) : undefined;
    if (title !== undefined) facts.isTitled = true;
    this.#sink.meta({ ...facts.extent.meta(), ...defined({ title }) });
  }

  #lists(record: SourceRecord, value: unknown, asked: readonly LangchainMessage[] | null): void {
    const fields = isRecord(value) ? value : {};
    const updates = updatesIn(value);
    const places = updates.length > 0 ? updates : placesIn(value);
    const answers = answersIn(fields);
    let added = 0;
    let last: readonly LangchainMessage[] = [];
    let before = asked;
    for (const place of places) {
      const said = this.#messagesAt(record, place);
      added += place.isUpdate ? this.#update(said, place) : this.#list(said, place, before);
      last = said;
      // What a run was given, and what it gave: a lone message is the answer.
      before = isInput(place) ? said : null;
    }
    if (answers) added += this.#answer(record, answers.paths, last, answers.values);
    this.#asked = places.length === 1 && places[0]?.isAsked === true && !answers ? last : null;
    if (Array.isArray(value)) {
      if (places.length === 0) this.#unknown(record, record.text);
      else if (added === 0) this.#sink.ignored(record, 'the history was read before');
      return;
    }
    this.#state(record, fields, [...places.map(({ path }) => path), ...(answers?.paths ?? [])], added);
  }

  #isAnswered(message: LangchainMessage): boolean {
    return this.#answered.has(fingerprint(identityOf(message)));
  }

  #list(said: readonly LangchainMessage[], place: Place, asked: readonly LangchainMessage[] | null): number {
    const [only, ...others] = said;
    const isLone = only !== undefined && others.length === 0 && isAnswer(place.values[0]);
    if (!isLone) return this.#add(said);
    if (asked !== null) return this.#add([...asked, only]);
    // The update of a state: the state itself had it before.
    return this.#isAnswered(only) ? 0 : this.#add(said);
  }

  // What a node adds to the state, unless it puts all of it again.
  #update(said: readonly LangchainMessage[], { values }: Place): number {
    if (values.some(isRemoveAll)) return this.#add(said);
    return this.#folder.append(said.filter((message) => message.meta.id === undefined || !this.#isAnswered(message)))
      .added;
  }

  /** Returns the number of messages that are new. */
  #add(messages: readonly LangchainMessage[]): number {
    const { key, added } = this.#folder.add(messages);
    if (messages.length > 0) this.#enter(key);
    return added;
  }

  #answer(
    record: SourceRecord,
    paths: readonly (readonly (string | number)[])[],
    asked: readonly LangchainMessage[],
    values: readonly unknown[],
  ): number {
    const [first, ...others] = paths.map((path) => sliceAt(record.text, path) ?? '{}');
    const message = first === undefined ? null : readLangchain(first, values[0]);
    const isKnown = message !== null && asked.length === 0 && this.#isAnswered(message);
    const added = message && !isKnown ? this.#add([...asked, message]) : 0;
    if (others.length > 0 && added > 0) {
      this.#tally.add('import.other_choices', originOf(record));
      this.#event(record, 'choices', `${others.length + 1} choices, the first taken`, `[${others.join(',')}]`);
    }
    return added;
  }

  #messagesAt(record: SourceRecord, { path, values }: Place): readonly LangchainMessage[] {
    const list = sliceAt(record.text, path) ?? '[]';
    // A message that stands alone is its own list.
    const spans = list[0] === '[' ? elementSpans(list, 0) : [{ start: 0, end: list.length }];
    const said: LangchainMessage[] = [];
    for (const [at, { start, end }] of spans.entries()) {
      const message = readLangchain(list.slice(start, end), values[at]);
      if (message) said.push(message);
      else if (isMessage(values[at])) this.#removed(record, list.slice(start, end));
      else this.#unknown(record, list.slice(start, end));
    }
    return said;
  }

  // What a record holds beside messages, and records that hold none: states of the graph, facts of a run.
  #state(record: SourceRecord, fields: Fields, paths: readonly (readonly (string | number)[])[], added: number): void {
    if (this.#sink.key === null) this.#enter(FIRST);
    this.#facts.get(this.#sink.key ?? FIRST)?.extent.time(isoTime(ownAt(fields, 'created_at')));
    if (added > 0) this.#sink.meta(this.#metaOf(record.text, fields));
    const names = restOf(fields, paths);
    if (names.length === 0 && paths.length > 0) {
      if (added === 0) this.#sink.ignored(record, 'the history was read before');
      return;
    }
    const json = paths.reduce((text, path) => replaceAt(text, path, '[]'), record.text);
    const text = names.length === 0 ? 'an empty state' : (titleOf(`state: ${names.join(', ')}`) ?? 'state');
    this.#event(record, 'state', text, json);
  }

  // What stands around the messages of a document.
  #document(record: SourceRecord): void {
    if (!isRecord(record.value)) return;
    this.#state(record, record.value, arrayAt(record.value, 'messages') ? [['messages']] : [], 1);
  }

  #metaOf(text: string, fields: Fields): Partial<TranscriptMeta> {
    const extent = this.#facts.get(this.#sink.key ?? MAIN)?.extent.meta() ?? {};
    const toolsJson = arrayAt(fields, 'tools') ? (sliceAt(text, ['tools']) ?? undefined) : undefined;
    return { ...extent, ...defined({ sessionId: sessionIn(fields), toolsJson }) };
  }

  #removed(record: SourceRecord, json: string): void {
    if (this.#sink.key === null) this.#enter(FIRST);
    this.#event(record, 'remove', 'a message was taken out of the state', json);
  }

  #unknown(record: SourceRecord, json: string): void {
    const type = (isRecord(record.value) ? stringAt(record.value, 'type') : undefined) ?? 'untyped';
    this.#tally.add('import.unknown_record', originOf(record), type);
    if (this.#sink.key === null) this.#enter(FIRST);
    this.#event(record, `unknown:${type}`, 'a value that is no message', json);
  }

  #event(record: SourceRecord, kind: string, text: string, json: string): void {
    const at = this.#sink.length;
    this.#sink.event({ kind, at, visibility: 'internal', text, json, origin: originOf(record) });
  }
}
