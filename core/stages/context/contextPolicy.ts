import type { StageDefinition } from '../../view/types.ts';
import { ContextRun } from './contextRun.ts';
import { type ContextPolicyParams, PARAMS, parseContextPolicy } from './params.ts';

/**
 * A thread's context policy: system ⊕ summary ⊕ history ⊕ pending, history by turns and tokens from its newest end, calls
 * with their results whole. Source: the Jido design of thread and context projection; where it contradicts itself (see
 * docs/context-policy.md) the field's own description counts.
 */
export const contextPolicy: StageDefinition<ContextPolicyParams> = {
  kind: 'context_policy',
  title: 'Context policy',
  aliases: ['jido_context_policy'],
  family: 'context',
  traits: { isScoped: true },
  help: 'What a thread shows a model (Jido): the system prompt, the latest summary, as much of the history from its newest end as fits, and what is being asked. The last turns stay up to the hard total; a call and its results are never torn.',
  params: PARAMS,
  usesTokens: true,
  parse: parseContextPolicy,
  incremental: (params, context) => new ContextRun(params, context),
};
