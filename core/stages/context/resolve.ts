// Where a context policy's values come from: the request, that is the spec itself, then the transcript's policy, then the
// workspace's, then the default. A resolved policy says of each value that is not its own where it is from, so that it can
// be resolved again, and so that a report and a bundle can show it. Source: the thread design, "Policy Resolution".
import { isRecord } from '../../util/unknown.ts';
import { PARAM_SOURCES, PARAMS, type ParamSource, parseContextPolicy, RESOLVED_FROM } from './params.ts';

type Options = Readonly<Record<string, unknown>>;

/** Policies that are behind a spec's own values; null = there is none. */
export interface PolicyScopes {
  readonly transcript: Options | null;
  readonly workspace: Options | null;
}

/** One value, and where it came from. */
export interface ResolvedValue {
  readonly name: string;
  readonly value: unknown;
  readonly source: ParamSource;
}

/** No policy is behind a spec. */
export const NO_SCOPES: PolicyScopes = { transcript: null, workspace: null };

/** What is being asked belongs to one request: no scope holds it. */
const REQUEST_ONLY: ReadonlySet<string> = new Set(['pending', RESOLVED_FROM]);

/**
 * The options of a policy with what its scopes add, and every value with its source. A request that was resolved before
 * is resolved again: what it had from a scope is not its own.
 */
export function resolvePolicy(
  request: Options,
  scopes: PolicyScopes,
): { readonly options: Options; readonly values: readonly ResolvedValue[] } {
  const own = ownOptions(request);
  const options: Record<string, unknown> = {};
  const from: Record<string, ParamSource> = {};
  const values: ResolvedValue[] = [];
  const layers: Readonly<Record<ParamSource, Options>> = {
    request: own,
    transcript: scopes.transcript ?? {},
    workspace: scopes.workspace ?? {},
    default: {},
  };
  for (const schema of PARAMS) {
    const source = sourceOf(schema.name, layers);
    const value = layers[source][schema.name];
    if (source !== 'default') options[schema.name] = value;
    if (source === 'transcript' || source === 'workspace') from[schema.name] = source;
    values.push({ name: schema.name, value: source === 'default' ? schema.default : value, source });
  }
  for (const [name, value] of Object.entries(own)) if (!Object.hasOwn(options, name)) options[name] = value;
  if (Object.keys(from).length > 0) options[RESOLVED_FROM] = from;
  return { options, values };
}

function sourceOf(name: string, layers: Readonly<Record<ParamSource, Options>>): ParamSource {
  for (const source of PARAM_SOURCES) {
    if (source !== 'request' && REQUEST_ONLY.has(name)) continue;
    const value = layers[source][name];
    if (value !== undefined && value !== null) return source;
  }
  return 'default';
}

function ownOptions(request: Options): Options {
  const from = request[RESOLVED_FROM];
  const others = isRecord(from) ? from : {};
  return Object.fromEntries(
    Object.entries(request).filter(([name]) => name !== RESOLVED_FROM && !Object.hasOwn(others, name)),
  );
}

/** Every value of a policy that was resolved, with its source. */
export function policyValues(options: Options): readonly ResolvedValue[] {
  const own = ownOptions(options);
  const from = options[RESOLVED_FROM];
  return PARAMS.map((schema): ResolvedValue => {
    const { name } = schema;
    const given = options[name];
    if (given === undefined || given === null) return { name, value: schema.default, source: 'default' };
    const scope = isRecord(from) ? PARAM_SOURCES.find((source) => source === from[name]) : undefined;
    return { name, value: given, source: Object.hasOwn(own, name) ? 'request' : (scope ?? 'request') };
  });
}

interface StageLike {
  readonly kind: string;
  readonly options?: Options;
}

/** The stages of a spec with their context policies resolved; the same list if nothing changes. */
export function resolveStages<S extends StageLike>(stages: readonly S[], scopes: PolicyScopes): readonly S[] {
  let changed = false;
  const resolved = stages.map((stage) => {
    if (stage.kind !== 'context_policy') return stage;
    const before = stage.options ?? {};
    const { options } = resolvePolicy(before, scopes);
    if (JSON.stringify(options) === JSON.stringify(before)) return stage;
    changed = true;
    return { ...stage, options };
  });
  return changed ? resolved : stages;
}

/** What is wrong with a policy that is to be a default; empty = nothing. */
export function checkScope(options: Options) {
  const { problems } = parseContextPolicy(options);
  const forOneRequest = Object.keys(options).filter((name) => REQUEST_ONLY.has(name));
  return [
    ...problems,
    ...forOneRequest.map((name) => ({
      code: 'spec.bad_option',
      severity: 'error' as const,
      text: `Option ${name} belongs to one request: it can be no default.`,
      where: { path: name },
    })),
  ];
}
