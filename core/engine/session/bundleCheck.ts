// Whether an opened bundle is what it states: its raw messages, what is recorded beside them, and the prefix that its spec
// gives at its call point; that is the prefix the panes show.
import type { Problem } from '../../model/problem.ts';
import type { BundleOrigin } from '../../model/transcript.ts';
import { EngineError } from '../../protocol/client.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import type { BundleInfo, VerifyReport } from '../../protocol/types.ts';
import { recordedSum } from '../../report/bundle.ts';
import { rawSliceHashSteps } from '../../report/rawSlice.ts';
import { findingDifferences } from '../../report/verify.ts';
import type { TranscriptRow } from '../../store/types.ts';
import { err, ok, type Result } from '../../util/result.ts';
import type { Engine } from '../engine.ts';
import { CHANGED, failure } from '../failures.ts';
import { nodeSha256 } from '../nodeHash.ts';
import { ENGINE_VERSION } from '../version.ts';
import { compute, readSpec } from './projecting.ts';
import type { Session } from './session.ts';

type Difference = VerifyReport['differences'][number];

/** What clients see of a bundle; null for any other transcript. */
export function bundleInfo({ meta }: TranscriptRow): BundleInfo | null {
  if (meta.bundle === undefined) return null;
  const { transcript, at, prefixHash, engineVersion, createdAt = null, findings = [], slice } = meta.bundle;
  const { title, format, messages } = transcript;
  const emptied = slice?.emptied ?? 0;
  return { title, format, messages, at, prefixHash, engineVersion, createdAt, emptied, findings };
}

/** Asked to check what is not one. */
export const NO_BUNDLE = failure('bundle.none', 'This transcript was not opened from a bundle.');

/** Errors: `bundle.none` (the transcript is of no bundle), `spec.invalid` (its spec cannot be run here). */
export async function checkBundle(engine: Engine, session: Session): Promise<Result<VerifyReport, ProtocolError>> {
  const { source } = session;
  const { bundle } = source.row().meta;
  if (bundle === undefined) return err(NO_BUNDLE);
  const parsed = readSpec(bundle.spec);
  if (!parsed.ok) return parsed;
  const at = Math.min(bundle.at, source.length);
  const inputs = await session.settledInputs(parsed.value.spec);
  const { projection, hash } = await session.work.foreground(() =>
    compute(engine, session, parsed.value, at, inputs, session.besidePipeline),
  );
  const prefixHash = await hash.ready();
  // Bundles of older versions do not state what their counts were made for.
  const isOld = bundle.recordedSha256 === undefined && bundle.transcript.model === undefined;
  const usesTokens = parsed.value.stages.some((stage) => stage.enabled && stage.usesTokens);
  const what = isOld && usesTokens ? 'prefix hash (the model it was counted for is not stated)' : 'prefix hash';
  const { findings = [] } = bundle;
  const differences = [
    ...(await differencesOf(session, bundle, at)),
    ...differs(what, bundle.prefixHash, prefixHash),
    ...findingDifferences(findings, bundle.at),
  ];
  return ok({
    same: differences.length === 0,
    differences,
    engineVersion: { bundle: bundle.engineVersion, here: ENGINE_VERSION },
    messages: projection.view.items.length,
    prefixHash,
    findings,
  });
}

async function differencesOf(session: Session, bundle: BundleOrigin, at: number): Promise<readonly Difference[]> {
  const { source } = session;
  const hashed = await session.work.background('checks', async (turn) => {
    const steps = rawSliceHashSteps(source, at, nodeSha256);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) return step.value;
      await turn.pause();
    }
  }).done;
  if (!hashed.ok) throw new EngineError(CHANGED);
  const recorded = recordedSum({ ...source.row().meta, meta: (index) => source.meta(index) }, at, nodeSha256);
  return [
    ...differs('raw messages', bundle.rawSha256, hashed.value),
    ...differs('what is recorded apart from the messages', bundle.recordedSha256 ?? '(none)', recorded ?? '(none)'),
  ];
}

function differs(what: string, expected: string, got: string): readonly Difference[] {
  return expected === got ? [] : [{ what, expected, got }];
}

/** What is wrong with an opened bundle, among the problems of its transcript. */
export async function bundleProblems(engine: Engine, session: Session): Promise<readonly Problem[]> {
  const { meta, state } = session.source.row();
  // While it is read it is not yet what it states.
  if (meta.bundle === undefined || state === 'importing') return [];
  const checked = await checkBundle(engine, session);
  if (!checked.ok) {
    const text = `The bundle cannot be checked here: ${checked.error.message}`;
    return [{ code: 'bundle.unchecked', severity: 'error', text }];
  }
  return checked.value.differences.map(({ what, expected, got }): Problem => {
    const text = `The bundle does not verify: ${what} should be ${expected}, and is ${got} here. What is shown is not what was reported. Ask for the file again.`;
    return { code: 'bundle.differs', severity: 'error', text };
  });
}
