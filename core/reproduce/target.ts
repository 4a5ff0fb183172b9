import { type RecordedBy, type RequestPlace, targetAt } from '../wire/lint.ts';
import type { WireTarget } from '../wire/types.ts';

/** Where a transcript's requests go, as the lint finds it out (see core/wire/home.ts); where nothing shows it to Anthropic. */
export function defaultTarget(place: RequestPlace, recorded: RecordedBy): WireTarget {
  return targetAt(place, recorded) ?? 'anthropic';
}
