// What a batch of an import does, step by step, as the reader reported it. Steps before one that goes back are written
// before it, so that going back always is a matter of rows.

import type { Buffer } from 'node:buffer';
import { randomInt } from 'node:crypto';
import type { MessageFacts, MessageMeta } from '../../model/message.ts';
import type { Problem } from '../../model/problem.ts';
import type { Origin, Spawn } from '../../model/transcript.ts';
import type { Tables } from '../tables.ts';
import type { PreparedEvent } from '../transcript/events.ts';
import type { PageContent } from '../transcript/messagePage.ts';
import type { Payload } from '../transcript/payloads.ts';
import type { Loosened } from './changes.ts';
import type { DraftMessage, TranscriptDraft } from './importDraft.ts';
import type { ClaimingMessage } from './importRecords.ts';

/** A message with its content ready to be written. */
export interface PreparedContent {
  readonly facts: MessageFacts;
  readonly meta: MessageMeta;
  readonly origins: readonly Origin[];
  /** SHA-256 of the exact text. */
  readonly hash: Buffer;
  /** The text without its payloads. */
  readonly rest: string;
  readonly payloads: readonly Payload[];
  readonly claiming: ClaimingMessage;
}

/** A new message; what it holds may still be amended. */
export interface MessageStep extends DraftMessage {
  readonly kind: 'message';
  readonly draft: Draft;
  readonly idx: number;
  content: PreparedContent;
}

/** A transcript that steps write into. */
export type Draft = TranscriptDraft<MessageStep>;

/** Messages [at, to) of a branch are appended; `whole`: the branch is the transcript from then on. */
export interface ResumeStep {
  readonly kind: 'resume';
  readonly draft: Draft;
  readonly branch: Draft;
  readonly at: number;
  readonly to: number;
  readonly whole: boolean;
}

/** One thing that a reader reported. */
export type Step =
  | { readonly kind: 'begin'; readonly draft: Draft }
  | MessageStep
  | { readonly kind: 'page'; readonly draft: Draft; readonly page: PageContent }
  | { readonly kind: 'event'; readonly draft: Draft; readonly event: PreparedEvent }
  | { readonly kind: 'spawn'; readonly draft: Draft; readonly spawn: Spawn }
  | { readonly kind: 'problem'; readonly draft: Draft | null; readonly problem: Problem }
  | { readonly kind: 'leave'; readonly draft: Draft; readonly branch: Draft; readonly at: number }
  | ResumeStep
  /** A branch that is about to be reported again. */
  | { readonly kind: 'drop'; readonly draft: Draft }
  | { readonly kind: 'amend'; readonly draft: Draft; readonly idx: number; readonly content: PreparedContent };

/** A content that lost a message; its records are to share text with `instead`, if that is given. */
interface Released extends Loosened {
  readonly instead: ClaimingMessage | null;
}

/** Writes the steps of one batch, inside its transaction. */
export class StepWriter {
  readonly #tables: Tables;
  readonly #source: number;
  readonly #released: Released[] = [];

  constructor(tables: Tables, source: number) {
    this.#tables = tables;
    this.#source = source;
  }

  write(step: Step): void {
    const { messages, events, problems, spawns } = this.#tables;
    switch (step.kind) {
      case 'begin':
        this.#begin(step.draft);
        return;
      case 'message':
        step.content.claiming.contentId = messages.insert(prepared(step));
        return;
      case 'page':
        messages.insertPage(step.draft.row, step.page);
        step.draft.wrotePage(step.page);
        return;
      case 'event': {
        const { draft, event } = step;
        events.insert(draft.row, event, draft.writesEvent(event.event, event.compaction !== null));
        return;
      }
      case 'spawn':
        spawns.insert(step.draft.row, step.draft.writesSpawn(), step.spawn);
        return;
      case 'problem':
        // Those of a transcript that is there already were reported when it was imported.
        if (step.draft?.existed !== true) problems.insert(this.#source, step.draft?.row ?? null, step.problem);
        return;
      case 'leave':
        this.#leave(step.draft, step.branch, step.at);
        return;
      case 'resume':
        this.#resume(step);
        return;
      case 'drop':
        this.drop(step.draft);
        return;
      case 'amend':
        this.#amend(step.draft, step.idx, step.content);
    }
  }

  /** Deletes a transcript that was written, and later what only it used. */
  drop(draft: Draft): void {
    for (const loosened of this.#tables.changes.drop(draft.row)) this.#released.push({ ...loosened, instead: null });
  }

  /** Deletes the contents that nobody uses any more. Call when all steps and the records have been written. */
  release(): void {
    const { messages, records, assets } = this.#tables;
    let payloads = 0;
    for (const { contentId, origins, instead } of this.#released) {
      if (messages.isUsed(contentId)) continue;
      const shared =
        instead === null || instead.contentId === null ? null : { id: instead.contentId, text: instead.text };
      for (const { byteStart } of origins) records.release(this.#source, byteStart, contentId, shared);
      payloads += messages.deleteContent(contentId);
    }
    if (payloads > 0) assets.sweep();
  }

  #begin(draft: Draft, revision = 0): void {
    draft.id = this.#tables.transcripts.insert({
      uid: draft.uid,
      source: this.#source,
      key: draft.key,
      meta: draft.meta,
      importedAt: new Date().toISOString(),
      revision,
      hidden: draft.existed,
    });
  }

  #leave(draft: Draft, branch: Draft, at: number): void {
    this.#begin(branch, randomInt(2 ** 31));
    this.#tables.changes.leave(draft.row, branch.row, at);
    this.#changed(draft, at);
    draft.written = this.#tables.changes.stats(draft.row);
    branch.written = this.#tables.changes.stats(branch.row);
  }

  #resume({ draft, branch, at, to, whole }: ResumeStep): void {
    const { changes } = this.#tables;
    changes.resume(draft.row, branch.row, at, to);
    if (whole) {
      changes.inherit(draft.row, branch.row);
      this.drop(branch);
    }
    draft.written = changes.stats(draft.row);
  }

  #amend(draft: Draft, idx: number, content: PreparedContent): void {
    const { changes, messages } = this.#tables;
    const before = messages.contentOf(draft.row, idx);
    if (before === null) throw new Error(`message ${idx} was to be amended and is not there`);
    const origins = changes.origins(draft.row, idx);
    const { facts, meta, payloads, claiming } = content;
    changes.amendPage(draft.row, idx, { facts, meta, origins: content.origins, payloads: payloads.length });
    claiming.contentId = messages.replace(prepared({ draft, idx, content }));
    this.#changed(draft, idx);
    draft.written = { ...draft.written, pages: changes.pageStats(draft.row) };
    if (before.id !== claiming.contentId) this.#released.push({ contentId: before.id, origins, instead: claiming });
  }

  /** Messages from `at` on are not what they were. */
  #changed(draft: Draft, at: number): void {
    const { changes } = this.#tables;
    if (at < draft.committed) changes.raiseRevision(draft.row);
    draft.committed = Math.min(draft.committed, at);
  }
}

function prepared({ draft, idx, content }: Pick<MessageStep, 'draft' | 'idx' | 'content'>) {
  const { hash, rest, payloads } = content;
  return { transcript: draft.row, idx, hash, rest, payloads };
}
