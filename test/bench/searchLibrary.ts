// A library to search in, made up, and what is asked of it.
import { createHash } from 'node:crypto';
import { readMessage } from '../../core/model/readMessage.ts';
import { searchText } from '../../core/search/messageText.ts';
import { wordsOf } from '../../core/search/words.ts';
import type { Library } from '../../core/store/index.ts';
import { utf8Length } from '../../core/util/chars.ts';
import { seededRng } from '../../core/util/rng.ts';
import { isRecord, stringAt } from '../../core/util/unknown.ts';
import { claudeCodeLines } from '../support/generate.ts';

const SESSION_MESSAGES = 1_000;
const SAMPLE_EVERY = 20;
const FLUSH_MESSAGES = 1_000;

/** What the queries are made of, and what sizes are measured by. */
export interface Made {
  /** Texts of every 20th message, and their share of all text. */
  readonly samples: readonly string[];
  readonly textBytes: number;
}

/** Fills a library, straight: reading files is measured elsewhere. */
export function makeLibrary(library: Library, messages: number): Made {
  const samples: string[] = [];
  let textBytes = 0;
  let made = 0;
  for (let session = 0; made < messages; session++) {
    const count = Math.min(SESSION_MESSAGES, messages - made);
    const sha256 = createHash('sha256').update(`session ${session}`).digest();
    const file = { path: `/made/${session}.jsonl`, bytes: 0, mtimeMs: 0, probe: sha256, sha256 };
    const start = library.tables.beginImport(file);
    if (start.kind !== 'writer') throw new Error(`an import began as ${start.kind}`);
    const { writer } = start;
    writer.begin('main', {
      format: session % 4 === 0 ? 'codex' : 'claude-code',
      title: `Session ${session}`,
      project: `/home/dev/project-${session % 40}`,
    });
    const startedAt = Date.UTC(2025, 0, 1) + ((session * 7919) % 365) * 86_400_000;
    for (const line of claudeCodeLines({ messages: count, seed: session + 1 })) {
      const record: unknown = JSON.parse(line);
      const message = isRecord(record) ? record.message : undefined;
      if (!isRecord(message)) continue;
      const model = stringAt(message, 'model');
      const meta = {
        timestamp: new Date(startedAt + made * 1000).toISOString(),
        ...(model === undefined ? {} : { model }),
      };
      writer.message({ text: JSON.stringify(message), value: message, meta, origins: [] });
      if (made++ % SAMPLE_EVERY === 0) {
        const text = readMessage(message)
          .parts.map((part) => searchText(message, part))
          .join('\n');
        samples.push(text);
        textBytes += utf8Length(text) * SAMPLE_EVERY;
      }
      if (made % FLUSH_MESSAGES === 0) writer.flush(0);
    }
    writer.finish({ sha256, bytes: 0, probe: null, path: '/bench.jsonl', mtimeMs: 0 });
  }
  return { samples, textBytes };
}

/** 50 queries: words picked from the library's own texts, the same for the same library. */
export function queriesFor(samples: readonly string[]): readonly { readonly kind: string; readonly text: string }[] {
  const rng = seededRng(11);
  const runOf = (length: number): string => {
    for (;;) {
      const words = wordsOf(rng.pick(samples)).words.map((word) => word.text);
      if (words.length < length + 1) continue;
      const at = rng.below(words.length - length);
      const run = words.slice(at, at + length);
      if (run.every((word) => word.length > 2)) return run.join(' ');
    }
  };
  const word = () => runOf(1);
  const times = (count: number, kind: string, text: () => string) =>
    Array.from({ length: count }, () => ({ kind, text: text() }));
  return [
    ...times(6, 'a word', word),
    ...['the', 'file', 'error', 'test'].map((text) => ({ kind: 'a very common word', text })),
    ...times(6, 'two words', () => `${word()} ${word()}`),
    ...times(2, 'three words', () => `${word()} ${word()} ${word()}`),
    ...times(5, 'a phrase of two', () => `"${runOf(2)}"`),
    ...times(3, 'a phrase of three', () => `"${runOf(3)}"`),
    { kind: 'a phrase of common words', text: '"of the"' },
    { kind: 'a phrase that is nowhere', text: '"the the the"' },
    ...times(4, 'a beginning', () => `${word().slice(0, 4)}*`),
    { kind: 'a short beginning', text: 'sta*' },
    ...times(2, 'without', () => `${word()} -${word()}`),
    { kind: 'common without common', text: 'the -file' },
    ...times(2, 'either', () => `${word()} OR ${word()}`),
    { kind: 'role', text: 'role:user error' },
    { kind: 'tool', text: `tool:Bash ${word()}` },
    { kind: 'tool, common word', text: 'tool:Read the' },
    { kind: 'errors', text: 'is:error' },
    { kind: 'filters alone', text: 'has:thinking role:assistant' },
    { kind: 'time and word', text: `after:2025-06 before:2025-07 ${word()}` },
    { kind: 'time and common word', text: 'after:2025-11-01 the' },
    { kind: 'project', text: `project:project-7 ${word()}` },
    { kind: 'project, common word', text: 'project:project-7 the' },
    { kind: 'format', text: `format:codex ${word()}` },
    { kind: 'one transcript', text: 'in:"session 3" the' },
    { kind: 'nothing to be found', text: 'zzyzx quuxly' },
  ];
}
