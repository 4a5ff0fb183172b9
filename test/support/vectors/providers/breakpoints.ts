// `breakpoints`: which of OpenAI's breakpoints are written to the cache, and which are looked at: items of the input by their
// index, `end` = the one that is set where the request asks for no mode of its own.
import {
  lookedUpBreakpoints,
  promptCacheOptions,
  writtenBreakpoints,
} from '../../../../core/insight/openaiBreakpoints.ts';
import { cacheMarkOf } from '../../../../core/model/cacheMark.ts';
import { readMessage } from '../../../../core/model/readMessage.ts';
import { arrayAt, isRecord, ownAt, recordAt } from '../../../../core/util/unknown.ts';
import type { VectorOutcome } from '../../harnVectors.ts';
import type { ProviderVector } from './index.ts';

/** Runs one case: one of the accepted lists must be ours. */
export function runBreakpoints(vector: ProviderVector): VectorOutcome {
  const request = recordAt(vector, 'request') ?? {};
  const { mode } = promptCacheOptions(request);
  const own = (arrayAt(request, 'input') ?? []).flatMap((item, index) => (isMarked(item) ? [index] : []));
  const end = mode === 'implicit' ? ['end'] : [];
  const written = [...writtenBreakpoints(own, mode), ...end];
  // The pages do not say whether the one at the end is among those that are looked at.
  const lookups = [lookedUpBreakpoints(own), lookedUpBreakpoints([...own, ...end])];
  const says = (key: string, value: unknown): boolean =>
    (key === 'written' ? [written] : lookups).some((list) => JSON.stringify(list) === JSON.stringify(value));
  const accepted = arrayAt(vector, 'accept') ?? [];
  const passed = accepted.some(
    (each) => isRecord(each) && Object.entries(each).every(([key, value]) => says(key, value)),
  );
  const report = passed ? [] : [`accepts ${JSON.stringify(accepted)}`, `got ${JSON.stringify({ written, lookups })}`];
  return { id: String(ownAt(vector, 'id')), passed, report };
}

function isMarked(item: unknown): boolean {
  return readMessage(item).parts.some(({ cacheMark }) => cacheMark !== undefined) || cacheMarkOf(item) !== null;
}
