import type { TranscriptSource } from '../../model/transcript.ts';
import { compactJson, locate, parseString } from '../../util/json/index.ts';
import type { RedactionPointer } from '../../view/types.ts';
import { nodeSha256 } from '../nodeHash.ts';

/** True if the raw content a pointer names is there and has the hash it gives: computed from the stored bytes. */
export function verifyPointer(source: TranscriptSource, pointer: RedactionPointer): boolean {
  const { source_index: index, source_block_index: block } = pointer;
  if (index >= source.length) return false;
  const text = source.text(index);
  const span = locate(text, block === null ? ['content'] : ['content', block, 'content']);
  if (!span) return false;
  const isString = text[span.start] === '"';
  const content = isString ? parseString(text, span.start, span.end) : compactJson(text.slice(span.start, span.end));
  return `sha256:${nodeSha256().update(content).hex()}` === pointer.content_hash;
}
