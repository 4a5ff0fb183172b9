// The laws that every stage and every projection keep. One helper checks them all; tests run it on random transcripts
// and on real ones, `parallax verify` on whatever it is given.
import { type CallOutcome, type Exchange, findExchanges, type PartPlace } from '../model/exchanges.ts';
import type { Part } from '../model/message.ts';
import { callsOf, resultsOf } from '../model/readMessage.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import type { Sha256 } from '../util/hash.ts';
import { compactJson, isJsonText, valueTextAt } from '../util/json/index.ts';
import { standsInView } from './fates.ts';
import { createMemo } from './memo.ts';
import { originOf } from './origins.ts';
import { readView, type ViewReader } from './reader.ts';
import type { Fate, RedactionPointer, View } from './types.ts';

/** What a run gives to be checked; a Projection has it all. */
export interface LawfulResult {
  readonly view: View;
  readonly fates: readonly Fate[];
  readonly keptIndices: readonly number[];
  readonly droppedIndices: readonly number[];
  readonly redactedIndices: readonly number[];
  readonly pointers: readonly RedactionPointer[];
}

/** What is to be checked. */
export interface LawSubject {
  readonly source: TranscriptSource;
  readonly at: number;
  /** Runs the projection again each time. The first run starts cold, the others may reuse what it kept. */
  run(): LawfulResult;
  readonly hash: (view: View) => string;
  readonly sha256: Sha256;
  /** True for policies that may split pairs: `custom` and `recorded_compaction` do as instructed, `summary_prefix` counts. */
  readonly maySplitPairs: boolean;
  /** True if the source's facts are frozen: then whoever changes them throws, and they need not be compared. */
  readonly isFrozen?: boolean;
}

/** All laws broken, in words; empty = lawful. */
export function checkLaws(subject: LawSubject): readonly string[] {
  const before = subject.isFrozen === true ? '' : fingerprint(subject);
  const result = subject.run();
  const reader = readView(result.view, subject.source, createMemo());
  const texts = checkTexts(reader);
  const origins = texts.length > 0 ? [] : checkOrigins(subject, reader);
  const pairs = texts.length > 0 || subject.maySplitPairs ? [] : checkPairs(subject, reader);
  return [
    ...checkRepeat(subject, result),
    ...checkFates(subject.at, result),
    ...texts,
    ...origins,
    ...checkPointers(subject, result),
    ...pairs,
    ...(before === '' || fingerprint(subject) === before ? [] : ['the input was changed']),
  ];
}

function fingerprint({ source, sha256 }: LawSubject): string {
  const state = sha256();
  for (let index = 0; index < source.length; index++) {
    state.update(source.text(index)).update(JSON.stringify(source.facts(index)));
  }
  return state.hex();
}

// Two runs give the same result, and it survives JSON: it crosses to the screen that way.
function checkRepeat(subject: LawSubject, first: LawfulResult): string[] {
  const second = subject.run();
  const json = JSON.stringify(first);
  const broken: string[] = [];
  if (json !== JSON.stringify(second)) broken.push('two runs differ');
  if (subject.hash(first.view) !== subject.hash(second.view)) broken.push('two runs hash differently');
  if (JSON.stringify(JSON.parse(json)) !== json) broken.push('the result does not survive JSON');
  return broken;
}

// Every source message before the call point has one fate; standing in the view, in keptIndices and by fate agree.
function checkFates(at: number, { view, fates, keptIndices, droppedIndices, redactedIndices }: LawfulResult): string[] {
  const broken: string[] = [];
  if (fates.length !== at) broken.push(`${fates.length} fates for ${at} messages`);
  const inView = new Set<number>();
  let last = -1;
  for (const item of view.items) {
    if (item.kind !== 'source') continue;
    if (item.index <= last || item.index >= at) broken.push(`#${item.index} is out of order or beyond the call point`);
    last = item.index;
    inView.add(item.index);
  }
  const kept = new Set(keptIndices);
  const dropped = new Set(droppedIndices);
  for (const [index, fate] of fates.entries()) {
    const stands = standsInView(fate.kind);
    if (stands !== inView.has(index)) broken.push(`#${index} is ${fate.kind}, but the view says otherwise`);
    if (kept.has(index) !== stands || dropped.has(index) === stands) broken.push(`#${index} is listed wrongly`);
    if (fate.reason === '') broken.push(`#${index} has no reason`);
  }
  const redacted = fates.flatMap((fate, index) => (fate.kind === 'redacted' ? [index] : []));
  if (redacted.join() !== redactedIndices.join()) broken.push('redactedIndices are not the redacted messages');
  return broken;
}

function checkTexts(reader: ViewReader): string[] {
  const broken: string[] = [];
  for (let position = 0; position < reader.length; position++) {
    const { text } = reader.item(position);
    if (text !== undefined && !isJsonText(text)) broken.push(`position ${position} holds no JSON`);
  }
  return broken;
}

// A pointer leads to the raw bytes: their hash and length are the ones it states.
function checkPointers({ source, sha256 }: LawSubject, { pointers }: LawfulResult): string[] {
  return pointers.flatMap((pointer) => {
    const content = resolvePointer(source, pointer);
    if (content === null) return [`${pointer.source} leads nowhere`];
    const hash = `sha256:${sha256().update(content).hex()}`;
    return hash === pointer.content_hash ? [] : [`${pointer.source} has another hash`];
  });
}

/** The raw content a redaction pointer leads to (compact JSON if it is not a string), or null if it leads nowhere. */
export function resolvePointer(source: TranscriptSource, pointer: RedactionPointer): string | null {
  const { source_index: index, source_block_index: block } = pointer;
  if (index < 0 || index >= source.length) return null;
  const path = block === null ? ['content'] : ['content', block, 'content'];
  const json = valueTextAt(source.text(index), path);
  if (json === null) return null;
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : compactJson(json);
}

// No call of a message that stays loses its result, and no result its call, unless the transcript was so already. Calls of
// one message that nothing distinguishes (one name, no ids) are judged together: as many stay as results of theirs.
function checkPairs({ source, at }: LawSubject, reader: ViewReader): string[] {
  const present = presentParts(reader);
  const isPresent = (place: PartPlace) => present.has(placeKey(place));
  const broken: string[] = [];
  for (const exchange of findExchanges(at, (index) => source.facts(index))) {
    for (const alike of alikeCalls(exchange, source)) {
      const stay = alike.filter(isPresent).length;
      const answered = alike.filter((call) => call.results.some(isPresent)).length;
      const open = alike.filter((call) => call.results.length === 0).length;
      if (answered <= stay && stay <= answered + open) continue;
      broken.push(`the pair of the call at #${exchange.message} (${alike[0]?.name}) is torn`);
    }
  }
  return broken;
}

// Calls that nothing distinguishes are judged together: a policy may drop any of them, and only their number says something.
function alikeCalls({ calls, message }: Exchange, source: TranscriptSource): Iterable<readonly CallOutcome[]> {
  const byIdentity = new Map<string, CallOutcome[]>();
  for (const call of calls) {
    const part = source.facts(message).parts[call.part];
    if (part === undefined) continue;
    const key = identity(part);
    byIdentity.set(key, [...(byIdentity.get(key) ?? []), call]);
  }
  return byIdentity.values();
}

function presentParts(reader: ViewReader): Set<string> {
  const present = new Set<string>();
  for (let position = 0; position < reader.length; position++) {
    const facts = reader.facts(position);
    for (const { at } of [...callsOf(facts), ...resultsOf(facts)]) {
      for (const place of originOf(reader.item(position), at)) present.add(placeKey(place));
    }
  }
  return present;
}

function placeKey({ message, part }: PartPlace): string {
  return `${message}.${part}`;
}

function identity(part: Part): string {
  return JSON.stringify([part.kind, part.callId ?? null, part.name ?? null]);
}

/** Which part became which is said of every part, and said truly: of a part that exists, and of a kind that it may become. */
export function checkOrigins({ source, at }: Pick<LawSubject, 'source' | 'at'>, reader: ViewReader): string[] {
  const broken: string[] = [];
  for (let position = 0; position < reader.length; position++) {
    const item = reader.item(position);
    if (item.text === undefined) continue;
    const { parts } = reader.facts(position);
    const name = item.kind === 'source' ? `#${item.index}` : `the message at position ${position}`;
    const said =
      item.origins?.length ?? (item.kind === 'source' ? source.facts(item.index).parts.length : parts.length);
    if (said !== parts.length) broken.push(`${name} has ${parts.length} parts, and origins of ${said}`);
    for (const [part, { kind }] of parts.entries()) {
      for (const place of originOf(item, part)) {
        const raw = place.message < at ? source.facts(place.message).parts[place.part] : undefined;
        if (raw === undefined)
          broken.push(`part ${part} of ${name} stems from ${placeKey(place)}, which is not a part`);
        else if (raw.kind !== kind && kind !== 'text')
          broken.push(`part ${part} of ${name}, a ${kind}, stems from ${placeKey(place)}, a ${raw.kind}`);
      }
    }
  }
  return broken;
}
