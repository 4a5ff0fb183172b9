import type { Part } from '../../model/message.ts';
import { readView, type ViewReader } from '../../view/reader.ts';
import type {
  Fate,
  ParamSchema,
  PartFate,
  RedactionPointer,
  SourceItem,
  StageContext,
  StageDefinition,
  View,
  ViewItem,
} from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import { conclude, type Decision, nothingToDo, savedChip, unchanged } from './decision.ts';
import { COMMON_PARAMS, type HarnParams, parseWith, readCommon } from './options.ts';
import { ReachabilityTable, type ResultInfo } from './reachabilityTable.ts';
import { type Redaction, redactMessage } from './redaction.ts';
import { ROOT_PARAMS, RootSet, type RootText, readRootTexts, rootLabels } from './roots.ts';

const POLICY = { kind: 'reachability_gc', title: 'Reachability GC' };

const ROOT_WINDOW: ParamSchema = {
  name: 'root_window',
  aliases: ['recent_messages', 'keep_last'],
  type: 'integer',
  default: 8,
  min: 0,
  softMax: 64,
  unit: 'messages',
  help: 'How many messages at the end are roots: what they name stays. Larger keeps more.',
};

const MIN_CHARS: ParamSchema = {
  name: 'min_chars',
  aliases: ['min_reclaim_chars', 'tool_result_min_chars'],
  type: 'integer',
  default: 500,
  min: 0,
  softMax: 10_000,
  unit: 'characters',
  help: 'The shortest tool result worth reclaiming. Larger keeps more.',
};

const REQUIRE_BARRIER: ParamSchema = {
  name: 'require_write_barrier',
  aliases: ['require_barrier'],
  type: 'boolean',
  default: false,
  help: 'Reclaim only if a write barrier is given, that is after working memory was written down.',
};

/** Parameters of reachability_gc. Counts of messages and of Unicode scalars. */
export interface ReachabilityGcParams extends HarnParams {
  readonly rootWindow: number;
  readonly minChars: number;
  readonly requireWriteBarrier: boolean;
  readonly rootTexts: readonly RootText[];
}

/**
 * Replaces old tool results that nothing recent refers to by pointers into the transcript; no message goes. Explains
 * each result it kept or reclaimed. Source: spec of the projection, "reachability_gc".
 */
export const reachabilityGc: StageDefinition<ReachabilityGcParams> = {
  ...POLICY,
  aliases: ['context_gc', 'tool_result_gc'],
  family: 'harn',
  help: 'Replaces the bodies of old tool results by pointers, unless an identifier of theirs (a path, a symbol, an id …) is named in the last messages or in the texts given here. Error results stay.',
  params: [ROOT_WINDOW, MIN_CHARS, REQUIRE_BARRIER, ...ROOT_PARAMS, ...COMMON_PARAMS],
  parse: (options) =>
    parseWith(options, (reader) => ({
      ...readCommon(reader),
      rootWindow: reader.count(ROOT_WINDOW),
      minChars: reader.count(MIN_CHARS),
      requireWriteBarrier: reader.flag(REQUIRE_BARRIER),
      rootTexts: readRootTexts(reader),
    })),
  // biome-ignore lint/correctness/useYield: a stage is a generator so that it can ask for user code; this one need not
  *run(view, params, context) {
    return conclude(POLICY, view, params, context, decide(view, params, context));
  },
};

function decide(view: View, params: ReachabilityGcParams, context: StageContext): Decision {
  const { rootWindow, rootTexts, requireWriteBarrier } = params;
  const roots = rootLabels(rootWindow, view.items.length, rootTexts, requireWriteBarrier);
  if (requireWriteBarrier && !rootTexts.some((text) => text.isBarrier)) {
    return unchanged('reachability_gc_write_barrier_missing', 'nothing done: no write barrier was given', roots);
  }
  const run = new GcRun(view, params, context);
  const { items, fates, reclaimedChars, reclaimed } = run.project();
  const summary =
    reclaimed === 0
      ? nothingToDo(view)
      : `${countOf(reclaimed, 'result')} reclaimed · −${grouped(Math.floor(reclaimedChars / 4))} tok`;
  return { items, fates, reason: POLICY.kind, summary, reclaimedChars, roots };
}

/** What was decided about one result, in the words of its fate. */
interface Verdict {
  readonly part: number;
  readonly rule: string;
  readonly reason: string;
  readonly because?: number;
  readonly evidence?: string;
  /** Set if the body is to go. */
  readonly info?: ResultInfo;
}

/** One run: judges all results before the window, then edits. */
class GcRun {
  readonly #view: View;
  readonly #params: ReachabilityGcParams;
  readonly #context: StageContext;
  readonly #reader: ViewReader;
  readonly #table: ReachabilityTable;
  readonly #start: number;
  readonly #roots: RootSet;
  readonly #where: string;

  constructor(view: View, params: ReachabilityGcParams, context: StageContext) {
    this.#view = view;
    this.#params = params;
    this.#context = context;
    this.#reader = readView(view, context.source, context.memo);
    this.#table = context.memo.get('harn.reachability', () => new ReachabilityTable(context.source, context.sha256));
    this.#start = Math.max(0, view.items.length - params.rootWindow);
    this.#readResults();
    this.#roots = new RootSet(this.#table, this.#reader, context, this.#start, params.rootTexts);
    this.#where = wordsForRoots(params);
  }

  project() {
    const fates = new Map<number, Fate>();
    const items: ViewItem[] = [...this.#view.items];
    let reclaimedChars = 0;
    let reclaimed = 0;
    for (let position = 0; position < items.length; position++) {
      const index = this.#reader.indexOf(position);
      if (index === null) continue;
      const verdicts = this.#judgeMessage(position);
      if (verdicts.length === 0) continue;
      const gone = verdicts.filter((verdict) => verdict.info !== undefined);
      fates.set(index, this.#fateOf(position, verdicts, gone));
      if (gone.length === 0) continue;
      items[position] = this.#edit(position, index, gone);
      reclaimed += gone.length;
      for (const verdict of gone) reclaimedChars += this.#saved(position, verdict);
    }
    return { items: reclaimed === 0 ? null : items, fates, reclaimedChars, reclaimed };
  }

  // Roots only know identifiers of results read before them (see ReachabilityTable.rootIds).
  #readResults(): void {
    for (let position = 0; position < this.#start; position++) {
      for (const [at, part] of this.#reader.facts(position).parts.entries()) {
        if (part.kind === 'tool_result' && part.isError !== true && part.chars >= this.#params.minChars) {
          this.#info(position, at);
        }
      }
    }
  }

  // A result is judged by its raw content: a body that an earlier stage changed still points to what it was.
  #info(position: number, part: number): ResultInfo | null {
    const index = this.#reader.indexOf(position);
    const raw = this.#reader.rawPart(position, part);
    return index === null || raw === null ? null : this.#table.result(index, raw);
  }

  #judgeMessage(position: number): Verdict[] {
    const verdicts: Verdict[] = [];
    for (const [at, part] of this.#reader.facts(position).parts.entries()) {
      if (part.kind === 'tool_result') verdicts.push(this.#judge(position, at, part));
    }
    return verdicts;
  }

  #judge(position: number, at: number, part: Part): Verdict {
    if (position >= this.#start) return { part: at, rule: 'in_root_window', reason: this.#inWindow() };
    if (part.isError === true) return { part: at, rule: 'error_result', reason: 'kept: error results stay' };
    const { minChars } = this.#params;
    if (part.chars < minChars) {
      const reason = `kept: ${grouped(part.chars)} characters, fewer than ${grouped(minChars)} (min_chars)`;
      return { part: at, rule: 'below_min_chars', reason };
    }
    const info = this.#info(position, at);
    if (info === null) return { part: at, rule: 'no_raw_content', reason: 'kept: it has no body in the transcript' };
    return this.#judgeReachable(at, part, info);
  }

  #inWindow(): string {
    return `kept: among the last ${countOf(this.#params.rootWindow, 'message')} (root_window)`;
  }

  #judgeReachable(at: number, part: Part, info: ResultInfo): Verdict {
    const named = this.#namedIds(info);
    if (named.count > 0) return this.#kept(at, named.best, named.count);
    const size = `${grouped(part.chars)} chars ≥ ${grouped(this.#params.minChars)}`;
    const none = info.ids.length === 0 ? 'it has no identifiers' : noneOf(info.ids.length);
    const reason = `${this.#where}, ${size}, ${none}`;
    return { part: at, rule: 'stale_tool_result_unreachable', reason, info };
  }

  // The longest identifier says most: a path more than the tool's name. Never the first by id: ids depend on what
  // was read before.
  #namedIds(info: ResultInfo): { readonly count: number; readonly best: number } {
    let count = 0;
    let best = -1;
    for (const id of info.ids) {
      if (!this.#roots.has(id)) continue;
      count++;
      if (best < 0 || saysMore(this.#table.word(id), this.#table.word(best))) best = id;
    }
    return { count, best };
  }

  #kept(at: number, id: number, count: number): Verdict {
    const evidence = this.#table.word(id);
    const others = count > 1 ? ` (and ${count - 1} more of its identifiers among the roots)` : '';
    const place = this.#roots.place(id);
    const rule = 'reachable';
    if (place === null || 'label' in place) {
      const label = place?.label ?? 'the roots';
      return { part: at, rule, reason: `kept: \`${evidence}\` is named in ${label}${others}`, evidence };
    }
    const because = this.#reader.indexOf(place.position);
    const where = because === null ? 'a synthetic message' : `#${because}`;
    const reason = `kept: \`${evidence}\` is named in ${where}${others}`;
    return { part: at, rule, reason, evidence, ...(because !== null && { because }) };
  }

  #saved(position: number, verdict: Verdict): number {
    const chars = this.#reader.facts(position).parts[verdict.part]?.chars ?? 0;
    const raw = this.#isRaw(position) ? (verdict.info?.chars ?? 0) : chars;
    return Math.max(0, raw - (verdict.info?.replacement.length ?? 0));
  }

  #isRaw(position: number): boolean {
    return this.#reader.item(position).text === undefined;
  }

  #fateOf(position: number, verdicts: readonly Verdict[], gone: readonly Verdict[]): Fate {
    const main = gone[0] ?? verdicts.find((verdict) => verdict.rule === 'reachable') ?? verdicts[0];
    const base = {
      stage: this.#context.stage,
      rule: main?.rule ?? null,
      reason: main?.reason ?? '',
      ...(main?.because !== undefined && { because: main.because }),
      ...(main?.evidence !== undefined && { evidence: main.evidence }),
    };
    const parts = verdicts.length > 1 ? { parts: this.#partFates(position, verdicts) } : {};
    if (gone.length === 0) return { kind: 'kept', ...base, ...parts };
    const saved = gone.reduce((sum, verdict) => sum + this.#saved(position, verdict), 0);
    const pointers: RedactionPointer[] = [];
    for (const { info } of gone) if (info !== undefined) pointers.push(info.pointer);
    return {
      kind: 'redacted',
      ...base,
      chip: savedChip(saved),
      parts: this.#partFates(position, verdicts),
      pointers,
    };
  }

  #partFates(position: number, verdicts: readonly Verdict[]): PartFate[] {
    const fates: PartFate[] = [];
    for (const { part, info, reason } of verdicts) {
      const raw = this.#reader.rawPart(position, part);
      if (raw !== null) fates.push({ part: raw, kind: info === undefined ? 'kept' : 'redacted', reason });
    }
    return fates;
  }

  // What a redaction looks like does not depend on parameters: raw messages share theirs between runs.
  #edit(position: number, index: number, gone: readonly Verdict[]): SourceItem {
    const edit = (): string => redactMessage(this.#reader.text(position), this.#redactions(position, gone));
    if (!this.#isRaw(position)) return { kind: 'source', index, text: edit() };
    return this.#table.edited(index, gone.map((verdict) => verdict.part).join(','), edit);
  }

  #redactions(position: number, gone: readonly Verdict[]): Redaction[] {
    const { parts } = this.#reader.facts(position);
    return gone.flatMap(({ part, info }) => {
      const path = parts[part]?.path;
      return info === undefined || path === undefined
        ? []
        : [{ path, pointer: info.pointer, replacement: info.replacement }];
    });
  }
}

function saysMore(word: string, other: string): boolean {
  return word.length !== other.length ? word.length > other.length : word < other;
}

function noneOf(count: number): string {
  return count === 1
    ? 'its one identifier is not named there'
    : `none of its ${grouped(count)} identifiers is named there`;
}

function wordsForRoots({ rootWindow, rootTexts }: ReachabilityGcParams): string {
  const labels = rootTexts.map((text) => text.label).join(', ');
  const window = rootWindow === 0 ? 'no message is a root' : `older than the last ${countOf(rootWindow, 'message')}`;
  return labels === '' ? window : `${window} (roots also: ${labels})`;
}
