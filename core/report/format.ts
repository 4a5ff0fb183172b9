// The bundle: one JSON document with everything somebody else needs to check a projection. The small members come
// first, so that the head of the file says what it is; message texts are in it exactly as they were imported, so
// that `1.0`, big integers and key order survive.
import { z } from 'zod';
import { TIERS } from '../tokens/budget.ts';
import { TOKENIZER_IDS } from '../tokens/counters.ts';
import { IMAGE_RULES } from '../tokens/images.ts';
import { isJsonText } from '../util/json/index.ts';

/** What the first member of every bundle says. */
export const BUNDLE_MARK = { format: 'parallax-bundle', version: 2 } as const;

/** The versions that are read: the first said nothing of scrubbing. */
export const BUNDLE_VERSIONS: readonly unknown[] = [1, 2];

const TokenFigureSchema = z.object({
  total: z.number(),
  byCategory: z.record(z.string(), z.number()),
  provenance: z.enum(['recorded', 'exact', 'calibrated', 'estimated']),
});

/** Tokens of the raw and the projected messages, and by which tokenizer. */
export const BundleTokens = z.object({ tokenizer: z.string(), raw: TokenFigureSchema, projected: TokenFigureSchema });
export type BundleTokens = z.infer<typeof BundleTokens>;

const FateKindSchema = z.enum(['kept', 'redacted', 'rewritten', 'dropped', 'summarised', 'merged']);

const index = z.int().min(0);

/** A recorded compaction as it is in the raw slice. */
export const BundleCompaction = z.object({
  at: index,
  kind: z.enum(['summary', 'replacement', 'cleared', 'opaque']).exactOptional(),
  replacement: z.array(z.string().refine(isJsonText, 'is not JSON text')).exactOptional(),
  incomplete: z.literal(true).exactOptional(),
  clearedCallIds: z.array(z.string()).exactOptional(),
  opaqueChars: z.number().exactOptional(),
  trigger: z.string().exactOptional(),
  preTokens: z.number().exactOptional(),
  postTokens: z.number().exactOptional(),
  summaryIndex: index.exactOptional(),
  preserved: z.array(index).exactOptional(),
  summaryAfter: index.exactOptional(),
  timestamp: z.string().exactOptional(),
});

/** A summary that a projection could use, as it is in the raw slice. */
export const BundleSummary = z.object({
  from: index,
  to: index,
  content: z.string(),
  version: z.int().min(1),
  origin: z.enum(['recorded', 'written']),
});

const BundleBudget = z.object({
  window: index,
  reserveOutput: index,
  injectionReserve: index,
  total: index,
  /** Absent in bundles of versions that did not count it: nothing. */
  beside: z.object({ system: index, tools: index, overhead: index, total: index }).exactOptional(),
  margin: z.number().exactOptional(),
  model: z.string().exactOptional(),
  caps: z.partialRecord(z.enum(TIERS), z.union([z.object({ tokens: index }), z.object({ share: z.number() })])),
});

/** How counted tokens were made the provider's, as a bundle states it (see core/tokens/calibrated.ts). */
export const BundleLine = z.object({
  model: z.string().nullable(),
  factor: z.number(),
  base: index,
  requests: index,
  residual: z.number(),
  spread: index,
});

/** What stages counted with and had to fit. */
export const BundleInputs = z.object({
  tokenizer: z.enum(TOKENIZER_IDS),
  /** Whether counts are the model's own. */
  exact: z.boolean(),
  images: z.enum(IMAGE_RULES),
  budget: BundleBudget.nullable(),
});
export type BundleInputs = z.infer<typeof BundleInputs>;

/** A finding that was chosen for the report: see core/model/statedFinding.ts. */
export const BundleFinding = z.object({
  kind: z.string(),
  at: index,
  evidence: z.string(),
  sources: z.array(index),
  certainty: z.string(),
  loss: z
    .object({ since: index, stageTitle: z.string().nullable(), rule: z.string().nullable(), reason: z.string() })
    .nullable(),
  tokens: z.number().nullable(),
  cost: z.number().nullable(),
});

/** A watched text that was chosen for the report: see core/model/statedWatchpoint.ts. */
export const BundleWatchpoint = z.object({
  text: z.string(),
  matchCase: z.boolean(),
  wholeWord: z.boolean(),
  name: z.string().nullable(),
  color: index,
});

/** What was found before it left, and what was done: see core/model/scrubReport.ts. */
export const BundleScrub = z.object({
  scrubbed: z.boolean(),
  findings: z.array(
    z.object({ kind: z.string(), tier: z.enum(['definite', 'candidate']), count: index, masked: index }),
  ),
  same_outcome: z.boolean().exactOptional(),
});

/** What a slice is: see core/model/sliceStatement.ts. */
export const BundleSlice = z.object({
  whole: z.array(z.tuple([index, index])),
  emptied: index,
  tried: index,
  minimal: z.boolean(),
  answer: z
    .object({
      text: z.string(),
      state: z.string(),
      since: index.nullable(),
      stage: z.string().nullable(),
      rule: z.string().nullable(),
    })
    .exactOptional(),
});

/** All members but the messages. Unknown members of fates, reports and pointers are kept: they are compared as JSON. */
export const BundleHead = z.object({
  engineVersion: z.string(),
  createdAt: z.string().optional(),
  transcript: z.object({
    id: z.string(),
    format: z.string(),
    title: z.string(),
    what_if: z.object({ parent: z.string(), at: index }).exactOptional(),
    /** The model it was counted for. */
    model: z.string().exactOptional(),
    /** The window that its runtime recorded, in tokens. */
    context_window: z.int().positive().exactOptional(),
    /** The line that made its counts the provider's; null or absent: they are plain. */
    calibration: BundleLine.nullable().exactOptional(),
    messages: z.int().min(0),
    /** Of what a projection sees of the raw messages. */
    sha256: z.string(),
    /** Of what is recorded beside them: system prompt, tools, usage, times. Absent: nothing is. */
    recorded_sha256: z.string().exactOptional(),
  }),
  spec: z.unknown(),
  at: z.int().min(0),
  prefix_hash: z.string(),
  tokens: BundleTokens.nullable(),
  /** Absent: no stage counted. */
  inputs: BundleInputs.exactOptional(),
  reports: z.array(z.looseObject({ title: z.string(), summary: z.string(), enabled: z.boolean() })),
  pointers: z.array(z.looseObject({ source: z.string() })),
  /** Absent: none was chosen. */
  findings: z.array(BundleFinding).exactOptional(),
  /** Absent: none was chosen. */
  watchpoints: z.array(BundleWatchpoint).exactOptional(),
  /** Absent in bundles of the first version. */
  scrub: BundleScrub.exactOptional(),
  /** Absent: all messages before the call point are in it as they were. */
  slice: BundleSlice.exactOptional(),
  fates: z.array(z.looseObject({ kind: FateKindSchema, reason: z.string() })),
});
export type BundleHead = z.infer<typeof BundleHead>;

/** The transcript as a bundle names it. */
export type BundleTranscript = BundleHead['transcript'];
