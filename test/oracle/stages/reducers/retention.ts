// The plain form of tool_result_retention.

import { toolResultRetention as ONE_FORM } from '../../../../core/stages/reducers/retention.ts';
import { overCap } from '../../../../core/stages/reducers/retentionDecider.ts';
import type { RetentionParams } from '../../../../core/stages/reducers/retentionRules.ts';
import type {} from '../../../../core/view/types.ts';
import type { PlainStage } from '../plain.ts';
import { reportOf } from './report.ts';
import { RetentionRun, retentionSummary } from './retentionRun.ts';

const { incremental: _incremental, ...identity } = ONE_FORM;
const NAME = { kind: ONE_FORM.kind, title: ONE_FORM.title };

export const toolResultRetention: PlainStage<RetentionParams> = {
  ...identity,
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
};
