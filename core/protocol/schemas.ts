import { z } from 'zod';
import { RECORD_SCHEMA } from '../check/baseline.ts';
import { VALUE_FIELDS } from '../filter/fields.ts';
import { SURVIVAL_CLASSES } from '../insight/autopsy/types.ts';
import { CACHE_POINTS_MODES } from '../insight/cachePoints.ts';
import { FINDING_KINDS } from '../insight/findings/types.ts';
import { STATED_FINDINGS_MOST } from '../model/statedFinding.ts';
import { STATED_WATCHPOINTS_MOST } from '../model/statedWatchpoint.ts';
import { BundleFinding } from '../report/format.ts';
import { FILTER_NAMES } from '../search/filters.ts';
import { BASELINE_CHARS, RULES_CHARS } from './checkTypes.ts';
import { COMPARED_KINDS } from './compareTypes.ts';
import type { MethodName, Params } from './methods.ts';
import { REPRODUCTION_NAMES } from './reproduceTypes.ts';
import { REVIEW_DECISIONS } from './reviewTypes.ts';
import { AskedSweepSchema } from './sweepSchemas.ts';
import { WATCHED_CHARS } from './watchTypes.ts';

const preservedThinking = z.object({
  mode: z.enum(['auto', 'error', 'drop_block', 'off']),
  model: z.string().exactOptional(),
  account_created: z.string().exactOptional(),
});

/** A filter of rows (docs/filter.md); longer ones are refused when they are read. */
const filter = z.string().max(4000);
const facet = z.array(z.string().max(4000)).max(1000);
const FACET_VALUES = z.object({ finding: facet, format: facet, project: facet, model: facet, tag: facet });
const FACET_FLAGS = ['errors', 'compactions', 'problems', 'bookmarks', 'notes', 'copies'] as const;
const index = z.int().nonnegative();
const rates = {
  input: z.number(),
  cachedRead: z.number(),
  cacheWrite: z.number(),
  cacheWrite1h: z.number().exactOptional(),
  output: z.number().exactOptional(),
};
const id = z.string().min(1).max(200);
const ids = z.array(id).min(1).max(100_000);
/** One line; a comma parts tags where they are typed. */
const tag = z
  .string()
  .trim()
  .regex(/^[^,\p{Cc}]{1,60}$/u);
const at = index.nullable();
const tokenizer = z.string().nullable().exactOptional();
const path = z.string().min(1);
const none = z.object({});
const baselineText = z.string().max(BASELINE_CHARS).nullable();
const givenRules = { rules: z.string().max(RULES_CHARS), baseline: baselineText, path: path.nullable() };
const options = z.record(z.string(), z.unknown());

const word = z.string().max(200).nullable().exactOptional();
const lint = {
  id,
  at,
  spec: z.unknown().optional(),
  profile: word,
  provider: word,
  api: word,
  model: word,
  limit: z.int().positive().exactOptional(),
};

const watchName = z.string().trim().min(1).max(200);
const switches = { matchCase: z.boolean().exactOptional(), wholeWord: z.boolean().exactOptional() };

const wire = {
  id,
  spec: z.unknown(),
  at,
  target: z.enum(['anthropic', 'openai', 'responses', 'gemini']),
  model: word,
  maxTokens: z.int().positive().nullable().exactOptional(),
  strict: z.boolean().nullable().exactOptional(),
};

const inReview = { reviewId: id };
const tier = z.enum(['definite', 'candidate']);
const issueText = z.string().max(20_000);
/** Own words or expressions; a longer one is refused in words. */
const ownRules = z.array(z.string().max(2_000)).max(500);

type Schemas = { readonly [M in MethodName]: z.ZodType<Params<M>> };

/** The schema of every method's params. Unknown keys are dropped, so that an older engine answers a newer screen. */
const PARAMS: Schemas = {
  'engine.info': none,
  'library.list': z.object({ since: z.string().max(100).nullable().exactOptional() }),
  'library.remove': z.object({ ids, forGood: z.boolean().exactOptional() }),
  'library.restore': z.object({ ids }),
  'library.rename': z.object({ id, title: z.string().trim().min(1).max(500).nullable() }),
  'tags.list': none,
  'tags.apply': z.object({ ids, add: z.array(tag).max(100), remove: z.array(tag).max(100) }),
  'tags.color': z.object({ name: tag, color: z.int().min(0).max(7) }),
  'marks.list': z.object({ id: id.nullable() }),
  'marks.set': z.object({
    id,
    index,
    note: z.string().max(100_000).nullable().exactOptional(),
    bookmarked: z.boolean().exactOptional(),
  }),
  'summaries.list': z.object({ id }),
  'summaries.set': z.object({ id, from: index, to: index, content: z.string().trim().min(1).max(200_000) }),
  'summaries.remove': z.object({ id, from: index, to: index, version: index.exactOptional() }),
  'storage.get': none,
  'storage.compact': none,
  'import.start': z.object({ paths: z.array(path).min(1), mapping: z.unknown().exactOptional() }),
  'mapping.list': none,
  'mapping.save': z.object({ name: z.string().trim().min(1).max(100), mapping: z.unknown() }),
  'mapping.remove': z.object({ name: z.string().min(1).max(100) }),
  'mapping.guess': z.object({ path }),
  'mapping.preview': z.object({ path, mapping: z.unknown(), limit: z.int().min(1).max(500).exactOptional() }),
  'import.result': z.object({ jobId: id }),
  'follow.start': z.object({ path, keep: z.boolean().exactOptional() }),
  'follow.stop': z.object({ path }),
  'follow.list': none,
  'discover.list': none,
  'discover.look': z.object({ path: z.string() }),
  'sample.import': none,
  'job.cancel': z.object({ jobId: id }),
  'job.list': none,
  'transcript.open': z.object({ id }),
  'transcript.close': z.object({ id }),
  'transcript.moving': z.object({ id }),
  'transcript.setOverhead': z.object({ id, tokens: index }),
  'transcript.setChoice': z.object({
    id,
    choice: z
      .object({ spec: z.unknown(), window: z.number().positive().nullable(), tokenizer: z.string().nullable() })
      .nullable(),
  }),
  'transcript.relatives': z.object({ id }),
  'transcript.fork': z.object({
    id,
    at: index,
    text: z.string().min(1).max(10_000_000).exactOptional(),
    messages: z.array(z.string()).max(10_000).exactOptional(),
  }),
  'export.acp': z.object({ id, spec: z.unknown(), at }),
  'export.thread': z.object({ id, path: path.nullable() }),
  'correlate.request': z.object({ id, requestId: id }),
  'correlate.call': z.object({ id, callId: id }),
  'policy.resolve': z.object({ id: id.nullable(), options: options.exactOptional() }),
  'policy.setDefault': z.object({
    scope: z.enum(['workspace', 'transcript']),
    id: id.nullable().exactOptional(),
    options: options.nullable(),
  }),
  'transcript.problems': z.object({ id }),
  'transcript.events': z.object({ id, from: index, to: index, kind: z.string().max(1000).exactOptional() }),
  'transcript.facts': z.object({ id }),
  'asset.open': z.object({ id, asset: z.string().max(1000) }),
  'asset.openTranscript': z.object({ id, asset: z.string().max(1000) }),
  'transcript.usage': z.object({ id, from: index, to: index, at: index.exactOptional() }),
  'transcript.tools': z.object({ id }),
  'transcript.callPoints': z.object({ id }),
  'transcript.turn': z.object({ id, index }),
  'transcript.step': z.object({ id, at: index, delta: z.int(), by: z.enum(['call', 'turn']) }),
  'projection.set': z.object({
    id,
    spec: z.unknown(),
    at,
    window: z.number().positive().nullable().exactOptional(),
    tokenizer,
    fold: z.boolean().exactOptional(),
    foldGone: z.boolean().exactOptional(),
    unfold: z.array(z.object({ from: index, to: index })).exactOptional(),
    visible: index.exactOptional(),
    ghosts: z.boolean().exactOptional(),
    hash: z.enum(['now', 'later', 'none']).exactOptional(),
    rows: z.object({ from: index, to: index }).exactOptional(),
    around: z.object({ index, before: index, after: index }).exactOptional(),
    filter: z
      .object({
        text: filter,
        others: z.enum(['fold', 'hide']),
        colors: z.array(z.object({ name: z.string().max(200), filter })).max(16),
      })
      .exactOptional(),
  }),
  'filter.prepare': z.object({ id, spec: z.unknown(), filters: z.array(filter).max(20) }),
  'filter.values': z.object({ projectionId: id, field: z.enum(VALUE_FIELDS) }),
  'projection.rows': z.object({ projectionId: id, from: index, to: index }),
  'projection.marks': z.object({ projectionId: id, slots: z.int().min(1).max(4000), at: z.array(index).max(2000) }),
  'projection.rowOf': z.object({ projectionId: id, index, part: index.exactOptional() }),
  'projection.nextChange': z.object({
    projectionId: id,
    row: z.int().min(-1),
    direction: z.union([z.literal(1), z.literal(-1)]),
    fate: z.enum(['redacted', 'rewritten', 'dropped', 'summarised', 'merged', 'synthetic']).exactOptional(),
  }),
  'projection.detail': z.object({ projectionId: id, index, limit: z.int().positive().exactOptional() }),
  'projection.why': z.object({ projectionId: id, index }),
  'projection.whys': z.object({ projectionId: id, from: index, to: index }),
  'watch.list': z.object({ id }),
  'watch.add': z.object({
    id,
    text: z.string().max(WATCHED_CHARS).exactOptional(),
    message: z.object({ index, part: index.nullable() }).exactOptional(),
    ...switches,
    name: watchName.nullable().exactOptional(),
    color: z.int().min(0).max(5).exactOptional(),
  }),
  'watch.set': z.object({
    id,
    watchpoint: id,
    name: watchName.nullable().exactOptional(),
    color: z.int().min(0).max(5).exactOptional(),
    position: index.exactOptional(),
  }),
  'watch.remove': z.object({ id, watchpoint: id }),
  'watch.states': z.object({ id, spec: z.unknown() }),
  'check.read': z.object({ rules: z.string().max(RULES_CHARS), baseline: baselineText }),
  'check.baseline': z.object({ path }),
  'check.record': z.object({
    baseline: baselineText,
    found: z.array(z.object({ key: z.string(), records: z.record(z.string(), RECORD_SCHEMA) })),
  }),
  'check.run': z.object({ ids, ...givenRules, run: id }),
  'check.stop': none,
  'check.under': z.object({
    ...{ id, ...givenRules, rule: index },
    specs: z.array(z.unknown()).min(1).max(100),
  }),
  'check.passing': z.object({ id, ...givenRules, rule: index, spec: z.unknown(), all: z.boolean() }),
  'tune.options': z.object({ id, spec: z.unknown() }),
  'tune.start': AskedSweepSchema,
  'tune.stop': z.object({ sweepId: id }),
  'tune.get': z.object({ sweepId: id }),
  'tune.list': z.object({ id: id.nullable() }),
  'tune.remove': z.object({ sweepId: id }),
  'tune.export': z.object({ sweepId: id, format: z.enum(['csv', 'ndjson']) }),
  'findings.session': z.object({ id, spec: z.unknown() }),
  'findings.preventedBy': z.object({
    id,
    spec: z.unknown(),
    kind: z.enum(FINDING_KINDS),
    at: index,
    evidence: z.string(),
    policies: z
      .array(z.object({ name: z.string(), spec: z.unknown() }))
      .max(500)
      .exactOptional(),
  }),
  'projection.change': z.object({ projectionId: id }),
  'projection.changeLines': z.object({ projectionId: id, cause: index, from: index, to: index }),
  'projection.synthetic': z.object({ projectionId: id, row: index }),
  'projection.hash': z.object({ projectionId: id }),
  'projection.text': z.object({ projectionId: id, what: z.enum(['messages', 'result']) }),
  'budget.presets': z.object({
    id,
    at,
    tokenizer,
    window: z.number().positive().nullable().exactOptional(),
    overhead: index.nullable().exactOptional(),
    thinking: preservedThinking.nullable().exactOptional(),
    afterRecorded: z.boolean().exactOptional(),
    firstOver: z.boolean().exactOptional(),
    sums: z.boolean().exactOptional(),
    policies: z
      .array(z.object({ name: z.string(), title: z.string(), spec: z.unknown() }))
      .max(500)
      .exactOptional(),
  }),
  'prices.get': z.object({ id: id.nullable().exactOptional() }),
  'prices.set': z.object({
    rows: z
      .array(
        z.object({
          model: z.string(),
          ...rates,
          above: z
            .array(z.object({ tokens: z.number(), ...rates }))
            .max(5)
            .exactOptional(),
        }),
      )
      .max(500)
      .nullable(),
  }),
  'cachePoints.set': z.object({ mode: z.enum(CACHE_POINTS_MODES) }),
  'series.start': z.object({
    ...{ id, spec: z.unknown(), samples: z.int().min(2).max(5000), tokenizer },
    raw: z.boolean().exactOptional(),
  }),
  'series.range': z.object({ seriesId: id, from: index, to: index, most: z.int().min(1).max(10_000) }),
  'series.area': z.object({ seriesId: id, from: index, to: index }),
  'series.stop': z.object({ seriesId: id }),
  'trace.message': z.object({
    id,
    spec: z.unknown(),
    index,
    part: index.nullable(),
    at,
    samples: z.int().min(2).max(5000).exactOptional(),
  }),
  'trace.text': z.object({
    id,
    spec: z.unknown(),
    text: z.string().max(100_000),
    at,
    ...switches,
    samples: z.int().min(2).max(5000).exactOptional(),
  }),
  'trace.present': z.object({
    id,
    spec: z.unknown(),
    at,
    places: z.array(z.object({ index, part: index.nullable() })).max(200),
    text: z.string().max(100_000).exactOptional(),
    ...switches,
  }),
  'keep.find': z.object({
    id,
    spec: z.unknown(),
    at,
    message: index.exactOptional(),
    text: z.string().max(100_000).exactOptional(),
    ...switches,
  }),
  'keep.pins': z.object({ id, spec: z.unknown(), at, message: index, words: z.string().max(100_000).nullable() }),
  'keep.price': z.object({ id, spec: z.unknown(), changed: z.unknown(), at }),
  'compare.set': z.object({
    id,
    a: z.unknown(),
    b: z.unknown(),
    at,
    open: z.array(z.object({ from: index, to: index })).exactOptional(),
    rows: z.object({ from: index, to: index }).exactOptional(),
  }),
  'compare.rows': z.object({ comparisonId: id, from: index, to: index }),
  'compare.next': z.object({
    comparisonId: id,
    line: z.int().min(-1),
    direction: z.union([z.literal(1), z.literal(-1)]),
  }),
  'compare.messages': z.object({
    comparisonId: id,
    kind: z.enum(COMPARED_KINDS),
    used: z.boolean(),
    from: index,
    to: index,
  }),
  'compare.texts': z.object({ comparisonId: id, line: index }),
  'compare.along': z.object({ id, a: z.unknown(), b: z.unknown() }),
  'compare.stop': none,
  'autopsy.session': z.object({ id, spec: z.unknown() }),
  'autopsy.lost': z.object({
    id,
    spec: z.unknown(),
    compaction: index,
    class: z.enum(SURVIVAL_CLASSES).nullable(),
    used: z.boolean(),
    from: index,
    to: index,
  }),
  'uses.message': z.object({ id, spec: z.unknown(), index }),
  'uses.trail': z.object({ id, spec: z.unknown(), index }),
  'uses.session': z.object({ id, spec: z.unknown() }),
  'uses.progress': z.object({ id }),
  'uses.rows': z.object({ id, spec: z.unknown(), messages: z.array(index).max(1000) }),
  'lint.run': z.object(lint),
  'lint.request': z.object({ id, at, spec: z.unknown(), target: wire.target, model: word }),
  'lint.repair': z.object({ ...lint, rule: z.string().max(200).nullable() }),
  'wire.export': z.object(wire),
  'reproduce.text': z.object({
    ...{ id, at, spec: z.unknown() },
    as: z.enum(REPRODUCTION_NAMES),
    target: wire.target.exactOptional(),
    model: z.string().max(200).exactOptional(),
  }),
  'wire.text': z.object(wire),
  'wire.write': z.object({ ...wire, path: path.nullable() }),
  'search.text': z.object({ projectionId: id, text: z.string(), limit: z.int().min(1).max(10_000) }),
  'library.search': z.object({
    query: z.string().max(10_000),
    sort: z.enum(['relevance', 'time']),
    cursor: z.string().max(100).nullable().exactOptional(),
    limit: z.int().min(1).max(200),
  }),
  'search.values': z.object({ filter: z.enum(FILTER_NAMES), text: z.string().max(1000) }),
  'record.get': z.object({ id, index }),
  'record.at': z.object({ id, byteStart: z.int().min(0), limit: z.int().positive().exactOptional() }),
  'asset.get': z.object({ assetId: id }),
  'library.stats': z.object({
    filter: z.string().max(4000),
    facets: z.object({ values: FACET_VALUES, flags: z.array(z.enum(FACET_FLAGS)) }).exactOptional(),
    zone: z.string().min(1).max(100),
  }),
  'survey.start': none,
  'survey.stop': none,
  'spec.describe': none,
  'spec.parse': z.object({ spec: z.unknown() }),
  'export.write': z.object({
    ...{ id, at, spec: z.unknown(), path: path.nullable() },
    findings: z.array(BundleFinding).max(STATED_FINDINGS_MOST).exactOptional(),
    watchpoints: z.array(id).max(STATED_WATCHPOINTS_MOST).exactOptional(),
    reviewId: id.exactOptional(),
    slice: z.boolean().exactOptional(),
    note: z.object({ expected: issueText, happened: issueText }).exactOptional(),
  }),
  'export.page': z.object({
    ...inReview,
    path: path.nullable(),
    note: z.object({ expected: issueText, happened: issueText }).exactOptional(),
  }),
  'review.open': z.object({
    ...{ id, at, spec: z.unknown() },
    findings: z.array(BundleFinding).max(STATED_FINDINGS_MOST).exactOptional(),
    watchpoints: z.array(id).max(STATED_WATCHPOINTS_MOST).exactOptional(),
  }),
  'review.places': z.object({ ...inReview, kind: z.string().max(100), tier, from: index, to: index }),
  'review.image': z.object({ ...inReview, value: index }),
  'review.decide': z.object({
    ...inReview,
    decision: z.enum(REVIEW_DECISIONS).nullable(),
    value: index.exactOptional(),
    kind: z.string().max(100).exactOptional(),
    tier: tier.exactOptional(),
  }),
  'review.finish': z.object({ ...inReview, slice: z.boolean().exactOptional() }),
  'review.rows': z.object({ ...inReview, from: index, to: index }),
  'review.search': z.object({ ...inReview, text: z.string().min(1).max(1000) }),
  'review.close': z.object(inReview),
  'scrub.rules': none,
  'scrub.setRules': z.object({ words: ownRules, patterns: ownRules }),
  'bundle.check': z.object({ id }),
  'verify.file': z.object({ path }),
  'settings.get': none,
  'settings.set': z.object({ key: z.string().min(1).max(200), value: z.unknown() }),
};

/** Whether an outside string names a method. */
export function isMethodName(name: string): name is MethodName {
  return Object.hasOwn(PARAMS, name);
}

/** All methods, in the order of the map. */
export function methodNames(): readonly MethodName[] {
  return Object.keys(PARAMS).filter(isMethodName);
}

/** Params of a method by its schema; the error names the path of the first thing wrong. */
export function parseParams<M extends MethodName>(
  method: M,
  params: unknown,
): { readonly ok: true; readonly value: Params<M> } | { readonly ok: false; readonly error: string } {
  const parsed = PARAMS[method].safeParse(params);
  if (parsed.success) return { ok: true, value: parsed.data };
  const issue = parsed.error.issues[0];
  const where = issue?.path.join('.') || 'params';
  return { ok: false, error: `${where}: ${issue?.message ?? 'not as expected'}` };
}
