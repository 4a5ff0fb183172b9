// What a provider would refuse of a whole request, and what it would take at a price: rules over settings, headers, tools
// and messages together. What single messages say (pairs, ids, order of turns) is the business of hygiene's lint.
import { betaMissing } from './betas.ts';
import { COMPACTION_RULES } from './compaction.ts';
import { EDITING_RULES } from './contextEditing.ts';
import { RESPONSES_RULES } from './responses.ts';
import { SYSTEM_RULES } from './systemMessages.ts';
import { TOOL_RULES } from './tools.ts';
import type { ProviderRequest, RequestFinding, RequestProvider, RequestRule } from './types.ts';

export type { ProviderRequest, RecordedCompaction, RequestFinding, RequestPlace, RequestProvider } from './types.ts';

const RULES: Readonly<Record<RequestProvider, readonly RequestRule[]>> = {
  anthropic: [betaMissing, ...EDITING_RULES, ...COMPACTION_RULES, ...SYSTEM_RULES, ...TOOL_RULES],
  openai: RESPONSES_RULES,
};

/** All findings: those of the request as a whole first, then in the order of its messages. */
export function lintRequest(request: ProviderRequest): readonly RequestFinding[] {
  const found = RULES[request.provider].flatMap((rule) => [...rule(request)]);
  return found.sort((a, b) => placeOf(a) - placeOf(b));
}

function placeOf({ message, item }: RequestFinding): number {
  return message ?? item ?? -1;
}
