// What a covered span says, by class, each thing once: at the place that says it first.

import { type CallOutcome, recordedExchanges } from '../../model/exchanges.ts';
import type { MessageMeta } from '../../model/message.ts';
import { isRuntimeText } from '../../model/runtimeContext.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import { type AnchorKind, anchorKey, anchorsOf } from '../anchors/anchors.ts';
import { imperativesOf } from '../uses/rules.ts';
import { placedFields, readSaid, type SaidMessage, type SaidPart } from '../uses/said.ts';
import { actsOf } from './acts.ts';
import { pathsAmong } from './paths.ts';
import type { CoveredItem, SurvivalClass } from './types.ts';

/** What the span is read from. */
export interface CoveredSpan {
  readonly source: TranscriptSource;
  readonly metaAt: (index: number) => MessageMeta;
  /** Source indices, ascending. */
  readonly covered: readonly number[];
}

const CLASS_OF: Readonly<Record<AnchorKind, SurvivalClass | null>> = {
  path: 'paths',
  url: 'paths',
  number: 'numbers',
  version: 'numbers',
  identifier: 'identifiers',
  env: 'identifiers',
  flag: 'identifiers',
  hash: 'identifiers',
  id: 'identifiers',
  error: 'identifiers',
  quoted: null,
};

/** All items of a span, in the order in which they are said. Linear in its text. */
export function itemsOf(span: CoveredSpan): readonly CoveredItem[] {
  const steps = itemSteps(span);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** The same in steps of a message. */
export function* itemSteps(span: CoveredSpan): Generator<void, readonly CoveredItem[], void> {
  const items = new Items();
  let tasks: readonly CoveredItem[] = [];
  for (const index of span.covered) {
    yield;
    const said = readSaid(span.source, index);
    addSentences(items, span, index, said);
    for (const part of said.parts) {
      if (part.part.kind === 'thinking' || part.part.kind === 'opaque') continue;
      addAnchors(items, index, part);
      if (part.part.kind !== 'tool_call') continue;
      addCall(items, index, part, said.message);
      tasks = openTasks(index, part, said.message) ?? tasks;
    }
  }
  addErrors(items, span);
  // Of a list that was written again, the last.
  for (const task of tasks) items.add(task);
  items.settlePaths();
  return items.all;
}

class Items {
  readonly #found = new Map<string, CoveredItem>();
  readonly #mayBePaths = new Set<string>();

  add(item: CoveredItem, key = item.text): void {
    const id = `${item.class} ${key}`;
    if (!this.#found.has(id)) this.#found.set(id, item);
  }

  /** The item of the class paths with this key has no more than a path's form. */
  mayBePath(key: string): void {
    this.#mayBePaths.add(`paths ${key}`);
  }

  /** What has the form of a path and names none is an identifier (`list.push`), or nothing (`pass/fail`). */
  settlePaths(): void {
    const words = [...this.#mayBePaths].map((id) => this.#found.get(id)?.text ?? '');
    const paths = pathsAmong(words);
    for (const id of this.#mayBePaths) {
      const item = this.#found.get(id);
      if (item === undefined || paths.has(item.text)) continue;
      this.#found.delete(id);
      if (!item.text.includes('/')) this.add({ ...item, class: 'identifiers' });
    }
  }

  get all(): readonly CoveredItem[] {
    return [...this.#found.values()];
  }
}

const SENTENCE = /[^\n]+?(?:[.!?](?=\s|$)|(?=\n|$))/g;
const SENTENCE_LEAST = 12;
const SENTENCE_MOST = 400;
const DECIDES =
  /\b(?:decided|decision|we(?:'|’)ll|I(?:'|’)ll (?:use|keep|go with|switch|take)|let(?:'|’)s (?:use|keep|go with)|instead of|chose|choose|rather than|because|the (?:root )?cause|turns out|the fix is|so that|we should|going with|opt(?:ed)? for)\b/i;

function addSentences(items: Items, { source, metaAt }: CoveredSpan, index: number, said: SaidMessage): void {
  const { role, beginsTurn } = source.facts(index);
  const isPerson = beginsTurn && isOfPerson(metaAt(index));
  for (const part of said.parts) {
    if (part.part.kind !== 'text') continue;
    for (const [field, from] of placedFields(part)) {
      if (isRuntimeText(field)) continue;
      const at = (text: string, start: number) => ({
        text,
        index,
        part: part.at,
        from: from + start,
        to: from + start + text.length,
      });
      if (isPerson)
        for (const [text, start] of sentencesOf(field)) items.add({ class: 'user_sentences', ...at(text, start) });
      if (isPerson || role === 'system' || role === 'developer') {
        for (const { text, from: start } of imperativesOf(field))
          items.add({ class: 'imperatives', ...at(text, start) });
      }
      if (role === 'assistant') {
        for (const [text, start] of sentencesOf(field)) {
          if (DECIDES.test(text)) items.add({ class: 'decisions', ...at(text, start) });
        }
      }
    }
  }
}

/** The summary of an earlier compaction, and what the client wrote, are nobody's words. */
function isOfPerson({ compactSummary, injected, provenance }: MessageMeta): boolean {
  return (
    compactSummary !== true && injected !== true && (provenance === undefined || provenance.kind === 'queued_prompt')
  );
}

/** True if the client put it there by itself: an attachment, its context, the instructions of the workspace. */
export function isOfClient(meta: MessageMeta): boolean {
  return meta.compactSummary !== true && !isOfPerson(meta);
}

function* sentencesOf(text: string): Iterable<readonly [text: string, from: number]> {
  for (const { 0: found, index } of text.matchAll(SENTENCE)) {
    const own = found.trim();
    if (own.length < SENTENCE_LEAST || own.length > SENTENCE_MOST || own.split(/\s+/).length < 3) continue;
    if (own.startsWith('<') || own.startsWith('```')) continue;
    yield [own, index + found.indexOf(own)];
  }
}

function addAnchors(items: Items, index: number, part: SaidPart): void {
  for (const [field, from] of placedFields(part)) {
    for (const anchor of anchorsOf(field)) {
      const own = CLASS_OF[anchor.kind];
      if (own === null) continue;
      const place = { index, part: part.at, from: from + anchor.from, to: from + anchor.to };
      const key = anchorKey(anchor);
      items.add({ class: own, text: anchor.text, ...place }, key);
      if (anchor.kind === 'path') items.mayBePath(key);
    }
  }
}

function addCall(items: Items, index: number, { part, at, fields }: SaidPart, message: unknown): void {
  const { edited, commands } = actsOf(message, part);
  const place = { index, part: at, from: 0, to: fields.join('\n').length };
  for (const text of edited) items.add({ class: 'files_edited', text, ...place });
  for (const text of commands) items.add({ class: 'commands', text, ...place }, text.replace(/\s+/g, ' '));
}

function openTasks(index: number, { part, at, fields }: SaidPart, message: unknown): readonly CoveredItem[] | null {
  const { tasks } = actsOf(message, part);
  if (tasks === null) return null;
  const place = { index, part: at, from: 0, to: fields.join('\n').length };
  return tasks.flatMap(({ text, done }) => (done ? [] : [{ class: 'open_tasks' as const, text, ...place }]));
}

// Failed calls of the span, and the call of the same tool that succeeded after each.
function addErrors(items: Items, { source, covered }: CoveredSpan): void {
  const [first, last] = [covered[0], covered.at(-1)];
  if (first === undefined || last === undefined) return;
  const inSpan = new Set(covered);
  const calls = recordedExchanges(source, first, last + 1).flatMap(({ calls: own }) => own);
  for (const [at, call] of calls.entries()) {
    if (call.outcome !== 'failed') continue;
    const repaired = calls.slice(at + 1).find((later) => later.name === call.name && later.outcome === 'succeeded');
    for (const { message, part } of call.results) {
      if (inSpan.has(message)) addError(items, source, message, part, repaired ?? null);
    }
  }
}

function addError(
  items: Items,
  source: TranscriptSource,
  index: number,
  at: number,
  repaired: CallOutcome | null,
): void {
  const said = readSaid(source, index).parts[at];
  if (said === undefined) return;
  for (const [field, from] of placedFields(said)) {
    const line = errorLine(field);
    if (line === null) continue;
    const start = from + field.indexOf(line);
    const place = { index, part: at, from: start, to: start + line.length };
    items.add({ class: 'errors', text: line, ...place, resolvedAt: repaired?.message ?? null });
    return;
  }
}

const ERROR_LINE = /error|exception|fail|cannot|can't|not found|no such|denied|refused|timed? ?out|invalid|undefined/i;
const LINE_MOST = 200;

/** The line of a failed result that says what failed; null = it says nothing. */
export function errorLine(text: string): string | null {
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  const found = /^Traceback/.test(lines[0] ?? '')
    ? lines.at(-1)
    : (lines.find((line) => ERROR_LINE.test(line)) ?? lines[0]);
  return found === undefined ? null : found.slice(0, LINE_MOST);
}
