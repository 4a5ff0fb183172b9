// Records of type `attachment`: what the client put into a request beside the conversation. A newer release records
// the text it sent (`rendered`); of others the record holds what the text was made of, and the client's own words around
// it are not recorded. So what is shown is what is recorded, and nothing else.

import type { SourceRecord } from '../../../model/importSink.ts';
import type { MessageProvenance, ProvenanceKind } from '../../../model/provenance.ts';
import { arrayAt, entryOf, type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { sliceAt } from '../../reading/slices.ts';

/** What an attachment is: a message the model was sent, or an event with a line that says why it is none. */
export type Attachment =
  | {
      readonly as: 'message';
      readonly role: 'user' | 'system';
      /** JSON text of the content: a string or an array of blocks. */
      readonly contentText: string;
      readonly content: unknown;
      readonly provenance: MessageProvenance;
    }
  | { readonly as: 'event'; readonly text: string };

interface Sent {
  readonly kind: ProvenanceKind;
  /** The recorded texts, in the order in which the client sends them; lines of one text. */
  readonly lines: (fields: Fields) => readonly (string | undefined)[];
}

/** Kinds that the model is sent, and what is recorded of them. Evidence: docs/formats.md, claude-code. */
const SENT: Readonly<Record<string, Sent>> = {
  edited_text_file: { kind: 'file_change', lines: (of) => [stringAt(of, 'filename'), stringAt(of, 'snippet')] },
  nested_memory: { kind: 'memory', lines: (of) => contentsOf(of, recordAt(of, 'content') ?? {}) },
  compact_file_reference: { kind: 'file', lines: (of) => [stringAt(of, 'filename')] },
  pdf_reference: { kind: 'file', lines: (of) => [stringAt(of, 'filename')] },
  directory: { kind: 'file', lines: (of) => contentsOf(of, of) },
  mcp_resource: { kind: 'file', lines: (of) => [stringAt(of, 'uri'), ...textsIn(recordAt(of, 'content'), 'contents')] },
  plan_file_reference: { kind: 'file', lines: (of) => [stringAt(of, 'planFilePath'), stringAt(of, 'planContent')] },
  relevant_memories: { kind: 'memory', lines: (of) => itemsOf(of, 'memories', (one) => contentsOf(one, one)) },
  invoked_skills: { kind: 'memory', lines: (of) => itemsOf(of, 'skills', skillLines) },
  hook_additional_context: { kind: 'hook', lines: (of) => stringsAt(of, 'content') },
  hook_blocking_error: { kind: 'hook', lines: (of) => [blockingError(ownAt(of, 'blockingError'))] },
  hook_stopped_continuation: { kind: 'hook', lines: (of) => [stringAt(of, 'message')] },
  async_hook_response: { kind: 'hook', lines: (of) => asyncHook(recordAt(of, 'response') ?? {}) },
  task_reminder: { kind: 'reminder', lines: (of) => itemsOf(of, 'content', taskLine) },
  todo_reminder: { kind: 'reminder', lines: (of) => itemsOf(of, 'content', taskLine) },
  todo: { kind: 'reminder', lines: (of) => itemsOf(of, 'content', taskLine) },
  plan_mode: { kind: 'reminder', lines: (of) => [stringAt(of, 'planFilePath')] },
  plan_mode_reentry: { kind: 'reminder', lines: (of) => [stringAt(of, 'planFilePath')] },
  plan_mode_exit: { kind: 'reminder', lines: (of) => [stringAt(of, 'planFilePath')] },
  critical_system_reminder: { kind: 'reminder', lines: (of) => [stringAt(of, 'content')] },
  date_change: { kind: 'context', lines: (of) => [stringAt(of, 'newDate')] },
  output_style: { kind: 'context', lines: (of) => [stringAt(of, 'style')] },
  agent_mention: { kind: 'context', lines: (of) => [stringAt(of, 'agentType')] },
  task_status: { kind: 'task_notification', lines: (of) => taskStatus(of) },
  teammate_mailbox: { kind: 'inter_session', lines: (of) => itemsOf(of, 'messages', (one) => [stringAt(one, 'text')]) },
  skill_listing: { kind: 'listing', lines: (of) => [stringAt(of, 'content')] },
  agent_listing_delta: { kind: 'listing', lines: (of) => delta(of, 'addedLines', 'removedTypes') },
  deferred_tools_delta: { kind: 'listing', lines: (of) => delta(of, 'addedLines', 'removedNames') },
  mcp_instructions_delta: { kind: 'listing', lines: (of) => delta(of, 'addedBlocks', 'removedNames') },
  opened_file_in_ide: { kind: 'editor', lines: (of) => [stringAt(of, 'filename')] },
  selected_lines_in_ide: { kind: 'editor', lines: (of) => [selectedPlace(of), stringAt(of, 'content')] },
  diagnostics: { kind: 'editor', lines: (of) => itemsOf(of, 'files', diagnosticLines) },
};

/** Kinds that are instructions of the client's own, of which nothing is recorded but that they were sent. */
const WORDLESS: ReadonlySet<string> = new Set([
  'auto_mode',
  'auto_mode_exit',
  'verify_plan_reminder',
  'ultrathink_effort',
  'compaction_reminder',
  'context_efficiency',
]);

/** Kinds that the client keeps to itself. */
const UNSENT: ReadonlySet<string> = new Set([
  'command_permissions',
  'already_read_file',
  'edited_image_file',
  'dynamic_skill',
  'structured_output',
  'hook_system_message',
  'hook_non_blocking_error',
  'hook_error_during_execution',
  'hook_cancelled',
  'hook_permission_decision',
]);

/** Hooks whose output the model is sent when they succeed. */
const HEARD_HOOKS: ReadonlySet<string> = new Set(['SessionStart', 'UserPromptSubmit']);

/** Reads an attachment record. `fields` = the record's value. */
export function readAttachment(record: SourceRecord, fields: Fields): Attachment {
  const attachment = recordAt(fields, 'attachment') ?? {};
  const type = stringAt(attachment, 'type') ?? 'attachment';
  const provenance: MessageProvenance = { kind: kindOf(attachment, type), type };
  const rendered = arrayAt(fields, 'rendered');
  if (rendered !== undefined) return readRendered(record, fields, rendered, provenance);
  const role = 'user';
  if (type === 'queued_command') {
    const content = ownAt(attachment, 'prompt');
    const contentText = isContent(content) ? sliceAt(record.text, ['attachment', 'prompt']) : null;
    return contentText === null ? unsaid(type) : { as: 'message', role, contentText, content, provenance };
  }
  const blocks = type === 'file' ? fileBlocks(attachment) : null;
  if (blocks !== null) return { as: 'message', role, contentText: JSON.stringify(blocks), content: blocks, provenance };
  const content = linesOf(attachment, type).join('\n');
  if (content !== '') return { as: 'message', role, contentText: JSON.stringify(content), content, provenance };
  return { as: 'event', text: eventText(type, attachment) };
}

function kindOf(attachment: Fields, type: string): ProvenanceKind {
  if (type === 'queued_command') return queuedKind(attachment);
  if (type === 'hook_success') return 'hook';
  return type === 'file' ? 'file' : (entryOf(SENT, type)?.kind ?? 'context');
}

// Who queued it: only what a person typed is a person's.
function queuedKind(attachment: Fields): ProvenanceKind {
  const mode = stringAt(attachment, 'commandMode');
  if (mode === 'task-notification') return 'task_notification';
  const by = stringAt(recordAt(attachment, 'origin') ?? {}, 'kind');
  if (by === 'task-notification') return 'task_notification';
  if (by === 'peer' || by === 'channel' || by === 'coordinator') return 'inter_session';
  const isPerson = (by === undefined || by === 'human') && (mode === undefined || mode === 'prompt');
  return isPerson && ownAt(attachment, 'isMeta') !== true ? 'queued_prompt' : 'context';
}

// What was sent, word for word. An empty list says that nothing was.
function readRendered(
  record: SourceRecord,
  fields: Fields,
  rendered: readonly unknown[],
  provenance: MessageProvenance,
): Attachment {
  const contents = rendered.map((one) => (isRecord(one) ? ownAt(one, 'content') : undefined));
  const texts = contents.flatMap((content, at) => {
    const text = isContent(content) ? sliceAt(record.text, ['rendered', at, 'content']) : null;
    return text === null ? [] : [{ text, content }];
  });
  const role = stringAt(fields, 'renderedRole') === 'system' ? 'system' : 'user';
  const [only] = texts;
  if (only === undefined) return { as: 'event', text: `${provenance.type ?? 'attachment'}: nothing of it was sent` };
  if (texts.length === 1) return { as: 'message', role, contentText: only.text, content: only.content, provenance };
  const blocks = texts.map(({ text, content }) =>
    typeof content === 'string' ? `{"type":"text","text":${text}}` : text.trim().slice(1, -1),
  );
  const contentText = `[${blocks.join(',')}]`;
  return { as: 'message', role, contentText, content: JSON.parse(contentText), provenance };
}

function linesOf(attachment: Fields, type: string): readonly string[] {
  if (type === 'hook_success') {
    const isHeard = HEARD_HOOKS.has(stringAt(attachment, 'hookEvent') ?? '');
    return said(isHeard ? [stringAt(attachment, 'content')] : []);
  }
  return said(entryOf(SENT, type)?.lines(attachment) ?? []);
}

function eventText(type: string, attachment: Fields): string {
  if (UNSENT.has(type) || type === 'hook_success') return `${type}: kept by the client, not sent`;
  if (type === 'file') return `file: ${stringAt(attachment, 'filename') ?? 'its content is not recorded'}`;
  if (WORDLESS.has(type) || entryOf(SENT, type) !== undefined) return unsaid(type).text;
  return `${type}: a kind that this version does not know`;
}

function unsaid(type: string): { readonly as: 'event'; readonly text: string } {
  return { as: 'event', text: `${type}: sent by the client, but its words are not recorded` };
}

function isContent(content: unknown): boolean {
  if (typeof content === 'string') return content !== '';
  return Array.isArray(content) && content.length > 0 && content.every((block) => isRecord(block) && 'type' in block);
}

// The content of a file, of which a picture is one block; null = it holds no text and no picture.
function fileBlocks(attachment: Fields): readonly Fields[] | null {
  const content = recordAt(attachment, 'content') ?? {};
  const file = recordAt(content, 'file') ?? {};
  const name = stringAt(attachment, 'filename') ?? stringAt(file, 'filePath') ?? '';
  const data = stringAt(file, 'base64');
  if (stringAt(content, 'type') === 'image' && data !== undefined) {
    const source = { type: 'base64', media_type: stringAt(file, 'type') ?? 'image/png', data };
    return [
      { type: 'text', text: name },
      { type: 'image', source },
    ].filter(({ text }) => text !== '');
  }
  const cells = arrayAt(file, 'cells');
  const text = stringAt(file, 'content') ?? (cells && JSON.stringify(cells)) ?? stringAt(content, 'content');
  return text === undefined ? null : [{ type: 'text', text: said([name, text]).join('\n') }];
}

function contentsOf(of: Fields, content: Fields): readonly (string | undefined)[] {
  return [stringAt(content, 'path') ?? stringAt(of, 'path'), stringAt(content, 'content')];
}

function skillLines(skill: Fields): readonly (string | undefined)[] {
  return [stringAt(skill, 'name'), stringAt(skill, 'path'), stringAt(skill, 'content')];
}

// `#1 [pending] Write the plan`: a task with its number, a todo without.
function taskLine(task: Fields): readonly (string | undefined)[] {
  const subject = stringAt(task, 'subject') ?? stringAt(task, 'content') ?? stringAt(task, 'text');
  if (subject === undefined) return [];
  const id = stringAt(task, 'id');
  const status = stringAt(task, 'status');
  return [said([id && `#${id}.`, status && `[${status}]`, subject]).join(' ')];
}

function taskStatus(of: Fields): readonly (string | undefined)[] {
  return ['taskId', 'taskType', 'description', 'status', 'deltaSummary', 'outputFilePath'].map((key) =>
    stringAt(of, key),
  );
}

function blockingError(error: unknown): string | undefined {
  if (typeof error === 'string') return error;
  return isRecord(error) ? stringAt(error, 'blockingError') : undefined;
}

function asyncHook(response: Fields): readonly (string | undefined)[] {
  const own = recordAt(response, 'hookSpecificOutput') ?? {};
  return [stringAt(response, 'systemMessage'), stringAt(own, 'additionalContext')];
}

function delta(of: Fields, added: string, removed: string): readonly string[] {
  return [...stringsAt(of, added), ...stringsAt(of, 'readdedNames'), ...stringsAt(of, removed)];
}

function selectedPlace(of: Fields): string | undefined {
  const name = stringAt(of, 'filename');
  const [from, to] = [numberAt(of, 'lineStart'), numberAt(of, 'lineEnd')];
  return name === undefined || from === undefined ? name : `${name}:${from}${to === undefined ? '' : `-${to}`}`;
}

function diagnosticLines(file: Fields): readonly (string | undefined)[] {
  const found = (arrayAt(file, 'diagnostics') ?? []).filter(isRecord).map((one) => {
    const start = recordAt(recordAt(one, 'range') ?? {}, 'start') ?? {};
    const line = numberAt(start, 'line');
    const place = line === undefined ? undefined : `${line + 1}:${(numberAt(start, 'character') ?? 0) + 1}`;
    return said([place, stringAt(one, 'severity'), stringAt(one, 'message'), stringAt(one, 'source')]).join(' ');
  });
  return [stringAt(file, 'uri') ?? stringAt(file, 'filePath'), ...found];
}

function itemsOf(
  of: Fields,
  key: string,
  lines: (item: Fields) => readonly (string | undefined)[],
): readonly (string | undefined)[] {
  return (arrayAt(of, key) ?? []).filter(isRecord).flatMap(lines);
}

function textsIn(of: Fields | undefined, key: string): readonly (string | undefined)[] {
  return itemsOf(of ?? {}, key, (item) => [stringAt(item, 'text')]);
}

function stringsAt(of: Fields, key: string): readonly string[] {
  const value = ownAt(of, key);
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function said(lines: readonly (string | undefined)[]): string[] {
  return lines.filter((line) => line !== undefined && line !== '').map((line) => line ?? '');
}
