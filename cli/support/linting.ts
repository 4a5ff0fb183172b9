import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { stageInputs } from '../../core/engine/requests/index.ts';
import type { ImportedTranscript } from '../../core/importers/memory.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { isAsRecorded } from '../../core/projection/asRecorded.ts';
import { isCheckedAsMade, specForModel } from '../../core/projection/binding/setting.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import { createMemo } from '../../core/view/memo.ts';
import { type LintReport, lintView } from '../../core/wire/lint.ts';
import { vendorNamed } from '../../core/wire/vendor.ts';
import { modelOf } from './input.ts';
import { aboutOf } from './inputs.ts';
import type { Projector } from './projecting.ts';

/** A request that is checked for a provider: that of a policy at a call point. */
export interface RequestToLint {
  readonly transcript: ImportedTranscript;
  readonly source: TranscriptSource;
  readonly parsed: ParsedSpec;
  readonly at: number;
  readonly provider?: string;
  readonly api?: string;
  readonly model?: string;
}

/** What the provider would refuse of a request. */
export async function lintRequest(projector: Projector, asked: RequestToLint): Promise<LintReport> {
  const { transcript, source, parsed, at, provider, api, model } = asked;
  const memo = createMemo();
  const wanted = { ...parsed, spec: specForModel(parsed.spec, model) };
  const inputs = await stageInputs(source, wanted, aboutOf(transcript));
  const { view, thinking } = await projector.project(source, parsed.stages, at, memo, inputs);
  const hasProjections = (source.projections?.() ?? []).length > 0;
  const isRecorded =
    isAsRecorded(parsed.spec, source.compactions().length > 0, hasProjections) && isCheckedAsMade(wanted.spec);
  const isAnswered = at < source.length && isRecorded;
  return lintView({
    view,
    source,
    memo,
    sha256: (text) => nodeSha256().update(text).hex(),
    provider: provider ?? '',
    modelApi: api ?? '',
    modelId: model ?? ownModel(provider, transcript),
    thinking: { outcome: thinking, spec: parsed.spec, isAnswered },
  });
}

// The transcript's model, where the provider may be asked for it: rules go by models too, and those of another vendor's
// are not this provider's. Antigravity has Claude.
function ownModel(provider: string | undefined, transcript: ImportedTranscript): string {
  const model = provider === undefined ? undefined : modelOf(transcript);
  if (provider === undefined || model === undefined) return '';
  const vendor = vendorNamed(provider);
  return vendor === null || vendorNamed(model) === vendor || /antigravity/i.test(provider) ? model : '';
}
