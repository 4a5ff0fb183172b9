import type { Problem } from '../model/problem.ts';
import type { IncrementalContext, IncrementalRun } from '../view/incremental.ts';
import { NO_TRAITS, type StageTraits, type TraitsOf } from '../view/stageTraits.ts';
import type { KeepsThinking, ParamSchema, StageDefinition } from '../view/types.ts';

/** A stage with its options parsed: ready to run. */
export interface BoundStage {
  /** The parsed parameters, for display and for the result's metadata. */
  readonly params: object;
  readonly keepsThinking: KeepsThinking;
  /** Begins it before the first call point. */
  begin(context: IncrementalContext): IncrementalRun;
  /** Gives its options to a run of the same kind; false = that run has to be begun again. */
  reconfigure(run: IncrementalRun): boolean;
}

/** A kind of stage as the registry offers it, whatever its parameters. */
export interface RegisteredStage {
  readonly kind: string;
  readonly aliases: readonly string[];
  readonly family: StageDefinition<object>['family'];
  readonly title: string;
  readonly help: string;
  readonly params: readonly ParamSchema[];
  readonly usesTokens: boolean;
  readonly rereads: boolean;
  readonly traits: StageTraits;
  /** With its options at their defaults. */
  readonly keepsThinking: KeepsThinking;
  /** `bound` is null if a problem is an error; `where.path` of problems is the option's name. */
  bind(options: Readonly<Record<string, unknown>>): {
    readonly bound: BoundStage | null;
    readonly problems: readonly Problem[];
  };
}

/** All kinds of stage, by name and alias. */
export interface StageRegistry {
  readonly stages: readonly RegisteredStage[];
  /** By kind or alias. */
  find(name: string): RegisteredStage | null;
  /** Of a kind; of one that is not known, none. */
  readonly traitsOf: TraitsOf;
}

/** Hides a definition's parameter type, so that one list can hold stages of all families. */
export function registered<P extends object>(definition: StageDefinition<P>): RegisteredStage {
  const { kind, aliases, family, title, help, params } = definition;
  return {
    kind,
    aliases,
    family,
    title,
    help,
    params,
    usesTokens: definition.usesTokens ?? false,
    rereads: definition.rereads ?? false,
    traits: definition.traits ?? NO_TRAITS,
    keepsThinking: keepsByDefault(definition),
    bind(options) {
      const parsed = definition.parse(options);
      const own = parsed.params;
      return { bound: own === null ? null : boundStage(definition, own), problems: parsed.problems };
    },
  };
}

function keepsByDefault<P extends object>(definition: StageDefinition<P>): KeepsThinking {
  const { params } = definition.parse({});
  return params === null ? 'no' : (definition.keepsThinking?.(params) ?? 'no');
}

function boundStage<P extends object>(definition: StageDefinition<P>, params: P): BoundStage {
  return {
    params,
    keepsThinking: definition.keepsThinking?.(params) ?? 'no',
    begin: (context) => definition.incremental(params, context),
    reconfigure: (run) => run.reconfigure?.(params) ?? false,
  };
}

/** Makes a registry; a name or alias used twice is a bug and throws. */
export function createRegistry(stages: readonly RegisteredStage[]): StageRegistry {
  const byName = new Map<string, RegisteredStage>();
  for (const stage of stages) {
    for (const name of [stage.kind, ...stage.aliases]) {
      if (byName.has(name)) throw new Error(`two stages are called "${name}"`);
      byName.set(name, stage);
    }
  }
  return {
    stages,
    find: (name) => byName.get(name) ?? null,
    traitsOf: (kind) => byName.get(kind)?.traits ?? NO_TRAITS,
  };
}
