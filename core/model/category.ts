/** What a token is spent on. The order is fixed: charts, tallies and tables all use it. */
export type Category = 'system' | 'user' | 'assistant' | 'thinking' | 'tool_call' | 'tool_result' | 'image';

/** All categories in their fixed order; the index of a category is its slot in every tally. */
export const CATEGORIES: readonly Category[] = [
  'system',
  'user',
  'assistant',
  'thinking',
  'tool_call',
  'tool_result',
  'image',
];

/** The word shown for a category on screen, in the CLI and in reports. */
export const CATEGORY_LABEL: Readonly<Record<Category, string>> = {
  system: 'system',
  user: 'user',
  assistant: 'assistant',
  thinking: 'thinking',
  tool_call: 'call',
  tool_result: 'result',
  image: 'image',
};
