import { keptBecause } from '../../view/fates.ts';
import type { StageDefinition } from '../../view/types.ts';
import { countOf } from '../../view/words.ts';
import { policyReport } from './decision.ts';
import { KeepsAll } from './keepsAll.ts';
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
  incremental: (params, { stage }) => {
    const kept = keptBecause(stage, 'raw_passthrough', 'kept: raw passes every message on as it is');
    return new KeepsAll(kept, (done, messages) =>
      policyReport(done, params, {
        reason: 'raw_passthrough',
        summary: `all ${countOf(messages, 'message')} as they are`,
      }),
    );
  },
};
