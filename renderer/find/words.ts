// What the find bar, its strip and its answer say. One place, so that screen and tests agree.
import type { RawTextPlace, TextLoss, TextState, TextTrace } from '../../core/protocol/types.ts';
import type { StripRun } from '../state/textPoints.ts';
import { formatCount, plural } from '../ui/format.ts';

/** The five states in the order in which they are listed. */
export const STATES: readonly TextState[] = ['not_yet', 'original', 'elsewhere', 'partly', 'gone'];

/** A state in one or two words. */
export const STATE_WORD: Readonly<Record<TextState, string>> = {
  not_yet: 'not yet said',
  original: 'original',
  elsewhere: 'elsewhere',
  partly: 'partly',
  gone: 'gone',
};

/** What a state means, for tooltips and screen readers. */
export const STATE_MEANING: Readonly<Record<TextState, string>> = {
  not_yet: 'No message before the call says it.',
  original: 'In the request, where it was first said.',
  elsewhere: 'In the request, word for word, in another place.',
  partly: 'Some of its key words are in the request.',
  gone: 'Not in the request.',
};

/** What is so in the request shown, for the find bar. */
export const NOW_WORDS: Readonly<Record<TextState, string>> = {
  not_yet: 'not said before this request',
  original: 'in this request',
  elsewhere: 'in this request, elsewhere',
  partly: 'partly in this request',
  gone: 'not in this request',
};

/** How many places there are and which one is shown: `11 places`, `2 of 11 places`, `Searching…`. */
export function describeCount(trace: TextTrace | null, isLoading: boolean, chosen: number | null): string {
  if (trace === null) return isLoading ? 'Searching…' : '';
  if (trace.totalPlaces === 0) return 'No places';
  if (chosen === null) return plural(trace.totalPlaces, 'place');
  return `${formatCount(chosen + 1)} of ${plural(trace.totalPlaces, 'place')}`;
}

/** In how many of the requests after it was said the whole text is: `In 123 of 306 requests …`; null before that. */
export function describeRequest({ counts }: Pick<TextTrace, 'counts'>): string | null {
  const present = counts.original + counts.elsewhere;
  const all = present + counts.partly + counts.gone;
  return all === 0 ? null : `In ${formatCount(present)} of ${plural(all, 'request')} since it was said`;
}

/** A run of the strip: `gone from call #276 to #316`. */
export function describeRun({ state, at }: StripRun, last: number): string {
  const span = at === last ? `at call #${at}` : `from call #${at} to #${last}`;
  return `${STATE_WORD[state]} ${span}`;
}

/** Number and kind of a place, as its row in the list has them: `#97` and `result`; what is in front has no number. */
export function placeName({ where, index, label }: Pick<RawTextPlace, 'where' | 'index' | 'label'>): {
  readonly number: string;
  readonly kind: string;
} {
  if (where === 'system') return { number: '', kind: 'system prompt' };
  if (where === 'tools') return { number: '', kind: 'tool definitions' };
  const kind = where === 'event' ? 'event' : label.replace(/ ?#\d+$/, '');
  return { number: index === null ? '' : `#${index}`, kind };
}

/** What says the text in the request and is in no place of the transcript: summaries and messages that a stage put in. */
export function writtenPlaces({ now }: Pick<TextTrace, 'now'>): readonly string[] {
  const written = now.places.filter(({ synthetic, label }) => synthetic !== null && !/^(summary )?#/.test(label));
  return [...new Set(written.map(({ label }) => label))];
}

/** Whether a place is in the request at the call point shown, for its mark. */
export function placeState({ present, after }: Pick<RawTextPlace, 'present' | 'after'>): TextState {
  if (after) return 'not_yet';
  return present ? 'original' : 'gone';
}

/** Stage, rule and reason of a loss, as the rest of a line: `stage 1, Recorded compaction · left out by compaction 1`. */
export function describeLoss({ stage, stageTitle, reason }: Pick<TextLoss, 'stage' | 'stageTitle' | 'reason'>): string {
  const by = stage === null ? '' : `stage ${stage + 1}${stageTitle === null ? '' : `, ${stageTitle}`}`;
  return [by, reason.replace(/[.\s]+$/, '')].filter((word) => word !== '').join(': ');
}

/** True if the sentence of the answer gives the reason of a loss already. */
export function saidIn({ sentence }: Pick<TextTrace, 'sentence'>, { reason }: Pick<TextLoss, 'reason'>): boolean {
  return reason !== '' && sentence.includes(reason);
}

/** The sentence for where the reason stands above already: only its first clause. */
export function withoutReason(sentence: string, reason: string): string {
  if (reason === '' || !sentence.includes(reason)) return sentence;
  return `${splitSentence(sentence)[0].replace(/[.;:]$/, '')}.`;
}

/** A piece of a sentence: plain text, a message, or a call point. */
export interface SentencePiece {
  readonly text: string;
  readonly to: { readonly kind: 'message' | 'call'; readonly index: number } | null;
}

/** A sentence with what it names as links: `#124` leads to the message, `call #276` and `since #276` to the request. */
export function sentencePieces(sentence: string): readonly SentencePiece[] {
  const pieces: SentencePiece[] = [];
  let done = 0;
  for (const match of sentence.matchAll(/(call |since )?#(\d+)/g)) {
    const kind = match[1] === undefined ? 'message' : 'call';
    // `since` belongs to the sentence, not to the link.
    const from = match.index + (match[1] === 'since ' ? match[1].length : 0);
    const end = match.index + match[0].length;
    if (from > done) pieces.push({ text: sentence.slice(done, from), to: null });
    pieces.push({ text: sentence.slice(from, end), to: { kind, index: Number(match[2]) } });
    done = end;
  }
  if (done < sentence.length) pieces.push({ text: sentence.slice(done), to: null });
  return pieces;
}

/** The sentence's first clause, which is printed bold, and the rest. */
export function splitSentence(sentence: string): readonly [string, string] {
  const end = /[.;:] /.exec(sentence);
  return end === null ? [sentence, ''] : [sentence.slice(0, end.index + 1), sentence.slice(end.index + 1)];
}
