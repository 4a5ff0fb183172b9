// A repair put into the spec: the hygiene stage at its end, with one rule more or as the whole profile. Values in, values
// out.
import type { ProjectionSpec, StageSpec } from '../../core/projection/types.ts';
import type { LintTarget } from '../state/types.ts';
import { isOwn } from './target.ts';

const HYGIENE = 'hygiene';
const TARGET_OPTIONS: ReadonlySet<string> = new Set([
  'profile',
  'provider',
  'model_api',
  'modelApi',
  'api',
  'model',
  'model_id',
  'modelId',
]);

/** The spec with a hygiene stage that runs the whole profile for the target. */
export function applyProfile(spec: ProjectionSpec, target: LintTarget): ProjectionSpec {
  return withHygiene(spec, target, ({ only: _only, off: _off, ...options }) => options);
}

/**
 * The spec with a rule more: of a stage that runs single rules one of them, of a stage that runs the profile no longer
 * left out, and run even if the profile has it not. Without a hygiene stage one is added that runs this rule alone.
 */
export function applyRule(spec: ProjectionSpec, rule: string, target: LintTarget): ProjectionSpec {
  const isNew = placeOf(spec) === -1;
  return withHygiene(spec, target, (options) => {
    const only = namesIn(options.only);
    if (isNew || only.length > 0) return { ...options, only: withName(only, rule) };
    const off = namesIn(options.off);
    const { off: _off, ...rest } = options;
    if (off.includes(rule)) {
      const left = off.filter((name) => name !== rule);
      return left.length === 0 ? rest : { ...rest, off: left };
    }
    return { ...options, on: withName(namesIn(options.on), rule) };
  });
}

/** Names as an option may hold them: a list, or a text parted by commas or spaces. */
export function namesIn(value: unknown): readonly string[] {
  const texts = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [value];
  return texts.flatMap((text) => (typeof text === 'string' ? text.split(/[\s,]+/).filter((name) => name !== '') : []));
}

function withName(names: readonly string[], name: string): readonly string[] {
  return names.includes(name) ? names : [...names, name];
}

type Options = Readonly<Record<string, unknown>>;

function withHygiene(spec: ProjectionSpec, target: LintTarget, edit: (options: Options) => Options): ProjectionSpec {
  const place = placeOf(spec);
  const old: StageSpec = spec.stages[place] ?? { kind: HYGIENE };
  const options = edit({ ...(isOwn(target) ? old.options : withoutTarget(old.options)), ...optionsOf(target) });
  const stage: StageSpec = Object.keys(options).length === 0 ? { kind: HYGIENE } : { kind: HYGIENE, options };
  if (place === -1) return { ...spec, stages: [...spec.stages, stage] };
  return { ...spec, stages: spec.stages.map((one, at) => (at === place ? stage : one)) };
}

/** The last hygiene stage, on or off: a repair that was asked for switches it on. */
function placeOf({ stages }: ProjectionSpec): number {
  return stages.findLastIndex(({ kind }) => kind === HYGIENE || kind === 'transcript_hygiene');
}

function withoutTarget(options: Options = {}): Options {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !TARGET_OPTIONS.has(name)));
}

function optionsOf({ provider, api, model }: LintTarget): Options {
  return {
    ...(provider !== '' && { provider }),
    ...(api !== '' && { model_api: api }),
    ...(model !== '' && { model }),
  };
}
