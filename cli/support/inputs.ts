import type { ImportedTranscript } from '../../core/importers/memory.ts';
import type { RecordedBeside } from '../../core/model/beside.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { resolveBudget } from '../../core/projection/budgetSpec.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import type { ProjectOptions } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { BundleInputs } from '../../core/report/format.ts';
import { type Beside, besideOf, countBeside } from '../../core/tokens/beside.ts';
import { isTokenizerId, loadCounter } from '../../core/tokens/counters.ts';
import { modelFacts } from '../../core/tokens/models.ts';
import { countedTokens } from '../../core/view/countedTokens.ts';
import { modelOf } from './input.ts';

/** What stages are given, and, if any of them counts, how a bundle states it. */
export interface CliInputs extends Pick<ProjectOptions, 'tokens' | 'budget'> {
  readonly bundle?: BundleInputs;
  /** What stands beside the messages; absent if nothing was counted. */
  readonly beside?: Beside;
}

/** What of a transcript decides how its requests are counted: the model it ran on, what is recorded beside the messages. */
export interface CountedAbout {
  readonly model: string | undefined;
  readonly beside: RecordedBeside;
}

/** That of a transcript that was read. */
export function aboutOf(transcript: ImportedTranscript): CountedAbout {
  return { model: modelOf(transcript), beside: transcript.meta };
}

/**
 * What stages of a spec may count with and must fit: the spec's tokenizer and window, else those of the transcript's
 * model. A tokenizer is loaded only if a stage asks for counts, or (`always`) the caller does.
 */
export async function stageInputs(
  source: TranscriptSource,
  { spec, stages }: Pick<ParsedSpec, 'spec' | 'stages'>,
  { model, beside: recorded }: CountedAbout,
  always = false,
): Promise<CliInputs> {
  const facts = modelFacts(model);
  const windows = { specWindow: spec.window, own: facts.window };
  const counts = stages.some(({ enabled, kind }) => enabled && STAGES.find(kind)?.usesTokens === true);
  if (!counts && !always) return { budget: resolveBudget(spec.budget, windows) };
  const named = spec.tokenizer !== undefined && isTokenizerId(spec.tokenizer) ? spec.tokenizer : null;
  const tokenizer = named ?? facts.tokenizer;
  const exact = tokenizer !== 'estimate' && (named !== null || facts.exact);
  const counter = await loadCounter(tokenizer);
  const { images } = facts;
  const recordedTokens = countBeside(recorded, counter, images);
  const budget = resolveBudget(spec.budget, { ...windows, beside: recordedTokens });
  const beside = besideOf(recordedTokens, spec.budget?.overhead);
  const tokens = countedTokens(source, { counter, tokenizer, exact, images });
  return { tokens, budget, beside, ...(counts && { bundle: { tokenizer, exact, images, budget } }) };
}
