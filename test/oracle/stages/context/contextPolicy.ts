import { contextPolicy as converted } from '../../../../core/stages/context/contextPolicy.ts';
import type { ContextPolicyParams } from '../../../../core/stages/context/params.ts';
import type {} from '../../../../core/view/types.ts';
import type { PlainStage } from '../plain.ts';
import { projectPolicy } from './projectPolicy.ts';

const { incremental: _one, ...identity } = converted;

/** The context policy as it was run at each call point. */
export const contextPolicy: PlainStage<ContextPolicyParams> = {
  ...identity,
  // biome-ignore lint/correctness/useYield: a stage is a generator so that it can ask for user code; this one need not
  *run(view, params, context) {
    return projectPolicy(view, params, context);
  },
};
