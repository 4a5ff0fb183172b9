// Every stage the program knows. A new family or stage is added here and nowhere else.
import { contextPolicy } from '../stages/context/index.ts';
import {
  cleanToolRepair,
  custom,
  raw,
  reachabilityGc,
  recordedProjection,
  squashFailedCalls,
  summaryPrefix,
} from '../stages/harn/index.ts';
import { hygiene } from '../stages/hygiene/index.ts';
import { pin } from '../stages/pin/index.ts';
import { recordedCompaction } from '../stages/recorded/index.ts';
import { injection, slidingWindow, summary, tierCaps, toolResultRetention } from '../stages/reducers/index.ts';
import * as vendors from '../stages/vendors/index.ts';
import { createRegistry, registered, type StageRegistry } from './registry.ts';

/** The registry of all families. */
export const STAGES: StageRegistry = createRegistry([
  registered(recordedCompaction),
  registered(recordedProjection),
  registered(raw),
  registered(cleanToolRepair),
  registered(squashFailedCalls),
  registered(summaryPrefix),
  registered(reachabilityGc),
  registered(custom),
  registered(toolResultRetention),
  registered(tierCaps),
  registered(slidingWindow),
  registered(summary),
  registered(injection),
  registered(contextPolicy),
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
  registered(pin),
  registered(hygiene),
]);

export { pin };
