import { createHash } from 'node:crypto';
import { ImportStream } from '../../importers/importStream.ts';
import type { Library } from '../../store/index.ts';
import { ReplaySink } from '../../store/index.ts';
import { unpackZlib } from '../files/unpackZlib.ts';
import { chunks } from './fileIdentity.ts';
import { registryFor } from './mapped.ts';
import type { OpenFile } from './openFeed.ts';

/**
 * Whether a file holds all that the library has of a source, message for message, and perhaps more: tools that keep a
 * session as one JSON document write it again with every turn. A file that holds less, or something else, is another one.
 */
export async function sameConversation(
  library: Library,
  { file, stats, reading = null }: OpenFile,
  source: number,
  signal: AbortSignal,
): Promise<boolean> {
  const stored = library.tables.transcripts.ofSource(source);
  // Without a message nothing can be the same: anything would do.
  if (stored.every(({ messages }) => messages === 0)) return false;
  const ids = new Map(stored.map(({ key, id }) => [key, id]));
  let same = true;
  const sink = new ReplaySink(Number.POSITIVE_INFINITY, () => null);
  sink.onMessage = (key, index, text) => {
    const id = ids.get(key);
    const content = id === undefined ? null : library.tables.messages.contentOf(id, index);
    if (content !== null && !content.hash.equals(createHash('sha256').update(text).digest())) same = false;
  };
  const stream = new ImportStream(sink, {
    registry: registryFor(reading),
    unpack: unpackZlib,
    ...(reading === null ? {} : { format: reading.format.id }),
  });
  for await (const chunk of chunks(file, 0, stats.size, signal)) {
    stream.push(chunk);
    if (!same || !stream.wantsMore) return false;
  }
  stream.end();
  return same && stored.every(({ key, messages }) => (sink.lengths.get(key) ?? 0) >= messages);
}
