// The provider's own steps of every request, behind the stages of the spec, and shown like them: what it makes of thinking,
// and what it does not show the model any more.
import type { Problem } from '../model/problem.ts';
import type { IncrementalContext, IncrementalRun } from '../view/incremental.ts';
import { RunningStage } from '../view/runningStage.ts';
import { BindingRun } from './binding/bindingRun.ts';
import { bindingStage } from './binding/bindingStage.ts';
import { blockTable } from './binding/blocks.ts';
import type { ClientSteps } from './binding/clientSteps.ts';
import type { BindingInputs } from './binding/types.ts';
import type { LiveStage } from './liveStage.ts';
import type { ResolvedStage } from './parseSpec.ts';
import { RenderingRun, renderingStage, turnScoped } from './rendering.ts';

type Context = Pick<IncrementalContext, 'source' | 'memo'>;

/** A step of the provider on its way. */
export class ProviderStage extends RunningStage implements LiveStage {
  readonly stage: ResolvedStage;
  readonly problems: readonly Problem[] = [];

  constructor(run: IncrementalRun, stage: ResolvedStage, { source }: Context) {
    super(run, stage, { source, stage: stage.position });
    this.stage = stage;
  }
}

/** Those that a transcript has something for, in order. */
export interface ProviderStages {
  /** null = thinking is not checked, or there is none. */
  readonly thinking: BindingRun | null;
  readonly stages: readonly ProviderStage[];
}

/** Begins them before the first call point. `to` = the last call point that they are to go to. */
export function providerStages(
  context: Context,
  spec: readonly ResolvedStage[],
  steps: ClientSteps,
  inputs: BindingInputs | null | undefined,
  to: number,
): ProviderStages {
  const { source, memo } = context;
  const isChecked = inputs !== null && inputs !== undefined && blockTable(source, memo).blocks.length > 0;
  const thinking = isChecked ? new BindingRun(context, spec, steps, inputs) : null;
  const stages = thinking === null ? [] : [new ProviderStage(thinking, bindingStage(spec), context)];
  const [first] = turnScoped(source, memo);
  if (first !== undefined && first < to) {
    const stage = renderingStage(spec.length + stages.length);
    stages.push(new ProviderStage(new RenderingRun(context, stage.position), stage, context));
  }
  return { thinking, stages };
}
