/** JSON texts as a transcript's facts keep them: a string, blocks, or an object with `parts` or `content`; a list of tools. */
export interface RecordedOverhead {
  readonly systemJson?: string | undefined;
  readonly toolsJson?: string | undefined;
}

/** Tokens of what is recorded apart from the messages. */
export interface OverheadCounts {
  readonly system: number;
  readonly tools: number;
}
