// Every rule, by name. A new one is added here and in RULE_NAMES, which says when it runs.
import { type HygieneRule, RULE_NAMES, type RuleName } from '../types.ts';
import { blankText } from './blankText.ts';
import { emptyContent, normalizeContent, resultsFirst } from './content.ts';
import { googleBootstrap, historyLimit, resultDetails } from './frame.ts';
import { images } from './images.ts';
import { interSessionMarker } from './interSessionMarker.ts';
import { malformedCalls } from './malformedCalls.ts';
import { mergeAssistantTurns, mergeUserTurns } from './mergeTurns.ts';
import { functionCallPairs, orphanReasoning, switchedReasoning } from './openai.ts';
import { pairing, pairingAgain } from './pairing.ts';
import { antigravityThinking, dropOldThinking, unsignedThinking } from './thinking.ts';
import { thoughtSignatures } from './thoughtSignatures.ts';
import { toolIds } from './toolIds.ts';

/** All rules by name. */
export const RULES: Readonly<Record<RuleName, HygieneRule>> = {
  inter_session_marker: interSessionMarker,
  normalize_content: normalizeContent,
  tool_ids: toolIds,
  thought_signatures: thoughtSignatures,
  blank_text: blankText,
  images,
  drop_old_thinking: dropOldThinking,
  antigravity_thinking: antigravityThinking,
  unsigned_thinking: unsignedThinking,
  malformed_calls: malformedCalls,
  pairing,
  result_details: resultDetails,
  switched_reasoning: switchedReasoning,
  orphan_reasoning: orphanReasoning,
  function_call_pairs: functionCallPairs,
  empty_content: emptyContent,
  results_first: resultsFirst,
  google_bootstrap: googleBootstrap,
  merge_assistant_turns: mergeAssistantTurns,
  merge_user_turns: mergeUserTurns,
  history_limit: historyLimit,
  pairing_again: pairingAgain,
};

/** The rule of a name; null if there is none. */
export function ruleNamed(name: string): HygieneRule | null {
  const known = RULE_NAMES.find((each) => each === name);
  return known === undefined ? null : RULES[known];
}
