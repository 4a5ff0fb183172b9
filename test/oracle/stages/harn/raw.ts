import { COMMON_PARAMS, type HarnParams, parseWith, readCommon } from '../../../../core/stages/harn/options.ts';
import { keptBecause } from '../../../../core/view/fates.ts';
import type {} from '../../../../core/view/types.ts';
import { countOf } from '../../../../core/view/words.ts';
import type { PlainStage } from '../plain.ts';
import { conclude, unchanged } from './decision.ts';

const POLICY = { kind: 'raw', title: 'Raw' };

/** Identity; never blocked. Binds a deterministic prefix hash to a turn without changing what the model sees. */
export const raw: PlainStage<HarnParams> = {
  ...POLICY,
  aliases: ['identity', ''],
  family: 'harn',
  keepsThinking: () => 'yes',
  help: 'Every message as it is.',
  params: COMMON_PARAMS,
  parse: (options) => parseWith(options, readCommon),
  *run(view, params, context) {
    const summary = `all ${countOf(view.items.length, 'message')} as they are`;
    const kept = keptBecause(context.stage, 'raw_passthrough', 'kept: raw passes every message on as it is');
    return conclude(
      POLICY,
      view,
      params,
      context,
      unchanged('raw_passthrough', summary, () => kept),
    );
  },
};
