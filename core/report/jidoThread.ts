// A transcript as a Jido thread: append-only entries of kinds message, tool_call, tool_result and summary. The way back of
// core/importers/formats/jido: what that importer reads of a thread, this writes again, text for text. Source: the Jido
// thread design, "Entry Kind Mappings".
import type { MessageFacts, MessageMeta, Part, ThreadEntryMeta } from '../model/message.ts';
import { partText } from '../model/partText.ts';
import type { PlacedCompaction, TranscriptMeta } from '../model/transcript.ts';
import { isJsonText, jsonString, valueTextAt } from '../util/json/index.ts';
import { callArguments, messagePayload, outcomeJson, saidText } from './jidoPayloads.ts';

/** What is exported. */
export interface ThreadSource {
  readonly length: number;
  text(index: number): string;
  facts(index: number): MessageFacts;
  meta(index: number): MessageMeta;
  compactions(): readonly PlacedCompaction[];
}

/** Something a thread cannot carry. */
export interface ThreadLoss {
  /** Source index; null = of the transcript as a whole. */
  readonly index: number | null;
  readonly what: string;
}

/** A thread as JSON text, and what it leaves out. */
export interface JidoThread {
  readonly json: string;
  readonly entries: number;
  readonly losses: readonly ThreadLoss[];
}

/**
 * Writes the messages [0, to) as a thread. Exact texts go in as they are. `parentId` = the id that the thread a what-if was
 * forked from is written under: its own, where it has one.
 */
export function jidoThread(
  source: ThreadSource,
  meta: TranscriptMeta,
  id: string,
  to = source.length,
  parentId = meta.whatIf?.parentId,
): JidoThread {
  const writer = new ThreadWriter(source, to);
  for (let index = 0; index < to; index++) writer.message(index);
  return writer.thread(meta, id, parentId);
}

type Kind = 'message' | 'tool_call' | 'tool_result' | 'summary';

class ThreadWriter {
  readonly #source: ThreadSource;
  readonly #entries: string[] = [];
  readonly #losses: ThreadLoss[] = [];
  /** Number of entries before each message. */
  readonly #seqs: number[] = [];
  readonly #ids: Set<string>;
  readonly #used = new Set<string>();
  readonly #summaries = new Map<number, PlacedCompaction>();
  #lastCall: { readonly index: number; readonly isNamed: boolean } | null = null;

  constructor(source: ThreadSource, to: number) {
    this.#source = source;
    const metas = Array.from({ length: to }, (_, index) => source.meta(index));
    this.#ids = new Set(metas.flatMap(({ id = '', entries = [] }) => [id, ...entries.map((entry) => entry.id ?? '')]));
    for (const compaction of source.compactions()) {
      const { kind = 'summary', summaryIndex } = compaction;
      if (kind === 'summary' && summaryIndex !== undefined) this.#summaries.set(summaryIndex, compaction);
      else this.#losses.push({ index: compaction.at, what: `a compaction of the kind ${kind} without a summary` });
    }
  }

  message(index: number): void {
    this.#seqs.push(this.#entries.length);
    const facts = this.#source.facts(index);
    const text = this.#source.text(index);
    const compaction = this.#summaries.get(index);
    if (compaction !== undefined) this.#summary(index, compaction);
    else if (!facts.parts.some(isPaired)) {
      this.#entry(index, 'message', this.#payload(index), {}, this.#source.meta(index).entries?.[0]);
    } else this.#paired(index, facts, text, JSON.parse(text));
  }

  // What is said beside calls stands before them, beside results after them.
  #paired(index: number, facts: MessageFacts, text: string, message: unknown): void {
    const said = facts.parts.filter((part) => !isPaired(part));
    const hasCalls = facts.parts.some(({ kind }) => kind === 'tool_call');
    if (hasCalls) this.#said(index, facts, message, said);
    for (const [at, part] of facts.parts.filter(isPaired).entries()) {
      const entry = this.#source.meta(index).entries?.[at];
      if (part.kind === 'tool_call') this.#call(index, part, text, message, entry);
      else this.#result(index, part, text, message, entry);
    }
    if (!hasCalls) this.#said(index, facts, message, said);
  }

  #said(index: number, { role }: MessageFacts, message: unknown, parts: readonly Part[]): void {
    for (const { kind } of parts) {
      if (kind !== 'text') this.#losses.push({ index, what: `${kind} beside calls or results` });
    }
    const content = saidText(message, parts);
    if (content === '') return;
    const payload = `{"role":${jsonString(role === 'assistant' ? 'assistant' : 'user')},"content":${jsonString(content)}}`;
    this.#entry(index, 'message', payload, {});
  }

  #call(index: number, part: Part, text: string, message: unknown, entry?: ThreadEntryMeta): void {
    const named = this.#source.meta(index).callId;
    // Calls of two answers in a row are distinguished by the call of the model alone.
    const last = this.#lastCall;
    const isNext = last !== null && last.index !== index && !last.isNamed && named === undefined;
    const name = part.name === undefined || part.name === null ? '' : `"name":${jsonString(part.name)},`;
    const payload = `{${name}"arguments":${callArguments(text, message, part)}${this.#modelIn(index, entry)}}`;
    const own = {
      ...(part.callId != null && { tool_call_id: part.callId }),
      ...((isNext || (last?.index === index && last.isNamed && named === undefined)) && {
        call_id: `message_${index}`,
      }),
    };
    this.#entry(index, 'tool_call', payload, own, entry);
    this.#lastCall = { index, isNamed: named !== undefined || isNext || (last?.index === index && last.isNamed) };
  }

  #result(index: number, part: Part, text: string, message: unknown, entry?: ThreadEntryMeta): void {
    const name = part.name === undefined || part.name === null ? '' : `"name":${jsonString(part.name)},`;
    const own = part.path.length === 0 ? valueTextAt(text, ['content']) : null;
    const content = own?.startsWith('"') ? own : jsonString(partText(message, part));
    const result = outcomeJson(content, part.isError === true, entry);
    const payload = `{${name}"result":${result}${this.#modelIn(index, entry)}}`;
    this.#entry(index, 'tool_result', payload, part.callId != null ? { tool_call_id: part.callId } : {}, entry);
    this.#lastCall = null;
  }

  #summary(index: number, { at, preserved }: PlacedCompaction): void {
    const kept = new Set(preserved ?? []);
    let covered = Math.min(at, index);
    // Earlier summaries are neither kept nor covered.
    while (covered > 0 && (kept.has(covered - 1) || this.#summaries.has(covered - 1))) covered--;
    for (const one of kept) {
      if (one < covered) this.#losses.push({ index: one, what: 'that it was kept beside a summary that covers it' });
    }
    const text = this.#source.text(index);
    const own = valueTextAt(text, ['content']);
    const { parts } = this.#source.facts(index);
    const content = own?.startsWith('"') ? own : jsonString(saidText(JSON.parse(text), parts));
    const to = (this.#seqs[covered] ?? this.#entries.length) - 1;
    const entry = this.#source.meta(index).entries?.[0];
    const model = this.#modelIn(index, entry);
    this.#entry(
      index,
      'summary',
      `{"from_seq":0,"to_seq":${to},"content":${content},"format":"plain"${model}}`,
      {},
      entry,
    );
  }

  // The model where a payload names it, as a further member.
  #modelIn(index: number, entry: ThreadEntryMeta | undefined): string {
    const { model } = this.#source.meta(index);
    return model === undefined || entry?.isModelInPayload !== true ? '' : `,"model":${jsonString(model)}`;
  }

  #payload(index: number): string {
    const { json, lost } = messagePayload(this.#source.text(index), this.#source.facts(index));
    for (const what of lost) this.#losses.push({ index, what });
    return json;
  }

  #entry(
    index: number,
    kind: Kind,
    payload: string,
    own: Readonly<Record<string, string>>,
    entry: ThreadEntryMeta = {},
  ): void {
    const meta = this.#source.meta(index);
    const { requestId, callId, iteration, parentCallId, model } = meta;
    // Of calls that are joined each has its own id and time, or none.
    const named = (meta.entries?.length ?? 0) > 1 ? entry : meta;
    const refs = {
      ...(requestId !== undefined && { request_id: requestId }),
      ...(callId !== undefined && { call_id: callId }),
      ...own,
      ...(iteration !== undefined && { iteration }),
      ...(parentCallId !== undefined && { parent_call_id: parentCallId }),
      ...(model !== undefined && entry.isModelInPayload !== true && { model }),
    };
    const seq = this.#entries.length;
    const at = named.timestamp === undefined ? '' : `"at":${jsonString(named.timestamp)},`;
    const id = jsonString(this.#id(named.id, seq));
    this.#entries.push(
      `{"id":${id},"seq":${seq},${at}"kind":"${kind}","payload":${payload},"refs":${JSON.stringify(refs)}}`,
    );
    if (kind === 'message' || kind === 'summary') this.#lastCall = null;
  }

  // The first entry of a message has its id; ids made up here are those of no other message.
  #id(own: string | undefined, seq: number): string {
    let id = own ?? `entry_${seq}`;
    for (let again = 2; this.#used.has(id) || (id !== own && this.#ids.has(id)); again++) {
      id = `${own ?? `entry_${seq}`}.${again}`;
    }
    this.#used.add(id);
    return id;
  }

  // Where it comes from, if it is a what-if or was recorded as a fork of another thread.
  #forkMembers({ whatIf, continuesSessionId, forkedAt }: TranscriptMeta, parentId: string | undefined) {
    const parent = whatIf === undefined ? continuesSessionId : parentId;
    if (parent === undefined) return [];
    const at = whatIf === undefined ? forkedAt : whatIf.at;
    return [
      ...(whatIf === undefined ? [] : ['"what_if":true']),
      `"parent_thread_id":${jsonString(parent)}`,
      ...(at === undefined ? [] : [`"fork_seq":${this.#seqs[at] ?? this.#entries.length}`]),
    ];
  }

  thread(meta: TranscriptMeta, id: string, parentId: string | undefined): JidoThread {
    const { title, systemJson, toolsJson, startedAt, endedAt } = meta;
    if (toolsJson !== undefined) this.#losses.push({ index: null, what: 'the definitions of tools' });
    const isText = systemJson?.startsWith('"') === true && isJsonText(systemJson);
    if (systemJson !== undefined && !isText) this.#losses.push({ index: null, what: 'a system prompt in blocks' });
    const metadata = [
      ...(title === undefined ? [] : [`"title":${jsonString(title)}`]),
      ...(isText ? [`"system_prompt":${systemJson}`] : []),
      ...this.#forkMembers(meta, parentId),
    ];
    const head = [
      `"id":${jsonString(id)}`,
      `"rev":${this.#entries.length}`,
      ...(startedAt === undefined ? [] : [`"created_at":${jsonString(startedAt)}`]),
      ...(endedAt === undefined ? [] : [`"updated_at":${jsonString(endedAt)}`]),
      `"metadata":{${metadata.join(',')}}`,
    ];
    const json = `{${head.join(',')},"entries":[\n${this.#entries.join(',\n')}\n]}\n`;
    return { json, entries: this.#entries.length, losses: this.#losses };
  }
}

function isPaired({ kind }: Part): boolean {
  return kind === 'tool_call' || kind === 'tool_result';
}
