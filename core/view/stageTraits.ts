// browser-safe
// What others may know of a stage without knowing which one it is: said once, in its definition. Who meets stages asks for a
// trait; a list of their names stands nowhere.

/** A tier of a budget, as core/tokens/budget.ts names it. */
type CappedTier = 'image' | 'thinking' | 'tool_call' | 'tool_result' | 'user' | 'assistant';

/** An edit of a provider's own side: how requests and answers name it, and its figure. */
export interface ProviderEdit {
  /** How the names of its versions begin, e.g. `clear_tool_uses_`. */
  readonly prefix: string;
  /** Its figure in the stage's report (`meta`), and in an answer (AppliedEdit). */
  readonly figure: string;
  readonly key: 'toolUses' | 'thinkingTurns';
  /** What it counts, of one: the API's word, and how a sentence begins that names it. */
  readonly unit: string;
  readonly of: string;
  /** The API takes it as the first edit alone. */
  readonly isFirst?: true;
}

/** Absent = it is not so. */
export interface StageTraits {
  /** It gives its input as it is, or what the runtime recorded of its own requests: its compactions, its projections. */
  readonly gives?: 'input' | 'compactions' | 'projections';
  /** It leaves most of a history as it is: what comes behind it reads nearly all messages. */
  readonly leavesMost?: true;
  /** What it asks of messages takes long, and may be read before it runs: of all results, or of what it is given. */
  readonly readsAhead?: 'results' | 'messages';
  /** It moves, merges and repairs messages for a provider: what it makes stands for the messages that it was. */
  readonly repairs?: true;
  /** Context policies of the workspace and the transcript fill in its options. */
  readonly isScoped?: true;
  /** Its step in the order of stages, where that is not its family's; null = it may stand anywhere. */
  readonly step?: 'injection' | null;
  /** Its place among reducers from cheap to dear, and whether the seeds state it: then a spec that breaks it is warned of. */
  readonly dearness?: { readonly rank: number; readonly isStated: boolean };
  /** Tiers whose caps it keeps, with what it does to them in words. */
  readonly caps?: Readonly<Partial<Record<CappedTier, string>>>;
  /** What the client takes out of requests by it: bodies of results, or the older history. */
  readonly clientTakes?: 'results' | 'history';
  /** What the provider takes out by it on its own side, in place of stages of clients. */
  readonly providerTakes?: 'results' | 'history';
  /** The provider's edit that it does. */
  readonly edit?: ProviderEdit;
}

/** The traits of a kind of stage; {@link NO_TRAITS} where it has none or is not known. */
export type TraitsOf = (kind: string) => StageTraits;

/** Nothing is known. */
export const NO_TRAITS: StageTraits = {};
