// The words of this family. A rule looks at the messages of a view and says what a provider would object to, what is
// done about it, and why: so the same rule is lint, repair and explanation.
import type { ResizeAnswer, ResizeImage } from '../../view/types.ts';
import type { Draft } from './draft.ts';
import type { Findings } from './findings.ts';
import type { IdMemory, IdSet } from './ids.ts';

/** The rules, in the order in which a profile runs them. */
export const RULE_NAMES = [
  'inter_session_marker',
  'normalize_content',
  'tool_ids',
  'thought_signatures',
  'blank_text',
  'images',
  'drop_old_thinking',
  'antigravity_thinking',
  'unsigned_thinking',
  'malformed_calls',
  'pairing',
  'result_details',
  'switched_reasoning',
  'orphan_reasoning',
  'function_call_pairs',
  'empty_content',
  'google_bootstrap',
  'merge_assistant_turns',
  'merge_user_turns',
  'history_limit',
  'pairing_again',
  'results_first',
] as const;

/** The name of a rule; fates and findings carry it. */
export type RuleName = (typeof RULE_NAMES)[number];

/** How tool ids are rewritten: `keep` touches only those that are empty, too long or taken. */
export type IdMode = 'strict' | 'strict9' | 'keep';

/** The wire formats whose documentation the lint knows. */
export type Wire = 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini';

/** What the rules may be given. All of it is set by a profile or by the stage's parameters. */
export interface RuleOptions {
  readonly idMode: IdMode;
  /** Characters a kept id may have (`keep` only). */
  readonly maxIdLength: number;
  /** Ids that the provider made itself (`toolu_…`) stay as they are under `strict`. */
  readonly keepNativeIds: boolean;
  /** Calls without an id are given one where their shape asks for it; else they are left to `malformed_calls`. */
  readonly fillMissingIds: boolean;
  /**
   * Ids as the published versions give them out: only `toolCall`, `toolUse`, `functionCall` blocks count as calls,
   * results take the oldest call of their id that has none, and one without a call gets a separate id.
   */
  readonly camelCallsOnly: boolean;
  /** `base64` keeps only what is base64 and also looks at the camelCase spelling; `base64_snake` not at that. */
  readonly signatures: 'msg_prefix' | 'base64' | 'base64_snake';
  /** Longest side in pixels. */
  readonly imageMaxSide: number;
  /** Decoded bytes. */
  readonly imageMaxBytes: number;
  /** Tools that may be called; null = any, and names are not looked at. */
  readonly allowedTools: readonly string[] | null;
  /** A turn with reasoning and calls is kept whole or dropped whole, never edited; names are looked at. */
  readonly keepSignedTurnsWhole: boolean;
  /** Results of turns that ended in an error or were aborted. */
  readonly erroredResults: 'drop' | 'preserve';
  /** Calls of such turns that nothing answers are removed; else they stay as they are. */
  readonly dropErroredCalls: boolean;
  /** User turns kept, from the end; 0 = all. */
  readonly historyLimit: number;
  /** Where the request goes, as somebody named it; blank = where the last answer came from. */
  readonly route: Target;
}

/** What a request goes to, or an answer came from; blank = not known. */
export interface Target {
  readonly provider: string;
  readonly modelApi: string;
  readonly modelId: string;
}

/** What a rule may use besides the messages. */
export interface RuleContext {
  readonly options: RuleOptions;
  /** Hex SHA-256 of a text. */
  readonly sha256: (text: string) => string;
  /** What became of images over the limits, by {@link imageKey}; absent = no host has tried. */
  readonly resized: ReadonlyMap<string, ResizeAnswer>;
  /** The same object for the same options: what was said of a message under it is not asked again. Absent = none is kept. */
  readonly same?: Findings;
  /** What stands around the messages, where they are a piece of a view; absent = they are all of it. */
  readonly around?: SegmentContext;
}

/** What a rule has to know of the rest of a view to do to a piece what it would do to it in the whole. */
export interface SegmentContext {
  /** `tool_ids`: the ids given so far. */
  readonly ids?: IdMemory;
  /** `normalize_content`: something that stays is behind the piece. */
  readonly contentLater?: boolean;
  /** `drop_old_thinking`: there is an answer behind the piece. */
  readonly answersLater?: boolean;
  /** `switched_reasoning`: a later switch in words, and where the next answer comes from, or the request goes. */
  readonly switched?: { readonly later: string | null; readonly behind: Target };
  /** `orphan_reasoning`: the message behind the piece; null = there is none. */
  readonly next?: Draft | null;
  /** `function_call_pairs`: the ids shortened so far. */
  readonly shortened?: IdSet;
  /** `google_bootstrap`: turns stand before the piece. */
  readonly hasTurnsBefore?: boolean;
  /** `history_limit`: user turns before and behind the piece. */
  readonly userTurns?: UserTurns;
}

/** How many user turns stand before and behind a piece of a view. */
export interface UserTurns {
  readonly before: number;
  readonly behind: number;
}

/** What a rule did to one message: the objection, and the repair. */
export interface Change {
  readonly rule: RuleName;
  /** `reported` = nothing could be done, the message stays as it is. */
  readonly kind: 'rewritten' | 'dropped' | 'merged' | 'inserted' | 'moved' | 'reported';
  /** The message before; for `inserted` the new one. */
  readonly before: Draft;
  /** The message after; null if it left. */
  readonly after: Draft | null;
  /** What a provider would object to, one sentence without its full stop. */
  readonly objection: string;
  /** What was done, one clause. */
  readonly done: string;
  readonly severity: 'error' | 'warning' | 'info';
  /** A short chip for the row. */
  readonly chip: string;
  /** Source index of a message that explains it. */
  readonly because?: number;
}

/** The messages after a rule, the same list if it did nothing, and its changes. */
export interface RuleResult {
  readonly messages: readonly Draft[];
  readonly changes: readonly Change[];
}

/** One rule. `check` says what a provider would object to; `fix` repairs it, and does nothing where check finds nothing. */
export interface HygieneRule {
  readonly name: RuleName;
  readonly title: string;
  /** One or two sentences: what it repairs and for whom. */
  readonly help: string;
  check(messages: readonly Draft[], context: RuleContext): readonly Change[];
  fix(messages: readonly Draft[], context: RuleContext): RuleResult;
  /** Images that a host would have to make smaller before `fix` can. */
  requests?(messages: readonly Draft[], context: RuleContext): readonly ResizeImage[];
}
