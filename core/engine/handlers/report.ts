import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { recordedCost } from '../../insight/money.ts';
import { includesCache } from '../../insight/usage/input.ts';
import { statedWithin } from '../../model/statedFinding.ts';
import { settledSpec } from '../../projection/binding/facts.ts';
import { acpNotification, acpUpdate, harnMetadata } from '../../projection/harnResult.ts';
import { parseSpec } from '../../projection/parseSpec.ts';
import { projectSteps } from '../../projection/project.ts';
import { STAGES } from '../../projection/stages.ts';
import type { Projection } from '../../projection/types.ts';
import { exportName } from '../../protocol/exportName.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import type { Handlers } from '../../protocol/serve.ts';
import { type BundleInput, type BundleSums, bundleChunks, recordedSums } from '../../report/bundle.ts';
import { bundleInputs } from '../../report/inputs.ts';
import { bundleMarkdown } from '../../report/markdown.ts';
import { type Bundle, readBundle } from '../../report/readBundle.ts';
import { verifyBundle } from '../../report/verify.ts';
import type { Calibration } from '../../tokens/calibrated.ts';
import { loadCounter } from '../../tokens/counters.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { userCodeAnswer } from '../effects/userCode.ts';
import { type Engine, failure } from '../engine.ts';
import { writeExport } from '../files/exportFolder.ts';
import { fileFailure } from '../files/writeFile.ts';
import { readSpecFor } from '../library/policyScopes.ts';
import { sessionPricing } from '../library/pricing.ts';
import { summaryOf } from '../library/summary.ts';
import { nodeSha256 } from '../nodeHash.ts';
import type { SandboxClient } from '../sandbox/sandboxClient.ts';
import { checkBundle, NO_BUNDLE } from '../session/bundleCheck.ts';
import { compute, readAt } from '../session/projecting.ts';
import type { Session } from '../session/session.ts';
import { recordedUsages } from '../session/sessionCache.ts';
import { ENGINE_VERSION } from '../version.ts';

/** Bug-report bundles: written with a description beside them, and checked. */
export function reportHandlers(
  engine: Engine,
): Pick<Handlers, 'export.write' | 'export.acp' | 'bundle.check' | 'verify.file'> {
  return {
    async 'export.acp'({ id, spec, at }) {
      const session = engine.session(id);
      if (!session.ok) return session;
      const parsed = readSpecFor(engine, id, spec);
      if (!parsed.ok) return parsed;
      const place = readAt(session.value, at);
      if (!place.ok) return place;
      const { source } = session.value;
      const { projection, hash } = await session.value.work.foreground(() =>
        compute(engine, session.value, parsed.value, place.value),
      );
      const update = { source, projection, stages: parsed.value.stages, hash: await hash.ready() };
      const { key, meta } = source.row();
      return ok({ text: JSON.stringify(acpNotification(meta.sessionId ?? key, acpUpdate(harnMetadata(update)))) });
    },
    async 'export.write'({ id, spec, at, path, findings = [] }) {
      const session = engine.session(id);
      if (!session.ok) return session;
      const parsed = readSpecFor(engine, id, spec);
      if (!parsed.ok) return parsed;
      const place = readAt(session.value, at);
      if (!place.ok) return place;
      const inputs = await session.value.settledInputs(parsed.value.spec);
      const { projection, hash } = await session.value.work.foreground(() =>
        compute(engine, session.value, parsed.value, place.value, inputs),
      );
      const prefixHash = await hash.ready();
      const counts = parsed.value.stages.some((stage) => stage.enabled && stage.usesTokens);
      const input = {
        ...bundleInput(engine, session.value, settledSpec(parsed.value.spec, inputs.binding), projection),
        ...(counts && { inputs: inputs.bundle }),
        findings: statedWithin(findings, place.value),
      };
      const { title } = summaryOf(session.value.source.row(), null);
      const nameOf = (nth: number) => exportName(title, place.value, 'bundle', nth);
      const sums = { prefixHash, ...recordedSums(input) };
      const written = await writeExport(engine.library.dir, path, nameOf, bundleChunks(input, sums));
      return written.ok ? describe(input, sums, written.value) : written;
    },
    async 'bundle.check'({ id }) {
      // Asked of every transcript of an import: others are not opened for it.
      if (engine.library.get(id)?.meta.bundle === undefined) return err(NO_BUNDLE);
      const session = engine.session(id);
      return session.ok ? checkBundle(engine, session.value) : session;
    },
    async 'verify.file'({ path }) {
      const text = await readText(path);
      if (!text.ok) return text;
      const bundle = readBundle(text.value);
      if (!bundle.ok) return err(failure(bundle.error.code, bundle.error.text));
      const projection = await projectBundle(engine.sandbox, bundle.value);
      if (!projection.ok) return projection;
      return ok(verifyBundle(bundle.value, projection.value, ENGINE_VERSION, nodeSha256));
    },
  };
}

function bundleInput(engine: Engine, session: Session, spec: BundleInput['spec'], projection: Projection): BundleInput {
  const tokens = session.tokenizing(spec.tokenizer);
  const { source } = session;
  const { meta } = source.row();
  return {
    engineVersion: ENGINE_VERSION,
    transcript: bundledTranscript(session, tokens.calibration),
    recorded: { ...meta, meta: (index) => source.meta(index) },
    source,
    spec,
    projection,
    tokens: {
      tokenizer: tokens.table.tokenizer,
      raw: tokens.rawFigure(projection.at),
      projected: tokens.viewFigure(projection.view, { chars: Number.POSITIVE_INFINITY }).figure,
    },
    ...costOf(engine, session),
    sha256: nodeSha256,
  };
}

// What a policy would have cost takes a walk along all call points: the screen and `sweep` show it.
function costOf(engine: Engine, session: Session): Pick<BundleInput, 'cost'> {
  const { price } = sessionPricing(engine, session);
  const usages = recordedUsages(session);
  const recorded = recordedCost(price, usages, includesCache(usages));
  if (price === null || recorded === null) return {};
  return {
    cost: { requests: usages.length, recordedRequests: usages.length, recorded, policy: null, model: price.model },
  };
}

// A bundle that is exported again is of the transcript that it was made of.
function bundledTranscript({ source }: Session, calibration: Calibration | null): BundleInput['transcript'] {
  const row = source.row();
  if (row.meta.bundle !== undefined) return row.meta.bundle.transcript;
  const { id, title, format, model, whatIf } = summaryOf(row, null);
  return { id, title, format, ...(model !== null && { model }), calibration, ...(whatIf !== null && { whatIf }) };
}

// The text for an issue is beside the file, and goes to whoever asked, to be copied.
async function describe(
  input: BundleInput,
  sums: BundleSums,
  written: { readonly path: string; readonly bytes: number },
) {
  const markdown = bundleMarkdown(input, sums, basename(written.path));
  try {
    await writeFile(`${written.path}.md`, markdown, { mode: 0o600 });
  } catch (error) {
    return fileFailure('export.not_written', `${written.path}.md`, error);
  }
  return ok({ ...written, prefixHash: sums.prefixHash, markdown });
}

async function readText(path: string): Promise<Result<string, ProtocolError>> {
  try {
    return ok(await readFile(path, 'utf8'));
  } catch (error) {
    return fileFailure('verify.unreadable', path, error);
  }
}

async function projectBundle(sandbox: SandboxClient, bundle: Bundle): Promise<Result<Projection, ProtocolError>> {
  const parsed = parseSpec(bundle.head.spec, STAGES);
  if (!parsed.ok) return err(failure('spec.invalid', parsed.error.map(({ text }) => text).join(' ')));
  const given = await bundleInputs(bundle, loadCounter, parsed.value.spec);
  const run = projectSteps(bundle.source, parsed.value.stages, bundle.head.at, { ...given, sha256: nodeSha256 });
  let step = run.next();
  while (!step.done) step = run.next(await userCodeAnswer(sandbox, step.value));
  return ok(step.value);
}
