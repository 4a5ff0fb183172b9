// Short ways to project in tests.
import { memorySource } from '../../core/model/memorySource.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { harnResult } from '../../core/projection/harnResult.ts';
import { parseSpec, type ResolvedStage } from '../../core/projection/parseSpec.ts';
import { prefixHash } from '../../core/projection/prefixHash.ts';
import { project } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { Projection } from '../../core/projection/types.ts';
import { stringifyWithRaw } from '../../core/util/json/index.ts';
import { itemText } from '../../core/view/reader.ts';
import type { RunUserCode, UserCodeAnswer } from '../../core/view/types.ts';

/** A transcript of these messages. */
export function transcriptOf(messages: readonly unknown[], summary: string | null = null): TranscriptSource {
  return memorySource(
    messages.map((message) => JSON.stringify(message)),
    summary,
  );
}

/** The stages of a spec that must be valid. */
export function stagesOf(spec: unknown): readonly ResolvedStage[] {
  const parsed = parseSpec(spec, STAGES);
  if (!parsed.ok) throw new Error(parsed.error.map((problem) => problem.text).join('\n'));
  return parsed.value.stages;
}

/** Projects messages, by default at their end. */
export function projectMessages(
  messages: readonly unknown[],
  spec: unknown,
  options: { at?: number; summary?: string; runUserCode?: (request: RunUserCode) => UserCodeAnswer } = {},
): Projection {
  const source = transcriptOf(messages, options.summary ?? null);
  const run = options.runUserCode === undefined ? {} : { runUserCode: options.runUserCode };
  return project(source, stagesOf(spec), options.at ?? source.length, run);
}

/** The projected messages, parsed. */
export function projectedMessages(messages: readonly unknown[], projection: Projection): unknown[] {
  const source = transcriptOf(messages);
  return projection.view.items.map((item): unknown => JSON.parse(itemText(item, source)));
}

/** The Harn result of a projection, as parsed JSON. */
export function harnResultOf(messages: readonly unknown[], spec: unknown, summary: string | null = null): unknown {
  const source = transcriptOf(messages, summary);
  const stages = stagesOf(spec);
  const projection = project(source, stages, source.length);
  const hash = prefixHash(source, projection.view);
  return JSON.parse(stringifyWithRaw(harnResult({ source, projection, stages, hash })));
}
