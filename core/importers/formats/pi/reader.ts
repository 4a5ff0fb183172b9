import type { TranscriptMeta } from '../../../model/transcript.ts';
import { isRecord, numberAt, ownAt, stringAt } from '../../../util/unknown.ts';
import type { FormatReader, ImportSink, SourceRecord } from '../../types.ts';
import { defined, originOf } from '../shared.ts';
import { Tally } from '../tally.ts';
import { TrackingSink } from '../trackingSink.ts';
import { BranchWriter } from './branch.ts';
import { branchesOf, type TreeNode } from './tree.ts';

type Fields = Readonly<Record<string, unknown>>;

const MAIN = 'main';
const SPEAKING = new Set(['message', 'custom_message', 'branch_summary', 'compaction']);
/** Values a scrubber left where an id was: they name nothing. */
const SCRUBBED = /^(|<.*>|\[.*\])$|REDACTED/;

/**
 * Reads a list of entries as it comes. A tree is held until its end, as the texts of its lines, because only its last
 * entry says which branch is the active one.
 */
export class PiReader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #tally = new Tally();
  readonly #serials = new Map<string, number>();
  readonly #nodes: TreeNode[] = [];
  readonly #held: SourceRecord[] = [];
  #meta: TranscriptMeta = { format: 'pi' };
  #isTree: boolean | null = null;
  #hasHeader = false;
  #count = 0;
  #main: BranchWriter | null = null;

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
    const id = stringAt(fields, 'id');
    if (id !== undefined && !SCRUBBED.test(id)) this.#serials.set(id, serial);
    if (!this.#isTree) {
      this.#writer.entry(serial, record, fields, false);
      return;
    }
    this.#nodes.push({ parent, speaks: SPEAKING.has(stringAt(fields, 'type') ?? '') });
    this.#held.push({ ...record, value: undefined });
  }

  end(): void {
    if (this.#isTree) this.#writeTree();
    else this.#writer.end();
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
  }

  get #writer(): BranchWriter {
    this.#main ??= this.#begin(MAIN);
    return this.#main;
  }

  #begin(key: string): BranchWriter {
    return new BranchWriter(this.#sink, this.#tally, (id) => this.#serials.get(id), key, this.#meta);
  }

  // An entry whose parent is not there (its line is broken, its id scrubbed) follows the line before it.
  #parentOf(fields: Fields, serial: number, record: SourceRecord): number {
    const parentId = ownAt(fields, 'parentId');
    if (!this.#isTree || parentId === undefined) return serial - 1;
    if (parentId === null) return this.#headerSerial();
    const parent = typeof parentId === 'string' ? this.#serials.get(parentId) : undefined;
    if (parent === undefined) this.#tally.add('import.missing_parent', originOf(record));
    return parent ?? serial - 1;
  }

  // The header, if the file has one, is the root of all.
  #headerSerial(): number {
    return this.#hasHeader ? 0 : -1;
  }

  #writeTree(): void {
    const { active, others } = branchesOf(this.#nodes);
    const main = this.#writer;
    for (const serial of active) this.#write(main, serial, false);
    main.end();
    for (const { leaf, path, own } of others) {
      const branch = this.#begin(this.#keyOf(leaf));
      for (const serial of path) this.#write(branch, serial, !own.has(serial));
      branch.end();
    }
    if (others.length === 0) return;
    const beside = others.length === 1 ? 'is another branch, which is' : `are ${others.length} other branches, each`;
    const text = `The conversation was rewound or edited: beside the active branch there ${beside} a transcript of its own.`;
    this.#sink.problem({ code: 'import.branches', severity: 'info', text });
  }

  #write(writer: BranchWriter, serial: number, again: boolean): void {
    const record = this.#held[serial];
    if (!record) return;
    const value: unknown = JSON.parse(record.text);
    writer.entry(serial, record, isRecord(value) ? value : {}, again);
  }

  #keyOf(leaf: number): string {
    const record = this.#held[leaf];
    const value: unknown = record && JSON.parse(record.text);
    const id = isRecord(value) ? stringAt(value, 'id') : undefined;
    return id !== undefined && this.#serials.get(id) === leaf
      ? `branch ${id}`
      : `branch at byte ${record?.byteStart ?? 0}`;
  }
}

function headerMeta(fields: Fields): Partial<TranscriptMeta> {
  const sessionId = stringAt(fields, 'id');
  return defined({ sessionId, cwd: stringAt(fields, 'cwd') });
}
