// Writes the entries of a session as they come: goes back where an entry hangs below another than the one before it,
// and knows which messages a compaction keeps.

import type { SourceRecord } from '../../../model/importSink.ts';
import type { ImportedEvent, TranscriptMeta } from '../../../model/transcript.ts';
import { type Fields, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { BranchPath, type Move, ROOT } from '../../reading/branchPath.ts';
import { defined, Extent, humanText, originOf } from '../../reading/shared.ts';
import type { Tally } from '../../reading/tally.ts';
import type { TrackingSink } from '../../reading/trackingSink.ts';
import { compactionFacts, describeEntry, type EntryMessage, entryTime, messageOf } from './entry.ts';

/** `serial` = an entry's place in the file, from 0. */
export class EntryWriter {
  readonly #sink: TrackingSink;
  readonly #tally: Tally;
  readonly #serialOf: (id: string) => number | undefined;
  readonly #path: BranchPath;
  // Of each entry the message it is or stands below, and the number of messages before it.
  readonly #nodes: number[] = [];
  readonly #starts: number[] = [];
  readonly #summaries = new Set<number>();
  readonly #extent = new Extent();
  #name: string | undefined;

  /** Begins the transcript `key`. `serialOf` finds the entry of an id. */
  constructor(
    sink: TrackingSink,
    tally: Tally,
    serialOf: (id: string) => number | undefined,
    key: string,
    meta: TranscriptMeta,
  ) {
    this.#sink = sink;
    this.#tally = tally;
    this.#serialOf = serialOf;
    this.#path = new BranchPath(key);
    sink.begin(key, meta);
  }

  /** The active branch and the others. */
  get path(): BranchPath {
    return this.#path;
  }

  /**
   * Takes the next entry, which hangs below the entry `parent` (-1 = none). What is left is named by `leftAs`. An entry
   * that is not a message goes nowhere: it stands where it comes, as long as nothing is said below it. True = it spoke.
   */
  entry(record: SourceRecord, fields: Fields, parent: number, leftAs: () => string): boolean {
    const below = this.#nodes[parent] ?? ROOT;
    const message = messageOf(record, fields);
    const isCompaction = stringAt(fields, 'type') === 'compaction';
    this.#starts.push(this.#path.indexOf(below) + 1);
    if (!message && !isCompaction) {
      this.#event(record, fields);
      this.#nodes.push(below);
      return false;
    }
    if (below !== this.#path.tip) this.#go(() => this.#path.goTo(below, leftAs()));
    else if (!this.#path.isHome) this.#go(() => this.#path.comeHome(false));
    if (isCompaction) this.#compaction(record, fields, message);
    if (message) this.#message(record, message);
    this.#nodes.push(this.#path.tip);
    return true;
  }

  /** Says what is known of the transcript as a whole by now. */
  settle(): void {
    if (this.#path.isHome) this.#sink.meta(this.#meta());
  }

  /** The last entry says where the conversation stands, even if it is not a message. */
  end(leftAs: () => string): void {
    const last = this.#nodes.at(-1) ?? ROOT;
    if (last !== this.#path.tip) this.#go(() => this.#path.goTo(last, leftAs()));
    this.#go(() => this.#path.comeHome(true));
    this.settle();
    this.#path.reportShared(this.#sink, 'pi');
  }

  #meta(): Partial<TranscriptMeta> {
    return { ...this.#extent.meta(), ...defined({ title: this.#name ?? this.#path.words }) };
  }

  #go(move: () => Move | null): void {
    const known = this.#meta();
    const to = move();
    if (!to) return;
    if (this.#sink.key !== to.key) this.#sink.begin(to.key, { format: 'pi' });
    if (!to.rewind) return;
    const { leave } = to.rewind;
    this.#sink.rewind({ ...to.rewind, leave: { ...leave, meta: { ...known, ...leave.meta } } });
  }

  #message(record: SourceRecord, { text, value, meta }: EntryMessage): void {
    this.#extent.time(meta.timestamp);
    this.#extent.model(meta.model);
    this.#sink.message({ text, value, meta, origins: [originOf(record)] });
    const node = this.#path.append(meta.injected || meta.compactSummary ? undefined : titleIn(value));
    if (meta.compactSummary) this.#summaries.add(node);
  }

  #compaction(record: SourceRecord, fields: Fields, summary: EntryMessage | null): void {
    const at = this.#path.length;
    const kept = defined({ summaryIndex: summary ? at : undefined, preserved: this.#preserved(fields, at) });
    this.#sink.compaction(this.#heldEvent(record, fields, 'compaction'), { at, ...compactionFacts(fields), ...kept });
  }

  // What stands from the first kept entry on goes along with the summary, older summaries excepted.
  #preserved(fields: Fields, at: number): readonly number[] | undefined {
    const id = stringAt(fields, 'firstKeptEntryId');
    const serial = (id === undefined ? numberAt(fields, 'firstKeptEntryIndex') : this.#serialOf(id)) ?? -1;
    const [from, node] = [this.#starts[serial], this.#nodes[serial]];
    if (from === undefined || node === undefined || !this.#path.isOnPath(node)) return undefined;
    const kept: number[] = [];
    for (let index = from; index < at; index++) {
      if (!this.#summaries.has(this.#path.nodeAt(index))) kept.push(index);
    }
    return kept;
  }

  #event(record: SourceRecord, fields: Fields): void {
    const face = describeEntry(fields);
    if (!face.known) this.#tally.add('import.unknown_record', originOf(record), face.kind.replace('unknown:', ''));
    if (stringAt(fields, 'type') === 'session_info') this.#name = stringAt(fields, 'name');
    this.#extent.time(entryTime(fields));
    this.#sink.event(this.#heldEvent(record, fields, face.kind));
  }

  #heldEvent(record: SourceRecord, fields: Fields, kind: string): ImportedEvent {
    const { text } = describeEntry(fields);
    const timestamp = defined({ timestamp: entryTime(fields) });
    const origin = originOf(record);
    return { kind, at: this.#path.length, visibility: 'internal', text, ...timestamp, json: record.text, origin };
  }
}

function titleIn(message: unknown): string | undefined {
  const fields = recordAt({ message }, 'message') ?? {};
  return ownAt(fields, 'role') === 'user' ? humanText(ownAt(fields, 'content')) : undefined;
}
