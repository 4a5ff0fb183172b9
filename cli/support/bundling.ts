// A bundle of what a command read: scrubbed, or with --unscrubbed as it is.
import { basename } from 'node:path';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { type CountedAbout, stageInputs } from '../../core/engine/requests/index.ts';
import { ENGINE_VERSION } from '../../core/engine/version.ts';
import type { ImportedTranscript, MemoryTranscript } from '../../core/importers/memory.ts';
import type { ScrubReport } from '../../core/model/scrubReport.ts';
import { type StatedFinding, statedWithin } from '../../core/model/statedFinding.ts';
import { settledSpec } from '../../core/projection/binding/facts.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import type { StageStep } from '../../core/projection/project.ts';
import { savingsOf } from '../../core/projection/savings.ts';
import { type BundleInput, bundleChunks, bundleCost } from '../../core/report/bundle.ts';
import { outcomeDifferences } from '../../core/scrub/outcome.ts';
import type { Scrubber } from '../../core/scrub/scrubber.ts';
import type { Calibration } from '../../core/tokens/calibrated.ts';
import { countOf } from '../../core/util/counts.ts';
import { createMemo } from '../../core/view/memo.ts';
import { modelOf } from './input.ts';
import { aboutOf } from './inputs.ts';
import { grouped, note } from './output.ts';
import type { Projector } from './projecting.ts';
import { checkedText, type ScrubCliOptions, scrubberOf, scrubImported } from './scrubbing.ts';
import { SessionWalk } from './sessionWalk.ts';
import { sliceBundle } from './slicing.ts';
import { parsedOrFail } from './spec.ts';
import { countTokens } from './tokens.ts';
import { costAsRecorded } from './usage.ts';

/** The options that decide what is in a bundle. */
export interface BundleOptions extends ScrubCliOptions {
  readonly unscrubbed?: boolean;
  readonly findings?: boolean;
  /** The smallest slice on which the result is the same, and with `text` what became of that text. */
  readonly slice?: boolean;
  readonly text?: string;
}

/** What is written: a transcript as read, a policy, a call point. */
export interface LeavingGiven {
  readonly file: string;
  readonly format: string;
  readonly transcript: ImportedTranscript;
  readonly source: MemoryTranscript;
  readonly parsed: ParsedSpec;
  readonly at: number;
}

/** The same as it leaves. */
export interface Leaving extends LeavingGiven {
  readonly about: CountedAbout;
  /** Null: nothing was scrubbed. */
  readonly scrubber: Scrubber | null;
  /** The text that is asked for, and what else is said, in the order it was given. */
  readonly text: string | undefined;
  readonly said: readonly string[];
}

/** A bundle, and what else may leave with it. `chunks` have been searched: nothing is left in them. */
export interface MadeBundle {
  readonly input: BundleInput;
  readonly chunks: Iterable<string>;
  readonly leaving: Leaving;
}

/** Makes the bundle of a projection. `said`: texts that leave with it, scrubbed with it. */
export async function makeBundle(
  projector: Projector,
  given: LeavingGiven,
  options: BundleOptions,
  said: readonly string[] = [],
): Promise<MadeBundle> {
  const { transcript, source, at } = given;
  if (options.unscrubbed) {
    const leaving = { ...given, about: aboutOf(transcript), scrubber: null, text: options.text, said };
    const whole = await bundleInputOf(projector, leaving, options);
    const input = await sliced(projector, leaving, whole, options);
    return { input, chunks: bundleChunks(input), leaving };
  }
  const scrubber = await scrubberOf(options, modelOf(transcript));
  const own = await bundleInputOf(projector, { ...given, about: aboutOf(transcript) }, {});
  const stated = [own.spec, own.transcript].map((value) => JSON.stringify(value));
  const scrubbed = scrubImported(scrubber, transcript, at, [...stated, ...[options.text ?? '', ...said].map(asJson)]);
  const [spec = '', named = '', ...masked] = scrubbed.others;
  const [text = '', ...texts] = masked.map(fromJson);
  // Counted as the original is: the line that makes counts the provider's is not looked for again.
  const about = { ...aboutOf(scrubbed.transcript), stated: own.transcript.calibration ?? null };
  const read = { ...given, ...scrubbed, parsed: parsedOrFail(JSON.parse(spec)), about, scrubber };
  const leaving: Leaving = { ...read, text: options.text === undefined ? undefined : text, said: texts };
  const input = await bundleInputOf(projector, leaving, options);
  const isSame = outcomeDifferences(own.projection, input.projection).length === 0;
  if (!isSame) note('stand-ins change what the policy decides of some messages; the bundle says so');
  const scrub = scrubbed.counts.report(isSame, transcript.meta.bundle?.scrub);
  noteCandidates(scrub, scrubber);
  const titled: BundleInput['transcript'] = JSON.parse(named);
  const messages = own.transcript.messages ?? source.length;
  const whole: BundleInput = { ...input, transcript: { ...titled, messages }, scrub };
  const written = await sliced(projector, leaving, whole, options);
  return { input: written, chunks: [checkedText(scrubber, bundleChunks(written))], leaving };
}

// Nobody looks through them here, as in the app: what may be a secret is said where it leaves.
function noteCandidates({ findings }: ScrubReport, scrubber: Scrubber): void {
  const left = findings
    .map(({ kind, tier, count, masked }) => ({ kind, tier, count: count - masked }))
    .filter(({ kind, tier, count }) => tier === 'candidate' && count > 0 && !scrubber.isKept(kind));
  if (left.length === 0) return;
  const sum = left.reduce((all, { count }) => all + count, 0);
  const kinds = left.map(({ kind, count }) => `${kind} ${grouped(count)}`).join(', ');
  note(`${countOf(sum, 'candidate')} not masked (${kinds}): "parallax scrub" says where, --mask-candidates masks them`);
}

// A string of JSON is scrubbed as any other.
function asJson(text: string): string {
  return JSON.stringify({ text });
}

function fromJson(json: string): string {
  const { text }: { readonly text: string } = JSON.parse(json);
  return text;
}

function sliced(
  projector: Projector,
  leaving: Leaving,
  whole: BundleInput,
  { slice = false }: BundleOptions,
): Promise<BundleInput> | BundleInput {
  return slice ? sliceBundle(projector, leaving, whole) : whole;
}

async function bundleInputOf(
  projector: Projector,
  given: LeavingGiven & { readonly about: CountedAbout },
  options: Pick<BundleOptions, 'findings'>,
): Promise<BundleInput> {
  const { file, format, transcript, source, parsed, at, about } = given;
  const inputs = await stageInputs(source, parsed, about, true);
  const steps: StageStep[] = [];
  const observe = (step: StageStep): void => void steps.push(step);
  const projection = await projector.project(source, parsed.stages, at, createMemo(), { ...inputs, observe });
  const { tokenizer, calibration, raw, projected } = await countTokens(source, projection, parsed.spec, about);
  return {
    engineVersion: ENGINE_VERSION,
    transcript: bundledTranscript(file, transcript, format, calibration),
    recorded: { ...transcript.meta, meta: (index) => transcript.messages[index]?.meta ?? {} },
    source,
    spec: settledSpec(parsed.spec, inputs.binding ?? null),
    projection,
    tokens: { tokenizer, raw, projected },
    saved: savingsOf(source, projection, steps, { tokens: inputs.tokens, toolsJson: transcript.meta.toolsJson }),
    ...(inputs.bundle !== undefined && { inputs: inputs.bundle }),
    ...(options.findings && { findings: await findingsBefore(projector, { transcript, source, parsed, at }) }),
    ...costOf(transcript),
    createdAt: new Date().toISOString(),
    sha256: nodeSha256,
  };
}

/** What is found in the messages before the call point: what a bundle of it can show. */
async function findingsBefore(
  projector: Projector,
  { transcript, source, parsed, at }: Pick<LeavingGiven, 'transcript' | 'source' | 'parsed' | 'at'>,
): Promise<readonly StatedFinding[]> {
  const walk = await SessionWalk.open(projector, transcript, source, { tokens: true });
  return statedWithin(await walk.findings(parsed), at);
}

// What the policy would have cost: `sweep` says it.
function costOf(transcript: ImportedTranscript): Pick<BundleInput, 'cost'> {
  const { cost, pricing } = costAsRecorded(transcript);
  return cost === null ? {} : { cost: bundleCost(cost, pricing.rows) };
}

// A bundle that is exported again is of the transcript that it was made of.
function bundledTranscript(
  file: string,
  transcript: ImportedTranscript,
  format: string,
  calibration: Calibration | null,
): BundleInput['transcript'] {
  const { bundle, sessionId, title = basename(file), contextWindow } = transcript.meta;
  if (bundle !== undefined) return bundle.transcript;
  const model = modelOf(transcript);
  const about = { ...(model !== undefined && { model }), ...(contextWindow !== undefined && { contextWindow }) };
  return { id: sessionId ?? transcript.key, format, title, ...about, calibration };
}
