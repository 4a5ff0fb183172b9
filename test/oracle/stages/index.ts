// The plain forms of converted stages, as they were before there was one form of each: the oracle of
// test/projection/oneForm.test.ts until the last family is converted. A family that is converted is named here.
import {
  createRegistry,
  type RegisteredStage,
  registered,
  type StageRegistry,
} from '../../../core/projection/registry.ts';
import { STAGES } from '../../../core/projection/stages.ts';
import { contextPolicy } from './context/contextPolicy.ts';
import * as harn from './harn/index.ts';
import { hygiene } from './hygiene/hygiene.ts';
import { pin } from './pin.ts';
import { recordedCompaction } from './recorded/recordedCompaction.ts';
import * as reducers from './reducers/index.ts';
import * as vendors from './vendors/index.ts';

const PLAIN: readonly RegisteredStage[] = [
  registered(recordedCompaction),
  registered(harn.recordedProjection),
  registered(harn.raw),
  registered(harn.custom),
  registered(harn.cleanToolRepair),
  registered(harn.squashFailedCalls),
  registered(harn.summaryPrefix),
  registered(harn.reachabilityGc),
  registered(contextPolicy),
  registered(reducers.toolResultRetention),
  registered(reducers.tierCaps),
  registered(reducers.slidingWindow),
  registered(reducers.summary),
  registered(reducers.injection),
  registered(vendors.anthropicClearToolUses),
  registered(vendors.anthropicClearThinking),
  registered(vendors.anthropicCompaction),
  registered(vendors.openaiTruncation),
  registered(vendors.openaiCompaction),
  registered(vendors.adkCompaction),
  registered(vendors.langchainClearToolUses),
  registered(vendors.langchainTrimMessages),
  registered(vendors.vercelPruneMessages),
  registered(vendors.piCompaction),
  registered(vendors.inspectEdit),
  registered(vendors.inspectTrim),
  registered(hygiene),
  registered(pin),
];

/** Kinds of the stages that have an oracle here. */
export const CONVERTED: readonly string[] = PLAIN.map(({ kind }) => kind);

/** All stages; the converted ones in their plain form. */
export const PLAIN_STAGES: StageRegistry = createRegistry(
  STAGES.stages.map((stage) => PLAIN.find(({ kind }) => kind === stage.kind) ?? stage),
);
