// Specs from outside: versioned JSON, or a bare Harn option, which means one stage.
import type { Problem } from '../model/problem.ts';
import { raw } from '../stages/harn/index.ts';
import { isTokenizerId, TOKENIZER_IDS } from '../tokens/counters.ts';
import { err, ok, type Result } from '../util/result.ts';
import { isRecord, nestsDeeper, ownAt } from '../util/unknown.ts';
import { describeValue } from '../view/optionReader.ts';
import type { StageTraits } from '../view/stageTraits.ts';
import type { KeepsThinking } from '../view/types.ts';
import { readPreservedThinking } from './binding/setting.ts';
import { readBudgetSpec } from './budgetSpec.ts';
import { orderWarnings } from './orderRules.ts';
import type { BoundStage, RegisteredStage, StageRegistry } from './registry.ts';
import type { ProjectionSpec, StageSpec } from './types.ts';

/** A stage of a spec, found in the registry and with its options parsed. */
export interface ResolvedStage {
  /** Position in the spec. */
  readonly position: number;
  readonly kind: string;
  readonly title: string;
  readonly family: RegisteredStage['family'];
  readonly enabled: boolean;
  /** Its result depends on token counts, or on the budget. */
  readonly usesTokens: boolean;
  /** It reads the whole view again at every call point. */
  readonly rereads: boolean;
  readonly traits: StageTraits;
  /** What it leaves of the conversation that thinking blocks are bound to. */
  readonly keepsThinking: KeepsThinking;
  /** Kind and options as text: the same text, the same parameters. */
  readonly key: string;
  readonly bound: BoundStage;
}

/** A spec ready to run. `spec` is normalised: version 1, registered kinds, the user's own option names and values. */
export interface ParsedSpec {
  readonly spec: ProjectionSpec;
  readonly stages: readonly ResolvedStage[];
  /** What does not stop the spec: options without effect, an order that the seeds advise against. */
  readonly warnings: readonly Problem[];
}

type Fields = Readonly<Record<string, unknown>>;

const POLICY_KEYS: readonly string[] = ['policy', 'kind', 'strategy'];
const SPEC_KEYS: readonly string[] = [
  'version',
  'name',
  'stages',
  'tokenizer',
  'window',
  'budget',
  'preserved_thinking',
];
const STAGE_KEYS: readonly string[] = ['kind', 'enabled', 'options'];

/** Lists and objects in each other, in all of a spec: no option has use for as many. */
const MOST_LEVELS = 100;

const TOO_DEEP: Problem = {
  code: 'spec.too_deep',
  severity: 'error',
  text: `The spec nests more than ${MOST_LEVELS} levels deep.`,
};

/**
 * Parses a spec, or a bare Harn option: a policy's name, an object with `policy` (`kind`, `strategy`), null = raw.
 * All errors are reported at once; `where.path` says where, e.g. `stages[0].options.root_window`.
 */
export function parseSpec(input: unknown, registry: StageRegistry): Result<ParsedSpec, readonly Problem[]> {
  if (nestsDeeper(input, MOST_LEVELS)) return err([TOO_DEEP]);
  const reader = new SpecReader(registry);
  const parsed = reader.read(input);
  const problems = reader.problems.map(inFewWords);
  const errors = problems.filter((problem) => problem.severity === 'error');
  if (errors.length > 0 || parsed === null) return err(problems);
  return ok({ ...parsed, warnings: [...problems, ...orderWarnings(parsed.stages)] });
}

/** What was given may be long; who reads the problem looks for the place. Unit: UTF-16 units. */
const MOST_CHARS = 2_000;

function inFewWords(problem: Problem): Problem {
  return problem.text.length <= MOST_CHARS ? problem : { ...problem, text: `${problem.text.slice(0, MOST_CHARS)}…` };
}

class SpecReader {
  readonly problems: Problem[] = [];
  readonly #registry: StageRegistry;

  constructor(registry: StageRegistry) {
    this.#registry = registry;
  }

  read(input: unknown): Omit<ParsedSpec, 'warnings'> | null {
    if (input === null || input === undefined) return this.#readHarn({});
    if (typeof input === 'string') return this.#readHarn({ policy: input });
    if (!isRecord(input)) {
      this.#error('', `A spec must be an object, or a policy's name; given: ${describeValue(input)}.`);
      return null;
    }
    const isSpec = Object.hasOwn(input, 'stages') || Object.hasOwn(input, 'version');
    return isSpec ? this.#readSpec(input) : this.#readHarn(input);
  }

  #readHarn(fields: Fields): Omit<ParsedSpec, 'warnings'> | null {
    const key = POLICY_KEYS.find((name) => ownAt(fields, name) !== undefined && ownAt(fields, name) !== null);
    const policy = key === undefined ? raw.kind : ownAt(fields, key);
    const stage = this.#findStage(policy, key ?? 'policy', 'policy');
    const options = Object.fromEntries(Object.entries(fields).filter(([name]) => !POLICY_KEYS.includes(name)));
    if (stage === null) return null;
    const resolved = this.#resolve(stage, options, 0, true, '');
    if (resolved === null) return null;
    return { spec: { version: 1, stages: [{ kind: stage.kind, options }] }, stages: [resolved] };
  }

  #readSpec(fields: Fields): Omit<ParsedSpec, 'warnings'> | null {
    if (!this.#checkVersion(ownAt(fields, 'version'))) return null;
    this.#warnOfUnknown(fields, SPEC_KEYS, '', 'A spec');
    const list = ownAt(fields, 'stages');
    if (!Array.isArray(list)) {
      this.#error('stages', `stages must be a list; given: ${describeValue(list)}.`);
      return null;
    }
    const specs: StageSpec[] = [];
    const stages: ResolvedStage[] = [];
    for (const [position, value] of list.entries()) {
      const read = this.#readStage(value, position);
      if (read === null) continue;
      specs.push(read.spec);
      stages.push(read.resolved);
    }
    const spec: ProjectionSpec = { version: 1, ...this.#readHeader(fields), stages: specs };
    return { spec, stages };
  }

  #checkVersion(version: unknown): boolean {
    if (version === 1) return true;
    const newer =
      typeof version === 'number' && version > 1 ? ' It was written by a newer version of the program.' : '';
    this.#error('version', `version must be 1; given: ${describeValue(version)}.${newer}`);
    return false;
  }

  #readHeader(
    fields: Fields,
  ): Partial<Pick<ProjectionSpec, 'name' | 'tokenizer' | 'window' | 'budget' | 'preserved_thinking'>> {
    const name = this.#optional(fields, 'name', 'a string', (value) => (typeof value === 'string' ? value : null));
    const tokenizer = this.#optional(fields, 'tokenizer', 'a string', (value) =>
      typeof value === 'string' ? value : null,
    );
    if (tokenizer !== null && !isTokenizerId(tokenizer)) {
      const known = TOKENIZER_IDS.join(', ');
      this.#warn(
        'tokenizer',
        `There is no tokenizer ${describeValue(tokenizer)}: the model’s is used; known are ${known}.`,
      );
    }
    const window = this.#optional(fields, 'window', 'a whole number of tokens, 1 or more', (value) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 ? value : null,
    );
    const budget = readBudgetSpec(
      ownAt(fields, 'budget'),
      (path, text) => this.#error(path, text),
      (path, text) => this.#warn(path, text),
    );
    const thinking = readPreservedThinking(
      ownAt(fields, 'preserved_thinking'),
      (path, text) => this.#error(path, text),
      (path, text) => this.#warn(path, text),
    );
    return {
      ...(name !== null && { name }),
      ...(tokenizer !== null && { tokenizer }),
      ...(window !== null && { window }),
      ...(budget !== null && { budget }),
      ...(thinking !== null && { preserved_thinking: thinking }),
    };
  }

  #optional<T>(fields: Fields, key: string, accepted: string, read: (value: unknown) => T | null, at = ''): T | null {
    const given = ownAt(fields, key);
    if (given === undefined || given === null) return null;
    const value = read(given);
    if (value === null) this.#error(`${at}${key}`, `${key} must be ${accepted}; given: ${describeValue(given)}.`);
    return value;
  }

  #readStage(value: unknown, position: number): { spec: StageSpec; resolved: ResolvedStage } | null {
    const path = `stages[${position}]`;
    const fields = typeof value === 'string' ? { kind: value } : value;
    if (!isRecord(fields)) {
      this.#error(path, `A stage must be an object with a kind; given: ${describeValue(value)}.`);
      return null;
    }
    this.#warnOfUnknown(fields, STAGE_KEYS, `${path}.`, 'A stage');
    const stage = this.#findStage(ownAt(fields, 'kind'), `${path}.kind`, 'kind');
    const asBoolean = (given: unknown): boolean | null => (typeof given === 'boolean' ? given : null);
    const enabled = this.#optional(fields, 'enabled', 'true or false', asBoolean, `${path}.`);
    const options = ownAt(fields, 'options') ?? {};
    if (!isRecord(options)) {
      this.#error(`${path}.options`, `options must be an object; given: ${describeValue(options)}.`);
      return null;
    }
    if (stage === null) return null;
    const resolved = this.#resolve(stage, options, position, enabled ?? true, `${path}.options.`);
    if (resolved === null) return null;
    const spec: StageSpec = { kind: stage.kind, ...(enabled !== null && { enabled }), options };
    return { spec, resolved };
  }

  #findStage(name: unknown, path: string, option: string): RegisteredStage | null {
    const stage = typeof name === 'string' ? this.#registry.find(name) : null;
    if (stage !== null) return stage;
    const known = this.#registry.stages.map((each) => each.kind).join(', ');
    this.#error(path, `Unknown ${option}: ${describeValue(name)}. Accepted: ${known}.`);
    return null;
  }

  #resolve(
    stage: RegisteredStage,
    options: Fields,
    position: number,
    enabled: boolean,
    prefix: string,
  ): ResolvedStage | null {
    const { bound, problems } = stage.bind(options);
    for (const problem of problems) {
      const path = `${prefix}${problem.where?.path ?? ''}`;
      this.problems.push({ ...problem, where: { ...problem.where, path } });
    }
    if (bound === null) return null;
    const { kind, title, family, usesTokens, rereads, traits } = stage;
    const { keepsThinking } = bound;
    const key = `${kind} ${JSON.stringify(options)}`;
    return { position, kind, title, family, enabled, usesTokens, rereads, traits, keepsThinking, key, bound };
  }

  // A key at the wrong level says nothing, and whoever wrote it thinks that it does.
  #warnOfUnknown(fields: Fields, known: readonly string[], at: string, what: string): void {
    for (const key of Object.keys(fields)) {
      if (known.includes(key)) continue;
      this.#warn(`${at}${key}`, `${what} has no ${key}: it has no effect; known are ${known.join(', ')}.`);
    }
  }

  #warn(path: string, text: string): void {
    this.problems.push({ code: 'spec.unknown_option', severity: 'warning', text, where: { path } });
  }

  #error(path: string, text: string): void {
    this.problems.push({ code: 'spec.invalid', severity: 'error', text, where: { path } });
  }
}
