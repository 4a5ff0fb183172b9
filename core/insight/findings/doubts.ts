// What speaks against a finding: a call made again to see what became of what was done; words that only the agent had said,
// mostly the beginnings of its commands; a compaction that nobody but the provider can read, which may hold what seems gone.
import { readMessage } from '../../model/readMessage.ts';
import { effectiveFrom, type PlacedCompaction, type TranscriptSource } from '../../model/transcript.ts';
import { looksOnly } from '../looks.ts';
import type { Use } from '../uses/types.ts';

/** True if a call that asks for a state (tests, a screenshot) was made again after something had been done. */
export function seesWhatWasDone({ at, part, sources }: Use, source: TranscriptSource): boolean {
  const call = source.facts(at).parts[part];
  if (call === undefined || looksOnly(JSON.parse(source.text(at)), call)) return false;
  const before = Math.max(...sources.map(({ index }) => index));
  for (let index = before + 1; index < at; index++) if (doesSomething(source, index)) return true;
  return false;
}

/** True if nobody but the agent had said it. */
export function saysItselfAgain({ sources }: Use, source: TranscriptSource): boolean {
  return sources.every(({ index }) => source.facts(index).role === 'assistant');
}

function doesSomething(source: TranscriptSource, index: number): boolean {
  const calls = source.facts(index).parts.filter(({ kind }) => kind === 'tool_call');
  if (calls.length === 0) return false;
  const message: unknown = JSON.parse(source.text(index));
  return calls.some((call) => !looksOnly(message, call));
}

/** True if what took the evidence is a recorded compaction with something in it that cannot be read, or was not recorded. */
export function mayBeHidden({ loss }: Use, source: TranscriptSource): boolean {
  if (loss?.rule !== 'recorded_compaction' && loss?.rule !== 'recorded_left_out') return false;
  const last = source.compactions().findLast((compaction) => effectiveFrom(compaction) <= loss.since);
  return last !== undefined && isUnreadable(last);
}

function isUnreadable({ kind, incomplete, replacement = [] }: PlacedCompaction): boolean {
  if (kind === 'opaque' || incomplete === true) return true;
  return replacement.some((text) => readMessage(JSON.parse(text)).parts.some((part) => part.kind === 'opaque'));
}
