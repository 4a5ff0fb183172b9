// Sweeps as they are asked for and kept: what a client sends, and what the library holds of one, checked.
import { z } from 'zod';
import { AIMS } from '../insight/tune/aim.ts';
import { COUNTED_HOW } from '../insight/tune/point.ts';
import type { ProjectionSpec } from '../projection/types.ts';
import { isRecord } from '../util/unknown.ts';
import { VARIED_MOST } from './tuneTypes.ts';

const id = z.string().min(1);
const index = z.int().min(0);

const Variation = z.object({
  stage: index,
  option: z.string().min(1).max(100),
  values: z.string().min(1).max(4_000),
});

/** What a sweep is asked for. */
export const AskedSweepSchema = z.object({
  ids: z.array(id).min(1).max(1_000),
  spec: z.unknown(),
  vary: z.array(Variation).min(1).max(VARIED_MOST),
  keep: z.array(z.string().min(1).max(10_000)).max(50),
  watched: index.exactOptional(),
  aim: z.enum(AIMS).nullable(),
  maxPeak: index.nullable(),
  maxUsesGone: index.nullable(),
});

/** As much of a question as can be read of whatever wrote it: transcripts, and what varied. */
export const OldAskedSchema = z
  .object({ ids: z.array(id).catch([]), vary: z.array(Variation).catch([]) })
  .catch({ ids: [], vary: [] });

const VariedValue = z.union([z.number(), z.boolean(), z.string()]);
const Spec = z.custom<ProjectionSpec>((value) => isRecord(value) && value.version === 1 && Array.isArray(value.stages));
const Tokens = z.object({ mean: z.number(), p95: z.number(), peak: z.number() });

/** What sessions and points have in common. */
const Figures = z.object({
  provenance: z.enum(COUNTED_HOW),
  tokens: Tokens,
  cost: z.number().nullable(),
  unpriced: index,
  cacheBreaks: index,
  uses: index,
  usesGone: index,
  watchpointsGone: index,
  firstOver: index.nullable(),
  over: index,
  refused: index,
});

/** What a spec comes to in one transcript, without the totals of its requests. */
export const SweptSessionSchema = Figures.extend({
  requests: index,
  peakAt: index.nullable(),
  overhead: z.number(),
  costOfNext: z.number().nullable(),
});

const Point = Figures.extend({
  values: z.record(z.string(), VariedValue),
  spec: Spec,
  sessions: z.array(SweptSessionSchema.extend({ totals: z.array(z.number()) })),
});

const Axis = z.object({
  name: z.string(),
  stage: index,
  option: z.string(),
  label: z.string(),
  values: z.array(VariedValue),
});

/** The shape of what is kept; another number is another shape. */
export const FOUND_VERSION = 3;

/** The head of what a sweep has found. `program` = the version that computed it. */
export const FoundHeadSchema = z.object({
  version: z.literal(FOUND_VERSION),
  program: z.string(),
  state: z.enum(['running', 'stopped', 'done', 'failed']),
  size: index.nullable(),
  points: z.array(z.unknown()),
});

/** All of it. */
export const FoundSchema = FoundHeadSchema.extend({
  failure: z.string().nullable(),
  axes: z.array(Axis),
  known: index,
  points: z.array(Point),
  winner: z.object({ at: z.int().min(-1), proved: z.boolean() }).nullable(),
  unsaid: z.array(z.string()),
  threads: index,
});
