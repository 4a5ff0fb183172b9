import type { ImportSink, SourceRecord } from '../../../model/importSink.ts';
import type { MessageMeta } from '../../../model/message.ts';
import { contentText } from '../../../model/readResult.ts';
import type { TranscriptMeta } from '../../../model/transcript.ts';
import { replaceAt } from '../../../util/json/index.ts';
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { defined, Extent, humanText, originOf, titleOf } from '../../reading/shared.ts';
import { elementSpans, sliceAt } from '../../reading/slices.ts';
import { Tally } from '../../reading/tally.ts';
import { TrackingSink } from '../../reading/trackingSink.ts';
import type { FormatReader } from '../../types.ts';
import { frameworkMessages, isFrameworkMessage } from './framework.ts';
import { teamEntry } from './team.ts';

const LISTS = ['history', 'messages'];
const FAILURES = ['error', 'error_message', 'exception', 'traceback'];

/** Reads entries one by one, or runs that stand whole in a line or an element. */
export class AutogenReader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #tally = new Tally();
  #extent = new Extent();
  #runs = 0;
  #elements = 0;
  #isTitled = false;

  constructor(sink: ImportSink) {
    this.#sink = new TrackingSink(sink);
  }

  record(record: SourceRecord): void {
    const fields = isRecord(record.value) ? record.value : {};
    const list = LISTS.find((key) => arrayAt(fields, key));
    const isEntry = record.path.length > 0 || list === undefined;
    if (record.path.length > 0) this.#elements++;
    if (list !== undefined && (record.path.length === 1 || this.#elements === 0)) this.#run(record, fields, list);
    else if (record.path.length === 0 && this.#elements > 0) this.#around(record, fields);
    else if (isEntry && this.#isSaid(fields)) this.#single(record, fields);
    else this.#other(record, fields);
  }

  end(): void {
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
  }

  #isSaid(fields: Fields): boolean {
    return isFrameworkMessage(fields) || stringAt(fields, 'role') !== undefined;
  }

  #begin(meta: Partial<TranscriptMeta> = {}): void {
    this.#extent = new Extent();
    this.#isTitled = meta.title !== undefined;
    this.#sink.begin(String(this.#runs++), { format: 'autogen', ...meta });
  }

  // An element of the one list the document is, or a line that is a message.
  #single(record: SourceRecord, fields: Fields): void {
    if (this.#sink.key === null) this.#begin();
    this.#entry(record, record.text, fields);
    this.#sink.meta(this.#extent.meta());
  }

  #run(record: SourceRecord, fields: Fields, list: string): void {
    this.#begin(runMeta(fields));
    const text = sliceAt(record.text, [list]) ?? '[]';
    const values = arrayAt(fields, list) ?? [];
    for (const [at, { start, end }] of elementSpans(text, 0).entries()) {
      const value = values[at];
      this.#entry(record, text.slice(start, end), isRecord(value) ? value : {});
    }
    this.#sink.meta(this.#extent.meta());
    this.#result(record, fields, replaceAt(record.text, [list], '[]'));
  }

  // What stands around the entries of a document.
  #around(record: SourceRecord, fields: Fields): void {
    if (this.#sink.key === null || Object.keys(fields).length === 0) return;
    this.#sink.meta(runMeta(fields));
    this.#result(record, fields, record.text);
  }

  #entry(record: SourceRecord, text: string, fields: Fields): void {
    if (isFrameworkMessage(fields)) {
      for (const made of frameworkMessages(text, fields)) this.#message(record, made.text, made.meta);
      return;
    }
    const entry = teamEntry(text, fields);
    if (entry === null) this.#unknown(record, text);
    else if (entry.ends) this.#event(record, 'termination', stringAt(fields, 'content') ?? 'the run ended', text);
    else this.#message(record, entry.text, entry.injected ? { injected: true } : {});
  }

  #message(record: SourceRecord, text: string, meta: MessageMeta): void {
    const value: unknown = JSON.parse(text);
    this.#extent.time(meta.timestamp);
    if (!this.#isTitled && isRecord(value) && value.role === 'user') this.#title(value);
    this.#sink.message({ text, value, meta, origins: [originOf(record)] });
  }

  #title(message: Fields): void {
    const title = humanText(ownAt(message, 'content'));
    if (title === undefined) return;
    this.#isTitled = true;
    this.#sink.meta({ title });
  }

  // A run that failed before anybody spoke, or something else.
  #other(record: SourceRecord, fields: Fields): void {
    const failure = FAILURES.map((key) => ownAt(fields, key)).find((value) => value !== undefined && value !== null);
    const meta = runMeta(fields);
    if (this.#sink.key === null || (record.path.length < 2 && meta.sessionId !== undefined)) this.#begin(meta);
    if (failure === undefined) {
      this.#unknown(record, record.text);
      return;
    }
    const said = typeof failure === 'string' ? failure : JSON.stringify(failure);
    this.#event(record, 'error', `the run failed: ${said}`, record.text);
  }

  #result(record: SourceRecord, fields: Fields, json: string): void {
    if (recordAt(fields, 'system_prompt')) {
      const prompts = sliceAt(record.text, ['system_prompt']) ?? '{}';
      const names = Object.keys(recordAt(fields, 'system_prompt') ?? {});
      this.#event(record, 'system_prompt', `the prompts of ${names.join(', ')}`, prompts);
    }
    this.#event(record, 'result', resultLine(fields), json);
  }

  #unknown(record: SourceRecord, json: string): void {
    this.#tally.add('import.unknown_record', originOf(record), 'untyped');
    this.#event(record, 'unknown:untyped', 'an entry without a role', json);
  }

  #event(record: SourceRecord, kind: string, text: string, json: string): void {
    const at = this.#sink.length;
    this.#sink.event({
      kind,
      at,
      visibility: 'internal',
      text: titleOf(text) ?? kind,
      json,
      origin: originOf(record),
    });
  }
}

function runMeta(fields: Fields): Partial<TranscriptMeta> {
  const id = ownAt(fields, 'question_ID') ?? ownAt(fields, 'id');
  const assistant = recordAt(recordAt(fields, 'config') ?? {}, 'assistant') ?? {};
  const model = stringAt(assistant, 'model');
  return defined({
    sessionId: typeof id === 'string' || typeof id === 'number' ? String(id) : undefined,
    title: humanText(stringAt(fields, 'question')),
    models: model === undefined ? undefined : [model],
  });
}

function resultLine(fields: Fields): string {
  const reward = ownAt(recordAt(fields, 'evaluation') ?? {}, 'reward');
  const reason = stringAt(fields, 'termination_reason');
  const agent = stringAt(fields, 'mistake_agent');
  const step = ownAt(fields, 'mistake_step');
  const said = [
    ...(reward === undefined ? [] : [`reward ${JSON.stringify(reward)}`]),
    ...(reason === undefined ? [] : [`ended by ${reason}`]),
    ...(agent === undefined ? [] : [`mistake of ${agent}${step === undefined ? '' : ` at step ${contentText(step)}`}`]),
  ];
  return said.length > 0 ? said.join(', ') : 'what is known of the run';
}
