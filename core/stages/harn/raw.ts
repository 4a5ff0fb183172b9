import type { StageDefinition } from '../../view/types.ts';
import { countOf } from '../../view/words.ts';
import { conclude, unchanged } from './decision.ts';
import { COMMON_PARAMS, type HarnParams, parseWith, readCommon } from './options.ts';

const POLICY = { kind: 'raw', title: 'Raw' };

/** Identity; never blocked. Binds a deterministic prefix hash to a turn without changing what the model sees. */
export const raw: StageDefinition<HarnParams> = {
  ...POLICY,
  aliases: ['identity', ''],
  family: 'harn',
  help: 'Every message as it is.',
  params: COMMON_PARAMS,
  parse: (options) => parseWith(options, readCommon),
  // biome-ignore lint/correctness/useYield: a stage is a generator so that it can ask for user code; this one need not
  *run(view, params, context) {
    const summary = `all ${countOf(view.items.length, 'message')} as they are`;
    return conclude(POLICY, view, params, context, unchanged('raw_passthrough', summary));
  },
};
