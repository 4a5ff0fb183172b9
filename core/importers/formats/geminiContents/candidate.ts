// The message a response holds. A stream is several responses: their parts follow each other, and texts that were cut
// into chunks become one text again, put together from the chunks' own literals.

import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { elementSpans, sliceAt } from '../../reading/slices.ts';
import { candidateOf } from '../gemini.ts';

/** One response or chunk: its JSON text and value. */
export interface Chunk {
  readonly text: string;
  readonly value: Fields;
}

/** The content of a response, exact; of several chunks the parts' own texts in order. Null if there is none. */
export function joinCandidates(chunks: readonly Chunk[]): { readonly text: string; readonly value: unknown } | null {
  const [only, ...others] = chunks;
  if (only && others.length === 0) {
    const content = recordAt(candidateOf(only.value) ?? {}, 'content');
    const text = content && sliceAt(only.text, ['candidates', 0, 'content']);
    return text ? { text, value: content } : null;
  }
  const parts = chunks.flatMap(partTexts);
  if (parts.length === 0) return null;
  const text = `{"role":"model","parts":[${glued(parts).join(',')}]}`;
  const value: unknown = JSON.parse(text);
  return { text, value };
}

interface PartText {
  readonly text: string;
  /** The literal of a text that may be glued to the one before, and the rest of the part, equal for those that may. */
  readonly literal: string | null;
  readonly thought: boolean;
}

function partTexts({ text, value }: Chunk): PartText[] {
  const content = recordAt(candidateOf(value) ?? {}, 'content');
  const list = content && sliceAt(text, ['candidates', 0, 'content', 'parts']);
  if (!list?.startsWith('[')) return [];
  const values = arrayAt(content ?? {}, 'parts') ?? [];
  return elementSpans(list, 0).map(({ start, end }, at) => partText(list.slice(start, end), values[at]));
}

function partText(text: string, value: unknown): PartText {
  const fields = isRecord(value) ? value : {};
  const plain = Object.keys(fields).every((key) => key === 'text' || key === 'thought');
  const literal = plain && stringAt(fields, 'text') !== undefined ? sliceAt(text, ['text']) : null;
  return { text, literal, thought: ownAt(fields, 'thought') === true };
}

function glued(parts: readonly PartText[]): string[] {
  const texts: string[] = [];
  let run: PartText[] = [];
  const close = (): void => {
    const [first, ...others] = run;
    if (first && others.length === 0) texts.push(first.text);
    else if (first) {
      const literal = run.map((part) => part.literal?.slice(1, -1) ?? '').join('');
      texts.push(first.thought ? `{"text":"${literal}","thought":true}` : `{"text":"${literal}"}`);
    }
    run = [];
  };
  for (const part of parts) {
    if (part.literal === null || run[0]?.thought !== part.thought) close();
    if (part.literal === null) texts.push(part.text);
    else run.push(part);
  }
  close();
  return texts;
}
