import type { Params } from '../../core/protocol/methods.ts';
import type * as T from '../../core/protocol/types.ts';
import { type TextPattern, textPattern } from '../../core/util/textPattern.ts';
import { marksOf } from '../find/textMarks.ts';
import type { MockMessage } from './mockData.ts';

/** For how many requests the mock's policies keep a text, and how often it is there again after that. */
const KEPT = 60;
const AGAIN = 200;

/** What became of a text in the mock's session: there for a while, then gone, later back in another place. */
export function mockTextTrace(
  messages: readonly MockMessage[],
  callPoints: readonly number[],
  { text, at, matchCase = false, wholeWord = false }: Params<'trace.text'>,
): T.TextTrace {
  const now = at ?? messages.length;
  const pattern = textPattern(text, { matchCase, wholeWord });
  const found = pattern === null ? [] : rawPlaces(messages, pattern, now);
  const first = found[0]?.index ?? null;
  const stateAt = (point: number): T.TextState => {
    if (first === null || point <= first) return 'not_yet';
    if (point < first + KEPT) return 'original';
    return point < first + AGAIN ? 'gone' : 'elsewhere';
  };
  const points = callPoints.map((point, number) => ({
    at: point,
    turn: Math.floor(number / 4),
    state: stateAt(point),
  }));
  const counts = { not_yet: 0, original: 0, elsewhere: 0, partly: 0, gone: 0 };
  for (const { state } of points) counts[state] += 1;
  const state = stateAt(now);
  const lost = first === null ? null : points.find((point) => point.state === 'gone');
  const loss: T.TextLoss | null = lost
    ? {
        at: lost.at,
        turn: lost.turn,
        place: `user #${first}`,
        fate: 'summarised',
        stage: 0,
        stageTitle: 'Recorded compaction',
        rule: 'recorded_compaction',
        reason: 'dropped by recorded compaction 1: the runtime did not carry it forward',
        replacedBy: 'The user wants the login test stable; session.ts owns the refresh token; two tabs race.',
      }
    : null;
  const isLost = state === 'gone' || state === 'elsewhere';
  return {
    text: text.trim(),
    sentence: sentenceOf(state, loss, first),
    points,
    sampled: false,
    changes: [],
    first: first === null ? null : { index: first, part: 0 },
    places: found.map((place) => ({ ...place, present: stateAt(now) !== 'gone' && !place.after })),
    totalPlaces: found.length,
    firstLoss: loss,
    now: {
      at: now,
      turn: 1,
      state,
      places: [],
      total: 0,
      since: first,
      loss: isLost ? loss : null,
      replacedBy: isLost ? (loss?.replacedBy ?? null) : null,
      anchors:
        state === 'gone'
          ? [
              { text: 'session.ts', present: true },
              { text: 'src/auth', present: false },
            ]
          : null,
    },
    counts,
  };
}

function sentenceOf(state: T.TextState, loss: T.TextLoss | null, first: number | null): string {
  switch (state) {
    case 'original':
      return `Still there, in #${first}.`;
    case 'elsewhere':
      return `Still there, word for word, in a later message; the original #${first} is gone since call #${loss?.at}.`;
    case 'not_yet':
      return 'Not said before this request.';
    default:
      return `Is not in the request since call #${loss?.at}. Stage 1, Recorded compaction, took #${first}.`;
  }
}

function rawPlaces(messages: readonly MockMessage[], pattern: TextPattern, now: number): T.RawTextPlace[] {
  return messages.flatMap((message, index) =>
    message.parts.flatMap((one, part) =>
      marksOf(one.text, pattern).map(({ start, end }): T.RawTextPlace => {
        const from = Math.max(0, start - 40);
        return {
          where: 'message',
          index,
          part,
          from: start,
          to: end,
          context: one.text.slice(from, end + 80).replaceAll('\n', ' '),
          start: start - from,
          length: end - start,
          label: `${one.label} #${index}`,
          present: true,
          after: index >= now,
        };
      }),
    ),
  );
}
