import type { ImportSink, SourceRecord } from '../../../model/importSink.ts';
import type { TranscriptMeta } from '../../../model/transcript.ts';
import { countOf } from '../../../util/counts.ts';
import { replaceAt } from '../../../util/json/index.ts';
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { defined, humanText, titleOf } from '../../reading/shared.ts';
import { elementSpans, sliceAt } from '../../reading/slices.ts';
import { Tally } from '../../reading/tally.ts';
import { TrackingSink } from '../../reading/trackingSink.ts';
import type { FormatReader } from '../../types.ts';
import { Conversation } from './conversation.ts';
import { isBaseState, stateMeta } from './state.ts';

const MAIN = 'main';

/** Reads events one by one, or the history of a line or document, which is a separate conversation. */
export class OpenhandsReader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #tally = new Tally();
  readonly #keys = new Map<string, number>();
  #current: Conversation | null = null;
  #elements = 0;

  constructor(sink: ImportSink) {
    this.#sink = new TrackingSink(sink);
  }

  record(record: SourceRecord): void {
    const { value, path } = record;
    if (path.length > 0) this.#elements++;
    if (this.#isAround(record)) this.#around(record, isRecord(value) ? value : {});
    else if (Array.isArray(value)) this.#pair(record, value);
    else if (!isRecord(value)) this.#unknown(record);
    else if (arrayAt(value, 'history') && path.length < 2) this.#run(record, value);
    else if (isBaseState(value)) this.#state(record, value);
    else this.#noteIgnored(record, this.#main().event(record, record.text, value));
  }

  settle(): void {
    this.#current?.settle();
  }

  end(): void {
    this.#current?.end();
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
  }

  // The remainder of a document whose events came as elements.
  #isAround(record: SourceRecord): boolean {
    return record.path.length === 0 && this.#elements > 0;
  }

  #main(): Conversation {
    this.#current ??= this.#begin(MAIN, {});
    return this.#current;
  }

  #begin(name: string, meta: Partial<TranscriptMeta>): Conversation {
    const times = (this.#keys.get(name) ?? 0) + 1;
    this.#keys.set(name, times);
    const key = times === 1 ? name : `${name} ${times}`;
    return new Conversation(this.#sink, this.#tally, key, { format: 'openhands', ...meta });
  }

  #run(record: SourceRecord, fields: Fields): void {
    this.#current?.end();
    const meta = runMeta(fields);
    const run = this.#begin(meta.sessionId ?? MAIN, meta);
    this.#current = run;
    this.#list(record, sliceAt(record.text, ['history']) ?? '[]', arrayAt(fields, 'history') ?? []);
    run.settle();
    run.about(runMeta(fields));
    run.note(record, 'result', resultLine(fields), replaceAt(record.text, ['history'], '[]'));
    run.end();
    this.#current = null;
  }

  // The first releases paired an action with its observation.
  #pair(record: SourceRecord, values: readonly unknown[]): void {
    this.#noteIgnored(record, this.#list(record, record.text, values));
  }

  #noteIgnored(record: SourceRecord, nothing: string | null): void {
    if (nothing !== null) this.#sink.ignored(record, nothing);
  }

  /** Takes the events within one record. Why nothing came of them, where nothing came of any. */
  #list(record: SourceRecord, text: string, values: readonly unknown[]): string | null {
    let nothing: string | null = 'the list is empty';
    for (const [at, { start, end }] of elementSpans(text, 0).entries()) {
      const value = values[at];
      const own = text.slice(start, end);
      const why = Array.isArray(value)
        ? this.#list(record, own, value)
        : this.#main().event(record, own, isRecord(value) ? value : {});
      nothing = nothing === null ? null : why;
    }
    return nothing;
  }

  #around(record: SourceRecord, fields: Fields): void {
    if (Object.keys(fields).length === 0) return;
    const main = this.#main();
    main.settle();
    main.about(runMeta(fields));
    main.note(record, 'result', resultLine(fields), record.text);
  }

  #state(record: SourceRecord, fields: Fields): void {
    const main = this.#main();
    main.settle();
    main.about(stateMeta(fields));
    main.note(record, 'base_state', 'the state kept beside the events', record.text);
  }

  #unknown(record: SourceRecord): void {
    this.#main().note(record, 'unknown:untyped', 'a record without an event', record.text, false);
  }
}

// Of evaluation outputs and of the resolver's.
function runMeta(fields: Fields): Partial<TranscriptMeta> {
  const instance = recordAt(fields, 'instance') ?? {};
  const issue = recordAt(fields, 'issue') ?? {};
  const number = ownAt(issue, 'number');
  const repo = [stringAt(issue, 'owner'), stringAt(issue, 'repo')].filter((part) => part !== undefined).join('/');
  const issueId = typeof number === 'number' ? `${repo}#${number}` : undefined;
  const title = stringAt(issue, 'title') ?? stringAt(instance, 'problem_statement')?.trim().split('\n', 1)[0];
  return defined({
    sessionId: stringAt(fields, 'instance_id') ?? issueId,
    project: stringAt(instance, 'repo') ?? (repo === '' ? undefined : repo),
    title: humanText(title),
  });
}

function resultLine(fields: Fields): string {
  const error = stringAt(fields, 'error');
  if (error !== undefined && error !== '') return titleOf(`error: ${error}`) ?? 'error';
  const patch = stringAt(recordAt(fields, 'test_result') ?? fields, 'git_patch');
  const success = ownAt(fields, 'success');
  const said = [
    ...(typeof success === 'boolean' ? [success ? 'success' : 'no success'] : []),
    ...(patch === undefined ? [] : [patch === '' ? 'no patch' : `a patch of ${countOf(patch.length, 'character')}`]),
  ];
  return said.length > 0 ? said.join(', ') : 'what is known of the run';
}
