import type { ImportSink, SourceRecord } from '../../../model/importSink.ts';
import { arrayAt, isRecord, recordAt, stringAt } from '../../../util/unknown.ts';
import { originOf } from '../../reading/shared.ts';
import { elementSpans, spanAt } from '../../reading/slices.ts';
import type { FormatReader } from '../../types.ts';
import { eventIn } from './event.ts';
import { isScrubbed } from './part.ts';
import { StreamFold } from './stream.ts';
import { turnIn } from './turn.ts';
import { SessionWriter } from './writer.ts';

/** Reads documents as they come, streams at their end. */
export class OpencodeReader implements FormatReader {
  readonly #writer: SessionWriter;
  readonly #stream: StreamFold;
  #elements = 0;

  constructor(sink: ImportSink) {
    this.#writer = new SessionWriter(sink);
    this.#stream = new StreamFold(sink, this.#writer);
  }

  record(record: SourceRecord): void {
    const { value, path } = record;
    if (path.length > 0) this.#elements++;
    const fields = isRecord(value) ? value : {};
    const info = recordAt(fields, 'info');
    const event = eventIn(value);
    if (info && arrayAt(fields, 'parts')) {
      this.#writer.turn(turnIn(record.text, fields, originOf(record)), path[0] === 'messages');
    } else if (path.length === 0 && this.#elements > 0) this.#remainder(info);
    else if (event) this.#stream.event(record, event);
    else if (info && arrayAt(fields, 'messages')) this.#export(record, fields);
    else if (info && (stringAt(info, 'id') ?? '').startsWith('ses_')) this.#header(record, info);
    else this.#stream.other(record);
  }

  end(): void {
    this.#stream.end();
    this.#writer.end();
  }

  // What stands around an export's messages.
  #remainder(info: Readonly<Record<string, unknown>> | undefined): void {
    if (info) this.#writer.learn(info, true);
  }

  #header(record: SourceRecord, info: Readonly<Record<string, unknown>>): void {
    const id = stringAt(info, 'id') ?? '';
    this.#writer.enter(isScrubbed(id) ? `session at byte ${record.byteStart}` : id);
    this.#writer.learn(info, true);
    const text = stringAt(info, 'title') ?? 'session';
    this.#writer.event(undefined, 'session', text, record.text, originOf(record));
  }

  // An export on a separate line.
  #export(record: SourceRecord, fields: Readonly<Record<string, unknown>>): void {
    this.#header(record, recordAt(fields, 'info') ?? {});
    const messages = arrayAt(fields, 'messages') ?? [];
    const list = spanAt(record.text, ['messages']);
    const spans = list ? elementSpans(record.text, list.start) : [];
    for (const [at, { start, end }] of spans.entries()) {
      const message = messages[at];
      if (isRecord(message)) this.#writer.turn(turnIn(record.text.slice(start, end), message, originOf(record)), true);
    }
  }
}
