// Policies the person named, kept in the library's settings. Stored values are outside data: an entry that does not read
// is left out of the menu, and stays in the settings until the list is written again.
import type { BudgetSpec } from '../../core/projection/budgetSpec.ts';
import type { ProjectionSpec, StageSpec } from '../../core/projection/types.ts';
import { arrayAt, boolAt, isRecord, numberAt, recordAt, stringAt } from '../../core/util/unknown.ts';

export const SAVED_KEY = 'policies.saved';

export interface SavedPolicy {
  readonly name: string;
  readonly spec: ProjectionSpec;
}

/** Reads the stored list. */
export function readSaved(value: unknown): readonly SavedPolicy[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => {
    if (!isRecord(entry)) return [];
    const name = stringAt(entry, 'name');
    const spec = readSpec(recordAt(entry, 'spec'));
    return name !== undefined && name !== '' && spec ? [{ name, spec }] : [];
  });
}

/** Saves under a name, in place of one of that name; the list stays sorted. */
export function withPolicy(saved: readonly SavedPolicy[], name: string, spec: ProjectionSpec): readonly SavedPolicy[] {
  const rest = saved.filter((one) => one.name !== name);
  return [...rest, { name, spec: { ...spec, name } }].sort((a, b) => a.name.localeCompare(b.name));
}

/** Renames; a policy that had the new name before is replaced. */
export function renamed(saved: readonly SavedPolicy[], from: string, to: string): readonly SavedPolicy[] {
  const one = saved.find((policy) => policy.name === from);
  if (!one || from === to) return saved;
  const others = saved.filter((policy) => policy.name !== from);
  return withPolicy(others, to, one.spec);
}

export function withoutPolicy(saved: readonly SavedPolicy[], name: string): readonly SavedPolicy[] {
  return saved.filter((one) => one.name !== name);
}

// Only the frame is read here; options are checked by the engine when the policy is applied.
function readSpec(value: Record<string, unknown> | undefined): ProjectionSpec | null {
  const stages = value && arrayAt(value, 'stages');
  if (!value || !stages) return null;
  const read = stages.map(readStage);
  if (read.some((stage) => stage === null)) return null;
  const tokenizer = stringAt(value, 'tokenizer');
  const window = numberAt(value, 'window');
  const name = stringAt(value, 'name');
  const budget = recordAt(value, 'budget');
  return {
    version: 1,
    stages: read.filter((stage) => stage !== null),
    ...(name === undefined ? {} : { name }),
    ...(tokenizer === undefined ? {} : { tokenizer }),
    ...(window === undefined ? {} : { window }),
    ...(budget === undefined ? {} : { budget: readBudget(budget) }),
  };
}

function readBudget(value: Record<string, unknown>): BudgetSpec {
  const model = stringAt(value, 'model');
  const window = numberAt(value, 'window');
  const output = numberAt(value, 'reserve_output');
  const injection = numberAt(value, 'injection_reserve');
  const overhead = numberAt(value, 'overhead');
  const caps = recordAt(value, 'caps');
  return {
    ...(window === undefined ? {} : { window }),
    ...(model === undefined ? {} : { model }),
    ...(output === undefined ? {} : { reserve_output: output }),
    ...(injection === undefined ? {} : { injection_reserve: injection }),
    ...(overhead === undefined ? {} : { overhead }),
    ...(caps === undefined ? {} : { caps: readCaps(caps) }),
  };
}

function readCaps(value: Record<string, unknown>): NonNullable<BudgetSpec['caps']> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([tier, cap]) =>
      typeof cap === 'number' || typeof cap === 'string' ? [[tier, cap] as const] : [],
    ),
  );
}

function readStage(value: unknown): StageSpec | null {
  if (!isRecord(value)) return null;
  const kind = stringAt(value, 'kind');
  if (kind === undefined) return null;
  const enabled = boolAt(value, 'enabled');
  const options = recordAt(value, 'options');
  return { kind, ...(enabled === undefined ? {} : { enabled }), ...(options ? { options } : {}) };
}
