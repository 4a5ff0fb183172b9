import type { Handlers } from '../../protocol/channel.ts';
import type { LintFindingInfo } from '../../protocol/types.ts';
import { ok } from '../../util/result.ts';
import { type LintFinding, lintView } from '../../wire/lint.ts';
import type { Engine } from '../engine.ts';
import { nodeSha256 } from '../nodeHash.ts';
import { readAt, readSpec } from '../projecting.ts';

const FINDINGS = 500;
const TEXT_CHARS = 20_000;
const AS_IT_IS = { version: 1, stages: [] };

/** What providers would refuse. */
export function lintHandlers(engine: Engine): Pick<Handlers, 'lint.run'> {
  return {
    async 'lint.run'({ id, at, spec, provider, api, model, limit }) {
      const session = engine.session(id);
      if (!session.ok) return session;
      const parsed = readSpec(spec ?? AS_IT_IS);
      if (!parsed.ok) return parsed;
      const place = readAt(session.value, at);
      if (!place.ok) return place;
      const projection = await engine.project(session.value, parsed.value.stages, place.value);
      const report = lintView({
        view: projection.view,
        source: session.value.source,
        memo: session.value.memo,
        sha256: (text) => nodeSha256().update(text).hex(),
        provider: provider ?? '',
        modelApi: api ?? '',
        modelId: model ?? '',
      });
      const findings = report.findings.slice(0, limit ?? FINDINGS).map(clipped);
      return ok({ ...report, total: report.findings.length, findings });
    },
  };
}

// A message may hold megabytes of an image; the screen shows a diff.
function clipped(finding: LintFinding): LintFindingInfo {
  const { code, severity, text, position, index, repair, repairTitle, done, before, after } = finding;
  const cut = (before?.length ?? 0) > TEXT_CHARS || (after?.length ?? 0) > TEXT_CHARS;
  const clip = (json: string | null): string | null => json?.slice(0, TEXT_CHARS) ?? null;
  const known = { code, severity, text, position, index, repair, repairTitle, done, cut };
  return { ...known, before: clip(before), after: clip(after) };
}
