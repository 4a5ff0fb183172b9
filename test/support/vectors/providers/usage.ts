// `usage`: the requests that one answer was billed for, and whether a summary came of it.
import { compactJson } from '../../../../core/util/json/index.ts';
import { arrayAt, ownAt } from '../../../../core/util/unknown.ts';
import type { VectorOutcome } from '../../harnVectors.ts';
import type { ProviderVector } from './index.ts';
import { importedFrom } from './requestImport.ts';

/** Runs one case: the answer is read as the API gives it. */
export function runUsage(vector: ProviderVector): VectorOutcome {
  const { messages, compactions } = importedFrom(vector);
  const usage = messages.at(-1)?.meta.usage;
  const requests = (usage === undefined ? [] : (usage.requests ?? [usage])).map(({ input, output }) => ({
    input_tokens: input,
    output_tokens: output,
  }));
  const got = JSON.stringify({ requests, summary: compactions.length > 0 });
  const accepted = (arrayAt(vector, 'accept') ?? []).map((each) => compactJson(JSON.stringify(each)));
  const passed = accepted.includes(got);
  return { id: String(ownAt(vector, 'id')), passed, report: passed ? [] : [`accepts ${accepted}`, `got ${got}`] };
}
