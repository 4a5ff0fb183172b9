import { recordedFormat } from '../../model/transcript.ts';
import { isAsRecorded } from '../../projection/asRecorded.ts';
import { isCheckedAsMade, specForModel } from '../../projection/binding/setting.ts';
import type { ProjectionSpec } from '../../projection/types.ts';
import type { Params, ProtocolError } from '../../protocol/methods.ts';
import type { Handlers } from '../../protocol/serve.ts';
import type { LintFindingInfo, MessageRepairInfo } from '../../protocol/types.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { type LintFinding, type LintRequest, lintView, namedProfile, namedRule } from '../../wire/lint.ts';
import { type MessageRepair, repairView } from '../../wire/repairs.ts';
import { type Engine, failure } from '../engine.ts';
import { nodeSha256 } from '../nodeHash.ts';
import { askedAt } from '../session/askedOf.ts';
import type { Session } from '../session/session.ts';
import { modelOf } from '../session/transcriptModel.ts';

const FINDINGS = 500;
const REPAIRED = 200;
const TEXT_CHARS = 20_000;
const AS_IT_IS = { version: 1, stages: [] };

/** What providers would refuse, and the repair. */
export function lintHandlers(engine: Engine): Pick<Handlers, 'lint.run' | 'lint.repair'> {
  return {
    async 'lint.run'(params) {
      const request = await requestOf(engine, params);
      if (!request.ok) return request;
      const report = lintView(request.value);
      const findings = report.findings.slice(0, params.limit ?? FINDINGS).map(clippedFinding);
      return ok({ ...report, total: report.findings.length, findings });
    },
    async 'lint.repair'(params) {
      const rule = params.rule === null ? null : namedRule(params.rule);
      if (params.rule !== null && rule === null) {
        return err(failure('lint.unknown_rule', `There is no hygiene rule "${params.rule}".`));
      }
      const request = await requestOf(engine, params);
      if (!request.ok) return request;
      const { changes, left } = repairView(request.value, rule);
      return ok({
        total: changes.length,
        changes: changes.slice(0, params.limit ?? REPAIRED).map(clippedRepair),
        left,
      });
    },
  };
}

async function requestOf(
  engine: Engine,
  { id, at, spec, profile, provider, api, model }: Omit<Params<'lint.run'>, 'limit'>,
): Promise<Result<LintRequest, ProtocolError>> {
  const named = namedProfile(profile ?? 'auto');
  if (named === null) return err(failure('lint.unknown_profile', `There is no hygiene profile "${profile}".`));
  const subject = askedAt(engine, { id, spec: spec ?? AS_IT_IS, at });
  if (!subject.ok) return subject;
  const { session, parsed, at: now } = subject.value;
  const wanted = specForModel(parsed.spec, model ?? undefined);
  const inputs = session.inputsFor(wanted);
  const { work } = session;
  const projection = await work.foreground(() => engine.project(session, parsed.stages, now, inputs));
  return ok({
    view: projection.view,
    source: session.source,
    memo: session.memo,
    sha256: (text) => nodeSha256().update(text).hex(),
    profile: named,
    provider: provider ?? '',
    modelApi: api ?? '',
    modelId: model ?? '',
    recorded: recordedBy(session),
    thinking: {
      outcome: projection.thinking,
      spec: parsed.spec,
      isAnswered: isAnswered(session, wanted, now),
    },
  });
}

function recordedBy({ source }: Session): LintRequest['recorded'] & {} {
  const row = source.row();
  return { format: recordedFormat(row.meta), model: modelOf(row) ?? undefined };
}

function isAnswered({ source }: Session, spec: ProjectionSpec, at: number): boolean {
  return at < source.length && isAsRecorded(spec, source) && isCheckedAsMade(spec);
}

// A message may hold megabytes of an image; the screen shows a diff.
function clippedFinding(finding: LintFinding): LintFindingInfo {
  const { code, severity, text, position, index, repair, repairTitle, done, advice = [] } = finding;
  return { code, severity, text, position, index, repair, repairTitle, done, advice, ...clippedTexts(finding) };
}

function clippedRepair(change: MessageRepair): MessageRepairInfo {
  return { ...change, ...clippedTexts(change) };
}

function clippedTexts({ before, after }: { readonly before: string | null; readonly after: string | null }) {
  const cut = (before?.length ?? 0) > TEXT_CHARS || (after?.length ?? 0) > TEXT_CHARS;
  const clip = (json: string | null): string | null => json?.slice(0, TEXT_CHARS) ?? null;
  return { before: clip(before), after: clip(after), cut };
}
