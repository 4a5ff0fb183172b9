// What calls do, as far as their names and arguments say it: which files they edit and read, which commands they run, which
// tasks they list.

import { parsedJson } from '../../model/decode.ts';
import type { Part } from '../../model/message.ts';
import { valueAt } from '../../model/partText.ts';
import { argumentsOf } from '../../model/readBlock.ts';
import { arrayAt, isRecord, stringAt } from '../../util/unknown.ts';
import { anchorsOf } from '../anchors/anchors.ts';

/** What one call does. */
export interface CallActs {
  readonly edits: boolean;
  /** Paths that it edits. */
  readonly edited: readonly string[];
  /** Paths that it reads. */
  readonly read: readonly string[];
  /** Command lines that it runs. */
  readonly commands: readonly string[];
  /** All tasks that it lists; null = it is not a list of tasks. */
  readonly tasks: readonly ListedTask[] | null;
}

/** A task of a list. */
export interface ListedTask {
  readonly text: string;
  readonly done: boolean;
}

const EDITS = /edit|write|patch|replace|create_file|^create$|^insert$|update_file|delete_file|move_file|^notebook/i;
const NO_EDITS = /todo|stdin|plan|reservation|memory|order|goal|task|cron/i;
const READS = /^(?:read|view|cat|open|get_file|viewcode|view_file|read_file|open_file|readfile|fs_read)/i;
const RUNS = /bash|shell|exec|terminal|command|powershell|^run/i;

const EDITING_COMMAND =
  /\bapply_patch\b|\bsed\s+(?:-[a-zA-Z]*\s+)*-[a-zA-Z]*i\b|\bcat\s*>|\btee\s|\bpatch\s+-p|\bgit\s+apply\b/;
/** Output into a file. An arrow (`=>`, `->`) is none, nor is what only errors are written to. */
const REDIRECTION = /(?:^|[^=<>&2-])>>?\s*[\w./~-]+\.\w+/;
/** A command within a command: `bash -lc '…'`. */
const WRAPPED = /^\s*\S*sh\s+-l?c\s+(['"])([\s\S]*)\1\s*$/;
/** Programs of other languages within a command: what is quoted, and lines up to a word. */
const HERE_DOCUMENT = /<<-?\s*(['"]?)(\w+)\1([^\n]*)\n[\s\S]*?(?:\n\s*\2\b|$)/g;
const QUOTED = /'[^']*'|"(?:[^"\\]|\\[\s\S])*"/g;
const READING_COMMAND = /^\s*(?:cd\s+\S+\s*&&\s*)?(?:cat|sed\s+-n|head|tail|nl|less|more|bat|type|Get-Content)\b/;

const PATHS = ['file_path', 'filePath', 'path', 'filename', 'file', 'absolute_path', 'target_file', 'notebook_path'];
const COMMANDS = ['command', 'cmd', 'script', 'input'];

/** Reads a call of a parsed message. */
export function actsOf(message: unknown, call: Part): CallActs {
  const name = call.name ?? '';
  const value = valueAt(message, call.path);
  const given = isRecord(value) ? argumentsOf(value) : undefined;
  const args = typeof given === 'string' ? (parsedJson(given) ?? given) : given;
  const commands = RUNS.test(name) ? commandsIn(args) : [];
  const subcommand = isRecord(args) ? (stringAt(args, 'command') ?? '') : '';
  const isView = /^view$/.test(subcommand);
  // An editor whose first argument says what it is to do.
  const isEdit = EDITS.test(name) && !NO_EDITS.test(name) && !isView;
  const patched = patchedPaths(args);
  const edited = [...(isEdit ? pathsIn(args) : []), ...patched];
  const isEditing = isEdit || patched.length > 0 || commands.some(isEditingCommand);
  const read = [
    ...(READS.test(name) || (EDITS.test(name) && isView) ? pathsIn(args) : []),
    ...commands.filter((command) => READING_COMMAND.test(command) && !isEditingCommand(command)).flatMap(pathsOfText),
  ];
  return { edits: isEditing, edited: unique(edited), read: unique(read), commands, tasks: tasksIn(args) };
}

/** Whether a shell command writes into a file: a redirection counts where it is the shell's. */
function isEditingCommand(command: string): boolean {
  const own = WRAPPED.exec(command)?.[2] ?? command;
  return EDITING_COMMAND.test(own) || REDIRECTION.test(own.replace(HERE_DOCUMENT, '$3').replace(QUOTED, ' '));
}

function pathsIn(args: unknown): readonly string[] {
  if (!isRecord(args)) return [];
  return PATHS.flatMap((key) => normalPath(stringAt(args, key)) ?? []);
}

function normalPath(path: string | undefined): string | null {
  const text = path?.trim().replace(/\\/g, '/').replace(/^\.\//, '') ?? '';
  return text === '' || text.includes('\n') ? null : text;
}

const PATCHED = /^\*\*\* (?:Update|Add|Delete) File: (.+)$/gm;

function patchedPaths(args: unknown): readonly string[] {
  const texts = typeof args === 'string' ? [args] : isRecord(args) ? Object.values(args).flat() : [];
  return texts.flatMap((text) =>
    typeof text === 'string' ? [...text.matchAll(PATCHED)].flatMap(([, path]) => normalPath(path) ?? []) : [],
  );
}

function pathsOfText(text: string): readonly string[] {
  return anchorsOf(text).flatMap((anchor) => (anchor.kind === 'path' ? [anchor.text] : []));
}

function commandsIn(args: unknown): readonly string[] {
  if (typeof args === 'string') return args.trim() === '' ? [] : [args.trim()];
  if (!isRecord(args)) return [];
  for (const key of COMMANDS) {
    const text =
      stringAt(args, key) ??
      arrayAt(args, key)
        ?.filter((word) => typeof word === 'string')
        .at(-1);
    if (typeof text === 'string' && text.trim() !== '') return [text.trim()];
  }
  return [];
}

const DONE = /^(?:completed?|done|cancelled|canceled|finished)$/i;

function tasksIn(args: unknown): readonly ListedTask[] | null {
  if (!isRecord(args)) return null;
  const list = arrayAt(args, 'todos') ?? arrayAt(args, 'plan') ?? arrayAt(args, 'tasks') ?? arrayAt(args, 'task_list');
  if (list === undefined) return null;
  const tasks = list.flatMap((task): ListedTask[] => {
    if (!isRecord(task)) return [];
    const text =
      stringAt(task, 'content') ?? stringAt(task, 'step') ?? stringAt(task, 'title') ?? stringAt(task, 'task');
    return text === undefined ? [] : [{ text, done: DONE.test(stringAt(task, 'status') ?? '') }];
  });
  return tasks.length === list.length && tasks.length > 0 ? tasks : null;
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
