// How each option of a stage may take less, read from what its definition says (Relax). Nothing here knows a stage.
import type { RegisteredStage } from '../../projection/registry.ts';
import type { StageSpec } from '../../projection/types.ts';
import { isRecord } from '../../util/unknown.ts';
import { optionAt } from '../../view/optionAt.ts';
import type { ParamSchema, Relax } from '../../view/types.ts';
import { valueWords } from './edit.ts';
import type { ChangeKind } from './types.ts';

/** A setting of one option that may take less. */
export interface FixedMove {
  readonly kind: ChangeKind;
  readonly path: readonly string[];
  readonly value: unknown;
  readonly words: string;
}

/** An option whose numbers take less and less, one step after the other. */
export interface NumberMove {
  readonly path: readonly string[];
  /** As the spec names it, with the row where it is in one: `turns`, `tools.Bash.keep`. */
  readonly name: string;
  readonly label: string;
  readonly from: number;
  /** How many steps there are. */
  readonly steps: number;
  /** The step to look around first. */
  readonly guess: number;
  /** A further step may take again what this one spares: each has to be tried. */
  readonly isUneven: boolean;
  /** A value that stands for no limit at all. */
  readonly unlimited: number | null;
  valueAt(step: number): number;
  /** What the option is set to for a number: the number, or a row that holds it. */
  settingFor(value: number): unknown;
}

/** All that one stage offers. */
export interface StageMoves {
  readonly fixed: readonly FixedMove[];
  readonly numbers: readonly NumberMove[];
}

/** What the moves are for. */
export interface MoveContext {
  readonly tools: readonly string[];
  /** The rule that took it. */
  readonly rule: string | null;
  /** How far the thing is from the request's end, in a unit. */
  distance(unit: string | undefined): number;
  /** The largest number that says anything of so many of a unit. */
  most(unit: string | undefined): number;
}

/** The moves of a stage of a spec. */
export function movesOf(stage: StageSpec, { params }: RegisteredStage, context: MoveContext): StageMoves {
  const fixed: FixedMove[] = [];
  const numbers: NumberMove[] = [];
  for (const param of params) {
    const { relax } = param;
    if (relax === undefined) continue;
    if ('towards' in relax) numbers.push(...numberMoves(stage, param, relax, params, context));
    else if ('values' in relax) fixed.push(...valueMoves(stage, param, relax.values));
    else if (relax.adds === 'row') addRows(stage, param, relax.like, params, context, fixed, numbers);
    else fixed.push(...listMoves(stage, param, relax, context));
  }
  return { fixed, numbers };
}

/** The value that a spec gives an option, else its default. */
export function givenOption(
  { options = {} }: StageSpec,
  { name, aliases = [], default: fallback }: ParamSchema,
): unknown {
  for (const each of [name, ...aliases]) {
    const given = optionAt(options, each);
    if (given !== undefined && given !== null) return given;
  }
  return fallback;
}

/** The names that lead to an option's number. A vendor's own JSON may hold it with its type: `{"type": "tool_uses", "value": 3}`. */
export function pathOf(stage: StageSpec, { name }: ParamSchema): readonly string[] {
  const given = stage.options?.[name];
  return isRecord(given) && 'value' in given ? [name, 'value'] : [name];
}

function numberIn(given: unknown): number | null {
  const value = isRecord(given) ? given.value : given;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function labelOf({ label, name }: ParamSchema): string {
  return label ?? name;
}

function unitOf(param: ParamSchema, stage: StageSpec, params: readonly ParamSchema[]): string | undefined {
  if (param.unitBy === undefined) return param.unit;
  const by = params.find(({ name }) => name === param.unitBy?.param);
  const value = by === undefined ? null : givenOption(stage, by);
  return typeof value === 'string' ? param.unitBy.units[value] : undefined;
}

function numberMoves(
  stage: StageSpec,
  param: ParamSchema,
  relax: Extract<Relax, { towards: string }>,
  params: readonly ParamSchema[],
  context: MoveContext,
): readonly NumberMove[] {
  const from = numberIn(givenOption(stage, param));
  if (from === null || from === relax.unlimited || !isShown(stage, param, params)) return [];
  const unit = unitOf(param, stage, params);
  const path = pathOf(stage, param);
  const scale = numberScale(from, relax, param.min ?? 0, relax.upTo ?? context.most(unit));
  return [
    {
      path,
      name: param.name,
      label: labelOf(param),
      from,
      unlimited: relax.unlimited ?? null,
      isUneven: relax.uneven === true,
      guess: Math.floor(Math.abs(context.distance(unit) - from) / (relax.step ?? 1)),
      ...scale,
      settingFor: (value) => value,
    },
  ];
}

function numberScale(
  from: number,
  { towards, step = 1 }: Extract<Relax, { towards: string }>,
  least: number,
  most: number,
) {
  const isDown = towards === 'less';
  const steps = Math.max(0, Math.floor((isDown ? from - least : most - from) / step + 1e-9));
  // In whole steps, so that decimals do not drift.
  const valueAt = (at: number) => (step === 1 ? from : Math.round(from / step)) + (isDown ? -at : at);
  return { steps, valueAt: (at: number) => (step === 1 ? valueAt(at) : Number((valueAt(at) * step).toFixed(6))) };
}

/** Whether an option says anything: one that says nothing while another has its value changes nothing. */
export function isShown(stage: StageSpec, { when }: ParamSchema, params: readonly ParamSchema[]): boolean {
  if (when === undefined) return true;
  const by = params.find(({ name }) => name === when.param);
  const value = by === undefined ? undefined : givenOption(stage, by);
  return when.is.some((each) => each === value);
}

function valueMoves(stage: StageSpec, param: ParamSchema, values: readonly unknown[]): readonly FixedMove[] {
  const now = givenOption(stage, param);
  return values
    .filter((value) => JSON.stringify(value) !== JSON.stringify(now))
    .map((value) => ({
      kind: 'option',
      path: pathOf(stage, param),
      value,
      words: `${labelOf(param)} ${valueWords(now)} → ${valueWords(value)}`,
    }));
}

function listMoves(
  stage: StageSpec,
  param: ParamSchema,
  { adds, unlessEmpty }: { readonly adds: 'tools' | 'choices' | 'rule'; readonly unlessEmpty?: true },
  { tools, rule }: MoveContext,
): readonly FixedMove[] {
  const given = givenOption(stage, param);
  const now: readonly unknown[] = Array.isArray(given) ? given : typeof given === 'string' ? given.split(/[\s,]+/) : [];
  if (unlessEmpty === true && now.length === 0) return [];
  const choices = (param.choices ?? []).map(({ value }) => value);
  const offered = adds === 'tools' ? tools : adds === 'choices' ? choices : choices.filter((each) => each === rule);
  return offered
    .filter((each) => !now.includes(each))
    .map((each) => ({
      kind: 'exempt',
      path: [param.name],
      value: [...now, each],
      words: `${labelOf(param)} + ${each}`,
    }));
}

// A row for the tool: its own, or one that begins as the stage's options are.
function addRows(
  stage: StageSpec,
  param: ParamSchema,
  like: readonly string[],
  params: readonly ParamSchema[],
  context: MoveContext,
  fixed: FixedMove[],
  numbers: NumberMove[],
): void {
  const given = givenOption(stage, param);
  for (const tool of context.tools) {
    const known = isRecord(given) && isRecord(given[tool]) ? given[tool] : null;
    const base =
      known ??
      Object.fromEntries(
        params.filter(({ name }) => like.includes(name)).map((each) => [each.name, givenOption(stage, each)]),
      );
    const row: StageSpec = { kind: stage.kind, options: base };
    for (const field of param.fields ?? []) {
      const model = field.relax ?? params.find(({ name }) => name === field.name)?.relax;
      const path = [param.name, tool];
      const own = { ...field, label: `${labelOf(field)} of ${tool}` };
      if (model === undefined) continue;
      if ('towards' in model) {
        const moves = numberMoves(row, own, model, param.fields ?? [], context);
        numbers.push(
          ...moves.map((move) => ({
            ...move,
            path,
            name: [...path, field.name].join('.'),
            settingFor: (value: number) => ({ ...base, [field.name]: value }),
          })),
        );
      } else if ('values' in model) {
        fixed.push(
          ...valueMoves(row, own, model.values).map((move) => ({
            ...move,
            path,
            value: { ...base, [field.name]: move.value },
          })),
        );
      }
    }
  }
}
