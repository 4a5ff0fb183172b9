// `--filter QUERY` of the library's commands: which of its transcripts are meant (docs/filter.md).

import { isUsable } from '../../core/filter/parseIn.ts';
import { parseLibraryFilter } from '../../core/library/language.ts';
import { matchText } from '../../core/library/matchText.ts';
import type { TranscriptSummary } from '../../core/protocol/types.ts';
import { usageFailure } from './failure.ts';

const now = () => ({ time: Date.now(), zoneMinutes: -new Date().getTimezoneOffset() });

/** A filter of the library that makes no sense ends the command, with the place and what was probably meant. */
export function checkLibraryFilter(text: string): void {
  const parsed = parseLibraryFilter(text, now());
  const problem = parsed.problems.find(({ severity }) => severity === 'error') ?? parsed.problems[0];
  if (problem === undefined || isUsable(parsed)) return;
  throw usageFailure(`${problem.text} (character ${problem.from + 1} of the filter)`, 'filter.invalid');
}

/** The transcripts that fit a filter which was checked. */
export function fittingTranscripts(all: readonly TranscriptSummary[], text: string): readonly TranscriptSummary[] {
  return matchText(all, text, new WeakMap(), now());
}
