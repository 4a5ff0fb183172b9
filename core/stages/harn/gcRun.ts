// One run of reachability_gc: judge every tool result before the window, then edit. Written for long transcripts: only
// messages that hold results are looked at, and messages with the same short verdict share one fate.
import type { Part } from '../../model/message.ts';
import { readView, type ViewReader } from '../../view/reader.ts';
import type { Fate, PartFate, RedactionPointer, SourceItem, StageContext, View, ViewItem } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import { savedChip } from './decision.ts';
import type { ReachabilityGcParams } from './reachabilityGc.ts';
import { ReachabilityTable, type ResultInfo } from './reachabilityTable.ts';
import { type Redaction, redactMessage } from './redaction.ts';
import { RootSet } from './roots.ts';

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

/** What the run gives its stage. `items` null = nothing was reclaimed. */
export interface GcOutcome {
  readonly items: readonly ViewItem[] | null;
  readonly fates: ReadonlyMap<number, Fate>;
  readonly reclaimed: number;
  readonly reclaimedChars: number;
}

/** A run over one view. */
export class GcRun {
  readonly #view: View;
  readonly #params: ReachabilityGcParams;
  readonly #context: StageContext;
  readonly #reader: ViewReader;
  readonly #table: ReachabilityTable;
  readonly #start: number;
  readonly #positions: readonly number[];
  readonly #simpleFates = new Map<number, Fate>();
  readonly #roots: RootSet;
  readonly #where: string;
  readonly #window: string;

  constructor(view: View, params: ReachabilityGcParams, context: StageContext) {
    this.#view = view;
    this.#params = params;
    this.#context = context;
    this.#reader = readView(view, context.source, context.memo);
    this.#table = context.memo.get('harn.reachability', () => new ReachabilityTable(context.source, context.sha256));
    this.#start = Math.max(0, view.items.length - params.rootWindow);
    this.#positions = this.#resultPositions();
    this.#readResults();
    this.#roots = new RootSet(this.#table, this.#reader, context, this.#start, params.rootTexts);
    this.#where = wordsForRoots(params);
    this.#window = wordsForWindow(params);
  }

  project(): GcOutcome {
    const fates = new Map<number, Fate>();
    const items: ViewItem[] = [...this.#view.items];
    let reclaimedChars = 0;
    let reclaimed = 0;
    for (const position of this.#positions) {
      const index = this.#reader.indexOf(position);
      if (index === null) continue;
      const simple = this.#simpleFate(position);
      if (simple !== null) {
        fates.set(index, simple);
        continue;
      }
      const verdicts = this.#judgeMessage(position);
      const gone = verdicts.filter((verdict) => verdict.info !== undefined);
      fates.set(index, this.#fateOf(position, verdicts, gone));
      if (gone.length === 0) continue;
      items[position] = this.#edit(position, index, gone);
      reclaimed += gone.length;
      for (const verdict of gone) reclaimedChars += this.#saved(position, verdict);
    }
    return { items: reclaimed === 0 ? null : items, fates, reclaimedChars, reclaimed };
  }

  #resultPositions(): number[] {
    const positions: number[] = [];
    for (let position = 0; position < this.#reader.length; position++) {
      const raw = this.#isRaw(position) ? this.#reader.indexOf(position) : null;
      const holds = raw === null ? hasResult(this.#reader.facts(position).parts) : this.#table.holdsResult(raw);
      if (holds) positions.push(position);
    }
    return positions;
  }

  // Roots only know identifiers of results read before them (see ReachabilityTable.rootIds).
  #readResults(): void {
    for (const position of this.#positions) {
      if (position >= this.#start) return;
      const { parts } = this.#reader.facts(position);
      for (let at = 0; at < parts.length; at++) {
        const part = parts[at];
        if (part === undefined || part.kind !== 'tool_result' || part.isError === true) continue;
        if (part.chars >= this.#params.minChars) this.#info(position, at);
      }
    }
  }

  // A message with one result that is not even looked into: most are, and all of a kind read the same.
  #simpleFate(position: number): Fate | null {
    const { parts } = this.#reader.facts(position);
    const [only] = parts;
    if (parts.length !== 1 || only === undefined) return null;
    const key = this.#simpleKey(position, only);
    if (key === null) return null;
    const known = this.#simpleFates.get(key);
    if (known !== undefined) return known;
    const { rule, reason } = this.#judge(position, 0, only);
    const fate: Fate = { kind: 'kept', stage: this.#context.stage, rule, reason };
    this.#simpleFates.set(key, fate);
    return fate;
  }

  #simpleKey(position: number, part: Part): number | null {
    if (position >= this.#start) return -1;
    if (part.isError === true) return -2;
    return part.chars < this.#params.minChars ? part.chars : null;
  }

  // A result is judged by its raw content: a body that an earlier stage changed still points to what it was.
  #info(position: number, part: number): ResultInfo | null {
    const index = this.#reader.indexOf(position);
    const raw = this.#reader.rawPart(position, part);
    return index === null || raw === null ? null : this.#table.result(index, raw);
  }

  #judgeMessage(position: number): Verdict[] {
    const verdicts: Verdict[] = [];
    const { parts } = this.#reader.facts(position);
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at];
      if (part?.kind === 'tool_result') verdicts.push(this.#judge(position, at, part));
    }
    return verdicts;
  }

  #judge(position: number, at: number, part: Part): Verdict {
    if (position >= this.#start) return { part: at, rule: 'in_root_window', reason: this.#inWindow() };
    if (part.isError === true) return { part: at, rule: 'error_result', reason: 'kept: error results stay' };
    if (part.chars < this.#params.minChars) return this.#tooShort(at, part.chars);
    const info = this.#info(position, at);
    if (info === null) return { part: at, rule: 'no_raw_content', reason: 'kept: it has no body in the transcript' };
    // Facts count content that is no string as JavaScript prints it: 1e16 is 17 characters there, 4 in the transcript.
    if (this.#isRaw(position) && info.chars < this.#params.minChars) return this.#tooShort(at, info.chars);
    return this.#judgeReachable(at, part, info);
  }

  #tooShort(at: number, chars: number): Verdict {
    const reason = `kept: ${countOf(chars, 'character')}, fewer than ${grouped(this.#params.minChars)} (min_chars)`;
    return { part: at, rule: 'below_min_chars', reason };
  }

  #inWindow(): string {
    let from = this.#start;
    while (from < this.#reader.length && this.#reader.indexOf(from) === null) from++;
    const index = from < this.#reader.length ? this.#reader.indexOf(from) : null;
    return `kept: among ${this.#window}${index === null ? '' : `, from #${index} on`}`;
  }

  #judgeReachable(at: number, part: Part, info: ResultInfo): Verdict {
    const named = this.#namedIds(info);
    if (named.count > 0) return this.#kept(at, named.best, named.count);
    const size = `${grouped(part.chars)} chars ≥ ${grouped(this.#params.minChars)} (min_chars)`;
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
    const others = count > 1 ? `; so are ${count - 1} more of its identifiers` : '';
    const place = this.#roots.place(id);
    const rule = 'reachable';
    if (place === null || 'label' in place) {
      const label = place?.label ?? 'the roots';
      return { part: at, rule, reason: `kept: \`${evidence}\` is named in ${label}${others}`, evidence };
    }
    const because = this.#reader.indexOf(place.position);
    const where = because === null ? 'a synthetic message' : `#${because}`;
    const reason = `kept: \`${evidence}\` is named in ${where}, within ${this.#window}${others}`;
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

function hasResult(parts: readonly Part[]): boolean {
  return parts.some((part) => part.kind === 'tool_result');
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
