// What the SDKs' methods take by name. Sources: types of @anthropic-ai/sdk 1.11.0 and openai 7.55.0, from which the Python
// packages' methods are generated too.
import type { WireTarget } from '../wire/types.ts';

const names = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Parameters of `messages.create`. */
const MESSAGES = names(`
  max_tokens messages model cache_control container diagnostics inference_geo metadata output_config service_tier speed
  stop_sequences stream system thinking tool_choice tools user_profile_id workspace_id`);

/** Those of `beta.messages.create` besides. */
const BETA = names(`
  betas billing_policy compaction context_management fallback_credit_token fallbacks mcp_servers output_format thread`);

const CHAT = names(`
  messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata
  modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options
  prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options
  temperature tool_choice tools top_logprobs top_p user verbosity web_search_options`);

const RESPONSES = names(`
  access_programs background context_management conversation image include input instructions max_output_tokens max_tool_calls
  metadata model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options
  prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options temperature text tool_choice tools
  top_logprobs top_p truncation user`);

/** True if a member of the body is one that only the beta's method takes. */
export function isBetaMember(name: string): boolean {
  return BETA.has(name);
}

/** True if the SDK's method takes a member of the body by its name. */
export function isParameter(target: WireTarget, name: string): boolean {
  switch (target) {
    case 'anthropic':
      return MESSAGES.has(name) || BETA.has(name);
    case 'openai':
      return CHAT.has(name);
    case 'responses':
      return RESPONSES.has(name);
    case 'gemini':
      return false;
  }
}
