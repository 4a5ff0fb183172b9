// A node as messages: what was asked, the answer that chose the action, and the observation as the call's result.

import type { MessageMeta } from '../../../model/message.ts';
import { arrayAt, type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { anthropicUsage, defined, openaiUsage, titleOf } from '../../reading/shared.ts';
import { eachMember, sliceAt, spanAt } from '../../reading/slices.ts';

/** A message's JSON text, made of slices of the node. */
export interface NodeMessage {
  readonly text: string;
  readonly meta: MessageMeta;
}

/** An entry of the audit: what else was recorded of a node. */
export interface NodeNote {
  readonly kind: string;
  readonly line: string;
  readonly json: string;
}

interface Answer extends NodeMessage {
  /** How the call is answered; the id is a JSON text, null where there is none. */
  readonly call: { readonly style: 'block' | 'message'; readonly id: string | null; readonly name: string } | null;
}

/** The messages of a node; `text` is its own text. */
export function nodeMessages(text: string, node: Fields): readonly NodeMessage[] {
  const key = ['message', 'user_message'].find((name) => (stringAt(node, name) ?? '') !== '');
  const asked = key === undefined ? [] : [{ text: `{"role":"user","content":${sliceAt(text, [key])}}`, meta: {} }];
  const answer = answerOf(text, node);
  if (!answer) return asked;
  const { call } = answer;
  const result = resultOf(text, node, call);
  return [...asked, { text: answer.text, meta: answer.meta }, ...(result ? [result] : [])];
}

function answerOf(text: string, node: Fields): Answer | null {
  const recorded = ownAt(recordAt(node, 'completions') ?? {}, 'build_action');
  // Of several attempts the last is the one that was acted on.
  const last = Array.isArray(recorded) ? recorded.length - 1 : null;
  const path = ['completions', 'build_action', ...(last === null ? [] : [last]), 'response'];
  const completion: unknown = last === null ? recorded : Array.isArray(recorded) ? recorded[last] : undefined;
  const response = isRecord(completion) ? recordAt(completion, 'response') : undefined;
  if (response) {
    const answer = messagesAnswer(text, response, path) ?? chatAnswer(text, response, path);
    if (answer) return answer;
  }
  return recordAt(node, 'action') ? actionAnswer(text, node) : null;
}

/** An answer of Anthropic's Messages API. */
function messagesAnswer(text: string, response: Fields, path: readonly (string | number)[]): Answer | null {
  const content = sliceAt(text, [...path, 'content']);
  if (content === null || stringAt(response, 'role') === undefined) return null;
  const blocks = arrayAt(response, 'content') ?? [];
  const at = blocks.findIndex((block) => isRecord(block) && block.type === 'tool_use');
  const id = at < 0 ? null : sliceAt(text, [...path, 'content', at, 'id']);
  const name = sliceAt(text, [...path, 'content', at, 'name']) ?? '""';
  const meta = defined({
    model: stringAt(response, 'model'),
    usage: anthropicUsage(recordAt(response, 'usage')),
    stopReason: stringAt(response, 'stop_reason'),
    id: stringAt(response, 'id'),
  });
  const made = `{"role":${sliceAt(text, [...path, 'role'])},"content":${content}}`;
  return { text: made, meta, call: at < 0 ? null : { style: 'block', id, name } };
}

/** An answer of chat completions. */
function chatAnswer(text: string, response: Fields, path: readonly (string | number)[]): Answer | null {
  const [choice] = arrayAt(response, 'choices') ?? [];
  const message = isRecord(choice) ? recordAt(choice, 'message') : undefined;
  const own = [...path, 'choices', 0, 'message'];
  if (!isRecord(choice) || !message) return null;
  const hasCall = (arrayAt(message, 'tool_calls') ?? []).length > 0;
  const id = sliceAt(text, [...own, 'tool_calls', 0, 'id']);
  const name = sliceAt(text, [...own, 'tool_calls', 0, 'function', 'name']) ?? '""';
  const meta = defined({
    model: stringAt(response, 'model'),
    usage: openaiUsage(recordAt(response, 'usage')),
    stopReason: stringAt(choice, 'finish_reason'),
    id: stringAt(response, 'id'),
  });
  return { text: sliceAt(text, own) ?? '{}', meta, call: hasCall ? { style: 'message', id, name } : null };
}

/** Without a recorded answer: `{"role":"assistant","content":<thoughts>,"tool_calls":[{name: its class, arguments}]}`. */
function actionAnswer(text: string, node: Fields): Answer {
  const action = recordAt(node, 'action') ?? {};
  const given: string[] = [];
  const span = spanAt(text, ['action']);
  if (span) {
    eachMember(text, span.start, (key, value) => {
      if (!THOUGHTS.includes(key) && key !== 'action_args_class') {
        given.push(`${JSON.stringify(key)}:${text.slice(value.start, value.end)}`);
      }
    });
  }
  const thought = THOUGHTS.find((key) => (stringAt(action, key) ?? '') !== '');
  const content = thought === undefined ? '' : `"content":${sliceAt(text, ['action', thought])},`;
  const isNamed = stringAt(action, 'action_args_class') !== undefined;
  const name = isNamed ? (sliceAt(text, ['action', 'action_args_class']) ?? '""') : '""';
  const call = `{"name":${name},"arguments":{${given.join(',')}}}`;
  const made = `{"role":"assistant",${content}"tool_calls":[${call}]}`;
  return { text: made, meta: {}, call: { style: 'message', id: null, name } };
}

const THOUGHTS: readonly string[] = ['scratch_pad', 'thoughts'];

function resultOf(text: string, node: Fields, call: Answer['call']): NodeMessage | null {
  const key = ['observation', 'output'].find((name) => stringAt(recordAt(node, name) ?? {}, 'message') !== undefined);
  if (key === undefined) return null;
  const content = sliceAt(text, [key, 'message']);
  // Said in prose, the action is not a call, and what came of it is not a result.
  if (call === null) return { text: `{"role":"user","content":${content}}`, meta: { injected: true } };
  const failed = hasFailed(recordAt(node, key) ?? {}) ? ',"is_error":true' : '';
  if (call.style === 'block') {
    const id = call.id === null ? '' : `"tool_use_id":${call.id},`;
    const block = `{"type":"tool_result",${id}"content":${content}${failed}}`;
    return { text: `{"role":"user","content":[${block}]}`, meta: {} };
  }
  const id = call.id === null ? '' : `"tool_call_id":${call.id},`;
  return { text: `{"role":"tool",${id}"name":${call.name},"content":${content}${failed}}`, meta: {} };
}

function hasFailed(observation: Fields): boolean {
  if (ownAt(observation, 'expect_correction') === true) return true;
  return typeof ownAt(recordAt(observation, 'properties') ?? {}, 'fail_reason') === 'string';
}

/** Calls of other models while the action ran, the value a judge gave the node, and nodes nothing was done in. */
export function nodeNotes(text: string, node: Fields, speaks: boolean): readonly NodeNote[] {
  const notes: NodeNote[] = [];
  for (const [key, completion] of Object.entries(recordAt(node, 'completions') ?? {})) {
    if (key === 'build_action' || completion === null) continue;
    const model = isRecord(completion) ? stringAt(completion, 'model') : undefined;
    const line = `a call of ${model ?? 'a model'} beside the conversation`;
    notes.push({ kind: key, line, json: sliceAt(text, ['completions', key]) ?? '{}' });
  }
  const reward = recordAt(node, 'reward');
  if (reward) {
    const why = stringAt(reward, 'explanation') ?? '';
    const line = titleOf(`reward ${numberAt(reward, 'value') ?? '?'}${why === '' ? '' : `: ${why}`}`) ?? 'reward';
    notes.push({ kind: 'reward', line, json: sliceAt(text, ['reward']) ?? '{}' });
  }
  if (!speaks && notes.length === 0) notes.push({ kind: 'node', line: 'a node without an action', json: text });
  return notes;
}

/** What the search holds the node's end for: its reward if it is finished. */
export function scoreOf(node: Fields): number | null {
  const isFinished = ['observation', 'output'].some((key) => ownAt(recordAt(node, key) ?? {}, 'terminal') === true);
  const reward = numberAt(recordAt(node, 'reward') ?? {}, 'value');
  return isFinished && reward !== undefined ? reward : null;
}
