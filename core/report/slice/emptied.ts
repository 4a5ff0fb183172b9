// A message without its words: its role, its calls and results with their ids and tools, flags and numbers stay, so that turns,
// pairs and positions are what they were; every text is `…`, every argument gone.
import { isRecord } from '../../util/unknown.ts';

/** Members whose values say what a message is, not what it says; kept if they are plain words. */
const STRUCTURE: ReadonlySet<string> = new Set([
  ...[
    'role',
    'type',
    'kind',
    'subtype',
    'phase',
    'status',
    'clear_at',
    'media_type',
    'mimeType',
    'mime_type',
    'detail',
  ],
  ...[
    'id',
    'uuid',
    'tool_use_id',
    'tool_call_id',
    'toolCallId',
    'toolUseId',
    'call_id',
    'callId',
    'parent_id',
    'parentId',
  ],
  ...['name', 'toolName', 'tool_name', 'model', 'api', 'provider', 'stop_reason', 'stopReason', 'finish_reason'],
]);

/** Members that hold what a call is given, in whatever form. */
const ARGUMENTS: ReadonlySet<string> = new Set(['input', 'arguments', 'args', 'parameters']);

/** Stands for a text. */
export const EMPTIED_TEXT = '…';

/** The message's JSON text without its words. Of an emptied one the same text. Throws SyntaxError if it is not JSON. */
export function emptiedMessage(text: string): string {
  const value: unknown = JSON.parse(text);
  return JSON.stringify(emptied(value, ''));
}

/** True if a message holds no words. */
export function isEmptied(text: string): boolean {
  return emptiedMessage(text) === text;
}

function emptied(value: unknown, key: string): unknown {
  if (typeof value === 'string') return emptiedString(value, key);
  if (Array.isArray(value)) return ARGUMENTS.has(key) ? [] : value.map((each) => emptied(each, key));
  if (!isRecord(value)) return value;
  if (ARGUMENTS.has(key)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, emptied(each, name)]));
}

const WORD = /^[\w.:/+@-]{1,160}$/;
const TAGGED = /^\s*<([A-Za-z][\w-]{0,60})[\s>]/;

function emptiedString(text: string, key: string): string {
  if (text === '' || (STRUCTURE.has(key) && WORD.test(text))) return text;
  if (ARGUMENTS.has(key)) return '{}';
  // By its tag what a client wrapped is not taken for what a person wrote.
  const tag = TAGGED.exec(text)?.[1];
  return tag === undefined ? EMPTIED_TEXT : `<${tag}>${EMPTIED_TEXT}</${tag}>`;
}
