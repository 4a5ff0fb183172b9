// How far rules look. Those that look at one message and nothing else are named here.
import type { RuleName } from '../types.ts';

/** Rules whose answer for a message depends on nothing but it and the options. */
export const LOOKS_AT_ONE: ReadonlySet<RuleName> = new Set<RuleName>([
  'inter_session_marker',
  'thought_signatures',
  'blank_text',
  'images',
  'antigravity_thinking',
  'unsigned_thinking',
  'malformed_calls',
  'result_details',
  'empty_content',
  'results_first',
]);
