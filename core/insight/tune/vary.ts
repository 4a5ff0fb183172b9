// What is varied in a spec, and the specs that come of it. `STAGE.OPTION=VALUES`: a stage by its kind or its position in the
// spec, one of its options, and values as a list, a range (`4..64:4`), or the word `critical`.
import type { StageRegistry } from '../../projection/registry.ts';
import type { ProjectionSpec } from '../../projection/types.ts';
import { err, ok, type Result } from '../../util/result.ts';
import type { ParamSchema } from '../../view/types.ts';

/** A value that a varied option may take. */
export type VariedValue = number | boolean | string;

/** An option that is varied. */
export interface VariedOption {
  /** As it is named in results: `reachability_gc.root_window`; with the position where the kind is there twice. */
  readonly name: string;
  /** Position in the spec. */
  readonly stage: number;
  readonly param: ParamSchema;
}

/** An option with its values; `critical` = the values at which the stage decides otherwise, which a host works out. */
export interface Variation extends VariedOption {
  readonly values: readonly VariedValue[] | 'critical';
}

/** A spec to be tried: the value of each varied option, and the spec with them. */
export interface VariedSpec {
  readonly values: Readonly<Record<string, VariedValue>>;
  readonly spec: ProjectionSpec;
}

/** Values of one option at most. */
const VALUES_MOST = 1_000;

/** Reads `STAGE.OPTION=VALUES` against a spec. The error is a sentence for whoever typed it. */
export function readVariation(given: string, spec: ProjectionSpec, registry: StageRegistry): Result<Variation, string> {
  const match = /^([^.=]+)\.([^=]+)=(.*)$/s.exec(given.trim());
  if (match === null) return err(`"${given}" is not STAGE.OPTION=VALUES`);
  const [, stageName = '', optionName = '', values = ''] = match;
  const stage = stageOf(stageName.trim(), spec, registry);
  if (!stage.ok) return stage;
  const kind = spec.stages[stage.value]?.kind ?? '';
  const params = registry.find(kind)?.params ?? [];
  const wanted = optionName.trim();
  const param = params.find(({ name, aliases = [] }) => name === wanted || aliases.includes(wanted));
  if (param === undefined)
    return err(`${kind} has no option ${wanted}; it has ${params.map(({ name }) => name).join(', ')}`);
  const read = readValues(values.trim(), param);
  if (!read.ok) return read;
  const isTwice = spec.stages.filter((each) => each.kind === kind).length > 1;
  const name = `${isTwice ? `${stage.value}.` : ''}${kind}.${param.name}`;
  return ok({ name, stage: stage.value, param, values: read.value });
}

function stageOf(name: string, { stages }: ProjectionSpec, registry: StageRegistry): Result<number, string> {
  const known = stages.map(({ kind }, at) => `${at} = ${kind}`).join(', ');
  if (/^\d+$/.test(name)) {
    const at = Number(name);
    return at < stages.length ? ok(at) : err(`the spec has no stage ${at}; it has ${known || 'none'}`);
  }
  const kind = registry.find(name)?.kind;
  const found = stages.flatMap((stage, at) => (stage.kind === kind ? [at] : []));
  const [first] = found;
  if (first === undefined) return err(`the spec has no stage ${name}; it has ${known || 'none'}`);
  return found.length === 1
    ? ok(first)
    : err(`the spec has several stages ${name}; name one by its position: ${known}`);
}

const RANGE = /^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)(?::(\d+(?:\.\d+)?))?$/;

function readValues(given: string, param: ParamSchema): Result<readonly VariedValue[] | 'critical', string> {
  const isNumber = param.type === 'integer' || param.type === 'number';
  if (given === 'critical') {
    return isNumber ? ok(given) : err(`${param.name} has no critical values: it is not a number`);
  }
  const range = isNumber ? RANGE.exec(given) : null;
  if (range !== null) return valuesInRange(range, param);
  if (given === '') return err(`${param.name} has no values: give 4..64:4, 4,8,16 or critical`);
  const values: VariedValue[] = [];
  for (const text of given.split(',')) {
    const value = readValue(text.trim(), param);
    if (value === null) return err(`${param.name} cannot be ${text.trim()}: ${acceptedBy(param)}`);
    if (!values.includes(value)) values.push(value);
  }
  return ok(values);
}

function valuesInRange(
  [, from, to, step]: RegExpExecArray,
  param: ParamSchema,
): Result<readonly VariedValue[], string> {
  const [first, last, by] = [Number(from), Number(to), Number(step ?? 1)];
  if (by <= 0 || last < first)
    return err(`${param.name}: a range goes from the smaller value to the larger, by more than 0`);
  const count = Math.floor((last - first) / by + 1e-9) + 1;
  if (count > VALUES_MOST) return err(`${param.name}: ${count} values; ${VALUES_MOST} at most`);
  const values = Array.from({ length: count }, (_, i) => Number((first + i * by).toPrecision(12)));
  const wrong = param.type === 'integer' ? values.find((value) => !Number.isInteger(value)) : undefined;
  return wrong === undefined ? ok(values) : err(`${param.name} cannot be ${wrong}: ${acceptedBy(param)}`);
}

function readValue(text: string, { type, choices }: ParamSchema): VariedValue | null {
  switch (type) {
    case 'integer':
    case 'number': {
      const value = text === '' ? Number.NaN : Number(text);
      return Number.isFinite(value) && (type === 'number' || Number.isInteger(value)) ? value : null;
    }
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : null;
    case 'choice':
      return choices?.find(({ value, aliases = [] }) => value === text || aliases.includes(text))?.value ?? null;
    case 'string':
      return text;
    default:
      return null;
  }
}

function acceptedBy({ type, choices = [] }: ParamSchema): string {
  switch (type) {
    case 'integer':
      return 'a whole number';
    case 'number':
      return 'a number';
    case 'boolean':
      return 'true or false';
    case 'choice':
      return choices.map(({ value }) => value).join(', ');
    default:
      return 'an option of this kind cannot be varied';
  }
}

/** A spec with values for options; other words for an option give way to its name. */
export function specWith(
  spec: ProjectionSpec,
  values: readonly { readonly option: VariedOption; readonly value: VariedValue }[],
): ProjectionSpec {
  const { name: _name, ...rest } = spec;
  const stages = spec.stages.map((stage, at) => {
    const own = values.filter(({ option }) => option.stage === at);
    if (own.length === 0) return stage;
    const options: Record<string, unknown> = { ...stage.options };
    for (const { option, value } of own) {
      for (const alias of option.param.aliases ?? []) delete options[alias];
      options[option.param.name] = value;
    }
    return { ...stage, options };
  });
  return { ...rest, stages };
}

/** An option with the values that it takes. */
export interface Axis {
  readonly option: VariedOption;
  readonly values: readonly VariedValue[];
}

/**
 * The axes in the order in which they are gone through: those of later stages vary fastest, so that specs with the same
 * first stages are neighbours.
 */
export function orderedAxes(axes: readonly Axis[]): readonly Axis[] {
  return axes.toSorted((a, b) => a.option.stage - b.option.stage);
}

/** The spec at a place of the grid: one position in the values of each axis. */
export function specAt(spec: ProjectionSpec, axes: readonly Axis[], place: readonly number[]): VariedSpec {
  const chosen = axes.map(({ option, values }, axis) => ({ option, value: valueAt(values, place[axis] ?? 0) }));
  const named = Object.fromEntries(chosen.map(({ option, value }) => [option.name, value]));
  return { values: named, spec: specWith(spec, chosen) };
}

function valueAt(values: readonly VariedValue[], at: number): VariedValue {
  const value = values[at];
  if (value === undefined) throw new RangeError(`no value ${at} of ${values.length}`);
  return value;
}

/** All places of a grid, the last axis fastest. */
export function placesOf(axes: readonly Axis[]): readonly (readonly number[])[] {
  let places: readonly (readonly number[])[] = [[]];
  for (const { values } of axes) places = places.flatMap((place) => [...values.keys()].map((at) => [...place, at]));
  return places;
}
