import { parseParams } from '../../view/parseParams.ts';
import type { StageDefinition } from '../../view/types.ts';
import { RETENTION_FORMS, RETENTION_PARAMS, type RetentionParams, readRetention } from './retentionRules.ts';
import { RetentionRun } from './retentionRun.ts';

const NAME = { kind: 'tool_result_retention', title: 'Tool-result retention' };

/**
 * Replaces the body of tool results that have outlived their rule by `[result expired]`; the call, its id, the order and
 * the number of messages stay. A cap on tool results (budget.caps.tool_result) lets the oldest expire earlier.
 * Source: seed of the reducer pipeline, "Tool-result retention"; spec of reducers and budget.
 */
export const toolResultRetention: StageDefinition<RetentionParams> = {
  ...NAME,
  aliases: ['retention'],
  family: 'reducers',
  traits: {
    leavesMost: true,
    dearness: { rank: 1, isStated: true },
    caps: { tool_result: 'Tool-result retention lets the oldest results expire' },
    clientTakes: 'results',
  },
  help: 'Lets tool results expire, by age in turns or by how many later results of the tool there are. Only the body goes: the model still sees that it made the call.',
  params: RETENTION_PARAMS,
  usesTokens: true,
  parse: (options) => parseParams([...RETENTION_PARAMS, ...RETENTION_FORMS], options, readRetention),
  incremental: (params, context) => new RetentionRun(params, context),
};
