import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Library, StoredSource, WholeFile } from '../../core/store/index.ts';

/** A PNG's header and filler: 1,500 bytes that are no real picture but have a size of 800 × 600. */
const PNG = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  Buffer.from([0, 0, 3, 32, 0, 0, 2, 88]),
  Buffer.from(Array.from({ length: 1476 }, (_, i) => (i * 7) % 251)),
]);

/** A user message with an image and a text. */
export function imageMessage(text: string): unknown {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG.toString('base64') } };
  return { role: 'user', content: [image, { type: 'text', text }] };
}

/** The lines of a Claude Code session with these messages; one session a file, or `sidechain`s of agents. */
export function sessionLines(messages: readonly unknown[], agentId?: string): string[] {
  return messages.map((message, i) =>
    JSON.stringify({
      parentUuid: i === 0 ? null : `${agentId ?? 'u'}-${i - 1}`,
      isSidechain: agentId !== undefined,
      ...(agentId === undefined ? {} : { agentId }),
      type: 'user',
      message,
      uuid: `${agentId ?? 'u'}-${i}`,
      timestamp: `2026-01-01T00:00:${String(i % 60).padStart(2, '0')}.000Z`,
      sessionId: 's',
      cwd: '/project',
      version: '2.0.0',
    }),
  );
}

export function writeSession(path: string, messages: readonly unknown[]): void {
  writeFileSync(path, `${sessionLines(messages).join('\n')}\n`);
}

const long = (text: string) => ({ role: 'user', content: `${text} `.repeat(50) });

/** A file of two transcripts, lines in turn. */
export const TWO_SESSIONS = (() => {
  const main = sessionLines([long('a'), long('b')]);
  const agent = sessionLines([long('c'), long('d')], 'agent1');
  return `${[main[0], agent[0], main[1], agent[1]].join('\n')}\n`;
})();

/** Opens a transcript that must be there. */
export function openSource(library: Library, id: string): StoredSource {
  const source = library.source(id);
  if (source === null) throw new Error(`no transcript ${id}`);
  return source;
}

/** Rows of a table. */
export function count(library: Library, table: string): number {
  return library.tables.db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? -1;
}

/** A file that was read whole, as a writer is told of it. */
export function wholeFile(content: string | Uint8Array): WholeFile {
  const bytes = Buffer.from(content);
  const sha256 = createHash('sha256').update(bytes).digest();
  return { sha256, bytes: bytes.length, probe: null, path: '/a.jsonl', mtimeMs: 0 };
}
