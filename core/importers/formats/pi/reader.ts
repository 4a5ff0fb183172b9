import type { ImportSink, SourceRecord } from '../../../model/importSink.ts';
import type { TranscriptMeta } from '../../../model/transcript.ts';
import { type Fields, isRecord, numberAt, ownAt, stringAt } from '../../../util/unknown.ts';
import { fingerprintNumber } from '../../fingerprint.ts';
import { branchProblem } from '../../reading/branchProblem.ts';
import { defined, originOf } from '../../reading/shared.ts';
import { Tally } from '../../reading/tally.ts';
import { TrackingSink } from '../../reading/trackingSink.ts';
import type { FormatReader } from '../../types.ts';
import { EntryWriter } from './writer.ts';

const MAIN = 'main';
/** Values a scrubber left where an id was: they name nothing. */
const SCRUBBED = /^(|<.*>|\[.*\])$|REDACTED/;

/**
 * Reads entries as they come. Of a tree the active branch is the path from the last entry to the root, as the agent
 * reads it: an entry that hangs below another than the one before it goes back.
 */
export class PiReader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #tally = new Tally();
  readonly #serials = new Map<number, number>();
  #meta: TranscriptMeta = { format: 'pi' };
  #isTree: boolean | null = null;
  #hasHeader = false;
  #count = 0;
  #main: EntryWriter | null = null;
  #last: { readonly id: string | undefined; readonly byteStart: number } = { id: undefined, byteStart: 0 };

  constructor(sink: ImportSink) {
    this.#sink = new TrackingSink(sink);
  }

  record(record: SourceRecord): void {
    const fields = isRecord(record.value) ? record.value : {};
    const serial = this.#count++;
    if (serial === 0 && stringAt(fields, 'type') === 'session') {
      this.#meta = { ...this.#meta, ...headerMeta(fields) };
      this.#hasHeader = true;
      this.#isTree = (numberAt(fields, 'version') ?? 1) >= 2;
    }
    this.#isTree ??= Object.hasOwn(fields, 'parentId');
    const parent = this.#parentOf(fields, serial, record);
    const last = this.#last;
    const recorded = stringAt(fields, 'id');
    const id = recorded === undefined || SCRUBBED.test(recorded) ? undefined : recorded;
    const isNew = id !== undefined && this.#serialOf(id) === undefined;
    if (id !== undefined) this.#serials.set(fingerprintNumber(id), serial);
    const spoke = this.#writer.entry(record, fields, parent, () => branchKey(last));
    if (spoke) this.#last = { id: isNew ? id : undefined, byteStart: record.byteStart };
  }

  settle(): void {
    this.#main?.settle();
  }

  end(): void {
    this.#writer.end(() => branchKey(this.#last));
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
    const { path } = this.#writer;
    if (path.branches + path.refused > 0) this.#sink.problem(branchProblem(path));
  }

  get #writer(): EntryWriter {
    this.#main ??= new EntryWriter(this.#sink, this.#tally, (id) => this.#serialOf(id), MAIN, this.#meta);
    return this.#main;
  }

  #serialOf(id: string): number | undefined {
    return this.#serials.get(fingerprintNumber(id));
  }

  // An entry whose parent is not there (its line is broken, its id scrubbed) follows the line before it.
  #parentOf(fields: Fields, serial: number, record: SourceRecord): number {
    const parentId = ownAt(fields, 'parentId');
    if (!this.#isTree || parentId === undefined) return serial - 1;
    if (parentId === null) return this.#hasHeader ? 0 : -1;
    const parent = typeof parentId === 'string' ? this.#serialOf(parentId) : undefined;
    if (parent === undefined) this.#tally.add('import.missing_parent', originOf(record));
    return parent ?? serial - 1;
  }
}

// A branch is named by its last message.
function branchKey({ id, byteStart }: { readonly id: string | undefined; readonly byteStart: number }): string {
  return id === undefined ? `branch at byte ${byteStart}` : `branch ${id}`;
}

// A fork names the file of the session it begins with a copy of: `<time>_<id>.jsonl`.
function headerMeta(fields: Fields): Partial<TranscriptMeta> {
  const origin = stringAt(fields, 'parentSession') ?? stringAt(fields, 'branchedFrom');
  const name = origin
    ?.split(/[\\/]/)
    .at(-1)
    ?.replace(/\.jsonl$/, '');
  const continued = name?.replace(/^\d{4}-\d\d-\d\dT[\dZ:.-]*_/, '');
  return defined({
    sessionId: stringAt(fields, 'id'),
    cwd: stringAt(fields, 'cwd'),
    continuesSessionId: continued === undefined || SCRUBBED.test(continued) ? undefined : continued,
  });
}
