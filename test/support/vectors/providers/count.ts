// `count`: which tools a request holds, and the message at which a deferred one is loaded.
import { toolsInPrompt } from '../../../../core/model/toolLoading.ts';
import { arrayAt, isRecord, ownAt, recordAt } from '../../../../core/util/unknown.ts';
import type { VectorOutcome } from '../../harnVectors.ts';
import type { ProviderVector } from './index.ts';

/** Runs one case: one of the accepted answers must be ours, in each member it has. */
export function runCount(vector: ProviderVector): VectorOutcome {
  const request = recordAt(vector, 'request') ?? {};
  const { fixed, loaded } = toolsInPrompt(arrayAt(request, 'tools') ?? [], arrayAt(request, 'messages') ?? []);
  const counted = [...fixed, ...loaded.map(({ name }) => name)];
  // Where a tool is loaded may be said by its name, or as the only place there is.
  const places = [Object.fromEntries(loaded.map(({ name, message }) => [name, message])), loaded[0]?.message ?? null];
  const says = (key: string, value: unknown): boolean => {
    if (key === 'tools_counted') return Array.isArray(value) && isSame(value.toSorted(), counted.toSorted());
    return places.some((place) => isSame(place, value));
  };
  const accepted = arrayAt(vector, 'accept') ?? [];
  const passed = accepted.some(
    (each) => isRecord(each) && Object.entries(each).every(([key, value]) => says(key, value)),
  );
  const report = passed
    ? []
    : [`accepts ${JSON.stringify(accepted)}`, `counted ${JSON.stringify({ counted, places })}`];
  return { id: String(ownAt(vector, 'id')), passed, report };
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
