// The search for changes. It asks its host for projections, one after the other, and pauses with each: nothing is offered
// that was not projected, and of a number the next smaller value was projected too.
import type { TranscriptSource } from '../../model/transcript.ts';
import { turnStarts } from '../../model/turns.ts';
import { orderWarnings } from '../../projection/orderRules.ts';
import { type ParsedSpec, parseSpec } from '../../projection/parseSpec.ts';
import type { StageStep } from '../../projection/project.ts';
import { STAGES } from '../../projection/stages.ts';
import type { ProjectionSpec } from '../../projection/types.ts';
import type { StageTokens, View } from '../../view/types.ts';
import { editedSpec, patchOf, type SpecEdit, valueWords } from './edit.ts';
import { type FixedMove, type MoveContext, movesOf, type NumberMove } from './moves.ts';
import { pairWords, pinEdits } from './pins.ts';
import type { KeptThing } from './subject.ts';
import type { ChangeKind, CriticalValue, KeepFound, KeepSubject, ProvedChange, Taker } from './types.ts';

/** A projection that the search wants. `steps` = it wants to know what each stage was given and gave. */
export interface ProbeRequest {
  readonly parsed: ParsedSpec;
  readonly steps: boolean;
}

/** The host's answer; null = the spec does not run. */
export type ProbeAnswer = { readonly view: View; readonly steps: readonly StageStep[] } | null;

/** A search under way. */
export type KeepSearch<T = KeepFound> = Generator<ProbeRequest, T, ProbeAnswer>;

/** What is looked for, where, under which spec. */
export interface KeepQuestion {
  readonly source: TranscriptSource;
  readonly spec: ProjectionSpec;
  readonly at: number;
  readonly subject: KeepSubject;
  readonly thing: KeptThing;
  /** To know how large thresholds in tokens may be. */
  readonly tokens: Pick<StageTokens, 'range'>;
}

/** Stages that take it one behind the other, at most. */
const MOST_TAKERS = 6;
/** Pairs of options that are tried where no single one does. */
const MOST_PAIRS = 12;
/** What is known of a thing is read from changes of one stage; of several stages so many are combined. */
const MOST_COMBINED = 6;

/** The changes that keep it, in no order. */
export function* findChanges(question: KeepQuestion): KeepSearch {
  const { thing, spec } = question;
  const probe = new Probe(question);
  const none = { changes: [], takers: [], useless: [] };
  if (thing.index === null) return { state: 'not_said', ...none, tried: 0 };
  if (yield* probe.holds(spec)) return { state: 'there', ...none, tried: probe.tried };
  const takers = yield* takersOf(question, probe);
  const found = new Found(spec);
  const useless: string[] = [];
  yield* stageChanges(question, probe, takers, found, useless);
  yield* orders(question, probe, takers, found);
  yield* pins(question, probe, found);
  return {
    state: found.changes.length > 0 ? 'found' : 'none',
    changes: found.changes,
    takers,
    useless,
    tried: probe.tried,
  };
}

/** Asks for projections, each spec once. */
class Probe {
  readonly #thing: KeptThing;
  readonly #known = new Map<string, boolean>();
  tried = 0;

  constructor({ thing }: KeepQuestion) {
    this.#thing = thing;
  }

  *holds(spec: ProjectionSpec): KeepSearch<boolean> {
    const key = JSON.stringify(spec.stages);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const parsed = parseSpec(spec, STAGES);
    const answer = parsed.ok ? yield* this.#ask(parsed.value, false) : null;
    const holds = answer !== null && this.#thing.isIn(answer.view);
    this.#known.set(key, holds);
    return holds;
  }

  *steps(spec: ProjectionSpec): KeepSearch<readonly StageStep[]> {
    const parsed = parseSpec(spec, STAGES);
    return parsed.ok ? ((yield* this.#ask(parsed.value, true))?.steps ?? []) : [];
  }

  *#ask(parsed: ParsedSpec, steps: boolean): KeepSearch<ProbeAnswer> {
    this.tried++;
    return yield { parsed, steps };
  }
}

/** Collects changes; the same spec counts once. */
class Found {
  readonly changes: ProvedChange[] = [];
  readonly #spec: ProjectionSpec;
  readonly #known = new Set<string>();

  constructor(spec: ProjectionSpec) {
    this.#spec = spec;
  }

  add(
    kind: ChangeKind,
    words: string,
    edits: readonly SpecEdit[],
    critical: readonly CriticalValue[] = [],
    less: readonly ProjectionSpec[] = [],
  ): void {
    const spec = editedSpec(this.#spec, edits);
    const key = JSON.stringify(spec.stages);
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.changes.push({ kind, words, patch: patchOf(this.#spec, edits), spec, proved: true, critical, less });
  }
}

// The stage behind which it is not there any more; with that one off the next.
function* takersOf(question: KeepQuestion, probe: Probe): KeepSearch<readonly Taker[]> {
  const { thing } = question;
  const takers: Taker[] = [];
  let { spec } = question;
  while (takers.length < MOST_TAKERS) {
    const steps = yield* probe.steps(spec);
    const last = steps.findLast(({ before, output }) => thing.isIn(before) && !thing.isIn(output.view));
    const stage = last?.stage;
    if (last === undefined || stage === undefined || question.spec.stages[stage.position] === undefined) break;
    const fate = thing.index === null ? undefined : last.output.fates.get(thing.index);
    const reason = fate?.reason ?? `${stage.title} took it`;
    takers.push({ stage: stage.position, title: stage.title, rule: fate?.rule ?? null, reason });
    spec = editedSpec(spec, [{ edit: 'off', stage: stage.position }]);
  }
  return takers.sort((a, b) => a.stage - b.stage);
}

/** Edits of one stage that let it pass, others being as `base` has them. */
interface StageChange {
  readonly kind: ChangeKind;
  readonly words: string;
  readonly edits: readonly SpecEdit[];
  readonly numbers: readonly { readonly move: NumberMove; readonly step: number }[];
}

function* stageChanges(
  question: KeepQuestion,
  probe: Probe,
  takers: readonly Taker[],
  found: Found,
  useless: string[],
): KeepSearch<void> {
  if (takers.length === 0) return;
  const ways: (readonly StageChange[])[] = [];
  for (const taker of takers) {
    const others = takers.filter((each) => each !== taker).map(({ stage }): SpecEdit => ({ edit: 'off', stage }));
    ways.push(yield* changesOf(question, probe, taker, others, useless));
  }
  if (takers.length === 1) {
    for (const change of ways[0] ?? []) yield* offer(question, probe, [change], takers, found);
    return;
  }
  for (const combined of combinations(ways)) yield* offer(question, probe, combined, takers, found);
}

// All off, then each stage's first ways with the first of the others.
function combinations(ways: readonly (readonly StageChange[])[]): readonly (readonly StageChange[])[] {
  const offs = ways.map((way) => way.filter(({ kind }) => kind === 'off'));
  const firsts = ways.map((way) => way.slice(0, MOST_COMBINED));
  const found: (readonly StageChange[])[] = offs.every((way) => way.length > 0) ? [offs.flat()] : [];
  const columns = Math.max(...firsts.map(({ length }) => length));
  for (let column = 0; column < columns; column++) {
    const chosen = firsts.flatMap((way) => way[Math.min(column, way.length - 1)] ?? []);
    if (chosen.length === ways.length) found.push(chosen);
  }
  for (const [at, way] of firsts.entries()) {
    for (const change of way) {
      const chosen = firsts.flatMap((other, nth) => (nth === at ? [change] : (other[0] ?? [])));
      if (chosen.length === ways.length) found.push(chosen);
    }
  }
  return found;
}

// Proves a combination as a whole, makes its numbers as small as they may be together, and offers it.
function* offer(
  question: KeepQuestion,
  probe: Probe,
  changes: readonly StageChange[],
  takers: readonly Taker[],
  found: Found,
): KeepSearch<void> {
  const { spec } = question;
  const stages = changes.map((_, at) => (takers.length === 1 ? takers[0] : takers[at]));
  const steps = changes.map(({ numbers }) => numbers.map(({ step }) => step));
  const edits = () => changes.flatMap((change, at) => editsAt(change, stages[at]?.stage ?? 0, steps[at] ?? []));
  if (!(yield* probe.holds(editedSpec(spec, edits())))) return;
  for (const [at, { numbers }] of changes.entries()) {
    for (const nth of numbers.keys()) {
      const own = steps[at] ?? [];
      const high = own[nth] ?? 1;
      own[nth] = yield* leastStep(
        high,
        function* (step) {
          own[nth] = step;
          return step > 0 && (yield* probe.holds(editedSpec(spec, edits())));
        },
        high - 1,
      );
    }
  }
  const critical: CriticalValue[] = [];
  const less: ProjectionSpec[] = [];
  for (const [at, { numbers }] of changes.entries()) {
    for (const [nth, { move }] of numbers.entries()) {
      const own = steps[at] ?? [];
      const step = own[nth] ?? 1;
      own[nth] = step - 1;
      const smaller = editedSpec(spec, edits());
      const isLess = yield* probe.holds(smaller);
      own[nth] = step;
      if (isLess) return;
      less.push(smaller);
      const { name: option, label: title, from } = move;
      critical.push({
        stage: stages[at]?.stage ?? 0,
        option,
        title,
        from,
        to: move.valueAt(step),
        tooFew: move.valueAt(step - 1),
      });
    }
  }
  const words = changes.map((change, at) => wordsAt(change, stages[at]?.title ?? '', steps[at] ?? []));
  const kind = changes.every((change) => change.kind === changes[0]?.kind) ? (changes[0]?.kind ?? 'option') : 'option';
  found.add(kind, words.join('; '), edits(), critical, less);
}

function editsAt({ edits, numbers }: StageChange, stage: number, steps: readonly number[]): readonly SpecEdit[] {
  const set = numbers.map(({ move }, nth): SpecEdit => {
    const value = move.settingFor(move.valueAt(steps[nth] ?? 0));
    return { edit: 'set', stage, path: move.path, value };
  });
  return [...edits, ...set];
}

function wordsAt({ words, numbers }: StageChange, title: string, steps: readonly number[]): string {
  const said = numbers.map(({ move }, nth) => {
    const [to, less] = [move.valueAt(steps[nth] ?? 0), move.valueAt((steps[nth] ?? 1) - 1)];
    return `${move.label} ${valueWords(move.from)} → ${valueWords(to)} (${valueWords(less)} is too ${to > less ? 'few' : 'many'})`;
  });
  return `${title}${words.startsWith(' ') ? '' : ': '}${[words, ...said].filter((each) => each !== '').join(', ')}`;
}

// What lets it pass this stage, the other stages that took it being off.
function* changesOf(
  question: KeepQuestion,
  probe: Probe,
  taker: Taker,
  others: readonly SpecEdit[],
  useless: string[],
): KeepSearch<readonly StageChange[]> {
  const { spec } = question;
  const stage = spec.stages[taker.stage];
  const registered = stage === undefined ? null : STAGES.find(stage.kind);
  if (stage === undefined || registered === null) return [];
  const { fixed, numbers } = movesOf(stage, registered, contextOf(question, taker));
  const found: StageChange[] = [];
  const holds = (edits: readonly SpecEdit[]) => probe.holds(editedSpec(spec, [...others, ...edits]));
  const set = ({ path, value }: FixedMove): SpecEdit => ({ edit: 'set', stage: taker.stage, path, value });
  const at = (move: NumberMove, step: number): SpecEdit => ({
    edit: 'set',
    stage: taker.stage,
    path: move.path,
    value: move.settingFor(move.valueAt(step)),
  });
  const left: NumberMove[] = [];
  for (const move of numbers) {
    const step = yield* criticalStep(move, (each) => holds([at(move, each)]));
    if (step !== null) {
      found.push({ kind: 'option', words: '', edits: [], numbers: [{ move, step }] });
    } else if (move.unlimited !== null) {
      const edit: SpecEdit = { edit: 'set', stage: taker.stage, path: move.path, value: move.unlimited };
      if (yield* holds([edit]))
        found.push(fixedChange('option', `${move.label} ${valueWords(move.from)} → no limit`, [edit]));
      else left.push(move);
    } else left.push(move);
  }
  const rest: FixedMove[] = [];
  for (const move of fixed) {
    if (yield* holds([set(move)])) found.push(fixedChange(move.kind, move.words, [set(move)]));
    else rest.push(move);
  }
  if (found.length === 0) found.push(...(yield* pairsOf(left, rest, { at, set, holds })));
  if (found.length > 0)
    useless.push(
      ...[...left, ...rest.map(({ words }) => ({ label: words }))].map(({ label }) => `${taker.title}: ${label}`),
    );
  const off: SpecEdit = { edit: 'off', stage: taker.stage };
  if (yield* holds([off])) found.push(fixedChange('off', ' off', [off]));
  return found;
}

function fixedChange(kind: ChangeKind, words: string, edits: readonly SpecEdit[]): StageChange {
  return { kind, words, edits, numbers: [] };
}

interface Trying {
  at(move: NumberMove, step: number): SpecEdit;
  set(move: FixedMove): SpecEdit;
  holds(edits: readonly SpecEdit[]): KeepSearch<boolean>;
}

// Two options together, where no single one does.
function* pairsOf(
  numbers: readonly NumberMove[],
  fixed: readonly FixedMove[],
  { at, set, holds }: Trying,
): KeepSearch<readonly StageChange[]> {
  const found: StageChange[] = [];
  let tried = 0;
  for (const [nth, one] of numbers.entries()) {
    for (const other of numbers.slice(nth + 1)) {
      if (tried++ >= MOST_PAIRS || one.steps === 0 || other.steps === 0) continue;
      if (!(yield* holds([at(one, one.steps), at(other, other.steps)]))) continue;
      const first = yield* leastStep(one.steps, (step) => holds([at(one, step), at(other, other.steps)]), one.guess);
      const second = yield* leastStep(other.steps, (step) => holds([at(one, first), at(other, step)]), other.guess);
      const both = [
        { move: one, step: first },
        { move: other, step: second },
      ];
      found.push({ kind: 'option', words: '', edits: [], numbers: both });
    }
    for (const other of fixed) {
      if (tried++ >= MOST_PAIRS || one.steps === 0) continue;
      if (!(yield* holds([set(other), at(one, one.steps)]))) continue;
      const step = yield* leastStep(one.steps, (each) => holds([set(other), at(one, each)]), one.guess);
      found.push({ kind: 'option', words: other.words, edits: [set(other)], numbers: [{ move: one, step }] });
    }
  }
  return found;
}

/** Steps of an uneven option that are tried one by one. */
const MOST_SCANNED = 8;

// The first step that holds; null = none does.
function* criticalStep(move: NumberMove, holds: (step: number) => KeepSearch<boolean>): KeepSearch<number | null> {
  const { steps, isUneven } = move;
  if (isUneven) {
    for (let step = 1; step <= Math.min(steps, MOST_SCANNED); step++) if (yield* holds(step)) return step;
  }
  return steps > 0 && (yield* holds(steps)) ? yield* leastStep(steps, holds, move.guess) : null;
}

// The least step that holds, between 0, which does not, and `high`, which does. The step before it was tried and does not.
// Looked for around a guess first.
function* leastStep(high: number, holds: (step: number) => KeepSearch<boolean>, guess: number): KeepSearch<number> {
  let [low, least] = [0, high];
  const from = Math.max(1, Math.min(high - 1, guess));
  if (from >= high) return high;
  const isDown = yield* holds(from);
  if (isDown) least = from;
  else low = from;
  for (
    let by = 1, at = isDown ? from - by : from + by;
    low < at && at < least;
    by *= 4, at = isDown ? from - by : from + by
  ) {
    if (yield* holds(at)) least = at;
    else low = at;
  }
  while (least - low > 1) {
    const middle = low + Math.floor((least - low) / 2);
    if (yield* holds(middle)) least = middle;
    else low = middle;
  }
  return least;
}

function contextOf({ source, at, thing, tokens }: KeepQuestion, { rule }: Taker): MoveContext {
  const index = thing.index ?? 0;
  const starts = turnStarts(source);
  const count = (from: number, isOne: (kind: string) => boolean) => {
    let sum = 0;
    for (let each = from; each < at; each++) sum += source.facts(each).parts.filter(({ kind }) => isOne(kind)).length;
    return sum;
  };
  const most = (unit: string | undefined): number => {
    if (unit === 'tokens') return 4 * tokens.range(0, at) + 2_000_000;
    if (unit === 'turns') return starts.length + 2;
    return BOUNDS[unit ?? ''] ?? count(0, () => true) + at + 1;
  };
  // How far it is from the end: decisions about what is old compare that.
  const distance = (unit: string | undefined): number => {
    if (unit === 'tokens') return tokens.range(index, at);
    if (unit === 'turns') return starts.filter((start) => start > index && start < at).length + 1;
    if (unit === 'messages' || unit === 'entries') return at - index;
    if (unit === 'characters') return source.facts(index).parts.reduce((sum, { chars }) => sum + chars, 1);
    return count(index, (kind) => kind === 'tool_result');
  };
  return { tools: thing.tools, rule, most, distance };
}

/** The largest values of units that are not counted in a session. */
const BOUNDS: Readonly<Record<string, number>> = { characters: 10_000_000, bytes: 100_000_000, px: 20_000 };

// A stage that took it in another place: nearest first, one way each, and no order that the rules advise against.
function* orders({ spec }: KeepQuestion, probe: Probe, takers: readonly Taker[], found: Found): KeepSearch<void> {
  const known = warnings(spec);
  for (const { stage, title } of takers) {
    for (const way of [-1, 1]) {
      for (let to = stage + way; to >= 0 && to < spec.stages.length; to += way) {
        const edit: SpecEdit = { edit: 'move', stage, to };
        const moved = editedSpec(spec, [edit]);
        if (warnings(moved) > known || !(yield* probe.holds(moved))) continue;
        const passed = STAGES.find(spec.stages[to]?.kind ?? '')?.title ?? '';
        found.add('order', `${title} ${way < 0 ? 'before' : 'after'} ${passed}`, [edit]);
        break;
      }
    }
  }
}

function warnings({ stages }: ProjectionSpec): number {
  return orderWarnings(
    stages.flatMap(({ kind, enabled = true }) => {
      const { family = '', title = kind } = STAGES.find(kind) ?? {};
      return [{ kind, enabled, family, title, traits: STAGES.traitsOf(kind) }];
    }),
  ).length;
}

// The stage pin, or more in one that is there.
function* pins({ spec, subject, thing, source }: KeepQuestion, probe: Probe, found: Found): KeepSearch<void> {
  const { index } = thing;
  if (index === null) return;
  const isText = 'text' in subject;
  const options: (readonly [words: string, name: string, value: unknown])[] = [];
  if (isText) options.push([`Pin the text`, 'texts', subject.text.trim()]);
  options.push([`Pin #${index}${pairWords(index, source)}`, 'messages', index]);
  if (source.facts(index).beginsTurn) {
    if (turnStarts(source)[0] === index) options.push(['Pin the first user message', 'kinds', 'first_user_message']);
    options.push(['Pin all user messages', 'kinds', 'all_user_messages']);
  }
  for (const [words, name, value] of options) {
    const edits = pinEdits(spec, name, [value]);
    if (yield* probe.holds(editedSpec(spec, edits))) found.add('pin', words, edits);
  }
}
