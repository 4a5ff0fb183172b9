// What reachability_gc says of one message with tool results: which bodies go, what is in their place, and why. The run
// that asks (gcRun.ts) knows the window and what is named among the roots.
import type { Part } from '../../model/message.ts';
import { madeOnce } from '../../view/madeOnce.ts';
import { editItem, ownPartOf } from '../../view/origins.ts';
import { itemFacts, itemText } from '../../view/reader.ts';
import { mayPoint } from '../../view/redactionPointer.ts';
import type { Fate, PartFate, RedactionPointer, SourceItem, StageContext, ViewItem } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import { savedChip } from './decision.ts';
import type { ReachabilityGcParams } from './reachabilityGc.ts';
import type { ReachabilityTable, ResultInfo } from './reachabilityTable.ts';
import { type Redaction, redactMessage } from './redaction.ts';

/** What was decided about one result, in the words of its fate. */
export interface GcDecision {
  readonly part: number;
  readonly rule: string;
  readonly reason: string;
  readonly because?: number;
  readonly evidence?: string;
  /** Set if the body is to go. */
  readonly info?: ResultInfo;
}

/** Rules by which a result stays whatever is named. */
type StaysAnyway = 'error_result' | 'below_min_chars' | 'no_raw_content';

/** A body to reclaim: its part, and what is known of it. */
export interface Reclaimed {
  readonly part: number;
  readonly info: ResultInfo;
}

/** What keeps results alive, as the run stands. */
export interface GcRoots {
  /** True if the identifier is named among the roots. */
  has(id: number): boolean;
  /** True if it is known that no identifier of the result is: then they need not be asked for one by one. */
  isUnnamed(info: ResultInfo): boolean;
  /** Where it is named last: in a message (source index, null = synthetic), or in a caller's text; null = nowhere. */
  place(id: number): { readonly index: number | null } | { readonly label: string } | null;
  /** Source index of the first message of the window; null if there is none. */
  windowFrom(): number | null;
}

/** Judges messages of one view. */
export class GcDecider {
  readonly #table: ReachabilityTable;
  readonly #params: ReachabilityGcParams;
  readonly #context: Pick<StageContext, 'source' | 'memo' | 'stage'>;
  readonly #roots: GcRoots;
  readonly #where: string;
  readonly #window: string;

  constructor(
    table: ReachabilityTable,
    params: ReachabilityGcParams,
    context: Pick<StageContext, 'source' | 'memo' | 'stage'>,
    roots: GcRoots,
  ) {
    this.#table = table;
    this.#params = params;
    this.#context = context;
    this.#roots = roots;
    this.#where = wordsForRoots(params);
    this.#window = wordsForWindow(params);
  }

  parts(item: ViewItem): readonly Part[] {
    return itemFacts(item, this.#context.source, this.#context.memo).parts;
  }

  /** A verdict for each result of the message. `inWindow` = it is a root itself. */
  judgeMessage(item: ViewItem, inWindow: boolean): GcDecision[] {
    const verdicts: GcDecision[] = [];
    for (const [at, part] of this.parts(item).entries()) {
      if (part.kind === 'tool_result') verdicts.push(this.judge(item, at, part, inWindow));
    }
    return verdicts;
  }

  judge(item: ViewItem, at: number, part: Part, inWindow: boolean): GcDecision {
    if (inWindow) return { part: at, rule: 'in_root_window', reason: this.#inWindow() };
    const found = this.#unlessReachable(item, at, part);
    if (typeof found !== 'string') return this.#judgeReachable(at, part, found);
    return { part: at, rule: found, reason: this.#whyItStays(found, item, at, part) };
  }

  /** A result that goes unless it is reachable; null if it stays whatever is named. */
  candidate(item: ViewItem, at: number, part: Part): ResultInfo | null {
    if (part.kind !== 'tool_result') return null;
    const found = this.#unlessReachable(item, at, part);
    return typeof found === 'string' ? null : found;
  }

  // Which results are reclaimed is decided here, and by what is named among the roots; a new reason has its sentence below.
  #unlessReachable(item: ViewItem, at: number, part: Part): StaysAnyway | ResultInfo {
    const { minChars } = this.#params;
    if (part.isError === true) return 'error_result';
    if (part.chars < minChars) return 'below_min_chars';
    const info = this.info(item, at);
    if (info === null) return 'no_raw_content';
    // Facts count content that is not a string as JavaScript prints it: 1e16 is 17 characters there, 4 in the transcript.
    return isRaw(item) && info.chars < minChars ? 'below_min_chars' : info;
  }

  #whyItStays(rule: StaysAnyway, item: ViewItem, at: number, { chars }: Part): string {
    if (rule === 'error_result') return 'kept: error results stay';
    if (rule === 'no_raw_content') {
      const raw = ownPartOf(item, at);
      const isElsewhere =
        item.kind === 'source' && raw !== null && chars > 0 && !mayPoint(item.index, raw, this.#context);
      return isElsewhere
        ? 'kept: no pointer can name its body, which is in neither content nor a block of content'
        : 'kept: it has no body in the transcript';
    }
    const { minChars } = this.#params;
    const own = chars < minChars ? chars : (this.info(item, at)?.chars ?? chars);
    return `kept: ${countOf(own, 'character')}, fewer than ${grouped(minChars)} (min_chars)`;
  }

  // A result is judged by its raw content: a body that an earlier stage changed still points to what it was.
  info(item: ViewItem, part: number): ResultInfo | null {
    const raw = ownPartOf(item, part);
    return item.kind !== 'source' || raw === null ? null : this.#table.result(item.index, raw);
  }

  #inWindow(): string {
    const index = this.#roots.windowFrom();
    return `kept: among ${this.#window}${index === null ? '' : `, from #${index} on`}`;
  }

  #judgeReachable(at: number, part: Part, info: ResultInfo): GcDecision {
    const named = this.#namedIds(info);
    if (named.count > 0) return this.#kept(at, named.best, named.count);
    const size = `${grouped(part.chars)} chars ≥ ${grouped(this.#params.minChars)} (min_chars)`;
    const none = info.ids.length === 0 ? 'it has no identifiers' : noneOf(info.ids.length);
    const more = info.replacementChars - part.chars;
    const longer =
      more < 0 ? '' : `; the pointer is ${countOf(more, 'character')} longer than the body: nothing is saved`;
    const reason = `${this.#where}, ${size}, ${none}${longer}`;
    return { part: at, rule: 'stale_tool_result_unreachable', reason, info };
  }

  // The longest identifier says most: a path more than the tool's name. Never the first by id: ids depend on what
  // was read before.
  #namedIds(info: ResultInfo): { readonly count: number; readonly best: number } {
    let count = 0;
    let best = -1;
    if (this.#roots.isUnnamed(info)) return { count, best };
    const { ids } = info;
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at]!;
      if (!this.#roots.has(id)) continue;
      count++;
      if (best < 0 || saysMore(this.#table.word(id), this.#table.word(best))) best = id;
    }
    return { count, best };
  }

  #kept(at: number, id: number, count: number): GcDecision {
    const evidence = this.#table.word(id);
    const others = count > 1 ? `; so are ${count - 1} more of its identifiers` : '';
    const place = this.#roots.place(id);
    const rule = 'reachable';
    if (place === null || 'label' in place) {
      const label = place?.label ?? 'the roots';
      return { part: at, rule, reason: `kept: \`${evidence}\` is named in ${label}${others}`, evidence };
    }
    const { index: because } = place;
    const where = because === null ? 'a synthetic message' : `#${because}`;
    const reason = `kept: \`${evidence}\` is named in ${where}, within ${this.#window}${others}`;
    return { part: at, rule, reason, evidence, ...(because !== null && { because }) };
  }

  /** Characters that go with a body. */
  saved(item: ViewItem, { part, info }: Reclaimed): number {
    const raw = isRaw(item) ? info.chars : (this.parts(item)[part]?.chars ?? 0);
    return Math.max(0, raw - info.replacementChars);
  }

  /** The fate of a message by the verdicts on its results, of which there is one at least. */
  fateOf(item: ViewItem, verdicts: readonly GcDecision[]): Fate {
    const gone = reclaimed(verdicts);
    const main = verdicts.length === 1 ? verdicts[0] : mainOf(verdicts);
    const base = {
      stage: this.#context.stage,
      rule: main?.rule ?? null,
      reason: main?.reason ?? '',
      ...(main?.because !== undefined && { because: main.because }),
      ...(main?.evidence !== undefined && { evidence: main.evidence }),
    };
    const parts = verdicts.length > 1 ? { parts: this.#partFates(item, verdicts) } : {};
    if (gone.length === 0) return { kind: 'kept', ...base, ...parts };
    const saved = gone.reduce((sum, each) => sum + this.saved(item, each), 0);
    const pointers: RedactionPointer[] = gone.map(({ info }) => info.pointer);
    return {
      kind: 'redacted',
      ...base,
      chip: saved === 0 ? 'nothing saved' : savedChip(saved),
      parts: this.#partFates(item, verdicts),
      pointers,
    };
  }

  #partFates(item: ViewItem, verdicts: readonly GcDecision[]): PartFate[] {
    const fates: PartFate[] = [];
    for (const { part, info, reason } of verdicts) {
      const raw = ownPartOf(item, part);
      if (raw !== null) fates.push({ part: raw, kind: info === undefined ? 'kept' : 'redacted', reason });
    }
    return fates;
  }

  /** The message with these bodies replaced. What that looks like does not depend on parameters: raw messages share it. */
  edit(item: SourceItem, gone: readonly Reclaimed[]): SourceItem {
    const { source, memo } = this.#context;
    const edit = (): SourceItem => editItem(item, redactMessage(itemText(item, source), this.#redactions(item, gone)));
    return madeOnce('harn.reclaimed', item, gone.map(({ part }) => part).join(','), memo, edit);
  }

  #redactions(item: SourceItem, gone: readonly Reclaimed[]): Redaction[] {
    const parts = this.parts(item);
    return gone.flatMap(({ part, info }) => {
      const path = parts[part]?.path;
      return path === undefined ? [] : [{ path, pointer: info.pointer, replacement: info.replacement }];
    });
  }
}

// The verdict that a message's fate gives: of a body that goes, else of one that is reachable.
function mainOf(verdicts: readonly GcDecision[]): GcDecision | undefined {
  return (
    verdicts.find(({ info }) => info !== undefined) ?? verdicts.find(({ rule }) => rule === 'reachable') ?? verdicts[0]
  );
}

/** The bodies that go. */
export function reclaimed(verdicts: readonly GcDecision[]): readonly Reclaimed[] {
  return verdicts.flatMap(({ part, info }) => (info === undefined ? [] : [{ part, info }]));
}

function isRaw(item: ViewItem): boolean {
  return item.text === undefined;
}

function saysMore(word: string, other: string): boolean {
  return word.length !== other.length ? word.length > other.length : word < other;
}

function noneOf(count: number): string {
  return count === 1
    ? 'its one identifier is not named there'
    : `none of its ${grouped(count)} identifiers is named there`;
}

function wordsForWindow({ rootWindow }: ReachabilityGcParams): string {
  return `the last ${countOf(rootWindow, 'message')} (root_window)`;
}

function wordsForRoots(params: ReachabilityGcParams): string {
  const { rootWindow, rootTexts } = params;
  const labels = rootTexts.map((text) => text.label).join(', ');
  const window = rootWindow === 0 ? 'no message is a root (root_window 0)' : `older than ${wordsForWindow(params)}`;
  return labels === '' ? window : `${window} (roots also: ${labels})`;
}
