// Filters over what is beside a message's content. Most are settled by the transcript alone; the rest is asked of
// each message.

import type { Scope } from '../../search/types.ts';
import type { SearchMark } from '../../store/search/searchMarks.ts';
import type { SearchTitle, SearchTranscript } from '../../store/search/searchQueries.ts';
import { smallLetters } from '../../util/canonicalForms.ts';

/** A transcript that may hold hits. `open`: scopes that each of its messages has to be asked about. */
export interface Selected {
  readonly transcript: SearchTranscript;
  readonly open: readonly Scope[];
}

type Answer = boolean | 'by message';

/** An id is given by at least so many of its first characters. */
const ID_MIN_CHARS = 6;

/** Whether the scopes need titles and projects, which are read on demand. */
export function needTitles(scopes: readonly Scope[]): boolean {
  return scopes.some(({ kind }) => kind === 'project' || kind === 'in');
}

/** The transcripts that may hold a message for which all scopes hold. */
export function selectTranscripts(
  transcripts: readonly SearchTranscript[],
  titles: ReadonlyMap<number, SearchTitle>,
  scopes: readonly Scope[],
): readonly Selected[] {
  return transcripts.flatMap((transcript) => {
    const open: Scope[] = [];
    for (const scope of scopes) {
      const answer = ofTranscript(transcript, titles.get(transcript.id), scope);
      if (answer === 'by message') open.push(scope);
      else if (answer === scope.negated) return [];
    }
    return [{ transcript, open }];
  });
}

/** Whether a message satisfies what was left open. */
export function allowsMessage(open: readonly Scope[], mark: SearchMark): boolean {
  return open.every((scope) => ofMessage(scope, mark) !== scope.negated);
}

function ofTranscript(transcript: SearchTranscript, title: SearchTitle | undefined, scope: Scope): Answer {
  switch (scope.kind) {
    case 'flag':
      return 'by message';
    case 'format':
      return transcript.format.toLowerCase().includes(scope.value);
    case 'project':
      return smallLetters(title?.project ?? title?.cwd ?? '').includes(scope.value);
    case 'in':
      return isNamed(transcript, title, scope.value);
    case 'model':
      return byModels(transcript, scope.value);
    case 'after':
      return transcript.endedAt !== null && Date.parse(transcript.endedAt) >= scope.time ? 'by message' : false;
    case 'before':
      return transcript.startedAt !== null && Date.parse(transcript.startedAt) < scope.time ? 'by message' : false;
  }
}

function isNamed({ uid }: SearchTranscript, title: SearchTitle | undefined, value: string): boolean {
  const ids = [uid, title?.sessionId ?? ''].map((id) => id.toLowerCase());
  if (value.length >= ID_MIN_CHARS && ids.some((id) => id.startsWith(value))) return true;
  return smallLetters(title?.title ?? '').includes(value);
}

/** A message without its own model (a user's, a tool's) goes with its transcript. */
function byModels({ models }: SearchTranscript, value: string): Answer {
  const all: string[] = JSON.parse(models);
  const matching = all.filter((model) => model.toLowerCase().includes(value));
  return matching.length === 0 ? false : matching.length === all.length || 'by message';
}

function ofMessage(scope: Scope, mark: SearchMark): boolean {
  switch (scope.kind) {
    case 'flag':
      return mark[scope.flag];
    case 'model':
      return mark.model === null || mark.model.toLowerCase().includes(scope.value);
    case 'after':
      return mark.time !== null && mark.time >= scope.time;
    case 'before':
      return mark.time !== null && mark.time < scope.time;
    case 'format':
    case 'project':
    case 'in':
      return true;
  }
}
