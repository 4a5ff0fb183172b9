// Random specs over random and recorded histories, for the laws of one form: at each run one kind of stage, with others
// before and behind it, in a budget that makes it act.
import { readFileSync } from 'node:fs';
import { unpackZlib } from '../../../core/engine/files/unpackZlib.ts';
import { importText, MemoryTranscript } from '../../../core/importers/memory.ts';
import { memorySource } from '../../../core/model/memorySource.ts';
import type { SummaryArtifact } from '../../../core/model/summary.ts';
import type { TranscriptSource } from '../../../core/model/transcript.ts';
import { parseSpec, type ResolvedStage } from '../../../core/projection/parseSpec.ts';
import type { ProjectOptions } from '../../../core/projection/project.ts';
import { STAGES } from '../../../core/projection/stages.ts';
import type { Projection } from '../../../core/projection/types.ts';
import type { Rng } from '../../../core/util/rng.ts';
import { seededRng } from '../../../core/util/rng.ts';
import { estimatedTokens } from '../../../core/view/tokens.ts';
import type { RunUserCode, StageTokens, UserCodeAnswer } from '../../../core/view/types.ts';
import { SMALL_SPECS } from '../../stages/vendors/smallSpecs.ts';
import { withAsides } from '../asides.ts';
import { withCacheMarks } from '../cacheMarks.ts';
import { randomCompactions } from '../randomCompactions.ts';
import { withProjections } from '../randomProjections.ts';
import { randomBudget, randomStage, spec } from '../randomStages.ts';
import { randomTranscript, SHAPES } from '../randomTranscript.ts';
import { corpusFiles } from '../shared.ts';
import { tightContext } from '../tightContext.ts';
import { tightBudget, tightReducer } from '../tightReducers.ts';

const FORMATS = ['claude-code', 'codex', 'pi', 'openai-chat', 'gemini-contents', 'harn'];

/** All kinds of stage. */
export const KINDS = STAGES.stages.map(({ kind }) => kind);

/** One projection, and what repeats it. */
export interface Given {
  readonly source: TranscriptSource;
  readonly at: number;
  readonly spec: unknown;
  readonly options: ProjectOptions;
  readonly label: string;
}

/** The stages of a spec that is right. */
export function stagesIn(chosen: unknown, registry = STAGES): readonly ResolvedStage[] {
  const parsed = parseSpec(chosen, registry);
  if (!parsed.ok) throw new Error(`${JSON.stringify(chosen)}: ${parsed.error.map(({ text }) => text).join(', ')}`);
  return parsed.value.stages;
}

/** All that a person can see of a projection, as data. */
export function seen({
  view,
  fates,
  reports,
  problems,
  keptIndices,
  droppedIndices,
  redactedIndices,
}: Projection): unknown {
  return JSON.parse(
    JSON.stringify({ items: view.items, fates, reports, problems, keptIndices, droppedIndices, redactedIndices }),
  );
}

/** The kinds of stage that changed something in a projection. */
export function actedIn({ reports }: Projection): readonly string[] {
  return reports
    .filter(({ kind, counts, summary }) => {
      const adds = kind === 'injection' && summary !== 'nothing to inject';
      return adds || Object.keys(counts).length > 0;
    })
    .map(({ kind }) => kind);
}

/** What a person's function might do: leave messages out, change some, add one, or fail. By what it is given. */
export function runUserCode({ messagesJson }: RunUserCode): UserCodeAnswer {
  const messages = JSON.parse(messagesJson) as readonly object[];
  if (messagesJson.length % 9 === 0) {
    return { ok: false, code: 'threw', message: 'no', line: 1, column: 2, logs: ['about to fail'] };
  }
  const kept = messages.flatMap((message, at): readonly object[] => {
    if (at % 5 === messagesJson.length % 5) return [];
    return [at % 7 === 3 && !('signature' in message) ? { ...message, seen: at } : message];
  });
  const added = messagesJson.length % 2 === 0 ? [{ role: 'user', content: 'added' }] : [];
  return { ok: true, resultJson: JSON.stringify([...added, ...kept]), steps: 1, logs: [] };
}

/** Counts many times as large: thresholds that a provider asks for are reached by short transcripts. */
function largeTokens(source: TranscriptSource, factor: number): StageTokens {
  const plain = estimatedTokens(source);
  return {
    ...plain,
    parts: (index) => plain.parts(index).map((count) => count * factor),
    message: (index) => plain.message(index) * factor,
    range: (from, to) => plain.range(from, to) * factor,
    text: (...texts) => plain.text(...texts) * factor,
  };
}

const RECORDED = FORMATS.flatMap((format): { readonly name: string; readonly source: TranscriptSource }[] => {
  const [path] = corpusFiles(format);
  if (path === undefined) return [];
  const { transcripts } = importText(readFileSync(path), { unpack: unpackZlib });
  return transcripts.slice(0, 2).map((one, nth) => ({ name: `${path} ${nth}`, source: MemoryTranscript.of(one) }));
});

function randomSource(
  rng: Rng,
  seed: number,
  kind: string,
): { readonly source: TranscriptSource; readonly label: string; readonly points?: readonly number[] } {
  const thinks = kind.includes('thinking');
  const projects = kind === 'recorded_projection';
  const recorded = !projects && rng.chance(0.08) && RECORDED.length > 0 ? rng.pick(RECORDED) : null;
  if (recorded !== null) return { source: recorded.source, label: recorded.name };
  const made = {
    seed,
    turns: 4 + rng.below(18),
    shape: thinks ? rng.pick(['anthropic', 'mixed'] as const) : rng.pick(SHAPES),
    broken: rng.chance(0.4),
    signed: thinks || rng.chance(0.4),
    files: 6,
  };
  const label = JSON.stringify(made);
  const system = rng.chance(0.3) ? ['{"role":"system","content":"Be brief."}'] : [];
  const texts = [...system, ...randomTranscript(made)];
  if (rng.chance(0.15)) return { source: withAsides(texts, seededRng(seed)), label: `${label} with asides` };
  const marked = rng.chance(0.2) ? withCacheMarks(texts, seededRng(seed)) : texts;
  const compactions =
    kind === 'recorded_compaction' || rng.chance(0.4) ? randomCompactions(seededRng(seed), marked) : [];
  const summaries = rng.chance(0.4) ? randomSummaries(seededRng(seed), marked.length) : [];
  const own = rng.chance(0.2) ? 'what was said before' : null;
  const about = `${system.length} system, ${compactions.length} compactions, ${summaries.length} summaries`;
  const source = memorySource(marked, own, compactions, summaries);
  if (projects) return { ...withProjections(source, seededRng(seed)), label: `${label}, ${about}, with projections` };
  return { source, label: `${label}, ${about}` };
}

function randomSummaries(rng: Rng, length: number): SummaryArtifact[] {
  const ends = [...new Set(Array.from({ length: 5 }, () => 1 + rng.below(length)))].sort((a, b) => a - b);
  return ends.map((to): SummaryArtifact => ({ from: 0, to, content: `up to ${to}`, version: 1, origin: 'written' }));
}

/** What pin puts back has to be taken first. */
const TAKING = KINDS.filter((kind) => !['raw', 'pin', 'injection', 'recorded_projection', 'custom'].includes(kind));
const SMALL = SMALL_SPECS.flatMap(({ stages }) => stages);

const REDUCERS = new Set(STAGES.stages.flatMap(({ family, kind }) => (family === 'reducers' ? [kind] : [])));

function withTightOptions({ kind, options }: { readonly kind: string; readonly options: unknown }, rng: Rng) {
  return REDUCERS.has(kind) ? { kind, options: { ...Object(options), ...tightReducer(kind, rng) } } : { kind, options };
}

/** The `nth` random run of a kind of stage: its number, which seeds what is drawn later. */
export const runOf = (kind: string, nth: number): number => nth * KINDS.length + KINDS.indexOf(kind);

const USER_CODE = { kind: 'custom', options: { projector: '(m) => m' } };

/** What is projected in a run. */
export function randomRun(run: number): Given {
  const rng = seededRng(run * 7919 + 17);
  const kind = KINDS[run % KINDS.length] ?? 'raw';
  const { source, label, points } = randomSource(rng, run, kind);
  const small = SMALL.filter((stage) => JSON.stringify(stage).includes(`"${kind}"`));
  const isTight = kind === 'context_policy' && rng.chance(0.7);
  const tried = isTight ? { kind, options: tightContext(rng) } : withTightOptions(randomStage(kind, rng), rng);
  const own = small.length > 0 && rng.chance(0.5) ? rng.pick(small) : tried;
  const before = rng.chance(kind === 'pin' ? 1 : 0.35)
    ? [randomStage(rng.pick(kind === 'pin' ? TAKING : KINDS), rng)]
    : [];
  const behind = rng.chance(0.35) ? [randomStage(rng.pick(KINDS), rng)] : [];
  const isCapped = REDUCERS.has(kind) && rng.chance(0.8);
  const budget = isCapped ? tightBudget(rng) : rng.chance(0.2) ? null : randomBudget(rng);
  const factor = rng.pick([1, 1, 40, 400]);
  const most = Math.min(source.length, 400);
  const at = rng.chance(points === undefined ? 0.6 : 0.9) ? rng.pick(points ?? [most]) : rng.below(most + 1);
  const chosen = spec(...before, own, ...behind);
  return {
    source,
    at,
    spec: chosen,
    options: { budget, ...(factor > 1 && { tokens: largeTokens(source, factor) }) },
    label: `run ${run}: ${label}, at ${at}, tokens × ${factor}, ${JSON.stringify(chosen)}, ${JSON.stringify(budget)}`,
  };
}

/** The same run with user code before its stages: from call point to call point other messages are a person's function's own. */
export function behindUserCode(run: number): Given {
  const { spec: chosen, label, ...rest } = randomRun(run);
  const { stages } = chosen as { readonly stages: readonly unknown[] };
  const before = spec(USER_CODE, ...stages);
  return { ...rest, spec: before, label: `${label} behind user code: ${JSON.stringify(before)}` };
}

/** The same spec after a slider was moved: one stage has other options. */
export function withAnother(chosen: unknown, rng: Rng): unknown {
  const { stages } = chosen as { readonly stages: readonly { readonly kind: string }[] };
  const moved = rng.below(stages.length);
  return spec(...stages.map((stage, at) => (at === moved ? randomStage(stage.kind, rng) : stage)));
}
