import { type CountedAbout, stageInputs } from '../../core/engine/requests/index.ts';
import { transformationProblems } from '../../core/insight/inputTransformations.ts';
import type { Problem } from '../../core/model/problem.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { policyValues } from '../../core/projection/contextScopes.ts';
import { harnResult } from '../../core/projection/harnResult.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import type { StageStep } from '../../core/projection/project.ts';
import type { Projection } from '../../core/projection/types.ts';
import { RawJson } from '../../core/util/json/index.ts';
import { createMemo } from '../../core/view/memo.ts';
import { type BudgetReport, budgetReport } from './budget.ts';
import type { Projector } from './projecting.ts';
import { requestWords } from './projectReport.ts';
import { countTokens, type TokenReport } from './tokens.ts';

/** What is to be projected. */
export interface ProjectRequest {
  readonly source: TranscriptSource;
  readonly parsed: ParsedSpec;
  readonly at: number;
  readonly about: CountedAbout;
  readonly tokens: boolean;
}

/** A projection with all that the command prints of it. */
export interface ProjectOutcome {
  readonly projection: Projection;
  readonly hash: string;
  readonly tokens: TokenReport | null;
  /** Null = tokens were not asked for. */
  readonly held: BudgetReport | null;
  readonly problems: readonly Problem[];
}

/** Projects, hashes and, if asked to, counts. */
export async function projectRequest(projector: Projector, request: ProjectRequest): Promise<ProjectOutcome> {
  const { source, parsed, at, about } = request;
  const { tokens, beside, budget = null, binding } = await stageInputs(source, parsed, about, request.tokens);
  const steps: StageStep[] = [];
  const given = { budget, binding, ...(tokens && { tokens }), observe: (step: StageStep) => steps.push(step) };
  const projection = await projector.project(source, parsed.stages, at, createMemo(), given);
  const counted = request.tokens ? await countTokens(source, projection, parsed.spec, about) : null;
  const held =
    counted && tokens
      ? budgetReport(source, projection, steps, { tokens, budget, beside, counted, toolsJson: about.beside.toolsJson })
      : null;
  const meta = about.metaAt?.(at) ?? {};
  const reported = transformationProblems({ source, spec: parsed.spec, at, thinking: projection.thinking, meta });
  return {
    projection,
    hash: projector.hash(source, projection),
    tokens: counted,
    held,
    problems: [...parsed.warnings, ...projection.problems, ...reported],
  };
}

/**
 * The result for machines: the fields of Harn's result (messages verbatim, by RawJson), `tool_spec` (as recorded, verbatim
 * too; empty where none is), then `at`, `spec`, `fates`
 * (one a source message), `request` (`sent` as recorded, or would be; `title` = so in words), `stages` (reports), `tokens` of the messages, `beside` them, `budget` and what each stage saved, `problems`.
 */
export function resultValue(request: ProjectRequest, outcome: ProjectOutcome): Readonly<Record<string, unknown>> {
  const { projection, hash, tokens, held, problems } = outcome;
  const sent = requestWords(request, projection.reports);
  const harn = harnResult({ source: request.source, projection, stages: request.parsed.stages, hash });
  return {
    ...harn,
    tool_spec: toolSpec(request.about.beside.toolsJson),
    at: projection.at,
    spec: request.parsed.spec,
    request: { sent: sent.isSent, title: sent.title },
    ...policyOrigins(request.parsed),
    fates: projection.fates,
    stages: projection.reports,
    thinking: projection.thinking,
    tokens,
    beside: held?.beside ?? null,
    budget: held?.budget ?? null,
    saved_tokens: held?.saved ?? null,
    problems,
  };
}

// A projection leaves definitions of tools as they are. Source: the thread design, ProjectionResult.
function toolSpec(toolsJson: string | undefined): RawJson {
  return new RawJson(toolsJson === undefined || toolsJson === 'null' ? '[]' : toolsJson);
}

// Where each value of a context policy comes from, by the stage's position.
function policyOrigins({ spec }: ParsedSpec): Readonly<Record<string, unknown>> {
  const policies = spec.stages.flatMap(({ kind, options }, stage) =>
    kind === 'context_policy' ? [{ stage, values: policyValues(options ?? {}) }] : [],
  );
  return policies.length === 0 ? {} : { policy_values: policies };
}
