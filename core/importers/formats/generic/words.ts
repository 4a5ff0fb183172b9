// What fields are called in files that people have, and what roles are called.

import type { MappedRole } from '../../../model/mapping/types.ts';

/** What values of a role mean, lower case. */
const ROLE_WORDS: Readonly<Record<MappedRole, readonly string[]>> = {
  user: [
    'user',
    'human',
    'customer',
    'client',
    'person',
    'me',
    'you',
    'visitor',
    'guest',
    'requester',
    'end_user',
    'enduser',
    'end-user',
    'prompter',
    'input',
    'question',
    'prompt',
    'caller',
    'patient',
    'student',
    'buyer',
    'q',
    'u',
    'h',
  ],
  assistant: [
    'assistant',
    'bot',
    'ai',
    'agent',
    'model',
    'gpt',
    'llm',
    'chatbot',
    'chatgpt',
    'claude',
    'gemini',
    'copilot',
    'machine',
    'robot',
    'output',
    'answer',
    'response',
    'completion',
    'reply',
    'operator',
    'support',
    'a',
    'assistant_message',
    'ai_message',
    'botmessage',
  ],
  system: ['system', 'sys', 'instruction', 'instructions', 'context', 'system_prompt', 'preamble', 'setup'],
  developer: ['developer'],
  tool: [
    'tool',
    'function',
    'tool_result',
    'tool-result',
    'toolresult',
    'tool_response',
    'tool_output',
    'function_result',
    'function_response',
    'observation',
    'environment',
    'env',
    'result',
    'fn',
    'plugin',
    'terminal',
    'shell',
    'execution',
  ],
};

const MEANINGS: ReadonlyMap<string, MappedRole> = new Map(
  Object.entries(ROLE_WORDS).flatMap(([role, words]) =>
    words.map((word): [string, MappedRole] => [word, asRole(role)]),
  ),
);

function asRole(text: string): MappedRole {
  return text === 'assistant' || text === 'system' || text === 'developer' || text === 'tool' ? text : 'user';
}

/** What a value means as a role; null if nobody calls a role so. `name` = of the field: `is_user: true`. */
export function roleMeant(value: string, name: string): MappedRole | null {
  const word = value.trim().toLowerCase();
  if (word === 'true' || word === 'false') return roleOfFlag(word === 'true', name);
  return MEANINGS.get(word) ?? null;
}

function roleOfFlag(isTrue: boolean, name: string): MappedRole | null {
  const word = /^(?:is|from)_?(.+)$/i.exec(name)?.[1]?.toLowerCase();
  const meant = word === undefined ? undefined : MEANINGS.get(word.replace(/^_/, ''));
  if (meant === 'user') return isTrue ? 'user' : 'assistant';
  if (meant === 'assistant') return isTrue ? 'assistant' : 'user';
  return null;
}

/** How much a name sounds like a field's: 1 = says it, 0.6 = may be, 0 = no. */
export function sounds(field: keyof typeof NAMES, name: string): number {
  const word = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
    .replace(/^_+|_+$/g, '');
  const { sure, maybe } = NAMES[field];
  if (sure.test(word)) return 1;
  return maybe.test(word) ? 0.6 : 0;
}

const names = (sure: RegExp, maybe: RegExp) => ({ sure, maybe });
const NEVER = /^(?!)/;

const NAMES = {
  role: names(
    /^(role|author|sender|speaker|from|who|participant|author_role|sender_type|author_type|speaker_role|is_?user|is_?bot|from_?user|from_?bot|is_?human|is_?ai|message_type)$/,
    /^(type|kind|source|actor|party|side|name|by|user_type|direction|channel|origin|agent|persona)$/,
  ),
  text: names(
    /^(content|text|body|message|msg|says|said|utterance|markdown|message_text|text_content|value|contents|plain_text)$/,
    /^(parts|output|input|data|html|prompt|response|answer|line|payload|segments|blocks|chunk|description|words|reply)$/,
  ),
  reasoning: names(
    /^(reasoning|thinking|thought|thoughts|rationale|reasoning_content|chain_of_thought|cot|inner_monologue|scratchpad|deliberation|why)$/,
    NEVER,
  ),
  calls: names(
    /^(tool_calls?|calls|actions?|function_calls?|tool_uses?|tools_used|invocations|commands|steps|tool_invocations)$/,
    /(calls?|tools?|actions?|functions?|invocations?|requests)$/,
  ),
  callName: names(
    /^(name|tool|tool_name|function|function_name|fn|command|action|action_name|method|op)$/,
    /(name|tool)$/,
  ),
  callArguments: names(
    /^(arguments|args|input|inputs|params|parameters|payload|tool_input|action_input|kwargs|arguments_json|with)$/,
    /(args|arguments|input|params)$/,
  ),
  callId: names(/^(id|call_id|tool_call_id|tool_use_id|invocation_id|uuid|key|cid|ref)$/, /id$/),
  answered: names(
    /^(tool_call_id|call_id|tool_use_id|invocation_id|in_reply_to_call|for|for_call|call|reply_to|answers|request_id|ref|cid)$/,
    /(call|for|ref|reply|answer|tool|request).*/,
  ),
  results: names(
    /^(results?|tool_results?|outputs?|observations?|tool_outputs?|responses|function_results?|returns)$/,
    /(results?|outputs?|observations?|responses?)$/,
  ),
  resultText: names(
    /^(content|output|result|text|body|value|stdout|response|observation|return|returned|data)$/,
    /(output|result|text|content)$/,
  ),
  error: names(
    /^(is_error|error|failed|failure|exception|errored|status|success_status|exit_code|returncode|exit_status)$/,
    NEVER,
  ),
  time: names(
    /^(timestamp|time|created_at|create_time|created|date|datetime|ts|at|sent_at|when|sent|posted_at|started_at|inserted_at|created_time|unix|epoch)$/,
    /(time|date|_at|timestamp)$/,
  ),
  model: names(/^(model|model_name|model_id|engine|llm|model_slug|deployment)$/, /model$/),
  id: names(/^(id|uuid|_id|message_id|msg_id|guid|mid|node_id)$/, NEVER),
  parent: names(
    /^(parent|parent_id|parent_uuid|parent_message_id|parent_message_uuid|reply_to|in_reply_to|previous|previous_id|prev|prev_id|parent_node)$/,
    NEVER,
  ),
  session: names(
    /^(session|session_id|conversation_id|conversation|thread_id|thread|chat_id|dialog_id|dialogue_id|conv_id|ticket_id|ticket|room|session_key)$/,
    NEVER,
  ),
  title: names(/^(title|subject|topic|name|chat_name|summary|conversation_name|headline)$/, NEVER),
  transcriptId: names(/^(id|uuid|_id|conversation_id|session_id|thread_id|chat_id|ticket_id|dialog_id|key)$/, NEVER),
  question: names(
    /^(prompt|question|input|instruction|query|user|human|request|user_message|user_input|q|ask|user_prompt|message_in|inbound)$/,
    NEVER,
  ),
  answer: names(
    /^(response|answer|output|completion|assistant|reply|bot|ai|bot_response|assistant_message|model_output|a|generated|generation|answer_text|prediction|outbound|model_response|ai_response)$/,
    NEVER,
  ),
  system: names(/^(system|system_prompt|instructions|preamble)$/, NEVER),
  usageInput: names(/^(input|input_tokens|prompt_tokens|tokens_in|in|prompt|in_tokens|prompt_token_count)$/, NEVER),
  usageOutput: names(
    /^(output|output_tokens|completion_tokens|tokens_out|out|completion|out_tokens|candidates_token_count)$/,
    NEVER,
  ),
  usageCacheRead: names(/^(cache_read|cached_tokens|cache_read_input_tokens|cached|cache_read_tokens)$/, NEVER),
  usageCacheWrite: names(/^(cache_write|cache_creation_input_tokens|cache_creation|cache_write_tokens)$/, NEVER),
  usageTotal: names(/^(total|total_tokens|tokens|token_count)$/, NEVER),
} as const;
