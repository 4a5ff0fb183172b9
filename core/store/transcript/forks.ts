// What-ifs: a transcript that begins as another one and continues as somebody typed. The parent is only read; the messages
// both begin with are stored once.
import { Buffer } from 'node:buffer';
import { createHash, hash, randomInt, randomUUID } from 'node:crypto';
import { readMessage } from '../../model/readMessage.ts';
import type { TranscriptMeta, WhatIf } from '../../model/transcript.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { asOneWrite } from '../database.ts';
import { type DraftMessage, TranscriptDraft } from '../import/importDraft.ts';
import type { Tables } from '../tables.ts';
import { extractPayloads } from './payloads.ts';

/** What is to be forked. `texts` = JSON texts of the messages that follow, each that of an object. */
export interface NewFork {
  /** Public id of the parent. */
  readonly parentId: string;
  readonly at: number;
  readonly texts: readonly string[];
  /** ISO-8601. */
  readonly now: string;
}

/** Why there is no fork. */
export type NoFork = 'no_parent' | 'no_place';

/** Makes a what-if and gives its public id. One transaction: it is there as a whole, or not at all. */
export function makeFork(tables: Tables, fork: NewFork): Result<string, NoFork> {
  return asOneWrite(tables.db, () => writeFork(tables, fork));
}

function writeFork(tables: Tables, { parentId, at, texts, now }: NewFork): Result<string, NoFork> {
  const { transcripts, changes, imports, messages } = tables;
  const ids = transcripts.ids(parentId);
  const parent = transcripts.get(parentId);
  if (ids === null || parent === null) return err('no_parent');
  if (!Number.isInteger(at) || at < 0 || at > parent.counts.messages) return err('no_place');
  const title = parent.kept.title ?? parent.meta.title ?? parent.firstText;
  const whatIf: WhatIf = { parentId, at, madeAt: now, ...(title !== null && { parentTitle: title }) };
  const meta = metaOf({ ...parent.meta, title: forkTitle(title ?? parent.id) }, whatIf);
  // Named by chance: forking twice makes two.
  const base = createHash('sha256').update(`what-if ${randomUUID()}`).digest();
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const source = imports.insertSource({ path: '', bytes, mtimeMs: 0, probe: base, sha256: base }, base);
  imports.completeSource(source, base, true);
  const uid = base.toString('hex').slice(0, 24);
  const revision = randomInt(2 ** 31);
  const id = transcripts.insert({ uid, source, key: 'what-if', meta, importedAt: now, revision, hidden: false });
  changes.fork(ids.id, id, at);
  const draft = new TranscriptDraft('what-if', uid, meta, false);
  draft.resume(id, at, 0, changes.stats(id));
  for (const text of texts) {
    const content = prepare(text);
    messages.insert({ transcript: id, idx: draft.length, ...content });
    draft.addMessage({ content });
  }
  for (const page of draft.takePages()) {
    messages.insertPage(id, page);
    draft.wrotePage(page);
  }
  transcripts.update(id, draft.progress());
  transcripts.setState(id, 'ready', null);
  inherit(tables, { from: parentId, to: uid, at });
  return ok(uid);
}

// What was written for the messages that both begin with, the parent's own policy, what its requests hold beside them,
// and what the person looks at it with: the same request is projected.
function inherit(
  tables: Tables,
  { from, to, at }: { readonly from: string; readonly to: string; readonly at: number },
) {
  const { summaries, contextPolicies, overheads, choices } = tables;
  summaries.copy(from, to, at);
  const policy = contextPolicies.ofTranscript(from);
  if (policy !== null) contextPolicies.setOfTranscript(to, policy);
  const overhead = overheads.get(from);
  if (overhead !== null) overheads.set(to, overhead);
  choices.set(to, choices.get(from));
}

const LABEL = 'What if: ';

/** The label is part of the title: lists, links, bundles and exports all show it. */
function forkTitle(title: string): string {
  return title.startsWith(LABEL) ? title : `${LABEL}${title}`;
}

// What ties the parent to others (session, agent, branches) is not the fork's: it is tied by `whatIf` alone.
function metaOf(parent: TranscriptMeta, whatIf: WhatIf): TranscriptMeta {
  const { format, title, project, cwd, gitBranch, toolVersion, models, systemJson, toolsJson, settingsJson } = parent;
  const kept = { title, project, cwd, gitBranch, toolVersion, models, systemJson, toolsJson, settingsJson };
  const known = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
  return { format, ...known, whatIf };
}

function prepare(text: string): DraftMessage['content'] & {
  readonly hash: Buffer;
  readonly rest: string;
  readonly payloads: ReturnType<typeof extractPayloads>['payloads'];
} {
  const { rest, payloads } = extractPayloads(text);
  const facts = readMessage(JSON.parse(text));
  return {
    facts,
    meta: { typed: true },
    origins: [],
    payloads,
    rest,
    hash: Buffer.from(hash('sha256', text, 'hex'), 'hex'),
  };
}
