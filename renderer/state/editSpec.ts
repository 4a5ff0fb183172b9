// Edits of a spec as values: each takes a spec and gives a new one. What an option's schema says is all they know, so a
// stage kind that comes later needs nothing here.

import type { Problem } from '../../core/model/problem.ts';
import type { ProjectionSpec, StageSpec } from '../../core/projection/types.ts';
import type { StageInfo } from '../../core/protocol/types.ts';
import { canonicalJson } from '../../core/util/json/index.ts';
import { isRecord } from '../../core/util/unknown.ts';
import { optionAt } from '../../core/view/optionAt.ts';
import type { ParamDefault, ParamSchema } from '../../core/view/types.ts';

/** The value of an option as the controls hold it. */
export type OptionValue = ParamDefault;

/** The value of an option as written in the spec, under its name or an alias; undefined = not set. */
export function givenValue(stage: StageSpec, param: ParamSchema): unknown {
  const options = stage.options ?? {};
  for (const name of namesOf(param)) {
    const value = optionAt(options, name);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** What the control shows: the value given, if it is of the control's type or can be shown as text, else the default. */
export function shownValue(stage: StageSpec, param: ParamSchema): OptionValue {
  const given = givenValue(stage, param);
  if (given === undefined) return param.default;
  switch (param.type) {
    case 'integer':
    case 'number':
      return typeof given === 'number' ? given : param.default;
    case 'boolean':
      return typeof given === 'boolean' ? given : param.default;
    case 'list':
      return shownList(given, param.whole === true) ?? param.default;
    case 'rules':
      return isRecord(given) ? shownRules(given, param.fields) : param.default;
    case 'choice':
    case 'string':
    case 'text':
    case 'code':
      return typeof given === 'string' ? given : JSON.stringify(given);
  }
}

// A string is a list too, as the engine reads it.
function shownList(given: unknown, isWhole: boolean): readonly string[] | null {
  const words = typeof given !== 'string' ? null : isWhole ? [given] : given.split(/[\s,]+/);
  const list: readonly unknown[] | null = Array.isArray(given) ? given : words;
  const isEntry = (item: unknown) => typeof item === 'number' || (typeof item === 'string' && item.trim() !== '');
  return list === null ? null : list.filter(isEntry).map(String);
}

function shownRules(
  given: Readonly<Record<string, unknown>>,
  fields: readonly ParamSchema[] = [],
): Readonly<Record<string, RuleRow>> {
  return Object.fromEntries(
    Object.entries(given).map(([name, row]) => [name, isRecord(row) ? shownRow(row) : shortRow(row, fields)]),
  );
}

// A row may be a word in a spec: one of a choice (`never_evict` means `never`), else the text of the row.
function shortRow(row: unknown, fields: readonly ParamSchema[]): RuleRow {
  if (typeof row !== 'string') return {};
  for (const { name, choices = [] } of fields) {
    const choice = choices.find(({ value }) => row === value || row.startsWith(`${value}_`));
    if (choice !== undefined) return { [name]: choice.value };
  }
  const text = fields.find(({ type }) => type === 'text' || type === 'string');
  return text === undefined ? {} : { [text.name]: row };
}

function shownRow(row: Readonly<Record<string, unknown>>): RuleRow {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}

/** One row of a `rules` option. */
export type RuleRow = Readonly<Record<string, number | boolean | string | null>>;

/** The rows of a `rules` option; none if the value is of another type. */
export function rowsOf(value: OptionValue): Readonly<Record<string, RuleRow>> {
  return isRecord(value) ? shownRules(value) : {};
}

/** True if the option's control is to be seen: others may have to have a value for it. */
export function applies(stage: StageSpec, params: readonly ParamSchema[], { when }: ParamSchema): boolean {
  const other = when === undefined ? undefined : params.find(({ name }) => name === when.param);
  if (when === undefined || other === undefined) return true;
  const value = shownValue(stage, other);
  return when.is.some((accepted) => accepted === value);
}

/** True if the option is set to something other than its default. */
export function isChanged(stage: StageSpec, param: ParamSchema): boolean {
  const given = givenValue(stage, param);
  return given !== undefined && !isDefault(given, param);
}

function isDefault(value: unknown, param: ParamSchema): boolean {
  if (value === null || value === param.default || (value === '' && param.default === null)) return true;
  return (
    typeof value === 'object' && canonicalJson(JSON.stringify(value)) === canonicalJson(JSON.stringify(param.default))
  );
}

const NEVER_QUIET: ReadonlySet<ParamSchema['type']> = new Set(['integer', 'number', 'choice', 'code']);

/** Options that stay folded away: at their default, and neither number, choice nor code. */
export function isQuiet(stage: StageSpec, param: ParamSchema): boolean {
  return !NEVER_QUIET.has(param.type) && !isChanged(stage, param);
}

/** Sets an option, a list of entries too; its default is not written, an alias gives way to the name. */
export function setOption(
  spec: ProjectionSpec,
  at: number,
  param: ParamSchema,
  value: OptionValue | readonly unknown[],
): ProjectionSpec {
  return editStage(spec, at, (stage) => {
    const names = new Set(namesOf(param));
    const rest = Object.fromEntries(Object.entries(stage.options ?? {}).filter(([name]) => !names.has(name)));
    // What is still given elsewhere (`default.mode`) must be overruled.
    const isLeftOut = isDefault(value, param) && namesOf(param).every((name) => optionAt(rest, name) === undefined);
    return withOptions(stage, isLeftOut ? rest : { ...rest, [param.name]: value });
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

function namesOf(param: ParamSchema): readonly string[] {
  return [param.name, ...(param.aliases ?? [])];
}

function editStage(spec: ProjectionSpec, at: number, edit: (stage: StageSpec) => StageSpec): ProjectionSpec {
  return { ...spec, stages: spec.stages.map((stage, index) => (index === at ? edit(stage) : stage)) };
}

function withOptions({ options: _old, ...stage }: StageSpec, options: Readonly<Record<string, unknown>>): StageSpec {
  return Object.keys(options).length === 0 ? stage : { ...stage, options };
}
