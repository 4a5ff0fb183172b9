// `prefix`: two requests, the one in which thinking blocks were made and the one that would be sent now. They become a
// transcript, and what a stage of the client made of it: then the check is the application's own.

import { memorySource } from '../../../../core/model/memorySource.ts';
import { readMessage } from '../../../../core/model/readMessage.ts';
import type { TranscriptSource } from '../../../../core/model/transcript.ts';
import { stepsOfViews } from '../../../../core/projection/binding/clientSteps.ts';
import { envelopeChange, type RequestFields } from '../../../../core/projection/binding/envelope.ts';
import { checksPrefix } from '../../../../core/projection/binding/models.ts';
import { type Compared, compared, firstDifference } from '../../../../core/projection/binding/places.ts';
import { refusalAt, requestPath } from '../../../../core/projection/binding/refusal.ts';
import { bindingOf, enforcedOn } from '../../../../core/projection/binding/setting.ts';
import type { BindingInputs, OnMismatch } from '../../../../core/projection/binding/types.ts';
import type { ResolvedStage } from '../../../../core/projection/parseSpec.ts';
import { providerStages } from '../../../../core/projection/providerStages.ts';
import { arrayAt, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../../core/util/unknown.ts';
import { createMemo } from '../../../../core/view/memo.ts';
import { originOf } from '../../../../core/view/origins.ts';
import { itemFacts, rawView } from '../../../../core/view/reader.ts';
import {
  PAUSE,
  type StageAnswer,
  type StageEffect,
  type StageMemo,
  type StageOutput,
  type View,
  type ViewItem,
} from '../../../../core/view/types.ts';
import { WholeView } from '../../../../core/view/wholeView.ts';
import type { VectorOutcome } from '../../harnVectors.ts';
import { stagesOf } from '../../projecting.ts';
import type { ProviderVector } from './index.ts';

/** What the application says of a case. */
interface Said {
  readonly fails: readonly string[];
  readonly error_mode: unknown;
  readonly drop_block_mode: { readonly dropped: readonly string[]; readonly reason: string | null };
  readonly enforced: boolean;
}

/** Runs one case. */
export function runPrefix(vector: ProviderVector): VectorOutcome {
  const id = String(ownAt(vector, 'id'));
  const said = judge(vector);
  const accept = arrayAt(vector, 'accept') ?? [];
  const reports = accept.map((expected) => differences(said, expected));
  const passed = reports.some((report) => report.length === 0);
  return { id, passed, report: passed ? [] : (reports[0] ?? ['nothing is accepted']) };
}

function judge(vector: ProviderVector): Said {
  const recorded = recordAt(vector, 'recorded') ?? {};
  const sent = recordAt(vector, 'sent') ?? {};
  const model = stringAt(vector, 'model') ?? null;
  const aligned = alignRequests(recorded, sent, rangeOf(vector));
  const asked = askedFor(sent) ?? askedFor(vector);
  const enforced = checksPrefix(model) && (asked !== null || enforcedOn(stringAt(vector, 'account_created')) !== false);
  const fails = failingPaths(aligned, inputsFor('claude-fable-5-1', 'drop_block', recorded, sent));
  const dropped = checksPrefix(model) ? fails : [];
  const [first] = fails;
  return {
    fails,
    enforced,
    error_mode: first === undefined || !enforced ? null : refusalAt(first),
    drop_block_mode: { dropped, reason: dropped.length === 0 ? null : 'prefix_binding_mismatch' },
  };
}

function askedFor(request: RequestFields): string | null {
  const binding = recordAt(recordAt(request, 'thinking') ?? {}, 'block_binding') ?? recordAt(request, 'block_binding');
  return stringAt(binding ?? {}, 'prefix_mismatch_behavior') ?? stringAt(request, 'prefix_mismatch_behavior') ?? null;
}

function rangeOf(vector: ProviderVector): { readonly from: number; readonly to: number } | null {
  const [from, to] = arrayAt(vector, 'summarises') ?? [];
  return typeof from === 'number' && typeof to === 'number' ? { from, to } : null;
}

function inputsFor(
  model: string,
  mode: OnMismatch,
  recorded: RequestFields,
  sent: RequestFields,
): BindingInputs | null {
  const facts = { model, makers: [], makerOf: () => null };
  const made = bindingOf({ mode: mode === 'allowed' ? 'auto' : mode }, facts);
  const envelope = envelopeChange(recorded, sent);
  return made === null || envelope === null ? made : { ...made, envelope };
}

/** A recorded conversation as a transcript, and the sent one as a view of it. */
interface Aligned {
  readonly source: TranscriptSource;
  readonly before: View;
  readonly after: View;
}

function failingPaths({ source, before, after }: Aligned, inputs: BindingInputs | null): string[] {
  const [client] = stagesOf({ version: 1, stages: [{ kind: 'langchain_trim_messages' }] });
  if (client === undefined || inputs === null) throw new Error('the case does not run');
  const memo = createMemo();
  const bound = boundView(source, memo, client, { before, after }, inputs);
  const lost = new Map(
    [...(bound?.fates ?? [])].map(([index, { parts = [] }]) => [
      index,
      parts.filter(({ kind }) => kind === 'dropped').map(({ part }) => part),
    ]),
  );
  const paths: string[] = [];
  for (const [position, item] of after.items.entries()) {
    for (const [part, { path }] of itemFacts(item, source, memo).parts.entries()) {
      const isLost = originOf(item, part).some((place) => lost.get(place.message)?.includes(place.part) === true);
      if (isLost) paths.push(requestPath(position, Number(path[1] ?? 0)));
    }
  }
  return paths;
}

/** What the provider's check says of a request that a client's stage made; null = there is no signed thinking. */
function boundView(
  source: TranscriptSource,
  memo: StageMemo,
  client: ResolvedStage,
  { before, after }: Pick<Aligned, 'before' | 'after'>,
  inputs: BindingInputs,
): StageOutput | null {
  const steps = stepsOfViews([{ stage: client, before, output: { view: after, fates: new Map() } }]);
  const [stage] = providerStages({ source, memo }, [client], steps, inputs, 0).stages;
  if (stage === undefined) return null;
  finished(stage.open(new WholeView(after, source.length), source.length));
  return stage.read(after);
}

// Runs through what does nothing but pause.
function finished<T>(steps: Generator<StageEffect, T, StageAnswer>): T {
  let step = steps.next(PAUSE);
  while (step.done !== true) step = steps.next(PAUSE);
  return step.value;
}

/** Finds each sent message among the recorded ones: the same words, else the same signature or id of a call. */
export function alignRequests(
  recorded: RequestFields,
  sent: RequestFields,
  summarised: { readonly from: number; readonly to: number } | null,
): Aligned {
  const texts = (arrayAt(recorded, 'messages') ?? []).map((message) => JSON.stringify(message));
  const source = memorySource(texts);
  const before = rawView(source, source.length, createMemo());
  const items: ViewItem[] = [];
  let cursor = summarised?.to ?? 0;
  for (const [position, message] of (arrayAt(sent, 'messages') ?? []).entries()) {
    const text = JSON.stringify(message);
    const found = matchOf(source, texts, text, cursor);
    if (found === null) {
      const covers = position === 0 && summarised !== null ? summarised : { from: cursor, to: cursor };
      items.push({ kind: 'synthetic', text, covers, stage: 0 });
      continue;
    }
    cursor = found + 1;
    items.push(text === texts[found] ? { kind: 'source', index: found } : edited(source, found, text));
  }
  return { source, before, after: { items } };
}

function matchOf(source: TranscriptSource, texts: readonly string[], text: string, from: number): number | null {
  const own = withoutCompaction(text);
  const rest = texts.map((_, index) => index).slice(from);
  const same = rest.find((index) => firstDifference(compared(source.text(index), source.facts(index)), own) === null);
  const marks = marksOf(JSON.parse(text));
  const alike = rest.find((index) => marksOf(JSON.parse(source.text(index))).some((mark) => marks.includes(mark)));
  if (alike !== undefined && (same === undefined || alike <= same)) return alike;
  // What was written anew is one message gone, and another put in.
  return same ?? null;
}

// A compaction block may be first in a message that is kept.
function withoutCompaction(text: string): Compared {
  const { blocks, rest } = compared(text, readMessage(JSON.parse(text)));
  const kept = blocks.filter((block) => !isRecord(block) || ownAt(block, 'type') !== 'compaction');
  return { blocks: kept.length === 0 ? blocks : kept, rest };
}

// Signatures and ids of calls.
function marksOf(message: unknown): string[] {
  const content = isRecord(message) ? ownAt(message, 'content') : undefined;
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown) => {
    if (!isRecord(block)) return [];
    return ['signature', 'id', 'tool_use_id'].flatMap((key) => {
      const value = stringAt(block, key);
      return value === undefined || ownAt(block, 'type') === 'compaction' ? [] : [value];
    });
  });
}

// An edit with the way back of its thinking: by signature.
function edited(source: TranscriptSource, index: number, text: string): ViewItem {
  const signatures = new Map<string, number>();
  const signature = (json: string, part: readonly (string | number)[]): string | undefined => {
    const block = arrayAt(JSON.parse(json), 'content')?.[Number(part[1])];
    return isRecord(block) ? stringAt(block, 'signature') : undefined;
  };
  for (const [part, { path, category }] of source.facts(index).parts.entries()) {
    const own = category === 'thinking' ? signature(source.text(index), path) : undefined;
    if (own !== undefined) signatures.set(own, part);
  }
  const origins = readMessage(JSON.parse(text)).parts.map(({ path, category }) => {
    const own = category === 'thinking' ? signatures.get(signature(text, path) ?? '') : undefined;
    return own === undefined ? [] : [{ message: index, part: own }];
  });
  return { kind: 'source', index, text, origins };
}

function differences(said: Said, expected: unknown): string[] {
  if (!isRecord(expected)) return ['what is accepted is not an object'];
  const report: string[] = [];
  const compare = (name: string, is: unknown, wanted: unknown): void => {
    if (wanted !== undefined && JSON.stringify(is) !== JSON.stringify(wanted))
      report.push(`${name}: ${JSON.stringify(is)}, expected ${JSON.stringify(wanted)}`);
  };
  compare('fails', said.fails, ownAt(expected, 'fails'));
  compare('enforced', said.enforced, ownAt(expected, 'enforced'));
  const drop = recordAt(expected, 'drop_block_mode');
  compare('dropped', said.drop_block_mode.dropped, drop && ownAt(drop, 'dropped'));
  compare('reason', said.drop_block_mode.reason, drop && ownAt(drop, 'reason'));
  const refusal = ownAt(expected, 'error_mode');
  if (refusal === null) compare('error_mode', said.error_mode, null);
  if (isRecord(refusal)) report.push(...refusalDifferences(said.error_mode, refusal));
  return report;
}

function refusalDifferences(said: unknown, wanted: RequestFields): string[] {
  if (!isRecord(said)) return ['the request is not refused'];
  const report: string[] = [];
  if (ownAt(said, 'at') !== ownAt(wanted, 'at')) report.push(`at: ${String(ownAt(said, 'at'))}`);
  if (numberAt(said, 'status') !== numberAt(wanted, 'status')) report.push(`status: ${String(ownAt(said, 'status'))}`);
  if (ownAt(said, 'type') !== ownAt(wanted, 'type')) report.push(`type: ${String(ownAt(said, 'type'))}`);
  const words = stringAt(wanted, 'contains') ?? '';
  if (!(stringAt(said, 'message') ?? '').includes(words)) report.push(`the refusal does not say "${words}"`);
  return report;
}
