import type { MessageFacts, MessageMeta } from '../../model/message.ts';
import type { ImportedEvent, Origin, TranscriptMeta } from '../../model/transcript.ts';
import { earlier, later } from '../../util/instant.ts';
import type { EventPlace } from '../transcript/events.ts';
import type { PageContent } from '../transcript/messagePage.ts';
import { addStats, NO_STATS, statsOf } from '../transcript/pageStats.ts';
import type { TranscriptProgress } from '../transcript/transcripts.ts';
import type { WrittenStats } from './changes.ts';

/** Longest run of messages in one page: what is read at once when a row of it is shown. */
export const PAGE_MESSAGES = 512;

/** A message that is in no page yet; until then it may be put in another's place. */
export interface DraftMessage {
  content: {
    readonly facts: MessageFacts;
    readonly meta: MessageMeta;
    readonly origins: readonly Origin[];
    readonly payloads: readonly unknown[];
  };
}

const NOTHING: WrittenStats = {
  pages: NO_STATS,
  events: 0,
  from: null,
  to: null,
  compactions: 0,
  nextCompaction: 0,
  nextSpawn: 0,
};

/**
 * A transcript while it is imported. It lives in two times: `length`, `meta` and `problems` are as the reader has reported
 * up to now; `written` is as the batch under way has written up to now.
 */
export class TranscriptDraft<M extends DraftMessage = DraftMessage> {
  readonly key: string;
  readonly uid: string;
  /** Row id; null until it is written. */
  id: number | null = null;
  /** The library has this transcript already: this one is a stand-in, deleted when the import ends. */
  readonly existed: boolean;
  /** Anything not yet written. */
  dirty = true;
  /** Messages received = the source index of the next one. */
  length = 0;
  /** Messages that other connections can see. */
  committed = 0;
  problems = 0;
  written = NOTHING;
  #meta: TranscriptMeta;
  #unpaged: M[] = [];

  constructor(key: string, uid: string, meta: TranscriptMeta, existed: boolean) {
    this.key = key;
    this.uid = uid;
    this.#meta = meta;
    this.existed = existed;
  }

  /** Somebody removed it: it continues out of sight. */
  get isRemoved(): boolean {
    return this.uid === '';
  }

  /** Takes up a transcript that is written: its row, its messages up to where the reading continues. */
  resume(id: number, length: number, problems: number, written: WrittenStats): void {
    this.id = id;
    this.length = length;
    this.committed = length;
    this.problems = problems;
    this.written = written;
    this.dirty = false;
  }

  get meta(): TranscriptMeta {
    return this.#meta;
  }

  /** Its row's id. Throws before it has one. */
  get row(): number {
    if (this.id === null) throw new Error(`the transcript ${this.key} has no row`);
    return this.id;
  }

  /** The message with this index if it is in no page yet. */
  unpaged(idx: number): M | null {
    return this.#unpaged[idx - (this.length - this.#unpaged.length)] ?? null;
  }

  addMeta(meta: Partial<TranscriptMeta>): void {
    this.#meta = { ...this.#meta, ...meta };
    this.dirty = true;
  }

  /** Takes in a message; its source index. */
  addMessage(message: M): number {
    this.#unpaged.push(message);
    this.dirty = true;
    return this.length++;
  }

  addProblem(): void {
    this.problems++;
    this.dirty = true;
  }

  /** The pages of what came since the last call. */
  takePages(): PageContent[] {
    const pages: PageContent[] = [];
    const from = this.length - this.#unpaged.length;
    for (let at = 0; at < this.#unpaged.length; at += PAGE_MESSAGES) {
      const contents = this.#unpaged.slice(at, at + PAGE_MESSAGES).map(({ content }) => content);
      pages.push({
        first: from + at,
        facts: contents.map(({ facts }) => facts),
        metas: contents.map(({ meta }) => meta),
        origins: contents.map(({ origins }) => origins),
        payloads: contents.map(({ payloads }) => payloads.length),
      });
    }
    this.#unpaged = [];
    return pages;
  }

  /** A page was written. */
  wrotePage({ facts, metas, payloads }: PageContent): void {
    this.written = { ...this.written, pages: addStats(this.written.pages, statsOf(facts, metas, payloads)) };
  }

  /** The place of the event that is being written, and of its compaction if it is one. */
  writesEvent(event: ImportedEvent, isCompaction: boolean): EventPlace {
    const timestamp = event.timestamp ?? null;
    const { events, from, to, compactions, nextCompaction } = this.written;
    const more = isCompaction ? 1 : 0;
    this.written = {
      ...this.written,
      events: events + 1,
      from: earlier(from, timestamp),
      to: later(to, timestamp),
      compactions: compactions + more,
      nextCompaction: nextCompaction + more,
    };
    return { seq: events, compactionSeq: nextCompaction };
  }

  /** The place of the spawn that is being written. */
  writesSpawn(): number {
    const seq = this.written.nextSpawn;
    this.written = { ...this.written, nextSpawn: seq + 1 };
    return seq;
  }

  progress(): TranscriptProgress {
    const { models = [], startedAt = null, endedAt = null } = this.#meta;
    const { pages, events, from, to, compactions } = this.written;
    const { parts, turns, callPoints, assets, errors } = pages;
    return {
      meta: this.#meta,
      models: [...new Set([...pages.models, ...models])],
      startedAt: earlier(pages.from, from) ?? startedAt,
      endedAt: later(pages.to, to) ?? endedAt,
      errors,
      counts: {
        messages: this.length,
        parts,
        turns,
        callPoints,
        events,
        compactions,
        problems: this.problems,
        assets,
      },
    };
  }
}
