// Sentences of the reducers, counted again.

import { type Claim, type Given, number, tierOf, unless } from './given.ts';
import { isSystemMessage } from './words.ts';

// Tokens of a cap: the head, and the turns from this one on.
function heldFrom(given: Given, turn: number, cap: string): number {
  const tier = tierOf(cap);
  const [head, start] = [given.turns[0] ?? given.length, given.turnFromEnd(turn)];
  if (tier === null) return given.tokens(0, head) + given.tokens(start, given.length);
  const holds = (part: { readonly category: string }) => part.category === tier;
  const all = given.tokensOf('before', holds);
  return all - given.tokensOf('before', holds, head) + given.tokensOf('before', holds, start);
}

/** Of the sliding window. */
export const WINDOW: readonly Claim[] = [
  {
    name: 'turn N from the end > M turns to keep',
    says: /^dropped: turn ([\d,]+) from the end > ([\d,]+) turns? to keep/,
    check: ([, turn, keep], given, index) =>
      unless(
        [given.fromEnd(given.position(index)) === number(turn), 'it is another turn'],
        [number(turn) > number(keep), 'it is not more'],
      ),
  },
  {
    name: 'with turn N from the end it would be T tokens > C',
    says: /^dropped: with turn ([\d,]+) from the end it would be ([\d,]+) tokens > ([\d,]+), (.+)$/,
    check([, turn, tokens, cap, name], given, index) {
      const held = heldFrom(given, number(turn), name ?? '');
      return unless(
        [given.fromEnd(given.position(index)) === number(turn), 'it is another turn'],
        [held === number(tokens), `it would be ${held}`],
        [held > number(cap), 'that is within the cap'],
      );
    },
  },
  {
    name: 'a call and its result bind turn N to turn M; with both it would be T tokens > C',
    says: /^dropped: a call and its result bind turn ([\d,]+) from the end to turn ([\d,]+); with both it would be ([\d,]+) tokens > ([\d,]+), (.+)$/,
    check([, turn, bound, tokens, cap, name], given, index) {
      const held = heldFrom(given, number(bound), name ?? '');
      const between = given.turns.slice(given.turns.length - number(bound) + 1, given.turns.length - number(turn) + 1);
      return unless(
        [given.fromEnd(given.position(index)) === number(turn), 'it is another turn'],
        [number(bound) > number(turn) && between.every((start) => given.splits(start)), 'they can be parted'],
        [held === number(tokens), `it would be ${held}`],
        [held > number(cap), 'that is within the cap'],
      );
    },
  },
  {
    name: 'kept: turn N from the end',
    says: /^kept: turn ([\d,]+) from the end(?: ≤ ([\d,]+)|, of more than ([\d,]+))/,
    check: ([, turn, most, fewer], given, index) =>
      unless(
        [given.fromEnd(given.position(index)) === number(turn), 'it is another turn'],
        [most === undefined || number(turn) <= number(most), 'it is more'],
        [fewer === undefined || number(turn) > number(fewer), 'it is not more'],
      ),
  },
  {
    name: 'kept: with it T tokens ≤ C',
    says: /^kept: turn ([\d,]+) from the end.*?; with it .*$/,
    check([all, turn], given) {
      for (const [, tokens, sign, cap, rest] of all.matchAll(/; with it ([\d,]+) tokens (≤|>) ([\d,]+), ([^;]+)/g)) {
        const stuck = (rest ?? '').endsWith(', but what stays cannot be parted further');
        const held = heldFrom(
          given,
          number(turn),
          (rest ?? '').replace(', but what stays cannot be parted further', ''),
        );
        const isWithin = held <= number(cap);
        const later = given.turns.filter((start) => start > given.turnFromEnd(number(turn)));
        const wrong = unless(
          [held === number(tokens), `with it ${held}`],
          [isWithin === (sign === '≤') && isWithin !== stuck, 'the sign is wrong'],
          [!stuck || later.every((start) => given.splits(start)), 'it can be parted'],
        );
        if (wrong !== true) return wrong;
      }
      return true;
    },
  },
  {
    name: 'kept: comes before the first turn',
    says: /^kept: comes before the first turn$/,
    check: (_, given, index) => unless([given.position(index) < (given.turns[0] ?? given.length), 'it does not']),
  },
];

/** Of caps on tiers. */
const TIER_OF: Readonly<Record<string, string>> = {
  'images take': 'image',
  'thinking takes': 'thinking',
  'calls take': 'tool_call',
};
const ALL_TAKE = '(images take|thinking takes|calls take) ([\\d,]+) tokens';

function taken(given: Given, words: string | undefined, when: 'before' | 'after'): number {
  return given.tokensOf(when, ({ category }) => category === TIER_OF[words ?? '']);
}

// Not next to signed reasoning, and no reasoning that its provider wants back.
function mayGo(given: Given, position: number): boolean {
  if (given.reader.indexOf(position) === null) return false;
  const { signed, parts } = given.facts(position);
  const isAskedBack = parts.some(({ path }) => path[0] === 'reasoning_content');
  return !signed && !(isAskedBack && parts.some(({ kind }) => kind === 'tool_call'));
}

export const CAPS: readonly Claim[] = [
  {
    name: 'Y take T tokens, over the cap of C; this one of N',
    says: new RegExp(`${ALL_TAKE}, over the cap of ([\\d,]+); the oldest go first, this one of ([\\d,]+)`),
    check([, all, tokens, cap, own], given, index) {
      const held = taken(given, all, 'before');
      const position = given.position(index);
      const parts = given.facts(position).parts;
      const counts = given.partTokens(position);
      const mine = parts.flatMap(({ category }, at) => (category === TIER_OF[all ?? ''] ? [counts[at] ?? 0] : []));
      const sum = mine.reduce((a, b) => a + b, 0);
      return unless(
        [held === number(tokens), `they take ${held}`],
        [held > number(cap), 'that is within the cap'],
        [mine.includes(number(own)) || sum === number(own), `its own take ${mine}`],
      );
    },
  },
  {
    name: 'with N older gone Y take T ≤ C',
    says: new RegExp(`with ([\\d,]+) older \\w+ gone ${ALL_TAKE} ≤ ([\\d,]+)`),
    check([, , all, tokens, cap], given) {
      const held = taken(given, all, 'after');
      return unless([held === number(tokens), `they take ${held}`], [held <= number(cap), 'that is over the cap']);
    },
  },
  {
    name: 'kept: Y take T ≤ C',
    says: new RegExp(`^kept: ${ALL_TAKE} ≤ ([\\d,]+)`),
    check([, all, tokens, cap], given) {
      const held = taken(given, all, 'before');
      return unless([held === number(tokens), `they take ${held}`], [held <= number(cap), 'that is over the cap']);
    },
  },
  {
    name: 'among the newest N that may go',
    says: new RegExp(`among the newest ([\\d,]+) (of its tier|that may go) .*?${ALL_TAKE}`),
    check([, newest, whose, all], given, index) {
      const tier = TIER_OF[all ?? ''] ?? '';
      const later = given.range.filter((position) => position > given.position(index));
      const counted = whose === 'of its tier' ? later : later.filter((position) => mayGo(given, position));
      const behind = counted.flatMap((position) => {
        const counts = given.partTokens(position);
        const isOwn = (category: string | undefined, at: number) => category === tier && (counts[at] ?? 0) > 0;
        const own = given.facts(position).parts.filter(({ category }, at) => isOwn(category, at));
        return tier === 'thinking' ? own.slice(0, 1) : own;
      });
      const isFirst = whose === 'of its tier' || tier !== 'tool_call';
      return unless([!isFirst || behind.length < number(newest), `${behind.length} are newer`]);
    },
  },
  {
    name: 'signed thinking',
    says: /(?:kept: |; )signed thinking/,
    check(_, given, index) {
      const { parts } = given.facts(given.position(index));
      return unless([parts.some(({ category, signed }) => category === 'thinking' && signed), 'its thinking is not']);
    },
  },
  {
    name: 'its replacement would take as much',
    says: /^kept: its replacement would take as much \(calls take/,
    check(_, given, index) {
      const { parts } = given.facts(given.position(index));
      const counts = given.partTokens(given.position(index));
      const small = parts.some((part, at) => {
        if (part.kind !== 'tool_call') return false;
        return part.chars <= 2 || (counts[at] ?? 0) <= given.text(part.name ?? '', '{}');
      });
      return unless([small, 'each would be shorter']);
    },
  },
];

/** Of retention. */
export const RETENTION: readonly Claim[] = [
  {
    name: 'expired: N ≥ M turns',
    says: /^expired: ([\d,]+) ≥ ([\d,]+) turns?(?: \(rule of [^)]+\))?$/,
    check: ([, age, value], given, index) => ageOf(given, index, number(age), number(age) >= number(value)),
  },
  {
    name: 'kept: younger than M turns (N)',
    says: /^kept: younger than ([\d,]+) turns? \(([\d,]+)\)(?: \(rule of [^)]+\))?(?:;|$)/,
    check: ([, value, age], given, index) => ageOf(given, index, number(age), number(age) < number(value)),
  },
  {
    name: 'N later results of T',
    says: /^(?:expired: ([\d,]+) ≥ [\d,]+|kept: fewer than [\d,]+) later results? of (\S+)(?: \(([\d,]+)\))?(?: \(rule of [^)]+\))?(?:;|$)/,
    check([, gone, name, kept], given, index) {
      const named = given.exchanges.flatMap(({ calls }) => calls.filter((call) => call.name === name));
      const places = named.flatMap(({ results }) => results);
      const own = given.position(index);
      // A result may come late, behind the next answer: then it is of no exchange.
      if (given.lateResults || given.repeatsIds || !places.some(({ message }) => message === own)) return true;
      const isSeveral = places.filter(({ message }) => message === own).length > 1;
      const later = places.filter(({ message }) => message > own).length;
      return isSeveral || unless([later === number(gone ?? kept), `${later} are later`]);
    },
  },
  {
    name: 'acts every K turns, last at turn L, before this result; next at turn M',
    says: /retention acts every ([\d,]+) turns?, (?:last at turn ([\d,]+), before this result|has not yet); next at turn ([\d,]+)/,
    check([, every, last, next], given, index) {
      const { source, at } = given.said;
      const raw = [...Array(at).keys()].filter((one) => source.facts(one).beginsTurn);
      const own = raw.filter((one) => one <= index).length;
      const acted = raw.length - (raw.length % number(every));
      return unless(
        [acted === number(last ?? '0'), `last at ${acted}`],
        [number(next) === acted + number(every), 'next at another'],
        [last === undefined || own >= acted, `it came in turn ${own}`],
      );
    },
  },
  {
    name: 'all results take T tokens ≤ C',
    says: /; all results take ([\d,]+) tokens (≤|>) their cap of ([\d,]+)/,
    check([, tokens, sign, cap], given) {
      const held = given.tokensOf('after', ({ kind }) => kind === 'tool_result');
      return unless(
        [held === number(tokens), `they take ${held}`],
        [held <= number(cap) === (sign === '≤'), 'the sign is wrong'],
      );
    },
  },
  {
    name: 'expired early: results take T tokens, over their cap of C; this one of N',
    says: /expired early: tool results take ([\d,]+) tokens, over their cap of ([\d,]+); the oldest go first, this one of ([\d,]+)/,
    check([, tokens, cap], given) {
      const without = given.said.again(given.said.options, given.withoutCaps);
      if (without === null) return 'it does not run again';
      const isResult = ({ kind }: { readonly kind: string }) => kind === 'tool_result';
      const held = given.tokensOf('after', isResult);
      const uncapped = given.tokensIn(without.after, isResult);
      return unless(
        [uncapped === number(tokens), `they take ${uncapped}`],
        [uncapped > number(cap), 'that is within the cap'],
        [held < uncapped, 'nothing was saved'],
      );
    },
  },
];

function ageOf(given: Given, index: number, age: number, isSo: boolean): true | string {
  const own = given.allTurns.filter((start) => start <= given.position(index)).length;
  const turns = given.allTurns.length - own;
  return unless([turns === age, `it is ${turns} turns old`], [isSo, 'the sign is wrong']);
}

/** Of the summary. */
export const SUMMARY: readonly Claim[] = [
  {
    name: 'among the last N turns',
    says: /^kept: among the last ([\d,]+) turns?( \(keep_turns\))/,
    check: ([, keep], given, index) => {
      const turn = given.fromEnd(given.position(index));
      return unless([turn > 0 && turn <= number(keep), `it is turn ${turn} from the end`]);
    },
  },
  {
    name: 'older than the last N turns',
    says: /^older than the last ([\d,]+) turns?/,
    check: ([, keep], given, index) => {
      const turn = given.fromEnd(given.position(index));
      return unless([turn === 0 || turn > number(keep), `it is turn ${turn} from the end`]);
    },
  },
  {
    name: 'nothing is older than the last N turns',
    says: /^kept: no summary: nothing is older than the last ([\d,]+) turns?(?!,)/,
    check: ([, keep], given) => {
      const from = given.turnFromEnd(Math.min(number(keep), given.turns.length));
      const older = given.range.slice(0, from).filter((position) => !isSystemMessage(given, position));
      return unless([older.length === 0, `${older.length} messages are`]);
    },
  },
  {
    name: 'no turn is older than the last N turns',
    says: /^kept: no summary: no turn is older than the last ([\d,]+) turns?/,
    check: ([, keep], given) => unless([given.turns.length <= number(keep), `there are ${given.turns.length}`]),
  },
  {
    name: 'only K turns are older, and the cut moves E at a time',
    says: /only ([\d,]+) turns? (?:is|are) older than the last ([\d,]+) turns? \(keep_turns\), and the cut moves ([\d,]+)/,
    check: ([, old, keep, every], given) =>
      unless(
        [given.turns.length - number(keep) === number(old), `${given.turns.length - number(keep)} are`],
        [number(old) < number(every), 'that is enough'],
      ),
  },
  {
    name: 'each cut before the last N turns would part a call from its result',
    says: /each cut before the last ([\d,]+) turns? \(keep_turns\) would part a call from its result/,
    check([, keep], given) {
      const every = given.option('every', 1);
      const old = given.turns.length - number(keep);
      const cuts = given.turns.slice(1, old - (old % every) + 1);
      return unless([cuts.every((start) => given.splits(start)), 'one would not']);
    },
  },
  {
    name: 'older than the last N turns, and behind the cut',
    says: /^kept: older than the last ([\d,]+) turns?, and behind the cut, which (?:moves ([\d,]+) turns)?/,
    check([, keep, every], given, index) {
      const turn = given.fromEnd(given.position(index));
      const start = given.turnFromEnd(number(keep));
      return unless(
        [turn === 0 || turn > number(keep), `it is turn ${turn} from the end`],
        [every !== undefined || given.splits(start), 'the cut parts nothing'],
      );
    },
  },
  {
    name: 'T tokens > L of the budget',
    says: /([\d,]+) tokens (≤|>) ([\d,]+)(?: − ([\d,]+) overhead)? of the budget/,
    check([, tokens, sign, limit, beside], given) {
      const held = given.tokens(0, given.length);
      const room = number(limit) - number(beside ?? '0');
      return unless([held === number(tokens), `it is ${held}`], [held <= room === (sign === '≤'), 'the sign is wrong']);
    },
  },
  {
    name: 'over budget by T tokens all the same',
    says: /over budget by ([\d,]+) tokens? all the same/,
    check([, tokens], given) {
      const over = given.tokens(0, given.length) - (given.said.budget?.room ?? 0);
      return unless([over === number(tokens), `by ${over}`]);
    },
  },
];
