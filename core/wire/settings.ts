// What a recorded request asks for besides its messages, system prompt and tools: it goes out as it was recorded to the
// API it was recorded for, save for the length of the answer if another is asked for. Other APIs have settings of their
// own: they get the length of the answer, and a report of what they do not get.
import { recordedFormat } from '../model/transcript.ts';
import { setMember } from '../util/json/index.ts';
import { bindingChoices, withBlockBinding } from './blockBinding.ts';
import { JsonNode } from './jsonNode.ts';
import type { LossList } from './losses.ts';
import { type Chosen, TARGETS, type WireOptions, type WireTarget } from './types.ts';

const NOWHERE = { index: null, position: null };

/** Tokens of the answer, where the request must say how many. */
export const DEFAULT_MAX_TOKENS = 8192;

const LENGTH_KEYS: ReadonlySet<string> = new Set(['max_tokens', 'max_completion_tokens', 'max_output_tokens']);
const LENGTH_KEY: Readonly<Record<WireTarget, string>> = {
  anthropic: 'max_tokens',
  openai: 'max_completion_tokens',
  responses: 'max_output_tokens',
  gemini: 'maxOutputTokens',
};
const GENERATION: ReadonlySet<string> = new Set(['generationConfig', 'generation_config']);

/** What requests once had and the published types (@anthropic-ai/sdk 1.11.0) no longer know: left out where a body is strict. */
const PAST: Readonly<Record<WireTarget, ReadonlySet<string>>> = {
  anthropic: new Set(['temperature', 'top_p', 'top_k']),
  openai: new Set(),
  responses: new Set(),
  gemini: new Set(),
};

/** What the provider would add to the history, which is written whole. */
const ELSEWHERE: ReadonlySet<string> = new Set(['previous_response_id', 'conversation']);

/** The members of the body that settings make, in the order recorded. */
export function settingsMembers(
  target: WireTarget,
  { meta, maxTokens, reserved = 0, strict = false, onMismatch }: WireOptions,
  losses: LossList,
  chosen: Chosen[],
): readonly string[] {
  const recorded = withBinding(target, meta, onMismatch, chosen);
  const isOwn = TARGETS[target].formats.includes(recordedFormat(meta));
  const members: string[] = isOwn || onMismatch === undefined ? [] : bindingMember(target, onMismatch);
  let hasLength = false;
  for (const [key, node] of recorded?.members ?? []) {
    const isLength = LENGTH_KEYS.has(key) || (target === 'gemini' && GENERATION.has(key));
    if (!isOwn || ELSEWHERE.has(key)) {
      reportLosses(key, node, isOwn, losses);
    } else if (strict && PAST[target].has(key)) {
      losses.leftOut(NOWHERE, 'field', [key], `${key}: the published types of the API have no such field any more`);
    } else if (!isLength || maxTokens === undefined) {
      hasLength ||= LENGTH_KEYS.has(key);
      members.push(member(key, node.text));
    } else if (!hasLength) {
      hasLength = true;
      members.push(target === 'gemini' ? member(key, withLength(node, maxTokens)) : lengthMember(target, maxTokens));
    }
  }
  if (hasLength) return members;
  const length = maxTokens ?? (isOwn ? undefined : carriedLength(target, recorded, chosen));
  if (length !== undefined) return [lengthMember(target, length), ...members];
  if (target !== 'anthropic') return members;
  const tokens = reserved > 0 ? reserved : DEFAULT_MAX_TOKENS;
  const whose = reserved > 0 ? 'what the budget keeps free for the answer' : 'chosen here';
  const why = `the request must say it, and the transcript does not record it: ${whose}`;
  chosen.push({ field: 'max_tokens', value: String(tokens), why });
  return [lengthMember(target, tokens), ...members];
}

// The recorded settings, with what is asked for thinking of other conversations.
function withBinding(
  target: WireTarget,
  meta: WireOptions['meta'],
  asked: WireOptions['onMismatch'],
  chosen: Chosen[],
): JsonNode | null {
  const recorded = meta.settingsJson === undefined ? null : JsonNode.parse(meta.settingsJson);
  if (asked === undefined || target !== 'anthropic') return recorded;
  const isOwn = TARGETS[target].formats.includes(recordedFormat(meta));
  const thinking = isOwn ? (recorded?.get('thinking') ?? null) : null;
  chosen.push(...bindingChoices(thinking, asked));
  const json = withBlockBinding(thinking, asked);
  if (json === null || !isOwn) return recorded;
  return JsonNode.parse(setMember(recorded?.text ?? '{}', [], 'thinking', json));
}

function member(key: string, json: string): string {
  return `${JSON.stringify(key)}:${json}`;
}

// Of a transcript of another API nothing is recorded that it would belong to.
function bindingMember(target: WireTarget, asked: 'error' | 'drop_block'): string[] {
  const json = target === 'anthropic' ? withBlockBinding(null, asked) : null;
  return json === null ? [] : [member('thinking', json)];
}

function lengthMember(target: WireTarget, tokens: number): string {
  if (target === 'gemini') return `"generationConfig":{"maxOutputTokens":${tokens}}`;
  return member(LENGTH_KEY[target], String(tokens));
}

function withLength(config: JsonNode, tokens: number): string {
  if (!config.isRecord) return `{"maxOutputTokens":${tokens}}`;
  const key = config.get('max_output_tokens') === null ? 'maxOutputTokens' : 'max_output_tokens';
  return setMember(config.text, [], key, String(tokens));
}

// Of settings for another API the length of the answer alone is carried; the rest of a group is reported by its keys.
function reportLosses(key: string, node: JsonNode, isOwn: boolean, losses: LossList): void {
  if (!isOwn && LENGTH_KEYS.has(key) && typeof node.value === 'number') return;
  const why = isOwn
    ? 'the provider would add what it keeps to the history, which is written whole'
    : 'settings of a request mean something to their own API only';
  if (isOwn || !GENERATION.has(key) || !node.isRecord) {
    losses.leftOut(NOWHERE, 'field', [key], `${key}: ${why}`);
    return;
  }
  const others = [...node.members.keys()].filter((each) => !LENGTH_OF_GEMINI.includes(each));
  for (const other of others) losses.leftOut(NOWHERE, 'field', [key, other], `${other}: ${why}`);
}

const LENGTH_OF_GEMINI = ['maxOutputTokens', 'max_output_tokens'];

function carriedLength(target: WireTarget, recorded: JsonNode | null, chosen: Chosen[]): number | undefined {
  const nodes = [...(recorded?.members ?? [])].flatMap(([key, node]) => {
    if (LENGTH_KEYS.has(key)) return [node];
    return GENERATION.has(key) ? LENGTH_OF_GEMINI.map((name) => node.get(name)) : [];
  });
  const value = nodes.map((node) => node?.value).find((each) => typeof each === 'number');
  if (typeof value !== 'number') return undefined;
  const why = 'as the recorded request asks its own API';
  chosen.push({ field: LENGTH_KEY[target], value: String(value), why });
  return value;
}
