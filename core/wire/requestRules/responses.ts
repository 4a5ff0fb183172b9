// OpenAI's Responses. Source: types of openai 7.55.0 (ResponseInputItem.CompactionTrigger: "must be the final input item").
import { typeOf } from './reading.ts';
import type { ProviderRequest, RequestFinding, RequestRule } from './types.ts';

function* triggerLast({ messages }: ProviderRequest): Generator<RequestFinding> {
  for (const [item, each] of messages.entries()) {
    if (typeOf(each) !== 'compaction_trigger' || item === messages.length - 1) continue;
    const text = 'compaction_trigger must be the last item of the input';
    yield { rule: 'compaction_misplaced', severity: 'error', item, text };
  }
}

/** The rules of a request to Responses. */
export const RESPONSES_RULES: readonly RequestRule[] = [triggerLast];
