// Which rows of a projection fit a filter. Rows are tested in slices; words and uses, which take longer, are looked for in
// the background, once, and kept.
import { compileFilter, needsOf } from '../../filter/match.ts';
import { printFilter } from '../../filter/printFilter.ts';
import { TranscriptRow, toolsByCall } from '../../filter/rows.ts';
import { RowUses } from '../../filter/rowUses.ts';
import { partStanding } from '../../filter/standing.ts';
import { SyntheticRow } from '../../filter/syntheticRow.ts';
import type { FilterExpr } from '../../filter/types.ts';
import type { UsesIndex } from '../../insight/uses/index.ts';
import type { PartPlace } from '../../model/exchanges.ts';
import { findMarks } from '../../search/marks.ts';
import { searchText } from '../../search/messageText.ts';
import type { Term } from '../../search/types.ts';
import type { ViewItem } from '../../view/types.ts';
import { createSlicer } from '../slicer.ts';
import { BoundedMap } from './boundedMap.ts';
import type { Projected } from './projected.ts';
import type { Session } from './session.ts';
import type { Tokenizing } from './tokenizing.ts';
import type { Turn } from './workQueue.ts';

/** Of each row of the messages, and of each made message or part by its ordinal, whether it fits. */
export interface RowMatches {
  readonly rows: Uint8Array;
  readonly made: Uint8Array;
  /** Rows of messages that fit. */
  readonly matched: number;
}

/** A projection whose rows are to be tested. `key` names it with its counts. */
export interface FilteredProjection {
  readonly key: string;
  readonly projected: Omit<Projected, 'layout' | 'id'>;
  readonly tokens: Tokenizing;
  /** Null = none are known. */
  readonly uses: UsesIndex | null;
  /** The policy that these uses are of where it is another one, which rows were tested by last; null = its own. */
  readonly usesOf: string | null;
}

const MATCHES = 12;
const TERMS = 24;
const BATCH = 128;
/** Messages between two looks at the clock. */
const STEP = 256;

/** The filters of one session. */
export class RowFiltering {
  readonly #session: Session;
  readonly #matches = new BoundedMap<string, RowMatches>(MATCHES);
  readonly #terms = new BoundedMap<string, Uint8Array>(TERMS);
  readonly #uses = new WeakMap<UsesIndex, RowUses>();
  #tools: { readonly length: number; readonly map: ReadonlyMap<string, string> } | null = null;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Which rows fit; null while words or uses that it asks for are not known. */
  async matches(expr: FilterExpr, about: FilteredProjection): Promise<RowMatches | null> {
    const needs = needsOf(expr);
    if ((needs.uses && about.uses === null) || this.missing(expr).length > 0) return null;
    const key = `${about.key} ${needs.uses ? about.usesOf : null} ${printFilter(expr)}`;
    const known = this.#matches.get(key);
    if (known !== undefined) return known;
    const made = await this.#test(expr, about);
    this.#matches.set(key, made);
    return made;
  }

  /** Words of a filter that were not looked for yet. */
  missing(expr: FilterExpr): readonly Term[] {
    return needsOf(expr).terms.filter((term) => this.#terms.get(this.#termKey(term)) === undefined);
  }

  /** Looks for words in all rows. */
  async lookFor(terms: readonly Term[], turn: Turn): Promise<void> {
    const { source, outline } = this.#session;
    const { messages, rows } = outline;
    const found = terms.map(() => new Uint8Array(rows[messages] ?? 0));
    for (let from = 0; from < messages; from += BATCH) {
      for (const [offset, json] of source.texts(from, Math.min(from + BATCH, messages)).entries()) {
        this.#lookIn(json, from + offset, terms, found);
        const pause = turn.pause();
        if (pause) await pause;
      }
    }
    for (const [at, term] of terms.entries()) this.#terms.set(this.#termKey(term), found[at] ?? new Uint8Array());
  }

  /** A row of a projection, to be moved from place to place. */
  row(about: FilteredProjection): TranscriptRow {
    const session = this.#session;
    const { source, outline } = session;
    const { projected, tokens, uses } = about;
    const { rows } = outline;
    const parts = { ...projected, sameParts: (item: ViewItem) => this.#sameParts(item) };
    return new TranscriptRow({
      source,
      meta: (index) => source.meta(index),
      turnStarts: outline.turnStarts,
      model: session.modelName ?? null,
      tokens: (index, part) => tokens.part(index, part).tokens,
      standing: (index, part) => partStanding(parts, index, part),
      stages: projected.projection.reports,
      uses: uses && this.rowUses(uses),
      tools: this.#toolsOfCalls(),
      says: (term, index, part) => this.#terms.get(this.#termKey(term))?.[(rows[index] ?? 0) + part] === 1,
    });
  }

  /** Uses by the parts they have to do with. */
  rowUses(uses: UsesIndex): RowUses {
    const known = this.#uses.get(uses) ?? new RowUses(uses);
    this.#uses.set(uses, known);
    return known;
  }

  async #test(expr: FilterExpr, about: FilteredProjection): Promise<RowMatches> {
    const test = compileFilter(expr);
    const row = this.row(about);
    const { messages, rows: starts } = this.#session.outline;
    const rows = new Uint8Array(starts[messages] ?? 0);
    let matched = 0;
    const slicer = createSlicer();
    for (let index = 0; index < messages; index++) {
      const first = starts[index] ?? 0;
      const end = starts[index + 1] ?? first;
      for (let at = first; at < end; at++) {
        if (!test(row.at(index, at - first))) continue;
        rows[at] = 1;
        matched++;
      }
      const pause = index % STEP === 0 ? slicer.pause() : null;
      if (pause) await pause;
    }
    return { rows, made: this.#testMade(test, about), matched };
  }

  #testMade(test: ReturnType<typeof compileFilter>, { projected, tokens }: FilteredProjection): Uint8Array {
    const { synthetics, standing, projection } = projected;
    const made = new Uint8Array(synthetics.length + standing.extras.length);
    const places = [
      ...synthetics.map(({ item }) => ({
        item,
        part: 0,
        index: item.covers.from,
        stage: item.stage,
        rule: item.made?.rule,
      })),
      ...standing.extras.flatMap(({ position, part }) => {
        const item = projection.view.items[position];
        if (item?.kind !== 'source') return [];
        const { stage, rule } = projection.said.fateOf(item.index);
        return [{ item, part, index: item.index, stage, rule: rule ?? undefined }];
      }),
    ];
    for (const [ordinal, { item, part, index, stage, rule }] of places.entries()) {
      const edit = this.#session.edits.read({ ...item, text: item.text ?? '' });
      const counted = tokens.edit(edit, { chars: 0 });
      const all = item.kind === 'synthetic';
      const row = new SyntheticRow({
        message: JSON.parse(edit.text),
        facts: edit.facts,
        part: all ? null : part,
        index,
        tokens: all ? counted.byCategory.reduce((sum, one) => sum + one, 0) : (counted.parts[part] ?? 0),
        stage: stage === null ? null : (projection.reports[stage] ?? null),
        rule: rule ?? null,
      });
      if (test(row)) made[ordinal] = 1;
    }
    return made;
  }

  #lookIn(json: string, index: number, terms: readonly Term[], found: readonly Uint8Array[]): void {
    if (!terms.some((term) => mayStandIn(json, term))) return;
    const { source, outline } = this.#session;
    const message: unknown = JSON.parse(json);
    const first = outline.rows[index] ?? 0;
    for (const [at, part] of source.facts(index).parts.entries()) {
      for (const { term } of findMarks(searchText(message, part), terms))
        found[term]?.fill(1, first + at, first + at + 1);
    }
  }

  #sameParts(item: ViewItem): readonly (PartPlace | null)[] {
    return item.text === undefined ? [] : this.#session.edits.read({ ...item, text: item.text }).sameAs;
  }

  #toolsOfCalls(): ReadonlyMap<string, string> {
    const { source } = this.#session;
    if (this.#tools?.length !== source.length) this.#tools = { length: source.length, map: toolsByCall(source) };
    return this.#tools.map;
  }

  #termKey({ words, prefix }: Term): string {
    const { source } = this.#session;
    return `${source.row().revision} ${source.length} ${prefix} ${words.join(' ')}`;
  }
}

const NOT_PLAIN = /[^\u0000-\u007f]|\\u/;

/** False only if no word of a message can be the term's first: most messages are passed over by a look at their JSON. */
function mayStandIn(json: string, { words }: Term): boolean {
  const [first = ''] = words;
  return NOT_PLAIN.test(json) || NOT_PLAIN.test(first) || json.toLowerCase().includes(first);
}
