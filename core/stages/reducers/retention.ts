import { parseParams } from '../../view/parseParams.ts';
import type { StageDefinition } from '../../view/types.ts';
import { LiveRetention } from './liveRetention.ts';
import { reportOf } from './report.ts';
import { overCap } from './retentionDecider.ts';
import { RETENTION_FORMS, RETENTION_PARAMS, type RetentionParams, readRetention } from './retentionRules.ts';
import { RetentionRun, retentionSummary } from './retentionRun.ts';

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
  help: 'Lets tool results expire, by age in turns or by how many later results of the tool there are. Only the body goes: the model still sees that it made the call.',
  params: RETENTION_PARAMS,
  usesTokens: true,
  parse: (options) => parseParams([...RETENTION_PARAMS, ...RETENTION_FORMS], options, readRetention),
  *run(view, params, context) {
    const outcome = yield* new RetentionRun(view, params, context).run();
    const summary = retentionSummary(outcome, view.items.length);
    const { items, fates, explain, reclaimedChars, held } = outcome;
    const problem = held === null ? null : overCap(held);
    return {
      view: items === null ? view : { items },
      fates,
      explain,
      report: reportOf(NAME, context, { summary, fates, reclaimedChars, problems: problem === null ? [] : [problem] }),
    };
  },
  incremental: (params, context) => new LiveRetention(params, context),
};
