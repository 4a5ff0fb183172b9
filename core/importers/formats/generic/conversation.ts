// One transcript of a mapped file on its way to the sink: its messages in the order of the file, or, where the mapping
// names parents, the way through them that ends with the last.

import type { SourceRecord } from '../../../model/importSink.ts';
import type { TranscriptMeta } from '../../../model/transcript.ts';
import { isRecord, ownAt } from '../../../util/unknown.ts';
import { fingerprintNumber } from '../../fingerprint.ts';
import { BranchPath, type Move, ROOT } from '../../reading/branchPath.ts';
import { branchProblem } from '../../reading/branchProblem.ts';
import { defined, Extent, humanText, originOf } from '../../reading/shared.ts';
import type { Tally } from '../../reading/tally.ts';
import type { TrackingSink } from '../../reading/trackingSink.ts';
import { GENERIC_ID } from './id.ts';
import type { MappedMessage, MappedPlace } from './message.ts';

/** Writes one transcript. Nothing else may send anything about it to the sink. */
export class Conversation {
  readonly key: string;
  readonly #sink: TrackingSink;
  readonly #tally: Tally;
  readonly #path: BranchPath | null;
  readonly #nodes = new Map<number, number>();
  readonly #extent = new Extent();
  #facts: Partial<TranscriptMeta> = {};
  #words: string | undefined;
  #left = 0;

  /** Begins the transcript. `isTree`: messages name their parents. */
  constructor(sink: TrackingSink, tally: Tally, key: string, isTree: boolean) {
    this.key = key;
    this.#sink = sink;
    this.#tally = tally;
    this.#path = isTree ? new BranchPath(key) : null;
    sink.begin(key, { format: GENERIC_ID });
  }

  /** What is known of it as a whole. */
  facts(facts: Partial<TranscriptMeta>): void {
    this.#facts = { ...this.#facts, ...facts };
  }

  /** Goes back to it after another was written. */
  enter(): void {
    const key = this.#path?.writing ?? this.key;
    if (this.#sink.key !== key) this.#sink.begin(key, { format: GENERIC_ID });
  }

  /** Takes what a rule made of a place. */
  place(record: SourceRecord, { messages, id, parent }: MappedPlace): void {
    if (messages.length > 0) this.#goTo(record, parent);
    for (const message of messages) this.#message(record, message);
    if (this.#path === null || id === null) return;
    const below = messages.length > 0 ? this.#path.tip : (this.#nodeOf(parent) ?? ROOT);
    this.#nodes.set(fingerprintNumber(id), below);
  }

  /** All of it has been written. */
  end(): void {
    const path = this.#path;
    if (path !== null) {
      this.enter();
      this.#go(() => path.comeHome(true));
    }
    this.enter();
    this.#sink.meta(this.#meta());
    if (path === null) return;
    if (path.branches > 0 || path.refused > 0) this.#sink.problem(branchProblem(path));
    path.reportShared(this.#sink, GENERIC_ID);
  }

  #nodeOf(id: string | null): number | undefined {
    return id === null ? undefined : this.#nodes.get(fingerprintNumber(id));
  }

  // A message without a parent follows the one before it; so does one with an unknown parent, and a problem says so.
  #goTo(record: SourceRecord, parent: string | null): void {
    const path = this.#path;
    if (path === null || parent === null) return;
    const node = this.#nodeOf(parent);
    if (node === undefined) this.#tally.add('import.missing_parent', originOf(record));
    else if (node !== path.tip)
      this.#go(() => path.goTo(node, `${this.key} before byte ${record.byteStart}, ${this.#left++}`));
    else if (!path.isHome) this.#go(() => path.comeHome(false));
  }

  #go(move: () => Move | null): void {
    const known = this.#meta();
    const to = move();
    if (!to) return;
    if (this.#sink.key !== to.key) this.#sink.begin(to.key, { format: GENERIC_ID });
    if (!to.rewind) return;
    const { leave } = to.rewind;
    this.#sink.rewind({ ...to.rewind, leave: { ...leave, meta: { ...known, ...leave.meta } } });
  }

  #message(record: SourceRecord, { text, meta }: MappedMessage): void {
    const value: unknown = JSON.parse(text);
    this.#extent.time(meta.timestamp);
    this.#extent.model(meta.model);
    const words = isRecord(value) && value.role === 'user' ? humanText(ownAt(value, 'content')) : undefined;
    this.#words ??= words;
    this.#sink.message({ text, value, meta, origins: [originOf(record)] });
    this.#path?.append(words);
  }

  #meta(): Partial<TranscriptMeta> {
    return { ...this.#extent.meta(), ...defined({ title: this.#path?.words ?? this.#words }), ...this.#facts };
  }
}
