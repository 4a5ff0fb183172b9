import { readsThinkingOf } from '../../../../core/projection/binding/models.ts';
import { arrayAt, ownAt, stringAt } from '../../../../core/util/unknown.ts';
import type { VectorOutcome } from '../../harnVectors.ts';
import type { ProviderVector } from './index.ts';

const DROPPED = { silently: true, billed: false, stays_in_messages: true, reason: 'model_binding_mismatch' };

/** `foreign`: may a model read thinking that another made? */
export function runForeign(vector: ProviderVector): VectorOutcome {
  const readable = readsThinkingOf(stringAt(vector, 'model') ?? '', stringAt(vector, 'made_by') ?? '') !== false;
  const said = JSON.stringify({ readable, dropped: readable ? null : DROPPED });
  const passed = (arrayAt(vector, 'accept') ?? []).some((each) => JSON.stringify(each) === said);
  return { id: String(ownAt(vector, 'id')), passed, report: passed ? [] : [said] };
}
