// The plain form of tier_caps.

import { tierCaps as ONE_FORM } from '../../../../core/stages/reducers/tierCaps.ts';
import type { TierCapsParams } from '../../../../core/stages/reducers/tierParts.ts';
import type {} from '../../../../core/view/types.ts';
import type { PlainStage } from '../plain.ts';
import { TierCapsRun } from './tierCapsRun.ts';

const { incremental: _incremental, ...identity } = ONE_FORM;
const NAME = { kind: ONE_FORM.kind, title: ONE_FORM.title };

export const tierCaps: PlainStage<TierCapsParams> = {
  ...identity,
  *run(view, params, context) {
    return yield* new TierCapsRun(view, params, context).run(NAME);
  },
};
