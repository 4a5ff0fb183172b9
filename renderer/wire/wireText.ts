// Words and lines of the wire dialog.
import type { WireInfo, WireLossInfo, WireTargetName } from '../../core/protocol/wireTypes.ts';
import { shellWord } from '../../core/util/shellWord.ts';
import { TARGETS as LINT_TARGETS } from '../lint/target.ts';
import { OWN_TARGET } from '../state/initial.ts';
import type { LintTarget } from '../state/types.ts';
import { formatBytes, formatCount, plural } from '../ui/format.ts';

/** The requests, as they are offered. */
export const WIRE_TARGETS: readonly { readonly value: WireTargetName; readonly title: string }[] = [
  { value: 'anthropic', title: 'Anthropic' },
  { value: 'openai', title: 'OpenAI chat' },
  { value: 'responses', title: 'OpenAI Responses' },
  { value: 'gemini', title: 'Gemini' },
];

const KINDS: Readonly<Record<string, string>> = {
  signature: 'Signatures of other providers',
  thinking: 'Reasoning',
  encrypted: 'Encrypted reasoning',
  citation: 'Citations',
  cache_control: 'Cache marks',
  image: 'Images',
  image_url: 'Images by address',
  file: 'Files',
  audio: 'Sounds',
  server_tool: 'Tools that the provider ran',
  custom_tool: 'Tools that take a text',
  error_flag: 'Marks of failed calls',
  role: 'System messages between turns',
  id: 'Ids of calls',
  name: 'Names',
  arguments: 'Arguments that are not JSON',
  refusal: 'Refusals',
  compaction: 'Summaries by the provider',
  order: 'Order within a message',
  tool: 'Tool definitions',
  block: 'Other blocks',
  field: 'Other fields',
  metadata: 'What the tool keeps for itself',
  message: 'Whole messages',
};

/** The title of a kind of loss. */
export function kindTitle(kind: string): string {
  return KINDS[kind] ?? kind;
}

/** The target that speaks the transcript's own wire, else the one of its model's vendor. */
export function targetFor(format: string, models: readonly string[]): WireTargetName {
  if (format === 'codex' || format === 'openai-responses') return 'responses';
  if (format.startsWith('gemini')) return 'gemini';
  if (format === 'openai-chat') return 'openai';
  const model = models.at(-1) ?? '';
  if (/gemini/i.test(model)) return 'gemini';
  return /gpt|^o\d/i.test(model) ? 'openai' : 'anthropic';
}

const LINT_INDEX: Readonly<Record<WireTargetName, number>> = { anthropic: 0, openai: 1, responses: 2, gemini: 3 };

/** The target as the hygiene stage gets it. */
export function lintTargetOf(target: WireTargetName): LintTarget {
  return LINT_TARGETS[LINT_INDEX[target]]?.target ?? OWN_TARGET;
}

/** `412 of 812 messages, 3 long texts shortened; the whole is 4.1 MB`. */
export function shownText({ shown, bytes, target }: WireInfo): string {
  const unit = target === 'responses' ? 'item' : 'message';
  const all = shown.messages === shown.of;
  const how = all
    ? `all ${plural(shown.of, unit)}`
    : `the first ${formatCount(shown.messages)} of ${plural(shown.of, unit)}`;
  const cut = shown.shortened === 0 ? '' : `, ${plural(shown.shortened, 'long text')} shortened`;
  return `Shown: ${how}${cut}. The whole is ${formatBytes(bytes)}.`;
}

/** One thing to know: where it is, and what. */
export interface NoteLineInfo {
  readonly key: string;
  /** Source index; null = of no message. */
  readonly index: number | null;
  readonly place: string;
  readonly text: string;
}

/** Things of one kind; `count` may be more than are listed. */
export interface NoteGroupInfo {
  readonly key: string;
  readonly title: string;
  readonly count: number;
  readonly lines: readonly NoteLineInfo[];
}

/** Losses by kind, the most frequent first. */
export function lossGroups({ losses, lossKinds }: WireInfo): readonly NoteGroupInfo[] {
  return lossKinds.map(({ kind, count }) => {
    const own = losses.filter((loss) => loss.kind === kind);
    const lines = own.map((loss, at) => ({
      key: String(at),
      index: loss.index,
      place: lossPlace(loss),
      text: `${loss.how === 'changed' ? 'changed: ' : ''}${loss.text}`,
    }));
    return { key: kind, title: kindTitle(kind), count, lines };
  });
}

/** Findings by what they say, the most frequent first. */
export function findingGroups({ findings }: WireInfo): readonly NoteGroupInfo[] {
  const groups = new Map<string, NoteLineInfo[]>();
  for (const [at, { code, index, text }] of findings.entries()) {
    const own = groups.get(code) ?? [];
    groups.set(code, own);
    const isWhole = code.startsWith('request.');
    const place = index === null ? (isWhole ? 'whole request' : 'put in') : `#${index}`;
    own.push({ key: String(at), index, place, text: text.replace(/^[^:]*: /, '') });
  }
  const all = [...groups].map(([key, lines]) => ({ key, title: commonText(lines), count: lines.length, lines }));
  return all.sort((a, b) => b.count - a.count);
}

// Findings of a code differ by names at most: the first one stands for all.
function commonText(lines: readonly NoteLineInfo[]): string {
  const [first, ...others] = lines;
  const text = first?.text ?? '';
  return others.every((line) => line.text === text) ? text : `${text} …`;
}

/** Where a loss is: `#12 content[2]`, `tools[0]`. */
export function lossPlace({ index, path }: Pick<WireLossInfo, 'index' | 'path'>): string {
  return [index === null ? '' : `#${index}`, path].filter((word) => word !== '').join(' ');
}

const HEADERS: Readonly<Record<WireTargetName, readonly string[]>> = {
  anthropic: ['x-api-key: $ANTHROPIC_API_KEY', 'anthropic-version: 2023-06-01'],
  openai: ['authorization: Bearer $OPENAI_API_KEY'],
  responses: ['authorization: Bearer $OPENAI_API_KEY'],
  gemini: ['x-goog-api-key: $GEMINI_API_KEY'],
};

/** A command that sends the saved file; the key is taken from the environment. */
export function curlLine({ target, url }: Pick<WireInfo, 'target' | 'url'>, file: string): string {
  const headers = [...HEADERS[target], 'content-type: application/json'].map((header) => `-H "${header}"`);
  return [`curl ${url}`, ...headers, `--data-binary @${shellWord(file)}`].join(' \\\n  ');
}

/** `no errors`, `2 errors, 1 warning`, `no errors, 4 notes`. */
export function describeLint({ findingCounts: { error, warning, info } }: WireInfo): string {
  const grave = [...(error > 0 ? [plural(error, 'error')] : []), ...(warning > 0 ? [plural(warning, 'warning')] : [])];
  return [...(grave.length === 0 ? ['no errors'] : grave), ...(info > 0 ? [plural(info, 'note')] : [])].join(', ');
}
