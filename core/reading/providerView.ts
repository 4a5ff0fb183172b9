// browser-safe
// Calls that the provider ran itself, and what it found: blocks of a message, not calls of the client's tools. Sources:
// Anthropic "server tools", OpenAI Responses "built-in tools", Gemini "code execution", LangChain's standard blocks.
import { type Fields, isRecord, ownAt, recordAt, stringAt } from '../util/unknown.ts';
import { argumentsView, fieldsOf } from './callView.ts';
import { numberOf, parsedJson } from './json.ts';
import type { CallView, Field, FoundPage, OutputView } from './types.ts';

/** A block that the provider wrote of its own tool; each is null or empty where the block has none. */
export interface ProviderView {
  readonly call: CallView | null;
  readonly pages: readonly FoundPage[];
  readonly output: OutputView | null;
  /** What the others do not hold; what is null is left out. */
  readonly rest: readonly Field[];
}

/** A block of a provider's own tool by its JSON; null: it is another. */
export function providerView(text: string): ProviderView | null {
  const block = parsedJson(text);
  if (!isRecord(block)) return null;
  const program = programOf(block);
  if (program !== null) return program;
  const type = stringAt(block, 'type') ?? '';
  const isCall = /(tool_use|_call)$/.test(type);
  if (!isCall && !/(^|_)tool[_-]result$/.test(type)) return null;
  const taken = new Set(['type']);
  const call = isCall ? callOf(block, type, taken) : null;
  const pages = pagesOf(block, taken);
  const output = outputOf(block, taken);
  return { call, pages, output, rest: restOf(withoutNulls(block), taken) };
}

/** What is left of a block; of its content, where that is one thing, each field of it. */
function restOf(block: Fields, taken: Set<string>): readonly Field[] {
  const content = taken.has('content') ? undefined : recordAt(block, 'content');
  if (content === undefined) return fieldsOf(block, taken);
  return [...fieldsOf(block, new Set([...taken, 'content'])), ...fieldsOf(withoutNulls(content), new Set(['type']))];
}

/** Gemini's parts: the program that it ran, and what that printed. */
function programOf(block: Fields): ProviderView | null {
  const none = { call: null, pages: [], output: null, rest: [] };
  const code = recordAt(block, 'executableCode') ?? recordAt(block, 'executable_code');
  if (code !== undefined) return { ...none, call: argumentsView('code_execution', code) };
  const result = recordAt(block, 'codeExecutionResult') ?? recordAt(block, 'code_execution_result');
  if (result === undefined) return null;
  const rest = fieldsOf(result, new Set(['output']));
  return { ...none, output: printed(stringAt(result, 'output') ?? ''), rest };
}

function callOf(block: Fields, type: string, taken: Set<string>): CallView | null {
  const name = stringAt(block, 'name') ?? type.replace(/_call$/, '');
  taken.add('name');
  for (const key of ['action', 'input', 'arguments', 'args', 'operation']) {
    const value = ownAt(block, key);
    const args = typeof value === 'string' ? parsedJson(value) : value;
    if (!isRecord(args)) continue;
    taken.add(key);
    return argumentsView(name, withoutNulls(withoutSources(args)));
  }
  // What it was asked is in the block itself.
  const own = ['code', 'queries', 'query', 'revised_prompt'].filter((key) => ownAt(block, key) != null);
  if (own.length === 0) return null;
  for (const key of own) taken.add(key);
  return argumentsView(name, Object.fromEntries(own.map((key) => [key, ownAt(block, key)])));
}

/** OpenAI lists the pages of a search in its action; they are drawn as what was found. */
function withoutSources(args: Fields): Fields {
  const { sources: _pages, ...others } = args;
  return others;
}

/** OpenAI writes all fields of an item, those that it has not as null. */
function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** Pages that a record lists; none where an element of the list is something else. */
export function pagesOf(block: Fields, taken: Set<string>): readonly FoundPage[] {
  const content = ownAt(block, 'content');
  const lists = [
    ['content', isRecord(content) ? [content] : content],
    ['results', ownAt(block, 'results')],
    ['action', ownAt(recordAt(block, 'action') ?? {}, 'sources')],
  ] as const;
  for (const [key, list] of lists) {
    if (!Array.isArray(list) || list.length === 0) continue;
    const pages = list.map(pageOf);
    if (pages.some((page) => page === null)) continue;
    taken.add(key);
    return pages.filter((page) => page !== null);
  }
  return [];
}

/** A page that was found or fetched; null: the element names none. */
function pageOf(value: unknown): FoundPage | null {
  if (!isRecord(value)) return null;
  const address = stringAt(value, 'url') ?? stringAt(value, 'filename');
  if (address === undefined) return null;
  const taken = new Set(['type', 'url', 'filename', 'title']);
  const title = stringAt(value, 'title') ?? stringAt(recordAt(value, 'content') ?? {}, 'title') ?? null;
  return { address, title, rest: fieldsOf(withoutNulls(value), taken) };
}

/** What a command or a program printed, or what a tool on a server answered in words. */
function outputOf(block: Fields, taken: Set<string>): OutputView | null {
  const content = ownAt(block, 'content');
  const said = isRecord(content) ? commandOutput(content) : textsOf(content);
  if (said !== null) {
    taken.add('content');
    return said;
  }
  const logs = logsOf(ownAt(block, 'outputs'));
  if (logs !== null) {
    taken.add('outputs');
    return logs;
  }
  const output = stringAt(block, 'output') ?? (isPicture(block) ? undefined : stringAt(block, 'result'));
  if (output === undefined) return null;
  taken.add(stringAt(block, 'output') === undefined ? 'result' : 'output');
  return printed(output);
}

function isPicture(block: Fields): boolean {
  return stringAt(block, 'type') === 'image_generation_call';
}

function printed(text: string, head = '', exit: number | null = null): OutputView {
  return { kind: 'output', head, text, exit };
}

function commandOutput(content: Fields): OutputView | null {
  const stdout = stringAt(content, 'stdout');
  if (stdout === undefined) return null;
  const code = numberOf(ownAt(content, 'return_code'));
  const said = [stdout, stringAt(content, 'stderr') ?? ''].filter((one) => one !== '').join('\n');
  const head = fieldsOf(content, new Set(['type', 'stdout', 'stderr', 'return_code']));
  const lines = head.map(({ name, value }) => `${name}: ${value}\n`);
  return printed(said, lines.join(''), code);
}

function textsOf(content: unknown): OutputView | null {
  if (typeof content === 'string') return printed(content);
  if (!Array.isArray(content) || content.length === 0) return null;
  const texts = content.map((one) => (isRecord(one) && one.type === 'text' ? stringAt(one, 'text') : undefined));
  return texts.some((text) => text === undefined) ? null : printed(texts.join('\n'));
}

function logsOf(outputs: unknown): OutputView | null {
  const logs = Array.isArray(outputs) ? outputs.map((one) => (isRecord(one) ? stringAt(one, 'logs') : undefined)) : [];
  return logs.length === 0 || logs.some((log) => log === undefined) ? null : printed(logs.join('\n'));
}
