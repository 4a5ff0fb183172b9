import type { ImportSink, SourceRecord } from '../../../model/importSink.ts';
import type { Origin, TranscriptMeta } from '../../../model/transcript.ts';
import { grouped } from '../../../util/counts.ts';
import { arrayAt, type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { defined, originOf, titleOf } from '../../reading/shared.ts';
import { Tally } from '../../reading/tally.ts';
import { TrackingSink } from '../../reading/trackingSink.ts';
import type { FormatReader } from '../../types.ts';
import { named, type Placed, placedAt } from './message.ts';
import { Sample } from './sample.ts';

const ID = 'inspect';
const START = '_journal/start.json';
const HEADER = 'header.json';
const SAMPLE = /^samples\/.+\.json$/;
const SUMMARIES = /^(summaries\.json|_journal\/summaries\/.+\.json)$/;

/** Reads samples, as elements of a document or members of an archive, and what stands around them. */
export class InspectReader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #tally = new Tally();
  // Transcripts by key; true if no model is known of them yet.
  readonly #needsModel = new Map<string, boolean>();
  readonly #samples = new Set<string>();
  readonly #copies = new Map<string, number>();
  readonly #summarised = new Map<string, Origin>();
  #run: Partial<TranscriptMeta> = {};
  #model: string | undefined;
  // What was said of the run before its first sample.
  #before: { readonly record: SourceRecord; readonly kind: string }[] = [];
  #isArchive = false;
  #hasHeader = false;

  constructor(sink: ImportSink) {
    this.#sink = new TrackingSink(sink);
  }

  record(record: SourceRecord): void {
    const value = isRecord(record.value) ? record.value : {};
    const [name] = record.path;
    const whole = { value, span: { start: 0, end: record.text.length } };
    if (name === 'samples') this.#sample(record, whole);
    else if (typeof name === 'string') this.#member(record, name, whole);
    else this.#document(record, whole);
  }

  end(): void {
    for (const { record } of this.#before) this.#sink.ignored(record, 'facts of a run that has no samples');
    if (this.#needsModel.size === 0) this.#noSamples();
    else if (this.#isArchive && !this.#hasHeader) this.#crashed();
    this.#missingSamples();
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
  }

  #member(record: SourceRecord, name: string, whole: Placed): void {
    this.#isArchive = true;
    if (SAMPLE.test(name)) this.#sample(record, whole);
    else if (name === START) {
      this.#takeRun(whole.value);
      this.#before.push({ record, kind: 'eval_start' });
    } else if (name === HEADER) this.#header(record, whole.value);
    else if (SUMMARIES.test(name)) this.#summaries(record);
    else if (name === 'reductions.json') this.#sink.ignored(record, 'scores of the run, not of a sample');
    else this.#sink.ignored(record, 'no part of a log that inspect_ai writes');
  }

  // What stands around the samples of a document; or a document that is a sample; or a log on one line.
  #document(record: SourceRecord, whole: Placed): void {
    const { value } = whole;
    if (recordAt(value, 'eval') === undefined && arrayAt(value, 'messages')) {
      this.#sample(record, whole);
      return;
    }
    for (const sample of placedAt(record.text, value, ['samples'])) this.#sample(record, sample);
    this.#header(record, value);
  }

  #sample(record: SourceRecord, place: Placed): void {
    if (!isRecord(record.value)) {
      this.#sink.ignored(record, 'stands where a sample would, and is none');
      return;
    }
    const name = `${idText(place.value)} epoch ${numberAt(place.value, 'epoch') ?? 1}`;
    const key = this.#keyOf(name);
    this.#samples.add(name);
    const sample = new Sample(
      { sink: this.#sink, tally: this.#tally, record, key, run: this.#run },
      place.value,
      place,
    );
    sample.write();
    for (const each of sample.keys) this.#needsModel.set(each, !sample.hasModels);
    this.#completeModels(sample.keys);
    for (const { record: before, kind } of this.#before) this.#runEvent(before, kind, key);
    this.#before = [];
  }

  // A log of many samples without ids counts on from the last copy.
  #keyOf(name: string): string {
    let copy = (this.#copies.get(name) ?? 0) + 1;
    let key = copy === 1 ? `sample ${name}` : `sample ${name} (${copy})`;
    while (this.#needsModel.has(key)) key = `sample ${name} (${++copy})`;
    this.#copies.set(name, copy);
    return key;
  }

  // What is known of the whole run belongs to each of its samples.
  #header(record: SourceRecord, value: Fields): void {
    this.#hasHeader = true;
    this.#takeRun(value);
    const [first] = this.#needsModel.keys();
    this.#status(record, value);
    if (first === undefined) {
      this.#before.push({ record, kind: 'eval' });
      return;
    }
    for (const key of this.#needsModel.keys()) this.#sink.begin(key, { format: ID, ...this.#run });
    this.#completeModels(this.#needsModel.keys());
    this.#runEvent(record, 'eval', first);
  }

  // A transcript without calls of a model has the run's.
  #completeModels(keys: Iterable<string>): void {
    if (this.#model === undefined) return;
    for (const key of keys) {
      if (!this.#needsModel.get(key)) continue;
      this.#sink.begin(key, { format: ID, models: [this.#model] });
      this.#needsModel.set(key, false);
    }
  }

  #takeRun(value: Fields): void {
    const run = recordAt(value, 'eval') ?? {};
    const packages = recordAt(run, 'packages') ?? {};
    this.#model = named(run, 'model') ?? this.#model;
    this.#run = {
      ...this.#run,
      ...defined({ project: named(run, 'task'), toolVersion: named(packages, 'inspect_ai') }),
    };
  }

  #runEvent(record: SourceRecord, kind: string, key: string): void {
    const run = recordAt(isRecord(record.value) ? record.value : {}, 'eval') ?? {};
    const status = isRecord(record.value) ? named(record.value, 'status') : undefined;
    const said = [`task ${named(run, 'task') ?? ''}`, named(run, 'model'), status].filter(Boolean).join(', ');
    this.#sink.begin(key, { format: ID, ...this.#run });
    const at = this.#sink.length;
    const text = titleOf(said) ?? kind;
    this.#sink.event({ kind, at, visibility: 'internal', text, json: record.text, origin: originOf(record) });
  }

  #status(record: SourceRecord, value: Fields): void {
    const status = stringAt(value, 'status');
    if (status === undefined || status === 'success') return;
    const why = named(recordAt(value, 'error') ?? {}, 'message');
    const text = `The run has the status ${status}${why === undefined ? '' : `: ${titleOf(why)}`}. What it logged was read.`;
    this.#sink.problem({ code: 'import.run_unfinished', severity: 'info', text, where: originOf(record) });
  }

  #summaries(record: SourceRecord): void {
    for (const one of Array.isArray(record.value) ? record.value : []) {
      if (!isRecord(one)) continue;
      this.#summarised.set(`${idText(one)} epoch ${numberAt(one, 'epoch') ?? 1}`, originOf(record));
    }
    this.#sink.ignored(record, 'repeats what the samples say');
  }

  #missingSamples(): void {
    const missing = [...this.#summarised.keys()].filter((name) => !this.#samples.has(name));
    const [first] = missing;
    const where = first === undefined ? undefined : this.#summarised.get(first);
    if (!where) return;
    const text = `The log has summaries of ${missing.length === 1 ? 'a sample' : `${grouped(missing.length)} samples`} it does not hold, the first being ${first}.`;
    this.#sink.problem({ code: 'import.missing_samples', severity: 'warning', text, where });
  }

  #crashed(): void {
    const text = `The log has no header: the run was cut off before it ended. What it had finished was read: ${grouped(this.#samples.size)} of its samples.`;
    this.#sink.problem({ code: 'import.run_unfinished', severity: 'warning', text });
  }

  #noSamples(): void {
    const text =
      'The log holds no samples: it was written without them, or the run was cut off before the first was done.';
    this.#sink.problem({ code: 'import.no_samples', severity: 'error', text });
  }
}

function idText(sample: Fields): string {
  const id = ownAt(sample, 'id');
  return typeof id === 'string' || typeof id === 'number' ? String(id).slice(0, 200) : '?';
}
