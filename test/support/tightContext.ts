import type { Rng } from '../../core/util/rng.ts';
import { PENDING_ENTRIES } from './pendingEntries.ts';

/** Options of a context policy under which short transcripts do not fit: budgets of few tokens, kinds left out, pending. */
export function tightContext(rng: Rng): object {
  const some = (name: string, values: readonly unknown[]) => (rng.chance(0.4) ? { [name]: rng.pick(values) } : {});
  return {
    max_input_tokens: rng.pick([40, 100, 200, 400, 1000, 5000, 100_000]),
    reserve_output_tokens: rng.pick([0, 10, 50, 300]),
    keep_last_turns: rng.below(5),
    ...some('max_messages', [1, 3, 8]),
    ...some('summarization', ['none', 'request_new', 'request_new']),
    ...some('summary_role', ['user']),
    ...some('token_estimator', ['exact']),
    ...some('include_kinds', [
      ['message'],
      ['message', 'tool_call', 'tool_result'],
      ['tool_call', 'tool_result', 'summary'],
      ['message', 'summary'],
    ]),
    ...some('pending', ['And what of the other one?', PENDING_ENTRIES]),
    ...some('system_prompt', ['Be brief.', 'Be brief. '.repeat(30)]),
  };
}
