// Changes of a spec as data: applied to it, and shown as a patch of its JSON.

import type { ProjectionSpec, StageSpec } from '../../projection/types.ts';
import { grouped } from '../../util/counts.ts';
import { isRecord, ownAt } from '../../util/unknown.ts';
import { describeValue } from '../../view/optionReader.ts';
import type { PatchOperation } from './types.ts';

/** One change. `path` = the option's name, or the names that lead into its object. */
export type SpecEdit =
  | { readonly edit: 'set'; readonly stage: number; readonly path: readonly string[]; readonly value: unknown }
  | { readonly edit: 'off'; readonly stage: number }
  | { readonly edit: 'move'; readonly stage: number; readonly to: number }
  | { readonly edit: 'insert'; readonly stage: number; readonly value: StageSpec };

/** The spec with the edits, in order. */
export function editedSpec(spec: ProjectionSpec, edits: readonly SpecEdit[]): ProjectionSpec {
  return edits.reduce(editOnce, spec);
}

function editOnce(spec: ProjectionSpec, edit: SpecEdit): ProjectionSpec {
  const stages = [...spec.stages];
  const own = stages[edit.stage];
  if (edit.edit === 'insert') stages.splice(edit.stage, 0, edit.value);
  else if (own === undefined) throw new RangeError(`no stage ${edit.stage} in a spec of ${stages.length}`);
  else if (edit.edit === 'off') stages[edit.stage] = { ...own, enabled: false };
  else if (edit.edit === 'move') stages.splice(edit.to, 0, ...stages.splice(edit.stage, 1));
  else stages[edit.stage] = { ...own, options: setIn(own.options ?? {}, edit.path, edit.value) };
  return { ...spec, stages };
}

function setIn(
  object: Readonly<Record<string, unknown>>,
  [key = '', ...rest]: readonly string[],
  value: unknown,
): Readonly<Record<string, unknown>> {
  if (rest.length === 0) return { ...object, [key]: value };
  const inner = ownAt(object, key);
  return { ...object, [key]: setIn(isRecord(inner) ? inner : {}, rest, value) };
}

/** The edits as operations on the spec's JSON. */
export function patchOf(spec: ProjectionSpec, edits: readonly SpecEdit[]): readonly PatchOperation[] {
  const operations: PatchOperation[] = [];
  let now = spec;
  for (const edit of edits) {
    operations.push(...operationsOf(now, edit));
    now = editOnce(now, edit);
  }
  return operations;
}

function operationsOf({ stages }: ProjectionSpec, edit: SpecEdit): readonly PatchOperation[] {
  const at = `/stages/${edit.stage}`;
  const own = stages[edit.stage];
  switch (edit.edit) {
    case 'insert':
      return [{ op: 'add', path: at, value: edit.value }];
    case 'off':
      return [{ op: own?.enabled === undefined ? 'add' : 'replace', path: `${at}/enabled`, value: false }];
    case 'move':
      return [{ op: 'move', from: at, path: `/stages/${edit.to}` }];
    case 'set':
      return setOperations(own, at, edit.path, edit.value);
  }
}

// What does not exist yet is added at the first place that is missing.
function setOperations(
  own: StageSpec | undefined,
  at: string,
  path: readonly string[],
  value: unknown,
): readonly PatchOperation[] {
  let place = `${at}/options`;
  let inner: unknown = own?.options;
  for (const [depth, key] of path.entries()) {
    if (!isRecord(inner)) {
      return [{ op: inner === undefined ? 'add' : 'replace', path: place, value: setIn({}, path.slice(depth), value) }];
    }
    place += `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    inner = ownAt(inner, key);
  }
  return [{ op: inner === undefined ? 'add' : 'replace', path: place, value }];
}

/** A value in a sentence. */
export function valueWords(value: unknown): string {
  if (value === true) return 'on';
  if (value === false) return 'off';
  if (typeof value === 'number') return grouped(value);
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  return value === null ? 'none' : describeValue(value);
}
