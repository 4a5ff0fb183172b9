// The words of the rules for a whole request: what a provider says of messages, settings and headers together.

/** Whose API the request is for. */
export type RequestProvider = 'anthropic' | 'openai';

/** What is known of how the compaction block of a request came to be. */
export interface RecordedCompaction {
  /** The block as the answer held it; null = not recorded. */
  readonly block: unknown;
  /** The messages that it stands for, as they were sent; null = not known. */
  readonly summarised: readonly unknown[] | null;
}

/** A request as the rules read it. Nothing in it is changed. */
export interface ProviderRequest {
  readonly provider: RequestProvider;
  /** The model's name; '' = not said. */
  readonly model: string;
  /** Values of the `anthropic-beta` header; null = not known: what is needed is reported as `info`. */
  readonly betas: readonly string[] | null;
  /** Members of the body besides the list: settings, `system`, `tools`. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** `messages` of Anthropic, `input` of OpenAI's Responses. */
  readonly messages: readonly unknown[];
  /** Of the compaction block of `messages`, by its place there. Absent = nothing is recorded. */
  readonly recorded?: (message: number, block: number) => RecordedCompaction | null;
}

/** Where in the request. A finding without a place is one of the request as a whole. */
export interface RequestPlace {
  /** Index in `messages`. */
  readonly message?: number;
  /** Index in `input`. */
  readonly item?: number;
  /** Index in the message's `content`. */
  readonly block?: number;
  /** Path of a member of the body: `output_config.format`. */
  readonly field?: string;
  /** The value that the header `anthropic-beta` lacks. */
  readonly beta?: string;
}

/** Something to object to in a request. */
export interface RequestFinding extends RequestPlace {
  /** Snake case, stable. */
  readonly rule: string;
  /** `error`: the provider refuses; `warning`: it may, or does something else; `info`: it takes it, at a price. */
  readonly severity: 'error' | 'warning' | 'info';
  /** `error.details.error_code` of the refusal, where documented. */
  readonly errorCode?: string;
  /** One sentence without its full stop. */
  readonly text: string;
}

/** A rule: says what it objects to, in the order of the request. */
export type RequestRule = (request: ProviderRequest) => Iterable<RequestFinding>;
