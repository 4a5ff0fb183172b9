// Tasks of `parallax worker`: a line of JSON each, read into the command that answers it.
import { elements, members, parseJsonText, RawJson } from '../../core/util/json/index.ts';

/** What a task may ask. */
export const OPS = ['project', 'sweep', 'uses', 'tune', 'autopsy', 'check', 'lint', 'findings'] as const;

export type Op = (typeof OPS)[number];

/** A task as a command: its arguments, and what it reads as stdin. */
export interface Task {
  /** As it was given; `null` if it was not. */
  readonly id: RawJson;
  readonly op: Op;
  readonly args: readonly string[];
  readonly input: string | null;
  /** Its file; null = the task holds the transcript. */
  readonly path: string | null;
}

/** A line that is not a task. `message` says what is wrong with it. */
export class TaskFault extends Error {
  readonly id: RawJson;

  constructor(message: string, id: RawJson = new RawJson('null')) {
    super(message);
    this.id = id;
  }
}

type Kind = 'text' | 'number' | 'place' | 'texts' | 'off';

/** Members besides id, op, path, transcript and spec: the option that each is, and what it takes. */
// A map: a member may be called as what every object has, `__proto__` or `constructor`.
const OPTIONS: ReadonlyMap<string, readonly [flag: string, takes: Kind, ops: readonly Op[]]> = new Map(
  Object.entries<readonly [flag: string, takes: Kind, ops: readonly Op[]]>({
    tokens: ['--no-tokens', 'off', ['project', 'sweep', 'uses', 'tune', 'autopsy', 'check', 'findings']],
    mapping: ['--mapping', 'text', OPS],
    key: ['--transcript', 'text', ['project', 'sweep', 'uses', 'tune', 'autopsy', 'lint']],
    at: ['--at', 'place', ['project', 'uses', 'lint']],
    filter: ['--filter', 'text', ['project', 'findings']],
    provider: ['--provider', 'text', ['lint']],
    api: ['--api', 'text', ['lint']],
    model: ['--model', 'text', ['lint']],
    compaction: ['--compaction', 'number', ['autopsy']],
    prevented: ['--no-prevented', 'off', ['findings']],
    vary: ['--vary', 'texts', ['tune']],
    keep: ['--keep', 'texts', ['tune']],
    aim: ['--aim', 'text', ['tune']],
    max_peak: ['--max-peak', 'number', ['tune']],
    max_uses_gone: ['--max-uses-gone', 'number', ['tune']],
  }),
);

/** What every task may have. */
const COMMON = ['id', 'op', 'path', 'transcript', 'spec', 'rules'];

/** Reads a line; throws a {@link TaskFault} if it is not a task. */
export function readTask(line: string): Task {
  const json = parseJsonText(line);
  if (!json.ok) throw new TaskFault(`it is not JSON: ${json.error.message}`);
  const start = line.search(/\S/);
  if (line[start] !== '{') throw new TaskFault('a task is an object');
  const fields = new Map(members(line, start).map((each) => [each.key, line.slice(each.valueStart, each.valueEnd)]));
  const id = new RawJson(fields.get('id') ?? 'null');
  const op = OPS.find((each) => JSON.stringify(each) === fields.get('op'));
  if (op === undefined) throw new TaskFault(`op is ${fields.get('op') ?? 'missing'}; accepted: ${OPS.join(', ')}`, id);
  const unknown = [...fields.keys()].find((name) => !COMMON.includes(name) && !OPTIONS.get(name)?.[2].includes(op));
  if (unknown !== undefined) throw new TaskFault(`${op} takes no "${unknown}"`, id);
  const { file, input } = inputOf(fields, id);
  return { id, op, input, path: input === null ? file : null, args: argsOf(op, file, fields, id) };
}

type Fields = ReadonlyMap<string, string>;

function inputOf(fields: Fields, id: RawJson): { readonly file: string; readonly input: string | null } {
  const [path, transcript] = [fields.get('path'), fields.get('transcript')];
  if ((path === undefined) === (transcript === undefined)) throw new TaskFault('give path or transcript', id);
  if (transcript !== undefined) {
    // As text a file's content (JSON lines, say); else the document itself, byte for byte.
    return { file: '-', input: transcript.startsWith('"') ? textIn(transcript, 'transcript', id) : transcript };
  }
  const file = textIn(path ?? '', 'path', id);
  if (file === '' || file === '-') throw new TaskFault('path is not a file', id);
  // A file of that name, and no option.
  return { file: file.startsWith('-') ? `./${file}` : file, input: null };
}

function argsOf(op: Op, file: string, fields: Fields, id: RawJson): readonly string[] {
  const [spec, rules] = [fields.get('spec'), fields.get('rules')];
  if (op === 'check' && rules === undefined) throw new TaskFault('check needs rules: a file of them, or the rules', id);
  if (op !== 'check' && rules !== undefined) throw new TaskFault(`${op} takes no "rules"`, id);
  if (op === 'check' && spec !== undefined) throw new TaskFault('check takes the policy of its rules, not a spec', id);
  const ruled = rules === undefined ? [] : [rules.startsWith('"') ? textIn(rules, 'rules', id) : rules];
  const named = spec === undefined ? [] : [`--spec=${spec.startsWith('"') ? textIn(spec, 'spec', id) : spec}`];
  const options = [...fields].flatMap(([name, value]) => optionArgs(name, value, id));
  const format = op === 'sweep' ? [] : op === 'check' ? ['--format=json', '--jobs=1'] : ['--json'];
  const single = op === 'tune' ? ['--jobs=1'] : [];
  return [op, ...format, ...single, ...named, ...options, '--', ...ruled, file];
}

function optionArgs(name: string, value: string, id: RawJson): readonly string[] {
  const option = OPTIONS.get(name);
  if (option === undefined) return [];
  const [flag, takes] = option;
  if (takes === 'off') {
    if (value !== 'true' && value !== 'false') throw new TaskFault(`${name} is true or false`, id);
    return value === 'false' ? [flag] : [];
  }
  if (takes === 'texts') {
    if (!value.startsWith('[')) throw new TaskFault(`${name} is a list of texts`, id);
    return elements(value, 0).map(({ start, end }) => `${flag}=${textIn(value.slice(start, end), name, id)}`);
  }
  if (takes === 'number' || (takes === 'place' && !value.startsWith('"'))) {
    if (!/^\d+$/.test(value)) throw new TaskFault(`${name} is a whole number`, id);
    return [`${flag}=${value}`];
  }
  return [`${flag}=${textIn(value, name, id)}`];
}

function textIn(json: string, name: string, id: RawJson): string {
  const value: unknown = JSON.parse(json);
  if (typeof value !== 'string') throw new TaskFault(`${name} is a text`, id);
  return value;
}
