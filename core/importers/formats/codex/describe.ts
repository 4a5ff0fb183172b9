// What the records beside the response items are, for the audit: a kind, and one line for people.

import { arrayAt, type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { titleOf } from '../../reading/shared.ts';

/** A record's place in the audit; `known` false = a type no release was seen to write. */
export interface EventFace {
  readonly kind: string;
  readonly text: string;
  readonly known: boolean;
}

const RECORDS = new Set(['session_meta', 'turn_context', 'world_state', 'inter_agent_communication_metadata']);
const EVENTS = new Set([
  'agent_message',
  'agent_reasoning',
  'agent_reasoning_raw_content',
  'agent_reasoning_section_break',
  'background_event',
  'context_compacted',
  'dynamic_tool_call_request',
  'dynamic_tool_call_response',
  'entered_review_mode',
  'exec_command_begin',
  'exited_review_mode',
  'guardian_assessment',
  'image_generation_end',
  'item_completed',
  'item_started',
  'mcp_tool_call_begin',
  'patch_apply_begin',
  'plan_update',
  'stream_error',
  'sub_agent_activity',
  'task_complete',
  'task_started',
  'thread_goal_updated',
  'thread_rolled_back',
  'thread_settings_applied',
  'token_count',
  'turn_diff',
  'undo_completed',
  'user_message',
  'view_image_tool_call',
  'warning',
  'web_search_begin',
  'web_search_end',
]);

/** The kind and line of a line that is not a response item. Source: the record types of Codex 0.39 to 0.146. */
export function describeRecord(type: string, payload: Fields): EventFace {
  if (type !== 'event_msg') {
    if (RECORDS.has(type)) return face(type, recordText(type, payload));
    return { kind: `unknown:${type}`, text: `a record of the unknown type "${type}"`, known: false };
  }
  const name = stringAt(payload, 'type') ?? 'untyped';
  const said = eventText(name, payload);
  if (said !== null) return face(name, said);
  if (EVENTS.has(name) || name.startsWith('collab_')) {
    return face(name, stringAt(payload, 'message') ?? stringAt(payload, 'text') ?? name.replaceAll('_', ' '));
  }
  return { kind: `unknown:${name}`, text: `an event of the unknown type "${name}"`, known: false };
}

function recordText(type: string, payload: Fields): string {
  if (type === 'session_meta') return `Codex ${stringAt(payload, 'cli_version') ?? 'session'}`;
  if (type === 'turn_context') return `turn with ${stringAt(payload, 'model') ?? 'a model not named'}`;
  return type.replaceAll('_', ' ');
}

function eventText(name: string, payload: Fields): string | null {
  switch (name) {
    case 'exec_command_end':
      return `exit code ${numberAt(payload, 'exit_code') ?? 'not recorded'}: ${commandText(payload)}`;
    case 'patch_apply_end':
      return ownAt(payload, 'success') === true
        ? 'patch applied'
        : `patch failed: ${stringAt(payload, 'stderr') ?? ''}`;
    case 'mcp_tool_call_end':
      return mcpText(payload);
    case 'turn_aborted':
      return `turn aborted: ${stringAt(payload, 'reason') ?? 'no reason recorded'}`;
    case 'error':
      return `error: ${stringAt(payload, 'message') ?? ''}`;
    case 'thread_name_updated':
      return stringAt(payload, 'thread_name') ?? 'thread name';
    case 'collab_agent_spawn_end':
      return `started agent ${stringAt(payload, 'new_thread_id') ?? ''}: ${stringAt(payload, 'prompt') ?? ''}`;
    default:
      return null;
  }
}

function commandText(payload: Fields): string {
  const words = arrayAt(payload, 'command') ?? [];
  return words.filter((word) => typeof word === 'string').join(' ');
}

function mcpText(payload: Fields): string {
  const invocation = recordAt(payload, 'invocation') ?? {};
  const result = ownAt(payload, 'result');
  const failed = isRecord(result) && Object.hasOwn(result, 'Err');
  const tool = [stringAt(invocation, 'server'), stringAt(invocation, 'tool')].filter((part) => part !== undefined);
  return `${failed ? 'failed' : 'finished'}: ${tool.join('.')}`;
}

function face(kind: string, text: string): EventFace {
  return { kind, text: titleOf(text) ?? kind, known: true };
}
