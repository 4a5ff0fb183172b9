// The projected view as the exact body of a request. Messages recorded on the target's own wire are spliced in as they
// stand; others are written again, and whatever the target has no place for is reported.
import { recordedFormat, type TranscriptSource } from '../model/transcript.ts';
import { WIRES } from '../stages/hygiene/index.ts';
import { readView } from '../view/reader.ts';
import { isUnrendered } from '../view/tokens.ts';
import type { StageMemo, View, ViewItem } from '../view/types.ts';
import { type AssetBytes, withAssets } from './assets.ts';
import { LossList } from './losses.ts';
import { type IdsFor, missingIds } from './pairing.ts';
import { takesSystemBetween } from './requestRules/systemMessages.ts';
import { settingsMembers } from './settings.ts';
import { systemMember } from './system.ts';
import { AnthropicWriter } from './targets/anthropic.ts';
import { GeminiWriter } from './targets/gemini.ts';
import { ChatWriter } from './targets/openaiChat.ts';
import { ResponsesWriter } from './targets/openaiResponses.ts';
import { toolsMember } from './tools.ts';
import { type Chosen, TARGETS, type WireBody, type WireOptions, type WireTarget } from './types.ts';
import { VENDOR_OF, vendorNamed } from './vendor.ts';
import { MessageIn, type Writer, type Written } from './writer.ts';

/** Models taken where the transcript's own is of another vendor, or none is recorded. */
export const DEFAULT_MODELS: Readonly<Record<WireTarget, string>> = {
  anthropic: 'claude-sonnet-4-5',
  openai: 'gpt-5',
  responses: 'gpt-5',
  gemini: 'gemini-2.5-pro',
};

/** Messages written between two pauses. */
const STRIDE = 2000;

/** Writes the request. Pure; `memo` is the transcript's. */
export function toWire(
  view: View,
  source: TranscriptSource,
  memo: StageMemo,
  target: WireTarget,
  options: WireOptions,
): WireBody {
  const steps = wireSteps(view, source, memo, target, options);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** As toWire, in steps: others may be answered in between. */
export function* wireSteps(
  view: View,
  source: TranscriptSource,
  memo: StageMemo,
  target: WireTarget,
  options: WireOptions,
): Generator<void, WireBody, void> {
  const losses = new LossList();
  const chosen: Chosen[] = [];
  const model = chooseModel(target, options, chosen);
  const writer = writerFor(target, losses, model);
  const reader = readView(view, source, memo);
  const models = options.meta.models ?? [];
  const isNative = isNativeTo(target, options);
  // Gemini alone has calls without ids.
  const isValid = (id: string): boolean => WIRES[TARGETS[target].wire].ids?.pattern.test(id) ?? true;
  const ids = target === 'gemini' ? NO_IDS : missingIds(view, source, memo, reader, isValid);
  let hasCalls = false;
  for (const [position, item] of view.items.entries()) {
    if (position % STRIDE === STRIDE - 1) yield;
    const facts = reader.facts(position);
    if (target !== 'anthropic' && isUnrendered(item)) {
      losses.leftOut({ index: reader.indexOf(position), position }, 'message', [], CLEARED);
      continue;
    }
    hasCalls ||= facts.parts.some(({ kind }) => kind === 'tool_call');
    const isVerbatim = isNative && mayStand(item, facts.role, target);
    const place = { index: reader.indexOf(position), position };
    const instead = item.kind === 'synthetic' ? item.made?.instead : undefined;
    if (instead !== undefined) losses.changed(place, 'compaction', [], `a summary as text replaces ${instead}`);
    const text = withAssets(reader.text(position), options.assets ?? NO_ASSETS);
    writer.write(new MessageIn(text, facts, place, isVerbatim, models, ids.get(position)));
  }
  return assemble(target, writer.end(), losses, options, { model, chosen, hasCalls });
}

const CLEARED =
  'a turn-scoped message that a user’s message cleared: the model was no longer shown it, and only Anthropic clears messages';
const NO_ASSETS: AssetBytes = new Map();

const NO_TOOLS: Chosen = {
  field: 'tools',
  value: 'none',
  why: 'tools were called, but their definitions are not recorded; a provider may ask for them',
};

function isNativeTo(target: WireTarget, { meta, strict }: WireOptions): boolean {
  return TARGETS[target].formats.includes(recordedFormat(meta)) && strict !== true;
}

function assemble(
  target: WireTarget,
  { outputs, system }: Written,
  losses: LossList,
  options: WireOptions,
  { model, chosen, hasCalls }: { readonly model: string; readonly chosen: Chosen[]; readonly hasCalls: boolean },
): WireBody {
  const { meta } = options;
  const isNative = isNativeTo(target, options);
  const recordedSystem = options.systemJson === undefined ? (meta.systemJson ?? null) : options.systemJson;
  const recordedTools = options.toolsJson === undefined ? (meta.toolsJson ?? null) : options.toolsJson;
  const systemJson = systemMember(target, recordedSystem, system, isNative && options.systemJson === undefined, losses);
  const toolsJson = toolsMember(target, recordedTools, isNative && options.toolsJson === undefined, losses);
  const head = headMembers(target, model, settingsMembers(target, options, losses, chosen), systemJson);
  const members = toolsJson === null ? head : [...head, `"tools":${toolsJson}`];
  if (toolsJson === null && hasCalls) chosen.push(NO_TOOLS);
  const before = target === 'openai' && systemJson !== null ? [systemJson] : [];
  return {
    target,
    chunks: bodyChunks(target, members, [...before, ...outputs.map(({ json }) => json)]),
    head: `{${members.join(',')}}`,
    url: TARGETS[target].url.replace('MODEL', model),
    model,
    losses: losses.list,
    chosen,
    entries: outputs,
  };
}

/** The whole text. */
export function bodyText(body: WireBody): string {
  return body.chunks.join('');
}

const NO_IDS: IdsFor = new Map();

function writerFor(target: WireTarget, losses: LossList, model: string): Writer {
  switch (target) {
    case 'anthropic':
      return new AnthropicWriter(losses, takesSystemBetween(model) === true);
    case 'openai':
      return new ChatWriter(losses);
    case 'responses':
      return new ResponsesWriter(losses);
    case 'gemini':
      return new GeminiWriter(losses);
  }
}

const ROLES: Readonly<Record<WireTarget, ReadonlySet<string>>> = {
  anthropic: new Set(['user', 'assistant', 'system']),
  openai: new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  responses: new Set(['system', 'developer', 'user', 'assistant', 'tool']),
  gemini: new Set(['user', 'assistant', 'function', '']),
};

// What a stage put in need not be of the wire: only what was recorded stands as it is, edits of it included.
function mayStand(item: ViewItem, role: string, target: WireTarget): boolean {
  return item.kind === 'source' && ROLES[target].has(role);
}

function chooseModel(target: WireTarget, { model, meta }: WireOptions, chosen: Chosen[]): string {
  if (model !== undefined && model !== '') return model;
  const last = meta.models?.at(-1);
  const vendor = last === undefined ? null : vendorNamed(last);
  const isNative = TARGETS[target].formats.includes(recordedFormat(meta));
  if (last !== undefined && (vendor === VENDOR_OF[target] || (vendor === null && isNative))) return last;
  const value = DEFAULT_MODELS[target];
  const why = last === undefined ? 'the transcript records no model' : `the transcript's model is ${last}`;
  chosen.push({ field: 'model', value, why: `${why}: chosen here` });
  return value;
}

// The model, how the answer is asked for, and the system prompt where it is apart from the messages.
function headMembers(
  target: WireTarget,
  model: string,
  settings: readonly string[],
  systemJson: string | null,
): readonly string[] {
  // Gemini's model is part of the address.
  const head = target === 'gemini' ? settings : [`"model":${JSON.stringify(model)}`, ...settings];
  const key = SYSTEM_KEY[target];
  return key === null || systemJson === null ? head : [...head, `"${key}":${systemJson}`];
}

const SYSTEM_KEY: Readonly<Record<WireTarget, string | null>> = {
  anthropic: 'system',
  openai: null,
  responses: 'instructions',
  gemini: 'systemInstruction',
};

const LIST: Readonly<Record<WireTarget, string>> = {
  anthropic: 'messages',
  openai: 'messages',
  responses: 'input',
  gemini: 'contents',
};

// In pieces: a history may be larger than one wants to hold twice.
function bodyChunks(target: WireTarget, members: readonly string[], messages: readonly string[]): readonly string[] {
  const chunks = [`{${members.map((member) => `${member},`).join('')}`, `"${LIST[target]}":[`];
  for (const [at, message] of messages.entries()) chunks.push(at === 0 ? message : `,${message}`);
  chunks.push(']}\n');
  return chunks;
}
