// What an answer says of where it came from, and what its shape says.
import { ownAt, stringAt } from '../../util/unknown.ts';
import type { Fields } from './draft.ts';
import type { ProfileName } from './profiles.ts';
import type { Target } from './types.ts';

/** What one answer shows: who gave it, and whose shape it has; null = it does not show. */
export interface AnswerFacts {
  readonly target: Target | null;
  readonly shape: ProfileName | null;
}

/** Reads it; the message is parsed only if it may show something. */
export function readAnswerFacts(text: string, parse: () => Fields): AnswerFacts {
  // Most answers show nothing but their shape, and to find that out by reading them takes longer.
  const value = MAY_NAME_PROVIDER.test(text) ? parse() : NO_FIELDS;
  const provider = stringAt(value, 'provider') ?? '';
  const modelApi = stringAt(value, 'api') ?? '';
  const isNamed = provider !== '' || modelApi !== '';
  const target = isNamed ? { provider, modelApi, modelId: stringAt(value, 'model') ?? '' } : null;
  return { target, shape: shapeOfOne(value, text) };
}

// A key may be escaped.
const MAY_NAME_PROVIDER = /"(?:provider|api|parts|tool_calls)"|\\u/;
const NO_FIELDS: Fields = {};

function shapeOfOne(value: Fields, text: string): ProfileName | null {
  if (Array.isArray(ownAt(value, 'parts'))) return 'google';
  if (/"type"\s*:\s*"(?:tool_use|redacted_thinking)"/.test(text)) return 'anthropic';
  if (/"type"\s*:\s*"(?:output_text|function_call|reasoning)"/.test(text)) return 'openai-responses';
  return Object.hasOwn(value, 'tool_calls') ? 'openai' : null;
}
