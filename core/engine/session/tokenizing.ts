import { CATEGORIES } from '../../model/category.ts';
import type { LoadedTools } from '../../projection/loadedTools.ts';
import type { Provenance, TokenFigure } from '../../protocol/types.ts';
import type { Calibration } from '../../tokens/calibrated.ts';
import type { TokenCounter } from '../../tokens/counters.ts';
import type { ImageRule } from '../../tokens/images.ts';
import {
  type CountedOverhead,
  type KnownOverhead,
  knownOverhead,
  overheadOf,
  QUICK_COUNT,
} from '../../tokens/overhead.ts';
import type { StageTokens, View } from '../../view/types.ts';
import { type Allowance, type Edit, EditCounter, type EditReader, type EditTokens } from './edits.ts';
import type { LoadedTokens } from './loadedTokens.ts';
import type { OverheadTokens } from './overheadTokens.ts';
import { tokenFigure } from './projected.ts';
import { ShortTexts, TableTokens } from './stageTokens.ts';
import type { TokenTable } from './tokenTable.ts';
import { type ViewCounting, type ViewTokens, viewTokenSteps, viewTokens } from './viewSum.ts';

/** A transcript under one tokenizer: raw counts, counts of edits, and how they may be called. */
export class Tokenizing {
  readonly table: TokenTable;
  /** What is recorded apart from the messages. */
  readonly beside: OverheadTokens;
  readonly #loadedTools: LoadedTokens;
  readonly label: string;
  readonly #edits: EditReader;
  readonly #counter: EditCounter;
  /** Whether counts are the model's own, or were asked for by the tokenizer's name. */
  readonly #exact: boolean;
  /** The line that makes these counts the provider's; null = they are plain. */
  readonly calibration: Calibration | null;
  readonly #images: ImageRule;
  readonly #texts = new ShortTexts();
  #loaded: TokenCounter | null = null;
  /** Sums of views that were counted to the end, for as long as the raw counts are the same. */
  readonly #known = new WeakMap<View, { readonly revision: number; readonly byCategory: readonly number[] }>();

  constructor(
    table: TokenTable,
    edits: EditReader,
    images: ImageRule,
    named: {
      readonly label: string;
      readonly exact: boolean;
      readonly beside: OverheadTokens;
      readonly loaded: LoadedTokens;
      readonly calibration?: Calibration | null;
    },
  ) {
    this.table = table;
    this.beside = named.beside;
    this.#loadedTools = named.loaded;
    this.#edits = edits;
    this.#counter = new EditCounter(table, images);
    this.label = named.label;
    this.#exact = named.exact;
    this.calibration = named.calibration ?? null;
    this.#images = images;
  }

  /** Takes in messages that were imported, and counts that were made since. */
  refresh(): void {
    this.table.refresh();
    this.beside.refresh();
  }

  use(counter: TokenCounter): void {
    this.#loaded = counter;
    this.#counter.use(counter);
  }

  /** Whether counts are the model's own. */
  get exact(): boolean {
    return this.#exact;
  }

  /** Tokens for stages, nothing of them estimated; null while something is not counted yet. */
  settled(): StageTokens | null {
    if (!this.table.complete || this.#loaded === null) return null;
    const rule = { images: this.#images, exact: this.#exact, countNow: Number.POSITIVE_INFINITY };
    return new TableTokens(this.table, this.#loaded, this.#texts, rule);
  }

  /** Tokens for the stages of one projection. */
  forStages(): StageTokens {
    return new TableTokens(this.table, this.#loaded, this.#texts, { images: this.#images, exact: this.#exact });
  }

  /** What requests hold besides their messages; `overhead` = of what is not recorded, as given. */
  besideWith(overhead: number | undefined): CountedOverhead {
    const { beside, unrecorded } = this.known;
    return overheadOf(beside, overhead ?? unrecorded);
  }

  /** The tools that messages load, as they are counted now. */
  get loads(): LoadedTools {
    return this.#loadedTools.by(this.#loaded ?? QUICK_COUNT);
  }

  /** False while tools that messages load are counted as estimates. */
  get loadsCounted(): boolean {
    return this.ready || !this.loads.isUsed;
  }

  /** The same before a spec has its say. */
  get known(): KnownOverhead {
    return knownOverhead(this.beside.counts, this.calibration);
  }

  /** Whether counts may be too low: they are neither the model's own nor calibrated. */
  get estimated(): boolean {
    return this.calibration === null && !this.#exact;
  }

  /** Names the counts that stages would get now: others mean another projection. */
  get state(): string {
    const { counts, counted } = this.beside;
    return `${this.table.state} ${this.#exact} ${this.ready} ${counts.system} ${counts.tools} ${counted} ${this.calibration?.base ?? ''}`;
  }

  /** False until the tokenizer is loaded: counts of edits are estimates before. */
  get ready(): boolean {
    return this.#counter.ready;
  }

  /** How a counted part's number may be called. */
  get cellProvenance(): Provenance {
    if (this.calibration !== null) return 'calibrated';
    return this.#exact ? 'exact' : 'estimated';
  }

  /** How the overhead may be called. */
  get besideProvenance(): Provenance {
    if (!this.beside.counted || !this.loadsCounted) return 'estimated';
    return this.cellProvenance;
  }

  /** How a total of raw messages may be called. */
  get provenance(): Provenance {
    if (!this.table.complete) return 'estimated';
    if (this.calibration !== null) return 'calibrated';
    return this.#exact && !this.table.hasImages ? 'exact' : 'estimated';
  }

  part(index: number, part: number): { readonly tokens: number; readonly counted: boolean } {
    return this.table.part(index, part);
  }

  edit(edit: Edit, allowance: Allowance): EditTokens {
    return this.#counter.tokens(edit, allowance);
  }

  /** Raw tokens of the messages [from, to), all categories. */
  rangeTotal(from: number, to: number): number {
    return this.range(from, to).reduce((sum, tokens) => sum + tokens, 0);
  }

  /** Raw tokens by category of the messages [from, to). */
  range(from: number, to: number): readonly number[] {
    const sums = CATEGORIES.map(() => 0);
    this.table.addRange(sums, from, to);
    return sums;
  }

  rawFigure(at: number): TokenFigure {
    return tokenFigure(this.range(0, at), this.provenance);
  }

  /** Tokens of a view. `like` = one that was summed before and may hold mostly the same. */
  view(view: View, allowance: Allowance, like?: View): ViewTokens {
    const { revision } = this.table;
    const known = this.#known.get(view);
    if (known?.revision === revision) return { byCategory: known.byCategory, counted: true };
    const other = like === undefined ? undefined : this.#known.get(like);
    const counted = like !== undefined && other?.revision === revision ? { view: like, ...other } : null;
    const tokens = viewTokens(view, this.#counting, allowance, counted);
    if (tokens.counted) this.#known.set(view, { revision, byCategory: tokens.byCategory });
    return tokens;
  }

  /**
   * Counts a view's edits in pieces of `chars` characters, and remembers the sum: there may be more edits than are held
   * at once. Returns false if raw messages that an edit shares parts with are not counted yet.
   */
  *countView(view: View, chars: number): Generator<void, boolean, void> {
    const allowance = { chars };
    const { revision } = this.table;
    if (this.#known.get(view)?.revision === revision) return true;
    const steps = viewTokenSteps(view, this.#counting, allowance);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) {
        const { byCategory, counted } = step.value;
        if (counted) this.#known.set(view, { revision, byCategory });
        return counted;
      }
      yield;
      allowance.chars = chars;
    }
  }

  get #counting(): ViewCounting {
    return { table: this.table, edits: this.#edits, counter: this.#counter };
  }

  /** The figure of a view, called estimated while an edit is not counted. */
  viewFigure(view: View, allowance: Allowance): { readonly figure: TokenFigure; readonly counted: boolean } {
    const { byCategory, counted } = this.view(view, allowance);
    return { figure: tokenFigure(byCategory, counted ? this.provenance : 'estimated'), counted };
  }
}
