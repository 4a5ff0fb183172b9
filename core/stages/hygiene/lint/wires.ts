// What each provider's documentation says it refuses, as data. Each entry names the page to look at;
// limits of images and lengths of ids change and are to be checked there.
import type { Wire } from '../types.ts';

/** The rules of a wire format. */
export interface WireRules {
  readonly title: string;
  /** Where it is documented. */
  readonly source: string;
  /** Ids of calls: pattern, longest length, and the words for it. null = any. */
  readonly ids: { readonly pattern: RegExp; readonly words: string } | null;
  /** True if calls need an id. */
  readonly needsIds: boolean;
  /** Whether results must stand directly after the turn that called: `items` may be anywhere later. */
  readonly results: 'adjacent' | 'items';
  /** Results come before all else in their message. */
  readonly resultsFirst: boolean;
  /** Which role must not follow itself, and how bad it is. */
  readonly alternation: { readonly role: 'user' | 'assistant'; readonly severity: 'error' | 'warning' } | null;
  /** The first turn must be the user's. */
  readonly userFirst: boolean;
  /** Blank text blocks are refused. */
  readonly blankText: boolean;
  /** Messages that say nothing are refused. */
  readonly emptyMessage: boolean;
  /** Thinking blocks need their signature. */
  readonly signedThinking: boolean;
  /** Reasoning items must be followed by what they led to. */
  readonly followedReasoning: boolean;
  /** Limits of an image; null = not stated. */
  readonly image: { readonly maxSide: number; readonly maxBytes: number } | null;
}

const MB = 1024 * 1024;

/** The four wire formats. */
export const WIRES: Readonly<Record<Wire, WireRules>> = {
  // platform.claude.com/docs: "Handle tool calls" (results in the next message, first in it), "Messages" (ids
  // ^[a-zA-Z0-9_-]+$, non-empty text, turns of one role are joined), "Extended thinking" (signature), "Vision"
  // (8000 px, 5 MB an image).
  anthropic: {
    title: 'Anthropic Messages',
    source: 'platform.claude.com/docs/en/api/messages',
    ids: { pattern: /^[a-zA-Z0-9_-]+$/, words: 'letters, digits, _ and -' },
    needsIds: true,
    results: 'adjacent',
    resultsFirst: true,
    alternation: { role: 'user', severity: 'warning' },
    userFirst: false,
    blankText: true,
    emptyMessage: true,
    signedThinking: true,
    followedReasoning: false,
    image: { maxSide: 8000, maxBytes: 5 * MB },
  },
  // platform.openai.com/docs: "Function calling"; the API's own errors ("An assistant message with 'tool_calls' must be
  // followed by tool messages responding to each 'tool_call_id'"; tool_call_id: maximum length 40).
  'openai-chat': {
    title: 'OpenAI chat completions',
    source: 'platform.openai.com/docs/api-reference/chat/create',
    ids: { pattern: /^.{1,40}$/s, words: '1 to 40 characters' },
    needsIds: true,
    results: 'adjacent',
    resultsFirst: false,
    alternation: null,
    userFirst: false,
    blankText: false,
    emptyMessage: true,
    signedThinking: false,
    followedReasoning: false,
    image: { maxSide: Number.POSITIVE_INFINITY, maxBytes: 50 * MB },
  },
  // platform.openai.com/docs: "Function calling" (an output for every call: "No tool output found for function call"),
  // "Reasoning models" (an item is given back with what follows it), call_id: maximum length 64.
  'openai-responses': {
    title: 'OpenAI Responses',
    source: 'platform.openai.com/docs/api-reference/responses/create',
    ids: { pattern: /^[^|]{1,64}(\|[^|]{1,64})*$/, words: '1 to 64 characters' },
    needsIds: true,
    results: 'items',
    resultsFirst: false,
    alternation: null,
    userFirst: false,
    blankText: false,
    emptyMessage: true,
    signedThinking: false,
    followedReasoning: true,
    image: { maxSide: Number.POSITIVE_INFINITY, maxBytes: 50 * MB },
  },
  // ai.google.dev/gemini-api/docs: "Function calling" (as many responses as calls, in the next content; a call comes
  // after a user or a response turn), "Generate content" (contents need parts, roles alternate).
  gemini: {
    title: 'Gemini contents',
    source: 'ai.google.dev/api/generate-content',
    ids: null,
    needsIds: false,
    results: 'adjacent',
    resultsFirst: false,
    alternation: { role: 'assistant', severity: 'error' },
    userFirst: true,
    blankText: false,
    emptyMessage: true,
    signedThinking: false,
    followedReasoning: false,
    image: { maxSide: Number.POSITIVE_INFINITY, maxBytes: 20 * MB },
  },
};
