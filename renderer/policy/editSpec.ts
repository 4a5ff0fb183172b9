// Edits of a spec as values: each takes a spec and gives a new one. What an option's schema says is all they know, so a
// stage kind that comes later needs nothing here.

import type { Problem } from '../../core/model/problem.ts';
import type { ProjectionSpec, StageSpec } from '../../core/projection/types.ts';
import type { StageInfo } from '../../core/protocol/types.ts';
import { canonicalJson } from '../../core/util/json/index.ts';
import type { ParamDefault, ParamSchema } from '../../core/view/types.ts';

export type OptionValue = number | boolean | string | null;

/** The value of an option as written in the spec, under its name or an alias; undefined = not set. */
export function givenValue(stage: StageSpec, param: ParamSchema): unknown {
  const options = stage.options ?? {};
  for (const name of namesOf(param)) {
    const value = Object.hasOwn(options, name) ? options[name] : undefined;
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** What the control shows: the value given, if it is of the control's type or can be shown as text, else the default. */
export function shownValue(stage: StageSpec, param: ParamSchema): OptionValue {
  const given = givenValue(stage, param);
  if (given === undefined) return asShown(param.default);
  if (param.type === 'integer') return typeof given === 'number' ? given : asShown(param.default);
  if (param.type === 'boolean') return typeof given === 'boolean' ? given : asShown(param.default);
  return typeof given === 'string' ? given : JSON.stringify(given);
}

function asShown(value: ParamDefault): OptionValue {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

/** True if the option is set to something other than its default. */
export function isChanged(stage: StageSpec, param: ParamSchema): boolean {
  const given = givenValue(stage, param);
  return given !== undefined && given !== param.default && !(given === '' && param.default === null);
}

/** Options that stay folded away: at their default, and neither number nor code. */
export function isQuiet(stage: StageSpec, param: ParamSchema): boolean {
  return param.type !== 'integer' && param.type !== 'code' && !isChanged(stage, param);
}

/** Sets an option; its default is not written, an alias gives way to the name. */
export function setOption(spec: ProjectionSpec, at: number, param: ParamSchema, value: OptionValue): ProjectionSpec {
  return editStage(spec, at, (stage) => {
    const names = new Set(namesOf(param));
    const rest = Object.fromEntries(Object.entries(stage.options ?? {}).filter(([name]) => !names.has(name)));
    const isDefault = value === null || value === param.default || (value === '' && param.default === null);
    return withOptions(stage, isDefault ? rest : { ...rest, [param.name]: value });
  });
}

/** Turns a stage on or off. */
export function setEnabled(spec: ProjectionSpec, at: number, enabled: boolean): ProjectionSpec {
  return editStage(spec, at, ({ enabled: _old, ...stage }) => (enabled ? stage : { ...stage, enabled }));
}

/** Adds a stage of a kind at the end. Its code, if it takes some, begins with `code`: without any it could not run. */
export function addStage(spec: ProjectionSpec, info: Pick<StageInfo, 'kind' | 'params'>, code: string): ProjectionSpec {
  const written = info.params.filter((param) => param.type === 'code' && param.default === null);
  const options = Object.fromEntries(written.map((param) => [param.name, code]));
  return { ...spec, stages: [...spec.stages, withOptions({ kind: info.kind }, options)] };
}

export function removeStage(spec: ProjectionSpec, at: number): ProjectionSpec {
  return { ...spec, stages: spec.stages.filter((_, index) => index !== at) };
}

/** Sets all options of a stage to their defaults; code is not an option to lose by that. */
export function resetStage(spec: ProjectionSpec, at: number, params: readonly ParamSchema[]): ProjectionSpec {
  const kept = new Set(params.filter((param) => param.type === 'code').flatMap(namesOf));
  return editStage(spec, at, (stage) =>
    withOptions(stage, Object.fromEntries(Object.entries(stage.options ?? {}).filter(([name]) => kept.has(name)))),
  );
}

/** Puts a copy of a stage behind it. */
export function duplicateStage(spec: ProjectionSpec, at: number): ProjectionSpec {
  return { ...spec, stages: spec.stages.flatMap((stage, index) => (index === at ? [stage, stage] : [stage])) };
}

/** Moves a stage; both places clamp to the list. */
export function moveStage(spec: ProjectionSpec, from: number, to: number): ProjectionSpec {
  const stages = [...spec.stages];
  const [stage] = stages.splice(from, 1);
  if (!stage) return spec;
  stages.splice(Math.max(0, Math.min(stages.length, to)), 0, stage);
  return { ...spec, stages };
}

/** Same stages in the same order with the same options and switches, whatever the spec's name. */
export function sameStages(a: ProjectionSpec, b: ProjectionSpec): boolean {
  return stagesKey(a) === stagesKey(b);
}

/** A named policy to choose from. */
export interface NamedSpec {
  readonly name: string;
  readonly title: string;
  readonly spec: ProjectionSpec;
}

/** Which of the policies this is, and whether it was edited since; null = none of them. */
export function identify(
  spec: ProjectionSpec,
  known: readonly NamedSpec[],
): { readonly policy: NamedSpec; readonly edited: boolean } | null {
  const byName = known.find((one) => one.spec.name === spec.name || one.name === spec.name);
  const equal = byName && sameStages(byName.spec, spec) ? byName : known.find((one) => sameStages(one.spec, spec));
  if (equal) return { policy: equal, edited: false };
  return byName ? { policy: byName, edited: true } : null;
}

/** The places of code in a spec: stage and option. */
export function codePlaces(
  spec: ProjectionSpec,
  kinds: readonly StageInfo[],
): readonly { readonly stage: number; readonly param: ParamSchema }[] {
  return spec.stages.flatMap((stage, at) =>
    (kinds.find((info) => info.kind === stage.kind)?.params ?? [])
      .filter((param) => param.type === 'code')
      .map((param) => ({ stage: at, param })),
  );
}

/** Problems about stage `at`, their paths within the stage; `at` null = those about no single stage. */
export function problemsOf(problems: readonly Problem[], at: number | null): readonly Problem[] {
  return problems.flatMap((problem) => {
    const path = problem.where?.path ?? '';
    const found = /^stages\[(\d+)\]\.?(?:options\.?)?(.*)$/.exec(path);
    if ((found ? Number(found[1]) : null) !== at) return [];
    if (!found || !problem.where) return [problem];
    const { path: _path, ...where } = problem.where;
    return [{ ...problem, where: found[2] === '' ? where : { ...where, path: found[2] ?? '' } }];
  });
}

function stagesKey(spec: ProjectionSpec): string {
  const stages = spec.stages.map(({ kind, enabled, options }) => ({
    kind,
    enabled: enabled ?? true,
    options: options ?? {},
  }));
  return canonicalJson(JSON.stringify(stages));
}

function namesOf(param: ParamSchema): readonly string[] {
  return [param.name, ...(param.aliases ?? [])];
}

function editStage(spec: ProjectionSpec, at: number, edit: (stage: StageSpec) => StageSpec): ProjectionSpec {
  return { ...spec, stages: spec.stages.map((stage, index) => (index === at ? edit(stage) : stage)) };
}

function withOptions({ options: _old, ...stage }: StageSpec, options: Readonly<Record<string, unknown>>): StageSpec {
  return Object.keys(options).length === 0 ? stage : { ...stage, options };
}
