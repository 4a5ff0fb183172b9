// Changes of a policy under which a rule that failed may pass: each is held against the rule before it is shown. Nothing here knows
// a stage: what an option takes is read from its definition (Relax).
import { secretsOf } from '../../check/ruleText.ts';
import type { Rule } from '../../check/schema.ts';
import type { SessionFacts } from '../../check/types.ts';
import { editedSpec, type SpecEdit, valueWords } from '../../insight/keep/edit.ts';
import { givenOption, isShown, pathOf } from '../../insight/keep/moves.ts';
import { sameStages } from '../../projection/policyName.ts';
import { PRESETS } from '../../projection/presets.ts';
import { STAGES } from '../../projection/stages.ts';
import type { ProjectionSpec, StageSpec } from '../../projection/types.ts';
import { grouped } from '../../util/counts.ts';
import { isRecord } from '../../util/unknown.ts';
import type { ParamSchema, Relax } from '../../view/types.ts';

/** A change that may do. */
export interface Candidate {
  readonly words: string;
  /** Its value, for the words of the next one; null = it has none. */
  readonly value: string | null;
  readonly spec: ProjectionSpec;
}

/** Changes of one thing, the smallest first: behind the first that does, none is looked for. */
export type Series = readonly Candidate[];

/** `less`, `more` = of what a request holds. */
type Way = 'less' | 'more';

/** What can be changed for a rule, or why nothing can. `facts` = those it failed by. */
export function candidatesFor(
  rule: Rule,
  spec: ProjectionSpec,
  facts: SessionFacts | null,
): readonly Series[] | string {
  const why = reasonForNone(rule, facts);
  if (why !== null) return why;
  if ('valid_for' in rule) return [...repairs(rule.valid_for, spec), ...withPresets(spec)];
  return [...waysOf(rule).flatMap((way) => optionSeries(spec, way)), ...withPresets(spec)];
}

/** What happened at all, whatever a policy sends: no other policy is known to have changed it. */
const HAPPENED: readonly string[] = ['cache_lost', 'started_twice'];

function reasonForNone(rule: Rule, facts: SessionFacts | null): string | null {
  if ('secrets' in rule) {
    const { kind } = secretsOf(rule.secrets);
    const what = kind === 'secret' ? 'Secrets' : `Findings of ${kind}`;
    return `${what} are counted in the transcript, whatever the policy: an export masks them.`;
  }
  if ('baseline' in rule) {
    return 'It is compared with what was recorded: where the change is meant, update the baseline; where it is not, undo it.';
  }
  if ('findings' in rule) {
    const { kind, max } = rule.findings;
    const wanted = (facts?.findings ?? []).filter((each) => kind === undefined || each.kind === kind);
    const happened = wanted.filter((each) => HAPPENED.includes(each.kind)).length;
    if (happened <= max) return null;
    const count = happened === 1 ? '1 of them was recorded' : `${grouped(happened)} of them were recorded`;
    return `${count} as the session was made: another policy would hide that, not repair it.`;
  }
  return null;
}

function waysOf(rule: Rule): readonly Way[] {
  if ('tokens' in rule || 'cost' in rule || 'fits' in rule) return ['less'];
  if ('text' in rule) return rule.state === 'absent' || rule.state === 'gone' ? ['less'] : ['more'];
  if ('filter' in rule || 'cache_breaks' in rule) return ['more', 'less'];
  return ['more'];
}

function withPresets(spec: ProjectionSpec): readonly Series[] {
  const others = PRESETS.filter((preset) => !sameStages(preset.spec, spec));
  return others.map(({ title, spec: other }) => [{ words: `Preset ${title}`, value: null, spec: other }]);
}

function optionSeries(spec: ProjectionSpec, way: Way): readonly Series[] {
  return spec.stages.flatMap((stage, at): readonly Series[] => {
    const known = STAGES.find(stage.kind);
    if (known === null || stage.enabled === false) return [];
    const of = ({ name, label = name }: ParamSchema) => `${known.title}: ${label}`;
    const changed = (edit: SpecEdit, words: string, value: string | null): Candidate => {
      return { words, value, spec: editedSpec(spec, [edit]) };
    };
    const options = known.params.flatMap((param): readonly Series[] => {
      if (param.relax === undefined || !isShown(stage, param, known.params)) return [];
      if ('values' in param.relax) {
        return otherValues(stage, param, param.relax.values, way).map((value) => [
          changed({ edit: 'set', stage: at, path: [param.name], value }, `${of(param)} → ${valueWords(value)}`, null),
        ]);
      }
      if (!('towards' in param.relax)) return [];
      const from = numberOf(stage, param);
      if (from === null) return [];
      const path = pathOf(stage, param);
      const values = nextValues(from, param, param.relax, way);
      return [
        values.map((value) =>
          changed(
            { edit: 'set', stage: at, path, value },
            `${of(param)} ${valueWords(from)} → ${wordsOf(value, param.relax)}`,
            wordsOf(value, param.relax),
          ),
        ),
      ];
    });
    const off = way === 'more' ? [[changed({ edit: 'off', stage: at }, `${known.title}: off`, null)]] : [];
    return [...options.filter((series) => series.length > 0), ...off];
  });
}

function wordsOf(value: number, relax: Relax | undefined): string {
  const isUnlimited = relax !== undefined && 'towards' in relax && value === relax.unlimited;
  return isUnlimited ? 'no limit' : valueWords(value);
}

function otherValues(
  stage: StageSpec,
  param: ParamSchema,
  relaxed: readonly unknown[],
  way: Way,
): readonly (string | number | boolean)[] {
  const now = givenOption(stage, param);
  const accepted = param.type === 'boolean' ? [true, false] : (param.choices ?? []).map(({ value }) => value);
  const wanted = accepted.filter((value) => relaxed.includes(value) === (way === 'more'));
  return wanted.filter((value) => value !== now);
}

function numberOf(stage: StageSpec, param: ParamSchema): number | null {
  const given = givenOption(stage, param);
  const value = isRecord(given) ? given.value : given;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Parts and multiples of what an option is set to, from the nearest on. */
const SMALLER = [0.75, 0.5, 0.35, 0.25, 0.12, 0.06, 0.03, 0];
const LARGER = [1.5, 2, 3, 4, 8, 16, 32];

/** The values next to one, nearest first, in the direction in which a request holds more, or less. */
export function nextValues(
  from: number,
  { type, min = 0, softMax }: ParamSchema,
  { towards, step, unlimited }: Extract<Relax, { readonly towards: string }>,
  way: Way,
): readonly number[] {
  const most = softMax ?? Number.POSITIVE_INFINITY;
  // Where there is no limit yet, one is begun with at the most that is usual.
  const start = from === unlimited ? most : from;
  if (!Number.isFinite(start) || (from === unlimited && way === 'more')) return [];
  const isUp = (towards === 'more') === (way === 'more');
  const scale = from === unlimited ? [1, ...SMALLER] : isUp ? LARGER : SMALLER;
  const unit = step ?? (type === 'integer' ? 1 : 0.01);
  const base = isUp && start === 0 ? unit : start;
  const values = scale
    .map((factor) => Number((Math.round((base * factor) / unit) * unit).toFixed(6)))
    .map((value) => Math.max(min, value));
  const ends = isUp && way === 'more' && unlimited !== undefined ? [unlimited] : [];
  const others = [...new Set(values)].filter((value) => value !== from && value !== unlimited);
  return [...others, ...ends];
}

const HYGIENE = 'hygiene';

/** A hygiene stage at the end, for the provider: of one rule, then the whole profile. */
function repairs(provider: string, spec: ProjectionSpec): readonly Series[] {
  const at = spec.stages.length;
  const added = (options: Readonly<Record<string, unknown>>): ProjectionSpec => {
    return editedSpec(spec, [{ edit: 'insert', stage: at, value: { kind: HYGIENE, options } }]);
  };
  const only = STAGES.find(HYGIENE)?.params.find(({ name }) => name === 'only');
  const single = (only?.choices ?? []).map(({ value: rule, help: title }): Series => {
    const words = `Hygiene for ${provider} at the end, this rule alone: ${title}`;
    return [{ words, value: null, spec: added({ provider, only: [rule] }) }];
  });
  const whole = { words: `Hygiene for ${provider} at the end, all its rules`, value: null, spec: added({ provider }) };
  return [[whole], ...single];
}
