// Actions and observations, as OpenHands wrote them before its SDK. The model's own words are in the metadata of the
// call: in the action and again in its observation. Without that metadata the call is put together from the action. The
// first releases, the resolver's among them, wrote events flat: no args or extras, neither ids nor sources.

import type { MessageMeta, Usage } from '../../../model/message.ts';
import { arrayAt, type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { fingerprint } from '../../fingerprint.ts';
import { defined, isoTime, openaiUsage, titleOf } from '../../reading/shared.ts';
import { eachMember, elementSpans, sliceAt, spanAt } from '../../reading/slices.ts';
import { type EventReading, type Forgotten, resultText } from './reading.ts';

// What the runtime says to itself; no model gets these as they are.
const NOTES = new Set([
  'change_agent_state',
  'agent_state_changed',
  'recall',
  'condensation_request',
  'pause',
  'resume',
]);
// What is beside the arguments of a flat event.
const AROUND = new Set([
  'id',
  'timestamp',
  'source',
  'message',
  'cause',
  'action',
  'tool_call_metadata',
  'llm_metrics',
  'security_risk',
  'is_confirmed',
]);
const ENDINGS = new Set(['finish', 'reject']);
const FAILURES = new Set(['error', 'user_rejected']);
const MESSAGE_PATH = ['tool_call_metadata', 'model_response', 'choices', 0, 'message'] as const;

interface OpenCall {
  /** JSON texts. */
  readonly id: string | null;
  readonly name: string;
}

/** Reads the events of one conversation, in order. */
export class V0Events {
  readonly #answers = new Set<string>();
  readonly #calls = new Map<number, OpenCall>();
  // The last call put together, while nothing has answered it: lines without ids pair by order.
  #open: OpenCall | null = null;

  /** Reads one event; `text` is its own text. */
  read(text: string, fields: Fields): EventReading {
    if (stringAt(fields, 'action') !== undefined) return this.#action(text, fields);
    if (stringAt(fields, 'observation') !== undefined) return this.#observation(text, fields);
    return { as: 'event', kind: 'unknown:untyped', line: 'an entry without action or observation', known: false };
  }

  #action(text: string, fields: Fields): EventReading {
    const action = stringAt(fields, 'action') ?? '';
    if (action === 'null') return { as: 'nothing', why: 'the event says that nothing was done' };
    if (action === 'system') return systemPrompt(text, fields);
    if (action === 'message') return message(text, fields);
    if (action === 'condensation') return condensation(text, fields);
    const source = stringAt(fields, 'source') ?? 'agent';
    const isCall = recordAt(fields, 'tool_call_metadata') !== undefined;
    if (!isCall && (NOTES.has(action) || source !== 'agent')) return note(action, fields);
    return isCall ? this.#call(text, fields) : this.#textAction(text, fields, action);
  }

  // One response may hold several calls, each a separate action, which repeats the whole response.
  #call(text: string, fields: Fields): EventReading {
    const metadata = recordAt(fields, 'tool_call_metadata') ?? {};
    const answer = sliceAt(text, MESSAGE_PATH);
    if (!answer?.startsWith('{')) {
      const own = ['tool_call_id', 'function_name'].map((key) => sliceAt(text, ['tool_call_metadata', key]));
      return madeCall(text, fields, own[0] ?? null, own[1] ?? '""');
    }
    if (numberAt(metadata, 'total_calls_in_response') !== 1) {
      const known = fingerprint(answer);
      if (this.#answers.has(known)) return { as: 'nothing', why: 'its call stands in the answer before', joins: true };
      this.#answers.add(known);
    }
    const meta = answerMeta(fields, recordAt(metadata, 'model_response') ?? {});
    return { as: 'message', text: answer, meta };
  }

  #textAction(text: string, fields: Fields, action: string): EventReading {
    if (ENDINGS.has(action)) {
      const key = ['final_thought', 'thought'].find((name) => (stringAt(argsOf(fields), name) ?? '') !== '');
      const said = sliceAt(text, key === undefined ? ['message'] : [...argsPath(fields), key]);
      return { as: 'message', text: `{"role":"assistant","content":${said ?? '""'}}`, meta: timed(fields) };
    }
    const serial = numberAt(fields, 'id');
    const call = { id: serial === undefined ? null : `"${serial}"`, name: sliceAt(text, ['action']) ?? '""' };
    if (serial !== undefined) this.#calls.set(serial, call);
    this.#open = call;
    return madeCall(text, fields, call.id, call.name);
  }

  #observation(text: string, fields: Fields): EventReading {
    const observation = stringAt(fields, 'observation') ?? '';
    if (observation === 'null') return { as: 'nothing', why: 'the event says that nothing was observed' };
    const content = sliceAt(text, ['content']) ?? sliceAt(text, ['message']);
    const failed = FAILURES.has(observation) || exitCode(fields) !== 0 || ownAt(fields, 'success') === false;
    if (recordAt(fields, 'tool_call_metadata')) {
      const id = sliceAt(text, ['tool_call_metadata', 'tool_call_id']);
      const name = sliceAt(text, ['tool_call_metadata', 'function_name']);
      return { as: 'message', text: resultText(id, name, content, failed), meta: timed(fields) };
    }
    if (NOTES.has(observation)) return note(observation, fields);
    const call = this.#answeredBy(fields);
    if (call) return { as: 'message', text: resultText(call.id, call.name, content, failed), meta: timed(fields) };
    // No call led to it: the model gets it as a user's text.
    const message = `{"role":"user","content":${content ?? '""'}}`;
    return { as: 'message', text: message, meta: { ...timed(fields), injected: true } };
  }

  #answeredBy(fields: Fields): OpenCall | null {
    const cause = numberAt(fields, 'cause');
    const byOrder = numberAt(fields, 'id') === undefined ? this.#open : null;
    const call = cause === undefined ? byOrder : (this.#calls.get(cause) ?? null);
    if (cause !== undefined) this.#calls.delete(cause);
    if (call === this.#open) this.#open = null;
    return call;
  }
}

function argsPath(fields: Fields): readonly string[] {
  return recordAt(fields, 'args') ? ['args'] : [];
}

function argsOf(fields: Fields): Fields {
  return recordAt(fields, 'args') ?? fields;
}

function timed(fields: Fields): MessageMeta {
  return defined({ timestamp: isoTime(ownAt(fields, 'timestamp')) });
}

function systemPrompt(text: string, fields: Fields): EventReading {
  const args = argsOf(fields);
  const about = defined({
    toolsJson: arrayAt(args, 'tools') ? (sliceAt(text, [...argsPath(fields), 'tools']) ?? undefined) : undefined,
    toolVersion: stringAt(args, 'openhands_version'),
  });
  const content = sliceAt(text, [...argsPath(fields), 'content']) ?? sliceAt(text, ['message']) ?? '""';
  return { as: 'message', text: `{"role":"system","content":${content}}`, meta: timed(fields), about };
}

// Where no source is recorded, only the agent says whether it waits for an answer.
function message(text: string, fields: Fields): EventReading {
  const source = stringAt(fields, 'source');
  const waits = ownAt(argsOf(fields), 'wait_for_response') === true;
  const isAgent = source === undefined ? waits : source === 'agent';
  const own = sliceAt(text, [...argsPath(fields), 'content']) ?? sliceAt(text, ['message']) ?? '""';
  const key = ['image_urls', 'images_urls'].find((name) => arrayAt(argsOf(fields), name)) ?? 'image_urls';
  const images = sliceAt(text, [...argsPath(fields), key]);
  const urls = images?.startsWith('[') ? elementSpans(images, 0).map(({ start, end }) => images.slice(start, end)) : [];
  const blocks = [
    `{"type":"text","text":${own}}`,
    ...urls.map((url) => `{"type":"image_url","image_url":{"url":${url}}}`),
  ];
  const content = urls.length > 0 ? `[${blocks.join(',')}]` : own;
  const injected = source !== undefined && source !== 'agent' && source !== 'user';
  const meta = injected ? { ...timed(fields), injected: true } : timed(fields);
  return { as: 'message', text: `{"role":"${isAgent ? 'assistant' : 'user'}","content":${content}}`, meta };
}

/** `{"role":"assistant","content":<thought>,"tool_calls":[{id, name, arguments: the other arguments}]}`. */
function madeCall(text: string, fields: Fields, id: string | null, name: string): EventReading {
  const given: string[] = [];
  const path = argsPath(fields);
  const span = spanAt(text, path);
  if (span && text.charAt(span.start) === '{') {
    eachMember(text, span.start, (key, value) => {
      if (key !== 'thought' && (path.length > 0 || !AROUND.has(key)))
        given.push(`${JSON.stringify(key)}:${text.slice(value.start, value.end)}`);
    });
  }
  const call = [...(id === null ? [] : [`"id":${id}`]), `"name":${name}`, `"arguments":{${given.join(',')}}`];
  const thought = (stringAt(argsOf(fields), 'thought') ?? '') === '' ? null : sliceAt(text, [...path, 'thought']);
  const content = thought === null ? '' : `"content":${thought},`;
  const made = `{"role":"assistant",${content}"tool_calls":[{${call.join(',')}}]}`;
  return { as: 'message', text: made, meta: timed(fields) };
}

function answerMeta(fields: Fields, response: Fields): MessageMeta {
  const [choice] = arrayAt(response, 'choices') ?? [];
  return defined({
    timestamp: isoTime(ownAt(fields, 'timestamp')),
    model: stringAt(response, 'model'),
    usage: usageOf(recordAt(response, 'usage')),
    stopReason: isRecord(choice) ? stringAt(choice, 'finish_reason') : undefined,
    id: stringAt(response, 'id'),
  });
}

// Counts of the cache are beside those of Chat Completions where the provider is Anthropic.
function usageOf(usage: Fields | undefined): Usage | undefined {
  const counts = openaiUsage(usage);
  if (!usage || !counts) return counts;
  const cacheWrite = numberAt(usage, 'cache_creation_input_tokens');
  const cacheRead = counts.cacheRead ?? numberAt(usage, 'cache_read_input_tokens');
  return { ...counts, ...defined({ cacheRead, cacheWrite }) };
}

function exitCode(fields: Fields): number {
  const extras = recordAt(fields, 'extras') ?? fields;
  return numberAt(recordAt(extras, 'metadata') ?? {}, 'exit_code') ?? numberAt(extras, 'exit_code') ?? 0;
}

function condensation(text: string, fields: Fields): EventReading {
  const args = argsOf(fields);
  const ids = ['forgotten_event_ids', 'pruned_event_ids'].map((key) => arrayAt(args, key)).find(Boolean);
  const listed = new Set((ids ?? []).map(String));
  const from = numberAt(args, 'forgotten_events_start_id');
  const to = numberAt(args, 'forgotten_events_end_id');
  const inRange = (id: string) => from !== undefined && to !== undefined && Number(id) >= from && Number(id) <= to;
  const forgotten: Forgotten = ids ? (id) => listed.has(id) : inRange;
  const summary = (stringAt(args, 'summary') ?? '') === '' ? null : sliceAt(text, [...argsPath(fields), 'summary']);
  const line = titleOf(stringAt(fields, 'message') ?? '') ?? 'condensation';
  return { as: 'compaction', forgotten, summary, offset: numberAt(args, 'summary_offset'), line };
}

function note(kind: string, fields: Fields): EventReading {
  const state = stringAt(argsOf(fields), 'agent_state') ?? stringAt(recordAt(fields, 'extras') ?? {}, 'agent_state');
  const line = titleOf(stringAt(fields, 'message') ?? '') ?? (state === undefined ? kind : `${kind}: ${state}`);
  return { as: 'event', kind, line, known: true };
}
