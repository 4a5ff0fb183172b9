// What clean_tool_repair and squash_failed_calls say of messages: of those they hide why, of those that stay why not.
import type { IncrementalContext, IncrementalRun, ReportDetails, StageDone } from '../../view/incremental.ts';
import type { LiveExchange } from '../../view/liveExchanges.ts';
import type { LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import type { Fate } from '../../view/types.ts';
import { CallExplainer, type TurnWords } from './explainCalls.ts';
import { Hiding } from './hiding.ts';
import type { HarnParams } from './options.ts';

/** A policy that hides calls with their results; which, its `step` decides. */
export abstract class HidingRun implements IncrementalRun {
  readonly respectsSignatures: boolean;
  protected readonly params: HarnParams;
  protected readonly hiding: Hiding;
  protected readonly explainer: CallExplainer;

  constructor(params: HarnParams, context: IncrementalContext) {
    this.respectsSignatures = params.respectProviderSignatures;
    this.params = params;
    this.hiding = new Hiding(context);
    this.explainer = new CallExplainer(context, this.hiding.exchanges, (exchange) => this.whyKept(exchange));
  }

  abstract step(input: LiveView, at: number, overlay: Overlay): void;
  abstract report(done: StageDone): ReportDetails;
  /** What is said of a turn with calls that stays as it is. */
  protected abstract whyKept(exchange: LiveExchange): TurnWords;

  fateOf(index: number): Fate | null {
    return this.hiding.fateOf(index);
  }

  causeOf(index: number): string | null {
    return this.hiding.causeOf(index);
  }

  explain(index: number): Fate {
    return this.explainer.explain(index, this.hiding.input);
  }
}
