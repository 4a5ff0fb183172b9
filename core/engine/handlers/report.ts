import { readFile } from 'node:fs/promises';
import { acpNotification, acpUpdate, harnMetadata } from '../../projection/harnResult.ts';
import { parseSpec } from '../../projection/parseSpec.ts';
import { projectSteps } from '../../projection/project.ts';
import { STAGES } from '../../projection/stages.ts';
import type { Projection } from '../../projection/types.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import type { Handlers } from '../../protocol/serve.ts';
import { bundleInputs } from '../../report/inputs.ts';
import { type Bundle, readBundle } from '../../report/readBundle.ts';
import { verifyBundle } from '../../report/verify.ts';
import { loadCounter } from '../../tokens/counters.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { userCodeAnswer } from '../effects/userCode.ts';
import { type Engine, failure } from '../engine.ts';
import { fileFailure } from '../files/writeFile.ts';
import { nodeSha256 } from '../nodeHash.ts';
import { finishedOf, type Reviews } from '../review/reviews.ts';
import { writePage, writeReviewed } from '../review/written.ts';
import type { SandboxClient } from '../sandbox/sandboxClient.ts';
import { askedAt } from '../session/askedOf.ts';
import { checkBundle, NO_BUNDLE } from '../session/bundleCheck.ts';
import { compute } from '../session/projecting.ts';
import { ENGINE_VERSION } from '../version.ts';

const NO_NOTE = { expected: '', happened: '' };

/** Bug-report bundles: written with a description beside them, and checked. */
export function reportHandlers(
  engine: Engine,
  reviews: Reviews,
): Pick<Handlers, 'export.write' | 'export.page' | 'export.acp' | 'bundle.check' | 'verify.file'> {
  return {
    async 'export.acp'({ id, spec, at }) {
      const subject = askedAt(engine, { id, spec, at });
      if (!subject.ok) return subject;
      const { session, parsed, at: now } = subject.value;
      const { source } = session;
      const inputs = session.inputsFor(parsed.spec);
      const { projection, hash } = await session.work.foreground(() =>
        compute(engine, session, parsed, now, inputs, session.besidePipeline),
      );
      const update = { source, projection, stages: parsed.stages, hash: await hash.ready() };
      const { key, meta } = source.row();
      return ok({ text: JSON.stringify(acpNotification(meta.sessionId ?? key, acpUpdate(harnMetadata(update)))) });
    },
    async 'export.write'({ path, reviewId, slice = false, note = NO_NOTE, ...subject }, { clientId }) {
      const held = await (reviewId === undefined
        ? reviews.openAlone(clientId, subject)
        : reviews.of(clientId, reviewId));
      if (!held.ok) return held;
      const finished = await reviews.finish(clientId, held.value, slice);
      return finished.ok ? writeReviewed(engine, held.value.open, finished.value, { path, note }) : finished;
    },
    async 'export.page'({ reviewId, path, note = NO_NOTE }, { clientId }) {
      const held = reviews.of(clientId, reviewId);
      if (!held.ok) return held;
      const finished = finishedOf(held.value);
      return finished.ok ? writePage(engine, held.value.open, finished.value, { path, note }) : finished;
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
