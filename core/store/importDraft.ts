import type { MessageFacts, MessageMeta } from '../model/message.ts';
import type { ImportedEvent, ImportedMessage, Origin, TranscriptMeta } from '../model/transcript.ts';
import type { PreparedPage } from './messages.ts';
import type { TranscriptProgress } from './transcripts.ts';
import type { TranscriptCounts } from './types.ts';

/** Longest run of messages in one page: what is read at once when a row of it is shown. */
export const PAGE_MESSAGES = 512;

type Counts = { -readonly [key in keyof TranscriptCounts]: number };

/** A transcript while it is imported: what of it is not yet written, and its running counts. */
export class TranscriptDraft {
  readonly key: string;
  readonly uid: string;
  /** Row id; null until the first batch is written. */
  id: number | null = null;
  /** The library has this transcript already: what the file says of it is passed over. */
  readonly skipped: boolean;
  /** Anything not yet written. */
  dirty = true;
  readonly #counts: Counts = {
    messages: 0,
    parts: 0,
    turns: 0,
    callPoints: 0,
    events: 0,
    compactions: 0,
    problems: 0,
    assets: 0,
  };
  #meta: TranscriptMeta;
  readonly #models = new Set<string>();
  #startedAt: string | null = null;
  #endedAt: string | null = null;
  #facts: MessageFacts[] = [];
  #metas: MessageMeta[] = [];
  #origins: (readonly Origin[])[] = [];

  constructor(key: string, uid: string, meta: TranscriptMeta, skipped: boolean) {
    this.key = key;
    this.uid = uid;
    this.#meta = meta;
    this.skipped = skipped;
  }

  get meta(): TranscriptMeta {
    return this.#meta;
  }

  /** Number of messages so far = the source index of the next one. */
  get messages(): number {
    return this.#counts.messages;
  }

  addMeta(meta: Partial<TranscriptMeta>): void {
    this.#meta = { ...this.#meta, ...meta };
    this.dirty = true;
  }

  /** Takes in a message; its source index. */
  addMessage(message: ImportedMessage, facts: MessageFacts, payloads: number): number {
    const { meta, origins } = message;
    this.#facts.push(facts);
    this.#metas.push(meta);
    this.#origins.push(origins);
    this.#counts.parts += facts.parts.length;
    this.#counts.assets += payloads;
    if (facts.beginsTurn) this.#counts.turns++;
    if (facts.role === 'assistant') this.#counts.callPoints++;
    if (meta.model !== undefined) this.#models.add(meta.model);
    this.#see(meta.timestamp);
    this.dirty = true;
    return this.#counts.messages++;
  }

  /** Takes in an event; its position among the events. */
  addEvent(event: ImportedEvent, isCompaction: boolean): number {
    if (isCompaction) this.#counts.compactions++;
    this.#see(event.timestamp);
    this.dirty = true;
    return this.#counts.events++;
  }

  addProblem(): void {
    this.#counts.problems++;
    this.dirty = true;
  }

  /** The pages of what came since the last call. */
  takePages(transcript: number): PreparedPage[] {
    const pages: PreparedPage[] = [];
    const from = this.#counts.messages - this.#facts.length;
    for (let at = 0; at < this.#facts.length; at += PAGE_MESSAGES) {
      const end = at + PAGE_MESSAGES;
      pages.push({
        transcript,
        first: from + at,
        facts: this.#facts.slice(at, end),
        metas: this.#metas.slice(at, end),
        origins: this.#origins.slice(at, end),
      });
    }
    this.#facts = [];
    this.#metas = [];
    this.#origins = [];
    return pages;
  }

  progress(): TranscriptProgress {
    const { models = [], startedAt, endedAt } = this.#meta;
    return {
      meta: this.#meta,
      models: [...new Set([...this.#models, ...models])],
      startedAt: this.#startedAt ?? startedAt ?? null,
      endedAt: this.#endedAt ?? endedAt ?? null,
      counts: { ...this.#counts },
    };
  }

  // Recorded times are ISO texts, which order as texts; a chain resumed later may bring an earlier one.
  #see(timestamp: string | undefined): void {
    if (timestamp === undefined) return;
    if (this.#startedAt === null || timestamp < this.#startedAt) this.#startedAt = timestamp;
    if (this.#endedAt === null || timestamp > this.#endedAt) this.#endedAt = timestamp;
  }
}
