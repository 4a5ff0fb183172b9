// How to add a format: copy this file, fill it in, register it in index.ts, put a small file and its golden under
// test/fixtures/<id>/. This one reads {"speaker": "...", "says": "..."} lines and is not registered.
//
// The rules a reader keeps:
// - every record ends as (part of) a message, an event, or `ignored` with a reason; what you don't know is an event of
//   kind `unknown:<type>`, so that nothing is lost and the accounting adds up;
// - a message's text is the exact text of the file where the file holds messages; where it must be put together, it is
//   put together from exact slices (sliceAt), the same way every time;
// - nothing is invented: no time, id or count the file doesn't have;
// - a reader may be fed millions of records: hold back little, keep numbers rather than texts;
// - begin() before the first message or event; begin() with a known key goes back to that transcript.

import type { SourceRecord } from '../../model/importSink.ts';
import { isRecord, ownAt, stringAt } from '../../util/unknown.ts';
import { defined, isoTime, originOf } from '../reading/shared.ts';
import { sliceAt } from '../reading/slices.ts';
import { Tally } from '../reading/tally.ts';
import { TrackingSink } from '../reading/trackingSink.ts';
import type { Detection, Format, FormatReader, Sniff } from '../types.ts';

const ID = 'template';
// Said to the person whose file was not recognised.
const LOOKS_FOR = 'JSON lines with speaker and says';

/** The example format. */
export const template: Format = {
  id: ID,
  title: 'Example of a format',
  looksFor: LOOKS_FOR,
  recovers: ['times'],
  detect,
  // For JSON documents name the arrays whose elements are records, e.g. elements: [['messages', '*']]; the rest of the
  // document comes last, as one record with path [].
  open: (sink) => reader(new TrackingSink(sink)),
};

// Look at values, never at names. 1 = no other tool writes this; 0.5 = could be mine.
function detect(sniff: Sniff): Detection {
  const mine = sniff.values.some((value) => isRecord(value) && isLine(value));
  return mine ? { score: 0.9, why: 'lines with speaker and says' } : { score: 0, why: `looked for ${LOOKS_FOR}` };
}

function isLine(fields: Readonly<Record<string, unknown>>): boolean {
  return stringAt(fields, 'speaker') !== undefined && stringAt(fields, 'says') !== undefined;
}

function reader(sink: TrackingSink): FormatReader {
  const tally = new Tally();

  function record(source: SourceRecord): void {
    if (sink.key === null) sink.begin('main', { format: ID });
    if (isRecord(source.value) && isLine(source.value)) message(source, source.value);
    else unknown(source);
  }

  function message(source: SourceRecord, fields: Readonly<Record<string, unknown>>): void {
    const role = stringAt(fields, 'speaker') === 'model' ? 'assistant' : 'user';
    const content = sliceAt(source.text, ['says']) ?? '""';
    const meta = defined({ timestamp: isoTime(ownAt(fields, 'time')) });
    sink.message({ text: `{"role":"${role}","content":${content}}`, meta, origins: [originOf(source)] });
  }

  function unknown(source: SourceRecord): void {
    const type = (isRecord(source.value) ? stringAt(source.value, 'type') : undefined) ?? 'untyped';
    tally.add('import.unknown_record', originOf(source), type);
    const text = `a record of the unknown type ${type}`;
    sink.event({
      kind: `unknown:${type}`,
      at: sink.length,
      visibility: 'internal',
      text,
      json: source.text,
      origin: originOf(source),
    });
  }

  return {
    record,
    end() {
      for (const problem of tally.problems()) sink.problem(problem);
    },
  };
}
