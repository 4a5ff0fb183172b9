// What is at the beginning of the context after a compaction, in the order in which the runtime put it there. Source
// messages are in a view in their own order only; one that the runtime put elsewhere is there as a copy.
import type { MessageFacts } from '../../model/message.ts';
import { readMessage } from '../../model/readMessage.ts';
import type { PlacedCompaction, TranscriptSource } from '../../model/transcript.ts';
import { longestAscending } from '../../util/ascending.ts';
import { canonicalJson } from '../../util/json/index.ts';
import { originsOf } from '../../view/origins.ts';
import type { Origins } from '../../view/types.ts';
import { encrypted } from './words.ts';

/** One message of a head: a source message as it is, or one that is made here: a copy of one, or something new. */
export type HeadItem =
  | { readonly kind: 'source'; readonly index: number }
  | {
      readonly kind: 'made';
      /** JSON text of the message. */
      readonly text: string;
      /** Source index of the message it is a copy of; null = it is new. */
      readonly copyOf: number | null;
      /** Of a copy: its parts are those of the message that it copies. */
      readonly origins?: Origins;
      /** Source span it stands for, end exclusive. */
      readonly covers: { readonly from: number; readonly to: number };
    };

/** The summary among what was kept with it, first of all unless its place is given; of a compaction without a summary only what was kept. */
export function summaryHead(source: TranscriptSource, compaction: PlacedCompaction): readonly HeadItem[] {
  const { at, summaryIndex, summaryAfter = 0 } = compaction;
  const kept = keptIndices(compaction).map((index): HeadItem => ({ kind: 'source', index }));
  // Behind all that was kept it stands where it stands anyway.
  if (summaryIndex === undefined || summaryAfter >= kept.length || summaryIndex < at) return kept;
  const text = source.text(summaryIndex);
  const origins = copyOrigins(source, summaryIndex);
  const covers = { from: 0, to: endOf(compaction) };
  const copy: HeadItem = { kind: 'made', text, copyOf: summaryIndex, origins, covers };
  return [...kept.slice(0, summaryAfter), copy, ...kept.slice(summaryAfter)];
}

/** Behind the last message that left: the ones behind it were carried over. */
function endOf(compaction: PlacedCompaction): number {
  const kept = new Set(keptIndices(compaction));
  let end = compaction.at;
  while (end > 0 && kept.has(end - 1)) end--;
  return end;
}

function keptIndices({ at, summaryIndex, preserved }: PlacedCompaction): readonly number[] {
  const within = (preserved ?? []).filter((index) => index >= 0 && index < at && index !== summaryIndex);
  if (summaryIndex !== undefined && summaryIndex < at) within.push(summaryIndex);
  return [...new Set(within)].sort((a, b) => a - b);
}

/** The new history. Messages of it that are in the transcript, word for word, are kept separate from new ones. */
export function replacementHead(source: TranscriptSource, compaction: PlacedCompaction): readonly HeadItem[] {
  const { replacement = [], preserved, at } = compaction;
  const candidates = preserved === undefined ? [...Array(at).keys()] : keptIndices(compaction);
  const found = findAgain(source, replacement, candidates);
  const inOrder = longestAscending(found);
  const lastNew = found.lastIndexOf(null);
  const end = preserved === undefined ? at : endOf(compaction);
  return replacement.map((text, position): HeadItem => {
    const index = found[position] ?? null;
    if (index !== null && inOrder.has(position)) return { kind: 'source', index };
    const isSummary = index === null && position === lastNew;
    const origins = index === null ? {} : { origins: copyOrigins(source, index) };
    return { kind: 'made', text, copyOf: index, ...origins, covers: { from: 0, to: isSummary ? end : 0 } };
  });
}

function copyOrigins(source: TranscriptSource, index: number): Origins {
  return originsOf({ kind: 'source', index }, source.facts(index).parts.length);
}

/** In place of a history that cannot be read, a note that says so. It is Parallax's, and says that too. */
export function encryptedHead(compaction: PlacedCompaction): readonly HeadItem[] {
  const { opaqueChars } = compaction;
  const content = `[Parallax: here the runtime put ${encrypted(opaqueChars)}, which only the provider can read]`;
  const text = JSON.stringify({ role: 'system', content });
  return [{ kind: 'made', text, copyOf: null, covers: { from: 0, to: endOf(compaction) } }];
}

function findAgain(
  source: TranscriptSource,
  texts: readonly string[],
  candidates: readonly number[],
): (number | null)[] {
  const outlines = texts.map((text) => outlineOf(readMessage(JSON.parse(text))));
  const wanted = new Set(outlines);
  const byText = new Map<string, number[]>();
  for (const index of candidates) {
    // Only texts that may be the same are read.
    if (!wanted.has(outlineOf(source.facts(index)))) continue;
    const text = canonicalJson(source.text(index));
    byText.set(text, [...(byText.get(text) ?? []), index]);
  }
  return texts.map((text) => byText.get(canonicalJson(text))?.shift() ?? null);
}

function outlineOf({ role, parts }: MessageFacts): string {
  return `${role} ${parts.map(({ kind, chars }) => `${kind} ${chars}`).join(' ')}`;
}
