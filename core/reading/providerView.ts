// browser-safe
// Calls that the provider ran itself, and what it found: blocks of a message, not calls of the client's tools. Sources:
// Anthropic "server tools", OpenAI Responses "built-in tools".
import { isRecord, ownAt, recordAt, stringAt } from '../util/unknown.ts';
import { argumentsView, fieldsOf } from './callView.ts';
import { parsedJson } from './json.ts';
import type { CallView, Field, FoundPage, OutputView } from './types.ts';

/** A block that the provider wrote of its own tool; each is null or empty where the block has none. */
export interface ProviderView {
  readonly call: CallView | null;
  readonly pages: readonly FoundPage[];
  readonly output: OutputView | null;
  /** What the others do not hold. */
  readonly rest: readonly Field[];
}

type Fields = Readonly<Record<string, unknown>>;

/** A block of a provider's own tool by its JSON; null: it is another. */
export function providerView(text: string): ProviderView | null {
  const block = parsedJson(text);
  if (!isRecord(block)) return null;
  const type = stringAt(block, 'type') ?? '';
  const isCall = /(tool_use|_call)$/.test(type);
  if (!isCall && !type.endsWith('_tool_result')) return null;
  const taken = new Set(['type']);
  const call = isCall ? callOf(block, type, taken) : null;
  const pages = pagesOf(block, taken);
  const output = outputOf(block, taken);
  return { call, pages, output, rest: fieldsOf(block, taken) };
}

function callOf(block: Fields, type: string, taken: Set<string>): CallView | null {
  const name = stringAt(block, 'name') ?? type.replace(/_call$/, '');
  taken.add('name');
  for (const key of ['action', 'input', 'arguments']) {
    const value = ownAt(block, key);
    const args = typeof value === 'string' ? parsedJson(value) : value;
    if (!isRecord(args)) continue;
    taken.add(key);
    return argumentsView(name, withoutSources(args));
  }
  const code = stringAt(block, 'code');
  if (code === undefined) return null;
  taken.add('code');
  return argumentsView(name, { code });
}

/** OpenAI lists the pages of a search in its action; they are drawn as what was found. */
function withoutSources(args: Fields): Fields {
  const { sources: _pages, ...others } = args;
  return others;
}

/** Pages that a record lists; none where an element of the list is something else. */
export function pagesOf(block: Fields, taken: Set<string>): readonly FoundPage[] {
  const lists = [
    ['content', ownAt(block, 'content')],
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

/** A page that was found; null: the element names none. */
function pageOf(value: unknown): FoundPage | null {
  if (!isRecord(value)) return null;
  const address = stringAt(value, 'url') ?? stringAt(value, 'filename');
  if (address === undefined) return null;
  const taken = new Set(['type', 'url', 'filename', 'title']);
  return { address, title: stringAt(value, 'title') ?? null, rest: fieldsOf(value, taken) };
}

/** What a command or a program printed. */
function outputOf(block: Fields, taken: Set<string>): OutputView | null {
  const content = recordAt(block, 'content');
  const printed = content === undefined ? undefined : stringAt(content, 'stdout');
  if (content !== undefined && printed !== undefined) {
    taken.add('content');
    const code = ownAt(content, 'return_code');
    const said = [printed, stringAt(content, 'stderr') ?? ''].filter((one) => one !== '').join('\n');
    const head = fieldsOf(content, new Set(['type', 'stdout', 'stderr', 'return_code']));
    const lines = head.map(({ name, value }) => `${name}: ${value}\n`);
    return { kind: 'output', head: lines.join(''), text: said, exit: typeof code === 'number' ? code : null };
  }
  const outputs = ownAt(block, 'outputs');
  const logs = Array.isArray(outputs) ? outputs.map((one) => (isRecord(one) ? stringAt(one, 'logs') : undefined)) : [];
  if (logs.length === 0 || logs.some((log) => log === undefined)) return null;
  taken.add('outputs');
  return { kind: 'output', head: '', text: logs.join('\n'), exit: null };
}
