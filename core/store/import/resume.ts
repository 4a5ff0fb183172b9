// A reading that continues: its transcripts as they were at the mark. What the end of the earlier reading reported beyond the
// mark (an unfinished last line, what was wrong in sum) is taken back with the first batch, because it may be reported
// otherwise now.

import type { Tables } from '../tables.ts';
import type { TranscriptRow } from '../types.ts';
import type { Lengths } from './changes.ts';
import type { FeedRow, FeedTail } from './feeds.ts';
import { TranscriptDraft } from './importDraft.ts';
import type { Draft } from './importSteps.ts';
import type { Replayed } from './replaySink.ts';

interface Cut {
  readonly draft: Draft;
  readonly to: Lengths;
}

/** What is there, and what of it must go first. */
export class Resume {
  readonly drafts = new Map<string, Draft>();
  /** Messages that each transcript had, where some are taken back: shown until they are reported again. */
  readonly floors = new Map<Draft, number>();
  readonly #tables: Tables;
  readonly #source: number;
  readonly #feed: FeedRow;
  #cuts: Cut[] = [];
  #contents: number[] = [];

  constructor(tables: Tables, source: number, feed: FeedRow) {
    this.#tables = tables;
    this.#source = source;
    this.#feed = feed;
  }

  /** Compares what a reading reported up to the mark with what is there. False: it is not the same, nothing can continue. */
  find({ lengths }: Pick<Replayed, 'lengths'>): boolean {
    const { transcripts } = this.#tables;
    const tail = this.#feed.tail;
    if (tail?.rewritten === true) return false;
    for (const { id, key, uid } of transcripts.ofSource(this.#source)) {
      const row = transcripts.get(uid);
      if (row === null) return false;
      const draft = this.#draft(id, row, tail);
      if (draft.length !== (lengths.get(key) ?? 0)) return false;
      this.drafts.set(key, draft);
    }
    for (const [key, length] of lengths) {
      if (this.drafts.has(key) || length === 0) continue;
      // Somebody removed it: it continues out of sight, because branches may come out of it.
      const removed = transcripts.removed(this.#source, key);
      if (removed === null) return false;
      const draft: Draft = new TranscriptDraft(`${key} removed`, '', { format: this.#feed.format }, true);
      draft.resume(removed, length, 0, this.#tables.changes.stats(removed));
      this.drafts.set(key, draft);
    }
    return true;
  }

  #draft(id: number, row: TranscriptRow, tail: FeedTail | null): Draft {
    const draft: Draft = new TranscriptDraft(row.key, row.id, row.meta, false);
    const cut = tail === null ? null : (tail.lengths[row.key] ?? null);
    const problems = tail === null ? row.counts.problems : this.#tables.problems.count(id, tail.problemsTo);
    draft.resume(id, cut?.messages ?? row.counts.messages, problems, this.#tables.changes.stats(id));
    if (cut !== null) {
      this.#cuts.push({ draft, to: cut });
      if (row.counts.messages > cut.messages) this.floors.set(draft, row.counts.messages);
    }
    return draft;
  }

  /** Takes back what was reported after the mark, and records near it, which are reported again. In the first batch. */
  takeBack(): void {
    const { changes, problems, records } = this.#tables;
    const { tail, recordsFrom } = this.#feed;
    records.truncate(this.#source, recordsFrom);
    if (tail === null) return;
    problems.truncate(this.#source, tail.problemsTo);
    for (const { draft, to } of this.#cuts) {
      const contents = changes.truncate(draft.row, to);
      if (contents.length > 0) changes.raiseRevision(draft.row);
      this.#contents.push(...contents);
      draft.written = changes.stats(draft.row);
      draft.dirty = true;
    }
    this.#cuts = [];
  }

  /** Deletes the contents of messages that were taken back and not reported again. At the end of the first batch. */
  release(): void {
    const { messages, assets } = this.#tables;
    let payloads = 0;
    for (const contentId of this.#contents) {
      if (!messages.isUsed(contentId)) payloads += messages.deleteContent(contentId);
    }
    this.#contents = [];
    if (payloads > 0) assets.sweep();
  }
}
