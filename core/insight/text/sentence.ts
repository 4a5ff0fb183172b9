// One sentence that says it all: where the text stands now, since when, and what became of where it was first said.
import { countOf } from '../../view/words.ts';
import { isSaid, type TextLoss, type TextTrace, type ViewPlace } from './types.ts';

/** What a sentence is made of. */
export interface SentenceInput extends Omit<TextTrace, 'sentence' | 'text' | 'points' | 'sampled'> {
  /** The transcript's length: the call point there is the next request. */
  readonly length: number;
  readonly firstLabel: string | null;
  /** Call point since which the place that first said it is not in the request; null = it is, or none did say it. */
  readonly originalGoneSince: number | null;
}

/** The sentence of a trace. */
export function traceSentence(input: SentenceInput): string {
  const { now, first } = input;
  if (now.state === 'not_yet') return first === null ? nowhere(input) : notYet(input, first.index);
  switch (now.state) {
    case 'original':
      return `In the request, word for word, where it was first said: ${input.firstLabel}${interrupted(input)}.`;
    case 'elsewhere':
      return `${lead(input)}${stoodSince(input)}${originalGone(input)}.`;
    case 'partly':
      return `No longer whole in the request${since(input)}: ${describeAnchor(input)}${originalGone(input)}.`;
    case 'gone':
      return `Gone from the request${since(input)}${by(now.loss)}${originalGone(input)}.`;
  }
}

function nowhere(input: SentenceInput): string {
  const { places, now } = input;
  const [event] = places;
  if (event !== undefined) {
    const others = places.length > 1 ? ` and ${countOf(places.length - 1, 'other place')}` : '';
    return `No message says it: it is only in an event, ${event.label}${others}.`;
  }
  const named = now.anchors?.some(({ present }) => present) === true;
  return named ? `No message says it word for word; ${describeAnchor(input)}.` : 'It is nowhere in this transcript.';
}

function notYet({ now, firstLabel }: SentenceInput, index: number): string {
  return `Not said yet at call #${now.at}: ${firstLabel ?? `#${index}`} says it first.`;
}

function lead(input: SentenceInput): string {
  const { first, now } = input;
  const where = describePlace(now.places, now.total);
  if (first === null) return `In the request, word for word, in ${where}`;
  return `${wasGone(input) ? 'There again' : 'Still there'}, word for word, in ${where}`;
}

// Between being said and now.
function wasGone({ changes, now }: SentenceInput): boolean {
  return changes.some(({ at, state }) => at <= now.at && !isSaid(state) && state !== 'not_yet');
}

const NAMED = 2;

// `summary #271`, `#12 and #40`, `#12, #40 and 7 more places`.
function describePlace(places: readonly ViewPlace[], total: number): string {
  const labels = [...new Set(places.map(({ label }) => label))];
  const named = labels.slice(0, NAMED);
  if (labels.length <= NAMED && total <= places.length) return named.join(' and ');
  // In places, as the list beside it counts them: a message can say it in several.
  const more = total - places.filter(({ label }) => named.includes(label)).length;
  return more <= 0 ? named.join(' and ') : `${named.join(', ')} and ${countOf(more, 'more place')}`;
}

function since({ now, length }: SentenceInput): string {
  if (now.since === null) return '';
  return now.since === length ? ' at the next request' : ` since call #${now.since}`;
}

// The state is as old, but not each place: of one that was said later it would be wrong.
function stoodSince(input: SentenceInput): string {
  const { since: from, places } = input.now;
  const isLater = places.some(({ index }) => from !== null && index !== null && index >= from);
  return isLater ? '' : since(input);
}

function originalGone({ first, firstLabel, originalGoneSince, now }: SentenceInput): string {
  if (first === null || originalGoneSince === null || now.state === 'gone') return '';
  return `; the original ${firstLabel ?? `#${first.index}`} is gone since #${originalGoneSince}`;
}

function describeAnchor({ now }: SentenceInput): string {
  const anchors = now.anchors ?? [];
  const present = anchors.filter((anchor) => anchor.present);
  return `${present.length} of its ${countOf(anchors.length, 'anchor')} are in the request`;
}

function by(loss: TextLoss | null): string {
  if (loss === null) return '';
  return `: ${loss.stageTitle === null ? '' : `${loss.stageTitle}, `}${loss.reason}`;
}

function interrupted({ counts }: SentenceInput): string {
  const missed = counts.gone + counts.partly;
  return missed === 0 ? '' : `; ${countOf(missed, 'request')} before did without it`;
}
