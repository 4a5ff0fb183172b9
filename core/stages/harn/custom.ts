import type { Problem } from '../../model/problem.ts';
import { assert } from '../../util/assert.ts';
import { canonicalJson, elements, skipSpace } from '../../util/json/index.ts';
import { isRecord, ownAt } from '../../util/unknown.ts';
import { keptBecause } from '../../view/fates.ts';
import { editItem } from '../../view/origins.ts';
import { readView, type ViewReader } from '../../view/reader.ts';
import {
  type Fate,
  PAUSE,
  type ParamSchema,
  type StageAnswer,
  type StageContext,
  type StageDefinition,
  type StageEffect,
  type UserCodeAnswer,
  type View,
  type ViewItem,
} from '../../view/types.ts';
import { type WholeOutput, WholeRun } from '../../view/wholeRun.ts';
import { countOf } from '../../view/words.ts';
import { mapByValue } from './customParts.ts';
import { type PolicyReport, policyReport } from './decision.ts';
import { COMMON_PARAMS, type HarnParams, parseWith, readCommon } from './options.ts';

const POLICY = { kind: 'custom', title: 'Custom' };

const PROJECTOR: ParamSchema = {
  name: 'projector',
  label: 'Code',
  aliases: ['custom'],
  type: 'code',
  default: null,
  help: 'A JavaScript function of the messages. It returns a list of messages, or {messages, reason?, kept_indices?, dropped_indices?}.',
};

/** Parameters of custom: the source of the user's function. */
export interface CustomParams extends HarnParams {
  readonly projector: string;
}

/**
 * Gives the messages to the user's function and takes what it returns. If it fails, the view stays as it is and the
 * report says why. Source: spec of the projection, "Policies".
 */
export const custom: StageDefinition<CustomParams> = {
  ...POLICY,
  aliases: [],
  family: 'harn',
  help: 'Your own function decides. Messages it returns unchanged are found again in the transcript; what it made itself is shown as such.',
  params: [PROJECTOR, ...COMMON_PARAMS],
  parse: (options) =>
    parseWith(options, (reader) => {
      const projector = reader.text(PROJECTOR);
      const wrongType = reader.problems.some((problem) => problem.severity === 'error');
      if (projector === null && !wrongType) {
        reader.error(
          'projector',
          'Option projector is required for policy custom: the source of a function of the messages.',
        );
      }
      return { ...readCommon(reader), projector: projector ?? '' };
    }),
  rereads: true,
  incremental: (params, context) =>
    new WholeRun(context, (view, at) => runCode(view(), params, at), params.respectProviderSignatures),
};

function* runCode(
  view: View,
  params: CustomParams,
  context: StageContext,
): Generator<StageEffect, WholeOutput, StageAnswer> {
  yield PAUSE;
  const reader = readView(view, context.source, context.memo);
  const texts = view.items.map((_, position) => reader.text(position));
  const answer = yield { effect: 'run_user_code', code: params.projector, messagesJson: `[${texts.join(',')}]` };
  assert(!('effect' in answer), 'user code is answered by the sandbox');
  const { own, ...decided } = decide(answer, texts, reader, view, context);
  return { ...decided, report: (done) => policyReport(done, params, own) };
}

type Decided = Omit<WholeOutput, 'report'> & { readonly own: PolicyReport };

function decide(
  answer: UserCodeAnswer,
  texts: readonly string[],
  reader: ViewReader,
  view: View,
  context: StageContext,
): Decided {
  const returned = readAnswer(answer);
  if ('problem' in returned) {
    const summary = `failed, nothing changed: ${returned.problem.text}`;
    const reason = 'kept: the custom function failed, and then nothing changes';
    const kept = keptBecause(context.stage, 'custom_failed', reason);
    const own = { summary, reason: 'custom', problems: [returned.problem, ...logged(answer)] };
    return { items: null, fates: new Map(), explain: () => kept, own };
  }
  const returnedAsIs = keptBecause(context.stage, 'custom', 'kept: the custom function returned it as it is');
  const given = texts.map(throughJavaScript);
  const origins = originsOf(returned, given);
  const { items, fates, problems, kept } = matchReturned(returned, origins, given, reader, view, context);
  const gone = view.items.length - kept;
  const summary = `${countOf(returned.texts.length, 'message')} returned, ${gone} left out`;
  const own = { summary, reason: returned.reason, problems: [...problems, ...logged(answer)] };
  return { items, fates, explain: () => returnedAsIs, own };
}

interface Returned {
  /** JSON texts of the messages. */
  readonly texts: readonly string[];
  readonly reason: string;
  readonly keptIndices: unknown;
  readonly droppedIndices: unknown;
}

function readAnswer(answer: UserCodeAnswer): Returned | { readonly problem: Problem } {
  if (!answer.ok) return { problem: codeProblem(answer) };
  const value: unknown = JSON.parse(answer.resultJson);
  const start = skipSpace(answer.resultJson, 0);
  if (Array.isArray(value)) return checkMessages(value, listTexts(answer.resultJson, start), {});
  const messages = isRecord(value) ? ownAt(value, 'messages') : undefined;
  if (!isRecord(value) || !Array.isArray(messages)) {
    return {
      problem: resultProblem('The function must return a list of messages, or an object with a list `messages`.'),
    };
  }
  // The sandbox prints with JSON.stringify, so printing its parsed list again gives the same texts.
  const list = JSON.stringify(messages);
  return checkMessages(messages, listTexts(list, 0), value);
}

function listTexts(json: string, start: number): string[] {
  return elements(json, start).map((span) => json.slice(span.start, span.end));
}

function checkMessages(
  messages: readonly unknown[],
  texts: readonly string[],
  fields: Readonly<Record<string, unknown>>,
): Returned | { readonly problem: Problem } {
  const wrong = messages.findIndex((message) => !isRecord(message));
  if (wrong >= 0) return { problem: resultProblem(`Message ${wrong} of the returned list is not an object.`) };
  const reason = ownAt(fields, 'reason');
  return {
    texts,
    reason: typeof reason === 'string' ? reason : 'custom',
    keptIndices: ownAt(fields, 'kept_indices'),
    droppedIndices: ownAt(fields, 'dropped_indices'),
  };
}

function resultProblem(text: string): Problem {
  return { code: 'custom.result', severity: 'error', text };
}

/** What the function wrote to its console, as findings of no weight. */
function logged(answer: UserCodeAnswer): readonly Problem[] {
  return answer.logs.map((text): Problem => ({ code: 'custom.log', severity: 'info', text }));
}

function codeProblem(answer: Extract<UserCodeAnswer, { ok: false }>): Problem {
  const { line, column } = answer;
  const where = { ...(line !== null && { line }), ...(column !== null && { column }) };
  return { code: `custom.${answer.code}`, severity: 'error', text: answer.message, where };
}

/** For each returned message its position in the view, null for one that is new. */
function originsOf(returned: Returned, given: readonly string[]): readonly (number | null)[] {
  return exactIndices(returned.keptIndices, given.length, returned.texts.length) ?? matchForward(given, returned.texts);
}

function exactIndices(value: unknown, limit: number, count: number): number[] | null {
  if (!Array.isArray(value) || value.length !== count) return null;
  const indices: number[] = [];
  let last = -1;
  for (const index of value) {
    if (typeof index !== 'number' || !Number.isInteger(index) || index <= last || index >= limit) return null;
    indices.push(index);
    last = index;
  }
  return indices;
}

// Each returned message is the first equal one after the last match. Most often that is the very next, printed alike; for
// the others a list of positions per canonical text makes it linear.
function matchForward(given: readonly string[], returned: readonly string[]): (number | null)[] {
  let positions: Positions | null = null;
  let from = 0;
  return returned.map((text) => {
    if (given[from] === text) return from++;
    positions ??= positionsOf(given);
    const known = positions.get(canonicalJson(text));
    while (known !== undefined && (known.list[known.next] ?? from) < from) known.next++;
    const found = known?.list[known.next];
    if (found === undefined) return null;
    from = found + 1;
    return found;
  });
}

type Positions = Map<string, { readonly list: number[]; next: number }>;

function positionsOf(given: readonly string[]): Positions {
  const positions: Positions = new Map();
  for (const [position, text] of given.entries()) {
    const key = canonicalJson(text);
    const known = positions.get(key);
    if (known === undefined) positions.set(key, { list: [position], next: 0 });
    else known.list.push(position);
  }
  return positions;
}

// The user's function sees messages through JavaScript, which prints 1.0 as 1: compare what it could have returned.
function throughJavaScript(text: string): string {
  return JSON.stringify(JSON.parse(text));
}

// Both printed by JavaScript; the order of members does not count.
function isSame(given: string | undefined, returned: string): boolean {
  return given === returned || (given !== undefined && canonicalJson(given) === canonicalJson(returned));
}

function matchReturned(
  returned: Returned,
  origins: readonly (number | null)[],
  given: readonly string[],
  reader: ViewReader,
  view: View,
  context: StageContext,
): Pick<WholeOutput, 'items' | 'fates'> & { readonly problems: readonly Problem[]; readonly kept: number } {
  const fates = new Map<number, Fate>();
  const kept = new Set<number>();
  const items: ViewItem[] = [];
  for (const [at, text] of returned.texts.entries()) {
    const position = origins[at] ?? null;
    if (position === null) items.push(newMessage(text, items, context));
    else {
      kept.add(position);
      const item = isSame(given[position], text) ? view.items[position] : undefined;
      items.push(item ?? changed(position, text, reader, fates, context));
    }
  }
  for (let position = 0; position < view.items.length; position++) {
    const index = reader.indexOf(position);
    if (index !== null && !kept.has(position)) fates.set(index, leftOut(context));
  }
  return { items, fates, kept: kept.size, problems: checkDropped(returned.droppedIndices, kept, view.items.length) };
}

function newMessage(text: string, before: readonly ViewItem[], context: StageContext): ViewItem {
  const last = before.at(-1);
  const from = last === undefined ? 0 : last.kind === 'source' ? last.index + 1 : last.covers.to;
  return { kind: 'synthetic', text, covers: { from, to: from }, stage: context.stage };
}

function changed(
  position: number,
  text: string,
  reader: ViewReader,
  fates: Map<number, Fate>,
  context: StageContext,
): ViewItem {
  const item = reader.item(position);
  if (item.kind === 'source') {
    fates.set(item.index, {
      kind: 'rewritten',
      stage: context.stage,
      rule: 'custom',
      reason: 'the custom function returned this message changed',
    });
  }
  const map = mapByValue(reader.text(position), text);
  return editItem(item, text, { facts: reader.facts(position), map });
}

function leftOut(context: StageContext): Fate {
  return { kind: 'dropped', stage: context.stage, rule: 'custom', reason: 'the custom function left this message out' };
}

// Dropped is what is not kept: a list that says otherwise is not believed, and that is said.
function checkDropped(given: unknown, kept: ReadonlySet<number>, length: number): Problem[] {
  if (!Array.isArray(given)) return [];
  const dropped = new Set<unknown>(given);
  for (let position = 0; position < length; position++) {
    if (dropped.has(position) !== kept.has(position)) continue;
    const text = `dropped_indices does not agree with the messages returned (first at ${position}); the messages count.`;
    return [{ code: 'custom.dropped_indices', severity: 'warning', text }];
  }
  return [];
}
