import type { ImportedTranscript } from '../../core/importers/memory.ts';
import { recordedFormat, type TranscriptSource } from '../../core/model/transcript.ts';
import { bindingInputs } from '../../core/projection/binding/facts.ts';
import { resolveBudget } from '../../core/projection/budgetSpec.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import type { ProjectOptions } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { BundleInputs } from '../../core/report/format.ts';
import { modelFacts } from '../../core/tokens/models.ts';
import { type CountedOverhead, countOverhead, knownOverhead, overheadOf } from '../../core/tokens/overhead.ts';
import { countedTokens } from '../../core/view/countedTokens.ts';
import { type CountedAbout, countingOf } from './counting.ts';
import { modelOf } from './input.ts';

/** What stages are given, and, if any of them counts, how a bundle states it. */
export interface CliInputs extends Pick<ProjectOptions, 'tokens' | 'budget' | 'binding'> {
  readonly bundle?: BundleInputs;
  /** The overhead; absent if nothing was counted. */
  readonly beside?: CountedOverhead;
}

/** What of a transcript that was read decides how its requests are counted. */
export function aboutOf(transcript: ImportedTranscript): CountedAbout {
  const { messages, meta } = transcript;
  const stated = meta.bundle && { stated: meta.bundle.transcript.calibration ?? null };
  const format = recordedFormat(meta);
  const model = modelOf(transcript);
  const metaAt = (index: number) => messages[index]?.meta ?? {};
  const models = [...new Set(messages.flatMap((message) => message.meta.model ?? []))];
  const binding = { model: model ?? null, models, meta, metaAt };
  return { model, beside: meta, format, ...stated, metaAt, binding };
}

/**
 * What stages of a spec may count with and must fit: the spec's tokenizer and window, else those of the transcript's
 * model, calibrated where recorded usage allows it. A tokenizer is loaded only if a stage asks for counts, or (`always`)
 * the caller does.
 */
export async function stageInputs(
  source: TranscriptSource,
  { spec, stages }: Pick<ParsedSpec, 'spec' | 'stages'>,
  about: CountedAbout,
  always = false,
): Promise<CliInputs> {
  const windows = { specWindow: spec.window, own: modelFacts(about.model).window, model: about.model };
  const counts = stages.some(({ enabled, kind }) => enabled && STAGES.find(kind)?.usesTokens === true);
  const binding = about.binding === undefined ? null : bindingInputs(spec.preserved_thinking, about.binding);
  if (!counts && !always) return { budget: resolveBudget(spec.budget, windows), binding };
  const counting = await countingOf(source, spec, about);
  const { tokenizer, exact, images, calibration } = counting;
  const known = knownOverhead(countOverhead(about.beside, counting.counter, images), calibration);
  const estimated = !exact && calibration === null;
  const budget = resolveBudget(spec.budget, { ...windows, ...known, estimated });
  const beside = overheadOf(known.beside, spec.budget?.overhead ?? known.unrecorded);
  const bundle = { tokenizer, exact, images, budget };
  return { tokens: countedTokens(source, counting), budget, binding, beside, ...(counts && { bundle }) };
}
