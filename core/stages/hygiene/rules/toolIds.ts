// Ids of calls and results that a provider accepts, distinct, and the same on a call and its result.

import { grouped } from '../../../util/counts.ts';
import type { Draft, NewId } from '../draft.ts';
import { IdAllocator, type IdMemory, idMemory, isValidId, STRICT_LENGTH } from '../ids.ts';
import { type CallRef, findPairs, type Pairs, type ResultRef } from '../pairs.ts';
import { callShape, withId } from '../shape.ts';
import type { Change, RuleContext, RuleOptions } from '../types.ts';
import { collect, defineRule } from './rule.ts';

/** Rewrites tool ids under the profile's mode. Source: hygiene facts, 3.2 and 3.3; a repeated id gets a separate one. */
export const toolIds = defineRule({
  name: 'tool_ids',
  title: 'Tool call ids',
  help: 'Rewrites ids of calls and of their results where the provider would refuse them, and where two calls share one.',
  fix(messages, context) {
    const renamed = rename(messages, context);
    if (renamed.size === 0) return { messages, changes: [] };
    return collect(messages, (draft, position) => {
      const ids = renamed.get(position);
      if (ids === undefined) return null;
      const change = draft.renamed(ids, `${context.options.idMode} ${context.options.maxIdLength}`, () =>
        changeOf(draft, ids, context.options),
      );
      return change.after === draft ? null : change;
    });
  },
});

function changeOf(draft: Draft, ids: Renamed, options: RuleOptions): Change {
  return {
    rule: 'tool_ids',
    kind: 'rewritten',
    before: draft,
    after: draft.with(renameIn(draft, ids)),
    objection: `${describeFaults(draft, ids, options)}: ${describe(draft, ids)}`,
    done: 'it was rewritten, and is the same on a call and its result',
    severity: 'error',
    chip: 'tool id',
  };
}

/** New ids by part, of one message. */
type Renamed = readonly NewId[];

// An edit that leaves calls and results as they are leaves their ids too.
function rename(messages: readonly Draft[], context: RuleContext): ReadonlyMap<number, Renamed> {
  const { same, around, options } = context;
  if (around !== undefined || same === undefined) return renameNow(messages, context);
  const last = same.ids;
  const isAlike = last !== null && !options.camelCallsOnly && same.haveSamePairs(last.messages, messages);
  const renamed = last !== null && isAlike ? last.renamed : renameNow(messages, context);
  same.ids = { messages, renamed };
  return renamed;
}

function renameNow(messages: readonly Draft[], context: RuleContext): ReadonlyMap<number, Renamed> {
  if (context.options.camelCallsOnly) return renamedInOrder(messages, context);
  const pairs = context.same?.pairsOf(messages) ?? findPairs(messages);
  const memory = context.around?.ids ?? idMemory();
  const calls = idsOfCalls(messages, pairs, memory, context);
  const ofCall = ({ call, duplicateOf }: ResultRef): string | undefined => {
    const answered = call ?? duplicateOf;
    return answered === null ? undefined : calls.get(answered);
  };
  const lost = pairs.results.filter((result) => ofCall(result) === undefined);
  const orphans = idsOfOrphans(lost, memory, context);
  const renamed = new Map<number, NewId[]>();
  const note = (message: number, at: number, old: string | null | undefined, id: string | undefined): void => {
    if (id === undefined || (old ?? null) === id) return;
    const known = renamed.get(message);
    if (known === undefined) renamed.set(message, [{ at, id }]);
    else known.push({ at, id });
  };
  for (const call of pairs.calls) note(call.message, call.at, call.part.callId, calls.get(call));
  for (const result of pairs.results) {
    const { callId } = result.part;
    // A result that never had an id gets one only from its call, where that has one.
    note(result.message, result.at, callId, ofCall(result) ?? orphans.get(callId ?? ''));
  }
  return renamed;
}

function idsOfCalls(
  messages: readonly Draft[],
  pairs: Pairs,
  { taken, repeats }: IdMemory,
  { options, sha256 }: RuleContext,
): ReadonlyMap<CallRef, string> {
  const allocator = new IdAllocator(options.idMode, options.maxIdLength, sha256, taken);
  const calls = new Map<CallRef, string>();
  for (const call of pairs.calls) {
    const id = idFor(call, messages, allocator, options, repeats);
    if (id !== null) calls.set(call, id);
  }
  return calls;
}

// Of results that answer no call, or one without an id.
function idsOfOrphans(
  lost: readonly ResultRef[],
  memory: IdMemory,
  { options, sha256 }: RuleContext,
): ReadonlyMap<string, string> {
  const orphans = new Map<string, string>();
  if (lost.length === 0) return orphans;
  const { taken, given } = memory.orphans();
  const allocator = new IdAllocator(options.idMode, options.maxIdLength, sha256, taken);
  for (const { part } of lost) {
    const raw = part.callId ?? '';
    if (raw === '' || orphans.has(raw)) continue;
    const known = given.get(raw);
    const id = known ?? (isNative(raw, options) && allocator.take(raw) ? raw : allocator.allocate(raw));
    if (known === undefined) given.set(raw, id);
    orphans.set(raw, id);
  }
  return orphans;
}

function idFor(
  call: CallRef,
  messages: readonly Draft[],
  allocator: IdAllocator,
  options: RuleOptions,
  repeats: IdMemory['repeats'],
): string | null {
  const raw = call.part.callId ?? '';
  if (raw === '' && !isRenamed(call, messages, options)) return null;
  const repeat = (repeats.get(raw) ?? 0) + 1;
  repeats.set(raw, repeat);
  if (repeat === 1 && isNative(raw, options) && allocator.take(raw)) return raw;
  return allocator.allocate(repeat === 1 ? raw : `${raw}:${repeat}`);
}

// A result's own id, as this rule gave it before.
const OWN_ID = /toolresult\d+([0-9a-f]{8}(x\d+)?)?$/;

// As the published versions do it: calls and results in the order in which they stand.
function renamedInOrder(messages: readonly Draft[], { options, sha256 }: RuleContext): ReadonlyMap<number, Renamed> {
  const allocator = new IdAllocator(options.idMode, options.maxIdLength, sha256);
  const repeats = new Map<string, number>();
  const lost = new Map<string, number>();
  const open = new Map<string, string[]>();
  const forCall = (raw: string): string => {
    const nth = count(repeats, raw);
    const id = allocator.allocate(nth === 1 ? raw : `${raw}:${nth}`);
    open.set(raw, [...(open.get(raw) ?? []), id]);
    return id;
  };
  const forResult = (raw: string): string =>
    open.get(raw)?.shift() ??
    (isOwn(raw, options) && allocator.take(raw) ? raw : allocator.allocate(`${raw}:tool_result:${count(lost, raw)}`));
  const renamed = new Map<number, Renamed>();
  for (const [message, draft] of messages.entries()) {
    const ids: NewId[] = [];
    for (const [at, part] of draft.facts.parts.entries()) {
      const raw = part.callId ?? '';
      const isCall = part.kind === 'tool_call';
      if (raw === '' || (isCall ? callShape(draft.value, part) !== 'camel' : part.kind !== 'tool_result')) continue;
      const id = isCall ? forCall(raw) : forResult(raw);
      if (id !== raw) ids.push({ at, id });
    }
    if (ids.length > 0) renamed.set(message, ids);
  }
  return renamed;
}

function isOwn(raw: string, options: RuleOptions): boolean {
  return OWN_ID.test(raw) && isValidId(raw, options.idMode, options.maxIdLength);
}

function count(table: Map<string, number>, key: string): number {
  const nth = (table.get(key) ?? 0) + 1;
  table.set(key, nth);
  return nth;
}

// Shapes without ids (Gemini's parts, the legacy function_call) are answered by name: none is made up for them.
function isRenamed(call: CallRef, messages: readonly Draft[], options: RuleOptions): boolean {
  const draft = messages[call.message];
  if (draft === undefined) return false;
  const shape = callShape(draft.value, call.part);
  return options.fillMissingIds && shape !== 'camel' && shape !== 'gemini' && shape !== 'legacy';
}

function isNative(raw: string, options: RuleOptions): boolean {
  return options.keepNativeIds && options.idMode === 'strict' && /^toolu_[A-Za-z0-9_]{1,58}$/.test(raw);
}

function renameIn(draft: Draft, ids: Renamed): string {
  const { value, facts } = draft;
  let { text } = draft;
  for (const { at, id } of ids) {
    const part = facts.parts[at];
    if (part !== undefined) text = withId(text, value, part, id);
  }
  return text;
}

// A valid id is rewritten where another has it, or was given it.
function describeFaults(draft: Draft, ids: Renamed, { idMode, maxIdLength }: RuleOptions): string {
  const faults = ids.map(({ at }) => {
    const part = draft.facts.parts[at];
    const old = part?.callId ?? '';
    if (old === '') return part?.kind === 'tool_call' ? 'a call has no id' : 'a result names no call';
    if (isValidId(old, idMode, maxIdLength)) return 'another call or result has the same tool id';
    if (idMode === 'keep') return `a tool id has more than ${grouped(maxIdLength)} characters`;
    return `a tool id is not of ${idMode === 'strict9' ? '9 letters and digits' : `letters and digits, ${STRICT_LENGTH} at most`}`;
  });
  return [...new Set(faults)].join('; ');
}

function describe(draft: Draft, ids: Renamed): string {
  const said = ids.map(({ at, id }) => `"${draft.facts.parts[at]?.callId ?? ''}" is now "${id}"`);
  return said.length > 3 ? `${said.slice(0, 3).join(', ')} and ${said.length - 3} more` : said.join(', ');
}
