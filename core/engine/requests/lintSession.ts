import type { TranscriptSource } from '../../model/transcript.ts';
import { isAsRecorded } from '../../projection/asRecorded.ts';
import { isCheckedAsMade, specForModel } from '../../projection/binding/setting.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import { createMemo } from '../../view/memo.ts';
import { type LintReport, lintView } from '../../wire/lint.ts';
import { vendorNamed } from '../../wire/vendor.ts';
import { nodeSha256 } from '../nodeHash.ts';
import type { CountedAbout } from './counting.ts';
import type { RequestProjector } from './projector.ts';
import { stageInputs } from './stageInputs.ts';

/** A request that is checked for a provider: that of a policy at a call point. */
export interface SessionRequest {
  readonly source: TranscriptSource;
  readonly about: CountedAbout;
  readonly parsed: ParsedSpec;
  readonly at: number;
  readonly provider?: string | undefined;
  readonly api?: string | undefined;
  readonly model?: string | undefined;
}

/** What the provider would refuse of a request. */
export async function lintSession(projector: RequestProjector, asked: SessionRequest): Promise<LintReport> {
  const { source, about, parsed, at, provider, api, model } = asked;
  const memo = createMemo();
  const wanted = { ...parsed, spec: specForModel(parsed.spec, model) };
  const inputs = await stageInputs(source, wanted, about);
  const { view, thinking } = await projector.project(source, parsed.stages, at, memo, inputs);
  const isRecorded = isAsRecorded(parsed.spec, source) && isCheckedAsMade(wanted.spec);
  const isAnswered = at < source.length && isRecorded;
  return lintView({
    view,
    source,
    memo,
    sha256: (text) => nodeSha256().update(text).hex(),
    provider: provider ?? '',
    modelApi: api ?? '',
    modelId: model ?? ownModel(provider, about.model),
    recorded: { format: about.format, model: about.model },
    thinking: { outcome: thinking, spec: parsed.spec, isAnswered },
  });
}

// The transcript's model, where the provider may be asked for it: rules go by models too, and those of another vendor's
// are not this provider's. Antigravity has Claude.
function ownModel(provider: string | undefined, recorded: string | undefined): string {
  const model = provider === undefined ? undefined : recorded;
  if (provider === undefined || model === undefined) return '';
  const vendor = vendorNamed(provider);
  return vendor === null || vendorNamed(model) === vendor || /antigravity/i.test(provider) ? model : '';
}
