// The plain forms of converted stages, as they were before there was one form of each: the oracle of
// test/projection/oneForm.test.ts until the last family is converted. A family that is converted is named here.
import { createRegistry, type RegisteredStage, type StageRegistry } from '../../../core/projection/registry.ts';
import { STAGES } from '../../../core/projection/stages.ts';
import { contextPolicy } from './context/contextPolicy.ts';
import * as harn from './harn/index.ts';
import { hygiene } from './hygiene/hygiene.ts';
import { pin } from './pin.ts';
import { plain } from './plain.ts';
import { recordedCompaction } from './recorded/recordedCompaction.ts';
import * as reducers from './reducers/index.ts';
import * as vendors from './vendors/index.ts';

const PLAIN: readonly RegisteredStage[] = [
  plain(recordedCompaction),
  plain(harn.recordedProjection),
  plain(harn.raw),
  plain(harn.custom),
  plain(harn.cleanToolRepair),
  plain(harn.squashFailedCalls),
  plain(harn.summaryPrefix),
  plain(harn.reachabilityGc),
  plain(contextPolicy),
  plain(reducers.toolResultRetention),
  plain(reducers.tierCaps),
  plain(reducers.slidingWindow),
  plain(reducers.summary),
  plain(reducers.injection),
  plain(vendors.anthropicClearToolUses),
  plain(vendors.anthropicClearThinking),
  plain(vendors.anthropicCompaction),
  plain(vendors.openaiTruncation),
  plain(vendors.openaiCompaction),
  plain(vendors.adkCompaction),
  plain(vendors.langchainClearToolUses),
  plain(vendors.langchainTrimMessages),
  plain(vendors.vercelPruneMessages),
  plain(vendors.piCompaction),
  plain(vendors.inspectEdit),
  plain(vendors.inspectTrim),
  plain(hygiene),
  plain(pin),
];

/** Kinds of the stages that have an oracle here. */
export const CONVERTED: readonly string[] = PLAIN.map(({ kind }) => kind);

/** All stages; the converted ones in their plain form. */
export const PLAIN_STAGES: StageRegistry = createRegistry(
  STAGES.stages.map((stage) => PLAIN.find(({ kind }) => kind === stage.kind) ?? stage),
);
