// `diagnostics`: what a recorded diagnosis of the provider says.
import { anthropicDiagnosis, type CacheDiagnosis, openaiDiagnosis } from '../../../../core/model/cacheDiagnosis.ts';
import { arrayAt, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../../core/util/unknown.ts';
import type { VectorOutcome } from '../../harnVectors.ts';
import type { ProviderVector } from './index.ts';

/** Runs one case: one of the accepted statements must be ours, in each member it has. */
export function runDiagnostics(vector: ProviderVector): VectorOutcome {
  const response = recordAt(vector, 'response') ?? {};
  const read = stringAt(vector, 'provider') === 'openai' ? openaiDiagnosis : anthropicDiagnosis;
  const said = saidBy(read(response) ?? { cause: null }, response);
  const accepted = arrayAt(vector, 'accept') ?? [];
  const passed = accepted.some(
    (each) => isRecord(each) && Object.entries(each).every(([key, value]) => said[key] === value),
  );
  const report = passed ? [] : [`accepts ${JSON.stringify(accepted)}`, `read ${JSON.stringify(said)}`];
  return { id: String(ownAt(vector, 'id')), passed, report };
}

// Nothing changed, and nothing was read: then the entry was gone, if the request asked at all.
function saidBy({ cause, missedTokens }: CacheDiagnosis, response: Readonly<Record<string, unknown>>) {
  const read = numberAt(recordAt(response, 'usage') ?? {}, 'cache_read_input_tokens');
  const said: Record<string, unknown> = { cause };
  if (missedTokens !== undefined) Object.assign(said, { missed_tokens: missedTokens, estimate: true });
  if (cause === null && read === 0) said.entry_gone_if_asked = true;
  return said;
}
