// The file that would leave: written with stand-ins, projected again, and searched again, decoded.
import type { StatedFinding } from '../../model/statedFinding.ts';
import type { StatedWatchpoint } from '../../model/statedWatchpoint.ts';
import { settledSpec } from '../../projection/binding/facts.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import type { StageStep } from '../../projection/project.ts';
import { savingsOf } from '../../projection/savings.ts';
import { EngineError } from '../../protocol/client.ts';
import { type BundleInput, type BundleSums, bundleChunks, bundleSums } from '../../report/bundle.ts';
import type { BundleTokens } from '../../report/format.ts';
import { type Leak, leaksIn } from '../../scrub/finished.ts';
import { outcomeDifferences } from '../../scrub/outcome.ts';
import { scrubReport } from '../../scrub/report.ts';
import { scrubSubject } from '../../scrub/transcript.ts';
import type { StageTokens } from '../../view/types.ts';
import type { Engine } from '../engine.ts';
import { nodeSha256 } from '../nodeHash.ts';
import { inTurns } from '../session/inTurns.ts';
import { readSpec } from '../session/projecting.ts';
import type { SettledInputs } from '../session/session.ts';
import type { Turn } from '../session/workQueue.ts';
import { ENGINE_VERSION } from '../version.ts';
import { FinishedText } from './finishedText.ts';
import type { OpenReview } from './openReview.ts';
import { projectCopy } from './projectCopy.ts';
import { type Part, sliceCopy } from './sliceCopy.ts';
import { viewFigure } from './viewFigure.ts';

/** A finished file that has not left yet. */
export interface FinishedReview {
  readonly text: FinishedText;
  readonly input: BundleInput;
  readonly sums: BundleSums;
  readonly leaks: readonly Leak[];
  readonly isSame: boolean;
  /** Tokens of the original's request, counted as those of {@link BundleInput.tokens} are. */
  readonly originalTokens: number;
  /** Signatures of edited thinking that were taken out. */
  readonly signatures: number;
}

/** Makes the file as decisions are now: of all messages, or (`isSliced`) with the words of those that the result needs. */
export async function finishReview(
  engine: Engine,
  open: OpenReview,
  { isSliced, turn }: { readonly isSliced: boolean; readonly turn: Turn },
): Promise<FinishedReview> {
  const { leaving, scrubber, subject, review } = open;
  const { session, at } = leaving;
  const scrubbed = await inTurns(scrubSubject(scrubber, subject), turn);
  const [spec = '', named = '', findings = '[]', watchpoints = '[]'] = scrubbed.others;
  const parsed = specOf(JSON.parse(spec));
  // What recorded usage makes of the counts is found out in turns of the same queue.
  const settling = session.settledInputs(parsed.spec, scrubbed);
  await turn.rest(settling.then(() => undefined));
  const inputs = await settling;
  await inTurns(counted(inputs, at), turn);
  const copy = { scrubbed, parsed, at, inputs, tokens: inputs.tokens };
  const steps: StageStep[] = [];
  const whole = await projectCopy(engine, copy, turn, scrubbed.source, (step) => steps.push(step));
  const { calibration } = session.tokenizing(parsed.spec.tokenizer);
  const counting = { turn, isCalibrated: calibration !== null };
  const isSame = outcomeDifferences(leaving.projection, whole).length === 0;
  const said: BundleInput['transcript'] = JSON.parse(named);
  const stated: readonly StatedFinding[] = JSON.parse(findings);
  const watched: readonly StatedWatchpoint[] = JSON.parse(watchpoints);
  const all: Part = { ...scrubbed, metaOf: (index) => scrubbed.metaOf(index), projection: whole, slice: null };
  const part = isSliced
    ? await sliceCopy(engine, { session, copy, projection: whole, findings: stated, watchpoints: watched }, turn)
    : all;
  const { source, projection } = part;
  // Of a slice, too, figures are those of the session: words that were taken out are none that the policy saved.
  const tokens = await tokensOf(all, copy.tokens, inputs.bundle, counting);
  const input: BundleInput = {
    engineVersion: ENGINE_VERSION,
    transcript: { ...said, messages: said.messages ?? session.source.length },
    recorded: { ...scrubbed.meta, meta: (index) => part.metaOf(index) },
    source,
    spec: settledSpec(parsed.spec, inputs.binding),
    projection: { ...projection, reports: whole.reports },
    tokens,
    saved: savingsOf(scrubbed.source, whole, steps, { tokens: copy.tokens, toolsJson: scrubbed.meta.toolsJson }),
    ...(usesTokens(parsed) && { inputs: inputs.bundle }),
    findings: stated,
    watchpoints: watched,
    ...(leaving.cost !== null && { cost: leaving.cost }),
    scrub: scrubReport(review.kinds(), isSame, session.source.row().meta.bundle?.scrub),
    ...(part.slice !== null && { slice: part.slice }),
    sha256: nodeSha256,
  };
  const sums = bundleSums(input);
  const text = await inTurns(FinishedText.of(bundleChunks(input, sums), standInsOf(open)), turn);
  const leaks = await inTurns(leaksIn(scrubber, text.text), turn);
  const signatures = await inTurns(signatureCount(open), turn);
  const original = await viewFigure(subject.source, leaving.projection.view, leaving.inputs.tokens, counting);
  return { text, input, sums, leaks, isSame, originalTokens: original.total, signatures };
}

function specOf(spec: unknown): ParsedSpec {
  const parsed = readSpec(spec);
  if (parsed.ok) return parsed.value;
  throw new EngineError(parsed.error);
}

function usesTokens({ stages }: ParsedSpec): boolean {
  return stages.some((stage) => stage.enabled && stage.usesTokens);
}

function standInsOf({ scrubber, review, keys }: OpenReview): readonly string[] {
  return keys.flatMap((key) => {
    const value = review.value(key);
    if (value === null || value.decision === null || value.decision === 'keep') return [];
    return [scrubber.standIns.of(value.kind, value.value)];
  });
}

// Each message is counted once; stages and figures then find the counts.
function* counted({ tokens }: SettledInputs, at: number): Generator<void> {
  for (let index = 0; index < at; index++) {
    tokens.message(index);
    yield;
  }
}

async function tokensOf(
  { source, projection }: Part,
  tokens: StageTokens,
  { tokenizer }: SettledInputs['bundle'],
  counting: { readonly turn: Turn; readonly isCalibrated: boolean },
): Promise<BundleTokens> {
  const raw = { items: Array.from({ length: projection.at }, (_, index) => ({ kind: 'source', index }) as const) };
  return {
    tokenizer,
    raw: await viewFigure(source, raw, tokens, counting),
    projected: await viewFigure(source, projection.view, tokens, counting),
  };
}

function* signatureCount({ scrubber, subject, leaving }: OpenReview): Generator<void, number> {
  let count = 0;
  for (let index = 0; index < leaving.at; index++) {
    const json = subject.source.text(index);
    if (/signature/i.test(json)) {
      for (const { found } of scrubber.masked(json)) count += found.filter(({ kind }) => kind === 'signature').length;
    }
    yield;
  }
  return count;
}
