// The run of a tool as the result of a call: paired by the call's id, else by name and arguments.

import { isRecord, stringAt } from '../../../util/unknown.ts';
import { callsMade, sameArguments } from './identity.ts';
import type { ToolRun, TraceItem } from './item.ts';
import { decoded, type Json, joined, jsonAt } from './json.ts';
import { messagesIn } from './request.ts';

/** A call that a run answers: its place among those of the last answers, its id and name. */
export interface Answered {
  readonly at: number;
  readonly callId: string | null;
  readonly name: string | null;
}

/** The call in the last answers of a thread that a run answers; those in `taken` have a result. */
export function unansweredCall(answers: readonly Json[], run: ToolRun, taken: ReadonlySet<number>): Answered | null {
  const calls = answers.flatMap(callsMade).map(({ id, name, args }, at) => ({ at, callId: id, name, args }));
  const open = calls.filter(({ at }) => !taken.has(at));
  if (run.callId !== null) {
    const named = open.find(({ callId }) => callId === run.callId);
    if (named) return named;
  }
  const ofName = open.filter(({ name }) => name === run.name);
  const args = run.args === null ? null : sameArguments(run.args);
  const same = ofName.find((call) => args !== null && call.args === args);
  // Of one name and with other arguments it is only sure if there is nothing to choose.
  return same ?? (ofName.length === 1 ? (ofName[0] ?? null) : null);
}

/** `{"role":"tool",…}` with what the run gave or why it failed; null if neither is recorded. */
export function resultMessage({ tool, error }: TraceItem, { callId, name }: Answered): Json | null {
  if (!tool) return null;
  const whole = tool.result && wholeMessage(tool.result);
  if (whole) return whole;
  const content = tool.result ? contentOf(tool.result) : error === undefined ? null : JSON.stringify(error);
  if (content === null) return null;
  return joined(
    ['role', '"tool"'],
    ['tool_call_id', callId === null ? null : JSON.stringify(callId)],
    ['name', name === null ? null : JSON.stringify(name)],
    ['content', content],
    ['is_error', error === undefined ? null : 'true'],
  );
}

function wholeMessage(result: Json): Json | null {
  const [message, ...others] = messagesIn(result);
  const isResult = message && isRecord(message.value) && message.value.role === 'tool';
  return isResult && others.length === 0 ? message : null;
}

// A list of blocks is content; other JSON reaches a model as text, and is in the record as text.
function contentOf(result: Json): string {
  const inner = decoded(result) ?? result;
  const blocks = Array.isArray(inner.value) ? inner : jsonAt(inner, 'content');
  const values: readonly unknown[] = Array.isArray(blocks?.value) ? blocks.value : [];
  const areBlocks =
    values.length > 0 && values.every((value) => isRecord(value) && stringAt(value, 'type') !== undefined);
  return areBlocks && blocks ? blocks.text : result.text;
}
