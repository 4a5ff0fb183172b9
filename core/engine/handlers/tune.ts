import { STAGES } from '../../projection/stages.ts';
import type { ProjectionSpec } from '../../projection/types.ts';
import type { Handlers } from '../../protocol/serve.ts';
import type { TuneOption } from '../../protocol/tuneTypes.ts';
import { ok } from '../../util/result.ts';
import type { ParamSchema } from '../../view/types.ts';
import type { Engine } from '../engine.ts';
import { readSpecFor } from '../library/policyScopes.ts';
import type { Sweeps } from '../tune/sweeps.ts';

type TuneMethods =
  | 'tune.options'
  | 'tune.start'
  | 'tune.stop'
  | 'tune.get'
  | 'tune.list'
  | 'tune.remove'
  | 'tune.export';

/** Sweeps of a policy's options. They run in separate threads. */
export function tuneHandlers(engine: Engine, sweeps: Sweeps): Pick<Handlers, TuneMethods> {
  return {
    'tune.options'({ id, spec }) {
      const parsed = readSpecFor(engine, id, spec);
      return parsed.ok ? ok({ options: optionsOf(parsed.value.spec) }) : parsed;
    },
    'tune.start': (asked) => sweeps.start(asked),
    async 'tune.stop'({ sweepId }) {
      await sweeps.stop(sweepId);
      return ok({});
    },
    'tune.get': ({ sweepId }) => sweeps.get(sweepId),
    'tune.list': ({ id }) => ok({ sweeps: sweeps.list(id) }),
    async 'tune.remove'({ sweepId }) {
      await engine.writable();
      await sweeps.remove(sweepId);
      return ok({});
    },
    'tune.export': ({ sweepId, format }) => sweeps.export(sweepId, format),
  };
}

function optionsOf({ stages }: ProjectionSpec): readonly TuneOption[] {
  return stages.flatMap(({ kind, options = {}, enabled = true }, at) => {
    const stage = STAGES.find(kind);
    if (stage === null || !enabled) return [];
    return stage.params.flatMap((param) => optionOf(param, options, at, stage.title) ?? []);
  });
}

function optionOf(
  param: ParamSchema,
  options: Readonly<Record<string, unknown>>,
  stage: number,
  stageTitle: string,
): TuneOption | null {
  const { name, label = name, unit, help, aliases = [] } = param;
  const values = valuesOf(param);
  if (values === null) return null;
  const given = [name, ...aliases].map((word) => options[word]).find((value) => value !== undefined) ?? param.default;
  const now = typeof given === 'number' || typeof given === 'boolean' || typeof given === 'string' ? given : '';
  return { stage, stageTitle, option: name, label, ...(unit !== undefined && { unit }), help, now, values };
}

function valuesOf({ type, choices = [] }: ParamSchema): string | null {
  switch (type) {
    case 'integer':
    case 'number':
      return 'critical';
    case 'boolean':
      return 'true,false';
    case 'choice':
      return choices.length > 1 ? choices.map(({ value }) => value).join(',') : null;
    default:
      return null;
  }
}
