// browser-safe
import { countOf } from '../util/counts.ts';
import { isRecord, ownAt, stringAt } from '../util/unknown.ts';
import { numberOf, parsedJson, readCutJson } from './json.ts';
import { diffLines } from './lineDiff.ts';
import { readPatch } from './patch.ts';
import { type ToolFamily, toolFamily } from './tools.ts';
import type { CallBody, CallView, DiffLine, Field, FileChange, TodoItem } from './types.ts';

/** The arguments of a call; what is taken of them is noted, so that nothing is left out. */
class Arguments {
  readonly taken = new Set<string>();
  readonly record: Readonly<Record<string, unknown>>;
  readonly isCut: boolean;

  constructor(record: Readonly<Record<string, unknown>>, isCut = false) {
    this.record = record;
    this.isCut = isCut;
  }

  /** The first of the keys that is a string. */
  text(...keys: readonly string[]): string | null {
    for (const key of keys) {
      const value = stringAt(this.record, key);
      if (value === undefined) continue;
      this.taken.add(key);
      return value;
    }
    return null;
  }

  /** The first of the keys that is a list, read by `read`; null, and nothing taken, where it finds no sense in an element. */
  list<T>(keys: readonly string[], read: (value: unknown) => T | null): readonly T[] | null {
    for (const key of keys) {
      const value = ownAt(this.record, key);
      if (!Array.isArray(value)) continue;
      const found = value.map(read);
      const whole = found.filter((one) => one !== null);
      if (whole.length !== found.length) return null;
      this.taken.add(key);
      return whole;
    }
    return null;
  }

  /** The first of the keys that is a number, as it is written. */
  count(...keys: readonly string[]): number | null {
    for (const key of keys) {
      const value = numberOf(ownAt(this.record, key));
      if (value === null) continue;
      this.taken.add(key);
      return value;
    }
    return null;
  }
}

/**
 * A call as people read it, by its tool's family; a tool that is not in the table has its arguments as fields. `text` =
 * the call's arguments, mostly JSON; `isCut` = only their beginning, which is read as far as it goes. Null: the text is
 * neither a JSON object nor a patch, so it is shown as it is.
 */
export function callView(name: string | null, text: string, isCut = false): CallView | null {
  const view = readView(name, text, isCut);
  if (!isCut || view?.body.kind !== 'diff') return view;
  return { ...view, body: { kind: 'diff', files: view.body.files.map(cutFile) } };
}

/** The last file of a call that was cut: more of it may change. */
function cutFile(file: FileChange, at: number, files: readonly FileChange[]): FileChange {
  return at === files.length - 1 ? { ...file, isCut: true } : file;
}

function readView(name: string | null, text: string, isCut: boolean): CallView | null {
  const patch = readPatch(text, isCut);
  if (patch !== null) return { body: { kind: 'diff', files: patch }, rest: [] };
  const value = parsedJson(text) ?? (isCut ? readCutJson(text) : null);
  return isRecord(value) ? argumentsView(name, value, isCut) : null;
}

/** As {@link callView}, of arguments that are read. */
export function argumentsView(name: string | null, value: Readonly<Record<string, unknown>>, isCut = false): CallView {
  const family = familyOfCall(name, value);
  const args = new Arguments(value, isCut);
  const body = family === null ? null : (BODIES[family](args) ?? soleCommand(args));
  if (body === null) return { body: { kind: 'fields' }, rest: fieldsOf(value, new Set()) };
  return { body, rest: fieldsOf(value, args.taken) };
}

/** SWE-agent's tools, where each is called as a line of its shell: `edit 89:90 …`. */
function soleCommand(args: Arguments): CallBody | null {
  return Object.keys(args.record).length === 1 ? shellBody(args) : null;
}

/** What a record says beside the keys that are `taken`. */
export function fieldsOf(record: Readonly<Record<string, unknown>>, taken: ReadonlySet<string>): readonly Field[] {
  return Object.entries(record)
    .filter(([name]) => !taken.has(name))
    .map(([name, value]) => ({ name, value: typeof value === 'string' ? value : JSON.stringify(value, null, 2) }));
}

type DrawnFamily = Exclude<ToolFamily, 'editor'>;

const EDITOR_COMMANDS: Readonly<Record<string, DrawnFamily>> = {
  view: 'read',
  create: 'write',
  str_replace: 'edit',
  insert: 'edit',
};

/** The family of a call; null = its tool is not in the table, or does not say what it does. */
export function familyOfCall(name: string | null, args: Readonly<Record<string, unknown>> | null): DrawnFamily | null {
  const family = toolFamily(name);
  if (family !== 'editor') return family;
  const command = args === null ? undefined : stringAt(args, 'command');
  return command !== undefined && Object.hasOwn(EDITOR_COMMANDS, command) ? (EDITOR_COMMANDS[command] ?? null) : null;
}

const PATHS = ['file_path', 'path', 'filePath', 'filename', 'notebook_path', 'absolute_path', 'target_file', 'file'];

const BODIES: Readonly<Record<DrawnFamily, (args: Arguments) => CallBody | null>> = {
  shell: shellBody,
  edit: editBody,
  write: writeBody,
  patch: patchBody,
  read: readBody,
  search: searchBody,
  todo: todoBody,
  web: webBody,
  agent: agentBody,
  image: readBody,
};

function shellBody(args: Arguments): CallBody | null {
  const command = args.text('command', 'cmd', 'script', 'code', 'keystrokes', 'chars') ?? commandOf(args);
  if (command === null) return null;
  const cwd = args.text('workdir', 'cwd', 'working_directory', 'directory', 'dir_path');
  return { kind: 'terminal', command, title: args.text('description', 'title'), cwd };
}

// Codex runs `["bash", "-lc", "…"]`: the last word is what was run.
function commandOf(args: Arguments): string | null {
  const lines = args.list(['commands'], (line) => (typeof line === 'string' ? line : null));
  if (lines !== null) return lines.join('\n');
  const words = args.list(['command', 'cmd'], (word) => (typeof word === 'string' ? word : null));
  if (words === null) return null;
  const isShell = words.length === 3 && (words[1] === '-lc' || words[1] === '-c');
  return isShell ? (words[2] ?? null) : words.map(shellWord).join(' ');
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

const OLD = ['old_string', 'old_str', 'oldText', 'oldString', 'search', 'old_content'];
const NEW = ['new_string', 'new_str', 'newText', 'newString', 'replace', 'new_content', 'new_source'];

function editBody(args: Arguments): CallBody | null {
  const path = args.text(...PATHS);
  const edits = args.list(['edits', 'replacements'], readEdit);
  const lines = edits === null ? ownEdit(args) : edits.flatMap((edit, at) => [...placeOf(at, edits.length), ...edit]);
  if (lines === null) return null;
  if (stringAt(args.record, 'command') !== undefined) args.taken.add('command');
  return { kind: 'diff', files: [{ path: path ?? '', change: 'edit', movedTo: null, lines }] };
}

function ownEdit(args: Arguments): readonly DiffLine[] | null {
  const before = args.text(...OLD);
  const after = args.text(...NEW, 'insert_text');
  return before === null && after === null ? null : diffLines(before ?? '', after ?? '');
}

function placeOf(at: number, count: number): readonly DiffLine[] {
  return count < 2 ? [] : [{ kind: 'gap', text: `Edit ${at + 1} of ${count}` }];
}

/** An edit of a list; null if it says more than what is drawn. */
function readEdit(value: unknown): readonly DiffLine[] | null {
  if (!isRecord(value)) return null;
  const args = new Arguments(value);
  const lines = ownEdit(args);
  return fieldsOf(value, args.taken).every(({ name, value: said }) => name === 'replace_all' && said === 'false')
    ? lines
    : null;
}

function writeBody(args: Arguments): CallBody | null {
  const path = args.text(...PATHS);
  const text = args.text('content', 'file_text', 'contents', 'text');
  if (path === null || text === null) return null;
  if (stringAt(args.record, 'command') === 'create') args.taken.add('command');
  const lines = text === '' ? [] : text.split('\n').map((line): DiffLine => ({ kind: 'in', text: line }));
  return { kind: 'diff', files: [{ path, change: 'write', movedTo: null, lines }] };
}

function patchBody(args: Arguments): CallBody | null {
  const operation = operationBody(args);
  if (operation !== null) return operation;
  const text = args.text('input', 'patch', 'patchText', 'diff');
  const files = text === null ? null : readPatch(text, args.isCut);
  return files === null ? null : { kind: 'diff', files };
}

// OpenAI's apply_patch is one operation on one file; its diff is that of a patch, without the file's head.
const OPERATIONS: Readonly<Record<string, string>> = {
  create_file: 'Add',
  update_file: 'Update',
  delete_file: 'Delete',
};

function operationBody(args: Arguments): CallBody | null {
  const word = OPERATIONS[stringAt(args.record, 'type') ?? ''];
  const path = stringAt(args.record, 'path');
  if (word === undefined || path === undefined || path.includes('\n')) return null;
  const diff = stringAt(args.record, 'diff') ?? '';
  const end = diff === '' || diff.endsWith('\n') ? '' : '\n';
  const files = readPatch(`*** Begin Patch\n*** ${word} File: ${path}\n${diff}${end}*** End Patch`);
  if (files?.length !== 1) return null;
  for (const key of ['type', 'path', 'diff']) args.taken.add(key);
  return { kind: 'diff', files };
}

function readBody(args: Arguments): CallBody | null {
  const path = args.text(...PATHS, 'dir_path');
  if (path === null) return soleFile(args);
  if (stringAt(args.record, 'command') === 'view') args.taken.add('command');
  return { kind: 'file', path, range: rangeOf(args) };
}

/** Moatless names the files to read in a list. */
function soleFile(args: Arguments): CallBody | null {
  const files = args.list(['files'], (file) => (isRecord(file) ? readBody(new Arguments(file)) : null));
  return files?.length === 1 ? (files[0] ?? null) : null;
}

/** `lines 11–20`, from what the tools say of it: a first line and a number of lines, or both ends. */
function rangeOf(args: Arguments): string | null {
  const ends = args.list(['view_range'], numberOf);
  if (ends?.length === 2) return ends[1] === -1 ? `from line ${ends[0]}` : `lines ${ends[0]}–${ends[1]}`;
  const from = args.count('offset', 'start_line', 'startLine');
  const to = args.count('end_line', 'endLine');
  if (to !== null) return `lines ${from ?? 1}–${to}`;
  const limit = args.count('limit');
  if (limit === null) return from === null ? null : `from line ${from}`;
  return from === null ? `first ${countOf(limit, 'line')}` : `from line ${from}, ${countOf(limit, 'line')}`;
}

function searchBody(args: Arguments): CallBody | null {
  const pattern = args.text('pattern', 'query', 'search_term', 'regex', 'file_name', 'glob');
  const where = args.text('path', 'dir_path', 'directory', 'dir', 'search_path', 'file');
  const [asked = null, ...others] = queriesOf(args, pattern);
  if (asked === null) return where === null ? null : { kind: 'file', path: where, range: null };
  return { kind: 'search', pattern: asked, others, where };
}

function todoBody(args: Arguments): CallBody | null {
  const items = args.list(['todos', 'plan', 'task_list', 'items', 'tasks'], readTodo);
  return items === null ? null : { kind: 'todo', items };
}

const STATES: Readonly<Record<string, TodoItem['state']>> = {
  pending: 'open',
  todo: 'open',
  in_progress: 'active',
  completed: 'done',
  done: 'done',
  cancelled: 'cancelled',
};

/** A task of a list, its id and priority left to the raw view; null if it is not one. */
function readTodo(value: unknown): TodoItem | null {
  if (!isRecord(value)) return null;
  const text = ['content', 'step', 'title', 'description', 'task'].flatMap((key) => stringAt(value, key) ?? [])[0];
  const status = stringAt(value, 'status') ?? '';
  const state = Object.hasOwn(STATES, status) ? STATES[status] : undefined;
  return text === undefined || state === undefined ? null : { text, state };
}

function webBody(args: Arguments): CallBody | null {
  const address = args.text('url');
  const [target, ...others] = address === null ? queriesOf(args, args.text('query', 'q', 'prompt')) : [address];
  if (target === undefined) return null;
  const question = args.taken.has('prompt') ? null : args.text('prompt', 'pattern');
  return { kind: 'web', target, others, isAddress: address !== null, question };
}

/** What was looked for: several at once, where a tool lists them, beside the one that stands by itself. */
function queriesOf(args: Arguments, one: string | null): readonly string[] {
  const all = args.list(['queries'], (query) => (typeof query === 'string' ? query : null)) ?? [];
  return [...(one === null ? [] : [one]), ...all.filter((query) => query !== one)];
}

function agentBody(args: Arguments): CallBody | null {
  const prompt = args.text('prompt', 'message', 'task', 'instructions');
  const title = args.text('description', 'title', 'name', 'label');
  if (prompt === null && title === null) return null;
  return {
    kind: 'agent',
    title,
    type: args.text('subagent_type', 'agent_type', 'agent', 'agentId'),
    prompt: prompt ?? '',
  };
}
