/** What the editor knows about a policy's world. Names and shapes are those of the stored messages; nothing here runs. */
export const POLICY_TYPES = `
/** Plain text. */
interface TextBlock { type: 'text'; text: string }
/** Reasoning; with a signature it must stay as it is. */
interface ThinkingBlock { type: 'thinking'; thinking: string; signature?: string }
/** A tool call, in the form of Anthropic's API. */
interface ToolUseBlock { type: 'tool_use'; id: string; name: string; input: unknown }
/** The result of a tool call, in the form of Anthropic's API. */
interface ToolResultBlock { type: 'tool_result'; tool_use_id: string; content?: string | Block[]; is_error?: boolean }
interface ImageBlock { type: 'image'; source: Record<string, unknown> }
interface OtherBlock { type: string; [field: string]: unknown }
type Block = TextBlock | ThinkingBlock | ToolUseBlock | ToolResultBlock | ImageBlock | OtherBlock;

/** A tool call, in the form of Chat Completions. */
interface ToolCall { id: string; type?: string; function?: { name: string; arguments: string }; [field: string]: unknown }

/** A message of the transcript, exactly as it was imported. */
interface Message {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool' | (string & {});
  content?: string | Block[] | null;
  /** Chat Completions: the calls an assistant message makes. */
  tool_calls?: ToolCall[];
  /** Chat Completions: which call a tool message answers. */
  tool_call_id?: string;
  [field: string]: unknown;
}

/** What a policy may give back instead of a bare list. */
interface PolicyResult {
  /** The messages of the next request, in order. */
  messages: Message[];
  /** Recorded with the projection. */
  reason?: string;
  /** For each returned message the index it had in \`messages\`; strictly increasing. */
  kept_indices?: number[];
  /** The indices that are left out. */
  dropped_indices?: number[];
}

/** Your policy: takes the messages before the call point, gives those the model is to see. */
type Policy = (messages: Message[]) => Message[] | PolicyResult;

/** The lines appear under the editor. Nothing else of the outside is reachable: no network, no clock, no randomness. */
declare const console: { log(...values: unknown[]): void; warn(...values: unknown[]): void; error(...values: unknown[]): void };
`;
