import { keptBecause } from '../../view/fates.ts';
import type { IncrementalContext, IncrementalRun, ReportDetails, StageDone } from '../../view/incremental.ts';
import type { LiveView } from '../../view/liveView.ts';
import type { Fate, StageDefinition } from '../../view/types.ts';
import { countOf } from '../../view/words.ts';
import { policyReport } from './decision.ts';
import { COMMON_PARAMS, type HarnParams, parseWith, readCommon } from './options.ts';

const POLICY = { kind: 'raw', title: 'Raw' };

/** Identity; never blocked. Binds a deterministic prefix hash to a turn without changing what the model sees. */
export const raw: StageDefinition<HarnParams> = {
  ...POLICY,
  aliases: ['identity', ''],
  family: 'harn',
  traits: { gives: 'input', leavesMost: true, step: null },
  keepsThinking: () => 'yes',
  help: 'Every message as it is.',
  params: COMMON_PARAMS,
  parse: (options) => parseWith(options, readCommon),
  incremental: (params, context) => new Raw(params, context),
};

class Raw implements IncrementalRun {
  readonly #params: HarnParams;
  readonly #kept: Fate;
  #messages = 0;

  constructor(params: HarnParams, { stage }: IncrementalContext) {
    this.#params = params;
    this.#kept = keptBecause(stage, 'raw_passthrough', 'kept: raw passes every message on as it is');
  }

  step(input: LiveView): void {
    this.#messages = input.length;
  }

  fateOf(): null {
    return null;
  }

  explain(): Fate {
    return this.#kept;
  }

  report(done: StageDone): ReportDetails {
    const summary = `all ${countOf(this.#messages, 'message')} as they are`;
    return policyReport(done, this.#params, { reason: 'raw_passthrough', summary });
  }
}
