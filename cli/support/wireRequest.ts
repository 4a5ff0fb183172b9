// A projection as the body of a request, and what its provider would refuse of it.
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { type CountedAbout, stageInputs } from '../../core/engine/requests/index.ts';
import type { ImportedTranscript, MemoryTranscript } from '../../core/importers/memory.ts';
import { assetBytes } from '../../core/importers/reading/assetBytes.ts';
import { assetsOf } from '../../core/importers/reading/snapshot.ts';
import { isAsRecorded } from '../../core/projection/asRecorded.ts';
import { askedBehaviour, isCheckedAsMade, sentInputs, specForModel } from '../../core/projection/binding/setting.ts';
import type { BindingInputs } from '../../core/projection/binding/types.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import { createMemo } from '../../core/view/memo.ts';
import { assetIdsIn } from '../../core/wire/assets.ts';
import { type BodyFinding, lintBody } from '../../core/wire/lintBody.ts';
import { type ThinkingFinding, thinkingFindings } from '../../core/wire/thinkingLint.ts';
import { toWire } from '../../core/wire/toWire.ts';
import { TARGETS, WIRE_TARGETS, type WireBody, type WireTarget } from '../../core/wire/types.ts';
import { VENDOR_OF, vendorNamed } from '../../core/wire/vendor.ts';
import { usageFailure } from './failure.ts';
import { modelOf } from './input.ts';
import { readSibling } from './lineage.ts';
import { withProjector } from './projecting.ts';
import { parsedOrFail } from './spec.ts';

/** The options that choose a request. */
export interface RequestOptions {
  readonly model?: string;
  readonly maxTokens?: number;
  readonly strict?: boolean;
  readonly repair?: boolean;
}

/** What a request is made of. */
export interface RequestGiven {
  /** Where assets that the transcript names are. */
  readonly file: string;
  readonly transcript: ImportedTranscript;
  readonly source: MemoryTranscript;
  readonly parsed: ParsedSpec;
  readonly at: number;
  readonly about: CountedAbout;
}

/** A body, and what is found in it. */
export interface WrittenRequest {
  readonly body: WireBody;
  readonly findings: readonly BodyFinding[];
}

/** Writes the request of a policy at a call point. */
export async function writeRequest(
  { file, transcript, source, parsed: wanted, at, about }: RequestGiven,
  target: WireTarget,
  options: RequestOptions,
): Promise<WrittenRequest> {
  const { maxTokens } = options;
  const asked = { ...wanted, spec: specForModel(wanted.spec, options.model) };
  const checks = (await stageInputs(source, asked, about)).binding?.checks === true;
  const model = options.model ?? asked.spec.preserved_thinking?.model ?? modelFor(target, modelOf(transcript));
  const parsed = options.repair === true ? repairedFor(asked, target, checks, model) : asked;
  const memo = createMemo();
  const inputs = await stageInputs(source, parsed, about);
  const { spec } = parsed;
  const written = sentInputs(inputs.binding ?? null, options.repair === true);
  const { thinking, view } = await withProjector(async (projector) => {
    const project = (binding: BindingInputs | null) =>
      projector.project(source, parsed.stages, at, memo, { ...inputs, binding });
    const judged = await project(inputs.binding ?? null);
    const sent = written !== null || (judged.thinking?.dropped ?? 0) > 0 ? await project(written) : judged;
    return { thinking: judged.thinking, view: sent.view };
  });
  const assets = assetsOf(transcript.events);
  const opened = await assetBytes(assetIdsIn(view, source), (id) => assets.get(id) ?? null, readSibling(file));
  const body = toWire(view, source, memo, target, {
    meta: transcript.meta,
    assets: opened,
    strict: options.strict ?? endsWithHygiene(parsed),
    ...modelOption(options.model ?? spec.preserved_thinking?.model),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    reserved: inputs.budget?.reserveOutput ?? 0,
    onMismatch: askedBehaviour(spec.preserved_thinking),
  });
  const linted = lintBody(body, (text) => nodeSha256().update(text).hex(), source);
  const isJudged = target === 'anthropic' && written === null;
  const found = isJudged ? thinkingFindings(thinking, spec, wasAnswered(spec, source, at)) : [];
  const findings = [...found.map((finding) => bodyFinding(finding, body)), ...linted];
  return { body, findings };
}

function wasAnswered(spec: ProjectionSpec, source: MemoryTranscript, at: number): boolean {
  const isHistory = isAsRecorded(spec, source);
  return isHistory && at < source.length && isCheckedAsMade(spec);
}

function bodyFinding({ code, severity, text, index }: ThinkingFinding, { entries }: WireBody): BodyFinding {
  const position = entries.findIndex((entry) => entry.index === index);
  return { code, severity, text, index, position };
}

/** The target of that name; wrong usage if there is none. */
export function targetNamed(name: string): WireTarget {
  const target = WIRE_TARGETS.find((each) => each === name);
  if (target !== undefined) return target;
  throw usageFailure(`there is no wire "${name}"; there are ${WIRE_TARGETS.join(', ')}`);
}

function modelOption(model: string | undefined): { readonly model?: string } {
  return model === undefined ? {} : { model };
}

// The transcript's model, where the target may be asked for it.
function modelFor(target: WireTarget, model: string | undefined): string | undefined {
  return model !== undefined && vendorNamed(model) === VENDOR_OF[target] ? model : undefined;
}

// Turns of one role in a row are taken as they are, and merging them would void the thinking behind them.
const MERGES = ['merge_user_turns', 'merge_assistant_turns'];

// The target's own hygiene as the last stage, in the place of any other.
function repairedFor(
  { spec }: ParsedSpec,
  target: WireTarget,
  checksThinking: boolean,
  model: string | undefined,
): ParsedSpec {
  const before = spec.stages.filter(({ kind }) => kind !== 'hygiene');
  const off = checksThinking && target === 'anthropic' ? { off: MERGES } : {};
  const hygiene = { kind: 'hygiene', options: { profile: TARGETS[target].profile, ...modelOption(model), ...off } };
  return parsedOrFail({ ...spec, stages: [...before, hygiene] });
}

function endsWithHygiene({ stages }: ParsedSpec): boolean {
  return stages.findLast(({ enabled }) => enabled)?.family === 'hygiene';
}
