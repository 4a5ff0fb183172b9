import { resolve } from 'node:path';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { stageInputs } from '../../core/engine/requests/index.ts';
import { MemoryTranscript } from '../../core/importers/memory.ts';
import { assetBytes } from '../../core/importers/reading/assetBytes.ts';
import { assetsOf } from '../../core/importers/reading/snapshot.ts';
import { isAsRecorded } from '../../core/projection/asRecorded.ts';
import { askedBehaviour, isCheckedAsMade, sentInputs, specForModel } from '../../core/projection/binding/setting.ts';
import type { BindingInputs } from '../../core/projection/binding/types.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import { RawJson } from '../../core/util/json/index.ts';
import { inPieces } from '../../core/util/pieces.ts';
import { createMemo } from '../../core/view/memo.ts';
import { assetIdsIn } from '../../core/wire/assets.ts';
import { type BodyFinding, lintBody } from '../../core/wire/lintBody.ts';
import { type ThinkingFinding, thinkingFindings } from '../../core/wire/thinkingLint.ts';
import { bodyText, toWire } from '../../core/wire/toWire.ts';
import { type Loss, TARGETS, WIRE_TARGETS, type WireBody, type WireTarget } from '../../core/wire/types.ts';
import { VENDOR_OF, vendorNamed } from '../../core/wire/vendor.ts';
import { EXIT, usageFailure } from '../support/failure.ts';
import { modelOf, readTranscript } from '../support/input.ts';
import { aboutOf } from '../support/inputs.ts';
import { readSibling } from '../support/lineage.ts';
import { grouped, note, oneLine, writeJson, writeJsonText, writeLine } from '../support/output.ts';
import { callPointOf, withProjector } from '../support/projecting.ts';
import { parsedOrFail, type SpecOptions, specNotingWarnings, specOf } from '../support/spec.ts';
import { writeChunks } from '../support/writeChunks.ts';

/** The options of `parallax export --wire`. */
export interface WireExportOptions extends SpecOptions {
  readonly wire: string;
  readonly at?: string;
  readonly transcript?: string;
  readonly mapping?: string;
  readonly output?: string;
  readonly model?: string;
  readonly maxTokens?: string;
  readonly strict?: boolean;
  readonly repair?: boolean;
  readonly json?: boolean;
}

/** Losses shown one by one; the rest as numbers. */
const SHOWN = 40;

/** Writes the projection as a request: to a file or stdout, what it cannot carry to stderr. */
export async function exportWire(file: string, options: WireExportOptions): Promise<void> {
  const target = targetNamed(options.wire);
  const maxTokens = tokensOf(options.maxTokens);
  const chosen = specOf(options);
  const { transcript } = await readTranscript(file, options);
  const source = MemoryTranscript.of(transcript);
  const wanted = specNotingWarnings(chosen, options, source);
  const about = aboutOf(transcript);
  const asked = { ...wanted, spec: specForModel(wanted.spec, options.model) };
  const checks = (await stageInputs(source, asked, about)).binding?.checks === true;
  const model = options.model ?? asked.spec.preserved_thinking?.model ?? modelFor(target, modelOf(transcript));
  const parsed = options.repair === true ? repairedFor(asked, target, checks, model) : asked;
  const at = callPointOf(options.at, source.length);
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
  await writeBody(body, findings, options);
  if (findings.some(({ severity }) => severity === 'error')) process.exitCode = EXIT.finding;
}

function wasAnswered(spec: ProjectionSpec, source: MemoryTranscript, at: number): boolean {
  const isHistory = isAsRecorded(spec, source.compactions().length > 0, source.projections().length > 0);
  return isHistory && at < source.length && isCheckedAsMade(spec);
}

function bodyFinding({ code, severity, text, index }: ThinkingFinding, { entries }: WireBody): BodyFinding {
  const position = entries.findIndex((entry) => entry.index === index);
  return { code, severity, text, index, position };
}

function targetNamed(name: string): WireTarget {
  const target = WIRE_TARGETS.find((each) => each === name);
  if (target !== undefined) return target;
  throw usageFailure(`there is no wire "${name}"; there are ${WIRE_TARGETS.join(', ')}`);
}

function tokensOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given);
  throw usageFailure(`--max-tokens is ${given}; accepted: a whole number, 1 or more`);
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

async function writeBody(body: WireBody, findings: readonly BodyFinding[], options: WireExportOptions): Promise<void> {
  const path = options.output === undefined ? null : resolve(options.output);
  const bytes = path === null ? null : await writeChunks(path, body.chunks, 'the request');
  if (options.json) {
    const { target, url, model, chosen, losses } = body;
    const where = path === null ? { body: new RawJson(bodyText(body).trimEnd()) } : { path, bytes };
    await writeJson({ target, url, model, chosen, losses, findings, ...where });
    return;
  }
  if (path === null) for (const piece of inPieces(body.chunks)) await writeJsonText(piece);
  else await writeLine(`${path}  ${bytes} bytes  ${TARGETS[body.target].title}  ${body.model}`);
  for (const line of notesOf(body, findings)) note(line);
}

function notesOf({ chosen, losses, url }: WireBody, findings: readonly BodyFinding[]): readonly string[] {
  const lines = [`for ${url}`, ...chosen.map(({ field, value, why }) => `${field} ${value}: ${why}`)];
  lines.push(
    losses.length === 0
      ? 'everything is carried'
      : `${grouped(losses.length)} not carried as it is: ${kindsOf(losses)}`,
  );
  lines.push(...losses.slice(0, SHOWN).map(lossLine));
  if (losses.length > SHOWN) lines.push(`and ${grouped(losses.length - SHOWN)} more; --json lists all`);
  for (const { severity, index, text } of findings.slice(0, SHOWN)) {
    lines.push(`${severity}: ${index === null ? '' : `#${index} `}${oneLine(text, 200)}`);
  }
  if (findings.length > SHOWN) lines.push(`and ${grouped(findings.length - SHOWN)} more findings; --json lists all`);
  return lines;
}

function kindsOf(losses: readonly Loss[]): string {
  const kinds = new Map<string, number>();
  for (const { kind } of losses) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  return [...kinds].map(([kind, count]) => `${kind} ${grouped(count)}`).join(', ');
}

function lossLine({ how, kind, index, path, text }: Loss): string {
  const where = [index === null ? '' : `#${index}`, path].filter((word) => word !== '').join(' ');
  return `${how === 'changed' ? 'changed' : 'left out'} (${kind}) ${where}: ${oneLine(text, 200)}`;
}
