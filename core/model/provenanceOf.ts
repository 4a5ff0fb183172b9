// browser-safe
// Where a message comes from: what is recorded beside it, what it says of itself, or the wrapper around its text.

import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../util/unknown.ts';
import type { MessageMeta } from './message.ts';
import { type MessageProvenance, type ProvenanceKind, provenanceWords } from './provenance.ts';
import { isRuntimeText, runtimeSpans, withoutRuntime } from './runtimeContext.ts';

/** A message's origin as people read it: a badge on its row, and a line where it is opened. */
export interface MessageOrigin {
  /** A few words for the row. */
  readonly label: string;
  /** One sentence. */
  readonly title: string;
  /** The runtime's own word for it; null if it has none. */
  readonly type: string | null;
  /** Where a runtime wrote only part of the text: what a person wrote, one line; null otherwise. */
  readonly words: string | null;
}

const WORDS_MOST = 300;
/** A longer text is not looked through: it is not a prompt. Unit: UTF-16 units. */
const TEXT_MOST = 200_000;

/** The origin of a parsed message; null = nothing says that it is other than its role. */
export function messageOrigin(message: unknown, meta: Pick<MessageMeta, 'provenance'>): MessageOrigin | null {
  if (meta.provenance !== undefined) return originOf(meta.provenance);
  if (!isRecord(message)) return null;
  return projectedOrigin(message) ?? (ownAt(message, 'role') === 'user' ? userOrigin(message) : null);
}

function originOf(provenance: MessageProvenance, words: string | null = null): MessageOrigin {
  return { ...provenanceWords(provenance), type: provenance.type ?? null, words };
}

// Harn marks what a projection wrote or cleared, on the message or on the block.
function projectedOrigin(message: Fields): MessageOrigin | null {
  const blocks = (arrayAt(message, 'content') ?? []).filter(isRecord);
  const marks = [message, ...blocks].map((one) => recordAt(one, '_harn_projection')).filter(isRecord);
  const mark = marks.find((one) => ownAt(one, 'synthetic') === true) ?? marks[0];
  if (mark === undefined) return null;
  const policy = stringAt(mark, 'policy');
  const by = policy === undefined ? '' : ` under ${policy}`;
  const isWritten = ownAt(mark, 'synthetic') === true;
  const words = isWritten
    ? {
        label: 'written by a projection',
        title: `A recorded projection wrote this${by}: it is not part of the history`,
      }
    : { label: 'cleared by a projection', title: `A recorded projection cleared this${by}: what it said is not here` };
  return { ...words, type: policy ?? null, words: null };
}

function userOrigin(message: Fields): MessageOrigin | null {
  const provenance = recordAt(message, 'provenance');
  const kind = provenance && stringAt(provenance, 'kind');
  if (provenance && kind === 'inter_session') return originOf({ kind, ...typed(sourceOf(provenance)) });
  if (kind === 'internal_system') return originOf({ kind: 'runtime', type: kind });
  const texts = textsOf(message);
  if (texts[0]?.startsWith('[Inter-session message]') === true) return originOf({ kind: 'inter_session' });
  return wrappedOrigin(texts);
}

function sourceOf(provenance: Fields): string | undefined {
  const said = ['sourceSessionKey', 'sourceChannel', 'sourceTool'].map((key) => stringAt(provenance, key));
  return said.find((one) => one !== undefined && one.trim() !== '');
}

function typed(type: string | undefined): { readonly type?: string } {
  return type === undefined ? {} : { type };
}

function wrappedOrigin(texts: readonly string[]): MessageOrigin | null {
  const read = texts.filter((text) => text.length <= TEXT_MOST && /[<(]|Caveat: /.test(text));
  const spans = read.map(runtimeSpans);
  const first = spans.flat()[0];
  if (first === undefined) return null;
  if (texts.every(isRuntimeText)) return originOf({ kind: wrapperKind(first.name), type: first.name });
  const left = texts.map((text) => {
    const at = read.indexOf(text);
    return at < 0 ? text.trim() : withoutRuntime(text, spans[at] ?? []);
  });
  const words = left
    .filter((text) => text !== '')
    .join(' ')
    .replace(/\s+/g, ' ');
  return {
    label: 'with runtime context',
    title: 'Part of this is runtime context, not the words of a person',
    type: first.name,
    words: words.length > WORDS_MOST ? `${words.slice(0, WORDS_MOST - 1)}…` : words,
  };
}

function wrapperKind(name: string): ProvenanceKind {
  if (name === 'task-notification') return 'task_notification';
  return name.startsWith('command-') || name === 'bash-input' ? 'command' : 'runtime';
}

function textsOf(message: Fields): readonly string[] {
  const content = ownAt(message, 'content') ?? ownAt(message, 'parts');
  if (typeof content === 'string') return [content];
  const blocks = Array.isArray(content) ? content : [];
  return blocks.flatMap((block) => (isRecord(block) ? (stringAt(block, 'text') ?? []) : []));
}
