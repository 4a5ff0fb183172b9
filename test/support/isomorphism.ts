// The law of scrubbing: a scrubbed transcript is projected to the same outcome as the original, under every preset.
import { aboutOf } from '../../cli/support/inputs.ts';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { stageInputs } from '../../core/engine/requests/index.ts';
import { type ImportedTranscript, MemoryTranscript } from '../../core/importers/memory.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { PRESETS } from '../../core/projection/presets.ts';
import { project } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { Projection } from '../../core/projection/types.ts';
import { type OutcomeDifference, outcomeDifferences } from '../../core/scrub/outcome.ts';
import { Scrubber } from '../../core/scrub/scrubber.ts';
import { learnSubject, type ScrubSubject, scrubSubject, textsOf } from '../../core/scrub/transcript.ts';
import type { TokenCounter } from '../../core/tokens/counters.ts';
import { countedTokens } from '../../core/view/countedTokens.ts';
import { createMemo } from '../../core/view/memo.ts';

/** All that leaves with a transcript. */
export function subjectOf(transcript: ImportedTranscript): ScrubSubject {
  const source = MemoryTranscript.of(transcript);
  const metaOf = (index: number) => transcript.messages[index]?.meta ?? {};
  return { source, at: source.length, meta: transcript.meta, metaOf, others: [] };
}

function run<T>(steps: Generator<void, T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** A scrubber that has read all of it. */
export function learned(subject: ScrubSubject, counter: TokenCounter): Scrubber {
  const scrubber = new Scrubber({ count: (text) => counter.count(text) });
  run(learnSubject(scrubber, subject));
  for (const json of textsOf(subject)) scrubber.found(json);
  return scrubber;
}

/** The transcript with stand-ins. */
export function scrubbedSource(scrubber: Scrubber, subject: ScrubSubject): TranscriptSource {
  return run(scrubSubject(scrubber, subject)).source;
}

/** Tokens of all messages, images by Anthropic's rule. */
export function totalTokens(of: TranscriptSource, counter: TokenCounter): number {
  const tokens = countedTokens(of, { counter, tokenizer: 'o200k_base', exact: true, images: 'anthropic' });
  return tokens.range(0, of.length);
}

/** Both projections under each preset, and where they differ. */
export async function* comparedPresets(
  transcript: ImportedTranscript,
  source: TranscriptSource,
  copy: TranscriptSource,
) {
  const about = aboutOf(transcript);
  const memos = [createMemo(), createMemo()] as const;
  for (const { name, spec } of PRESETS) {
    const parsed = parseSpec(spec, STAGES);
    if (!parsed.ok) continue;
    const of = async (one: TranscriptSource, memo = memos[0]): Promise<Projection> => {
      const inputs = await stageInputs(one, parsed.value, about);
      return project(one, parsed.value.stages, one.length, { ...inputs, memo, sha256: nodeSha256 });
    };
    const [a, b] = [await of(source), await of(copy, memos[1])];
    const differences: readonly OutcomeDifference[] = outcomeDifferences(a, b);
    yield { name, a, b, differences };
  }
}
