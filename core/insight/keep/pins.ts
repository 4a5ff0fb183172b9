// The ways to pin a message: alone, its words, its turn, with all that people said. Each is proved by a projection, as changes are.
import type { TranscriptSource } from '../../model/transcript.ts';
import { turnStarts } from '../../model/turns.ts';
import { stepOf } from '../../projection/orderRules.ts';
import { parseSpec } from '../../projection/parseSpec.ts';
import { pin, STAGES } from '../../projection/stages.ts';
import type { ProjectionSpec, StageSpec } from '../../projection/types.ts';
import type { StageMemo, View } from '../../view/types.ts';
import { countBelow } from '../places.ts';
import type { RecordedFront } from '../text/places.ts';
import { editedSpec, patchOf, type SpecEdit } from './edit.ts';
import { givenOption } from './moves.ts';
import type { KeepSearch } from './search.ts';
import { type KeptThing, keptThing } from './subject.ts';
import type { PinChoice, PinWay, ProvedChange } from './types.ts';

/** A message that is to be pinned at a call point, and words of it; null = none were chosen. */
export interface PinQuestion {
  readonly source: TranscriptSource;
  readonly memo: StageMemo;
  readonly front: RecordedFront;
  readonly spec: ProjectionSpec;
  readonly at: number;
  readonly message: number;
  readonly words: string | null;
}

/** The ways in their order; one that does not do is there, with why not. */
export function* findPins(question: PinQuestion): KeepSearch<readonly PinChoice[]> {
  const { source, message, at } = question;
  if (message >= at) return [];
  const starts = turnStarts(source);
  const turn = countBelow(starts, message + 1);
  const [from, to] = [starts[turn - 1] ?? 0, Math.min(at, starts[turn] ?? source.length)];
  const inTurn = Array.from({ length: to - from }, (_, nth) => from + nth);
  const isPersons = source.facts(message).beginsTurn;
  const raw = yield* viewUnder({ ...question.spec, stages: [] });
  const asked: Asked = { ...question, raw };
  const title = `#${message}${pairWords(message, source)}`;
  return [
    yield* way(asked, 'message', title, 'messages', [message], [message]),
    yield* words(asked),
    turn === 0
      ? no('turn', 'all of its turn', 'It comes before the first turn.')
      : yield* way(asked, 'turn', `all of turn ${turn}`, 'messages', inTurn, inTurn),
    isPersons
      ? yield* way(asked, 'users', 'all user messages', 'kinds', ['all_user_messages'], starts)
      : no('users', 'all user messages', `#${message} is not what a person said.`),
  ];
}

/** What is asked, and the history without any policy; null = it could not be projected. */
interface Asked extends PinQuestion {
  readonly raw: View | null;
}

function* words(question: Asked): KeepSearch<PinChoice> {
  const { source, memo, front, at, message, words } = question;
  const title = 'these words only';
  if (words === null) return no('words', title, 'Select words of it in a row, or look for them.');
  const own = keptThing({ text: words }, at, source, memo, front);
  if (own === null || own.index === null) return no('words', title, 'Nobody said these words before.');
  // The part that first says them is put back, wherever that is.
  if (own.index !== message) return no('words', title, `#${own.index} said these words first.`);
  return yield* proved(question, 'words', title, pinEdits(question.spec, 'texts', [words.trim()]), own, []);
}

function* way(
  question: Asked,
  is: PinWay,
  title: string,
  option: string,
  values: readonly unknown[],
  messages: readonly number[],
): KeepSearch<PinChoice> {
  const { source, memo, front, at } = question;
  const thingOf = (message: number) => keptThing({ message }, at, source, memo, front);
  const wanted = thingOf(question.message);
  if (wanted === null) return no(is, title, 'There is nothing in it to keep.');
  const things = messages.flatMap((message) => (message < at ? (thingOf(message) ?? []) : []));
  return yield* proved(question, is, title, pinEdits(question.spec, option, values), wanted, things);
}

function* proved(
  { spec, raw }: Asked,
  way: PinWay,
  title: string,
  edits: readonly SpecEdit[],
  wanted: KeptThing,
  others: readonly KeptThing[],
): KeepSearch<PinChoice> {
  const changed = editedSpec(spec, edits);
  const view = yield* viewUnder(changed);
  // What no request ever holds, as a notice of the client, need not be there.
  const holds = raw !== null && view !== null && wanted.isIn(view);
  if (!holds || others.some((thing) => thing.isIn(raw) && !thing.isIn(view)))
    return no(way, title, 'A projection showed that it does not do it.');
  const change: ProvedChange = {
    kind: 'pin',
    words: `Pin ${title}`,
    patch: patchOf(spec, edits),
    spec: changed,
    proved: true,
    critical: [],
    less: [],
  };
  return { way, title, change, whyNot: null };
}

function* viewUnder(spec: ProjectionSpec): KeepSearch<View | null> {
  const parsed = parseSpec(spec, STAGES);
  const answer = parsed.ok ? yield { parsed: parsed.value, steps: false } : null;
  return answer === null ? null : answer.view;
}

function no(way: PinWay, title: string, whyNot: string): PinChoice {
  return { way, title, change: null, whyNot };
}

/** What comes with a message that is pinned. */
export function pairWords(index: number, source: TranscriptSource): string {
  const kinds = source.facts(index).parts.map(({ kind }) => kind);
  return kinds.includes('tool_result') ? ' with its call' : kinds.includes('tool_call') ? ' with its results' : '';
}

/** Adds to the pin that the spec has, else a pin behind what takes. */
export function pinEdits(spec: ProjectionSpec, name: string, values: readonly unknown[]): readonly SpecEdit[] {
  const own = spec.stages.findLastIndex(({ kind, enabled }) => kind === pin.kind && enabled !== false);
  const stage = spec.stages[own];
  const param = pin.params.find((each) => each.name === name);
  if (stage !== undefined && param !== undefined) {
    const given = givenOption(stage, param);
    const list: readonly unknown[] = Array.isArray(given) ? given : [given];
    return [
      { edit: 'set', stage: own, path: [name], value: [...list, ...values.filter((value) => !list.includes(value))] },
    ];
  }
  const added: StageSpec = { kind: pin.kind, options: { [name]: values } };
  const behind = spec.stages.findIndex(({ kind }) => {
    const step = stepOf({ family: STAGES.find(kind)?.family ?? '', traits: STAGES.traitsOf(kind) });
    return step === 'injection' || step === 'hygiene';
  });
  return [{ edit: 'insert', stage: behind < 0 ? spec.stages.length : behind, value: added }];
}
