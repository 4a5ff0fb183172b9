// The list of transcripts as clients see it, kept up to date by what the library notes as changed: thousands of lines
// are read once, and then only those that became others, however often somebody asks.

import { randomUUID } from 'node:crypto';
import type { Families } from '../../model/families.ts';
import type { LibraryChange, SurveySums, TranscriptSummary } from '../../protocol/types.ts';
import type { Library } from '../../store/index.ts';
import type { StoredMember } from '../../store/transcript/relations.ts';
import type { StoredTotals, TranscriptRow } from '../../store/types.ts';
import { modelFacts } from '../../tokens/models.ts';
import type { Engine } from '../engine.ts';
import { modelOf } from '../session/transcriptModel.ts';
import { surveyKeys } from '../survey/surveyKey.ts';
import { pricesOf } from './pricing.ts';
import { underOf } from './relations.ts';
import { listed, summaryOf } from './summary.ts';

/** More changed transcripts than this are read as a whole list. */
const MANY = 400;
/** Relations of so many are looked up one by one; of more, those of the whole library are worked out. */
const FEW = 20;

interface Entry {
  summary: TranscriptSummary;
  /** The text of the summary: another one is a change to report. */
  text: string;
  version: number;
}

/** Answers library.list. */
export class LibraryList {
  readonly #library: Library;
  readonly #epoch = randomUUID().slice(0, 8);
  readonly #entries = new Map<string, Entry>();
  readonly #gone = new Map<string, number>();
  /** What relations are worked out from, by id. */
  readonly #ties = new Map<string, string>();
  #version = 0;
  /** The library's own number of the last change that was read; null = nothing was read yet. */
  #seq: number | null = null;
  /** Whether the person wants counts as they are. */
  readonly #wantsPlain: () => boolean;
  /** Prices and the like, as of the last look: under other settings surveys are of other things. */
  #settings = '';

  constructor(library: Library, wantsPlain: () => boolean = () => false) {
    this.#library = library;
    this.#wantsPlain = wantsPlain;
  }

  get #given(): Pick<Engine, 'library' | 'plainCounts'> {
    return { library: this.#library, plainCounts: this.#wantsPlain() };
  }

  /** What changed since a cursor that this list gave; everything for any other. */
  since(cursor: string | null): LibraryChange {
    this.#update();
    const known = this.#versionOf(cursor);
    const entries = [...this.#entries.values()];
    const changed = known === null ? entries : entries.filter(({ version }) => version > known);
    const removed = known === null ? [] : [...this.#gone].filter(([, version]) => version > known).map(([id]) => id);
    return {
      transcripts: changed.map(({ summary }) => summary),
      removed,
      whole: known === null,
      cursor: `${this.#epoch}.${this.#version}`,
    };
  }

  #versionOf(cursor: string | null): number | null {
    const [epoch, version] = cursor?.split('.') ?? [];
    return epoch === this.#epoch && version !== undefined ? Number(version) : null;
  }

  #update(): void {
    this.#library.tables.snapshot(() => {
      const { tables } = this.#library;
      const { seq, ids } = tables.libraryChanges.since(this.#seq ?? 0);
      const settings = JSON.stringify([this.#wantsPlain(), pricesOf(this.#given)]);
      const isOther = this.#seq === null || settings !== this.#settings;
      if (!isOther && ids.length === 0) return;
      const isWhole = isOther || ids.length > MANY;
      this.#settings = settings;
      const rows = isWhole ? this.#library.list() : tables.transcripts.some(ids);
      this.#seq = seq;
      this.#version += 1;
      this.#take(rows, isWhole ? [...this.#entries.keys()] : ids);
    });
  }

  /** Takes in rows; of the `asked` transcripts, those without one are gone. */
  #take(rows: readonly TranscriptRow[], asked: readonly string[]): void {
    const here = new Set(rows.map(({ id }) => id));
    for (const id of asked) {
      if (here.has(id) || !this.#entries.delete(id)) continue;
      this.#gone.set(id, this.#version);
      this.#ties.delete(id);
    }
    const isPlain = this.#wantsPlain();
    const [totalsOf, surveyOf] = [this.#totals(rows), this.#surveys(rows)];
    const moved: string[] = [];
    for (const row of rows) {
      this.#gone.delete(row.id);
      const known = this.#ties.get(row.id);
      const ties = tiesOf(row);
      if (known !== ties) moved.push(row.id);
      this.#ties.set(row.id, ties);
      const under = this.#entries.get(row.id)?.summary.under ?? null;
      this.#put(summaryOf(row, listed(totalsOf(row), isPlain), under, surveyOf(row)));
    }
    this.#relate(
      moved,
      asked.some((id) => !here.has(id)),
    );
  }

  /** A transcript that is new or says something else of itself may have become the parent of others. */
  #relate(moved: readonly string[], isAnyGone: boolean): void {
    const { relations } = this.#library.tables;
    if (isAnyGone || moved.length > FEW) {
      const families = relations.all();
      for (const id of [...this.#entries.keys()]) this.#putUnder(families, id);
      return;
    }
    for (const id of moved) {
      const families = relations.around(id);
      const member = families?.get(id);
      if (!families || !member) continue;
      const near = [
        member,
        ...families.branchesOf(member),
        ...families.childrenOf(member),
        ...families.forksOf(member),
      ];
      for (const one of near) this.#putUnder(families, one.id);
    }
  }

  #putUnder(families: Families<StoredMember>, id: string): void {
    const summary = this.#entries.get(id)?.summary;
    if (!summary) return;
    const under = underOf(families, id);
    if (under?.id !== summary.under?.id || under?.as !== summary.under?.as) this.#put({ ...summary, under });
  }

  #put(summary: TranscriptSummary): void {
    const text = JSON.stringify(summary);
    const known = this.#entries.get(summary.id);
    if (known?.text === text) return;
    this.#entries.set(summary.id, { summary, text, version: this.#version });
  }

  /** Of those that were looked through as they are now. */
  #surveys(rows: readonly TranscriptRow[]): (row: TranscriptRow) => SurveySums | null {
    const { surveys } = this.#library.tables;
    const all = rows.length > MANY ? surveys.all() : null;
    const keyOf = surveyKeys(this.#given);
    return (row) => {
      const stored = all === null ? surveys.of(row.id) : (all.get(row.id) ?? null);
      // Of the key of these rules: of no other shape.
      return stored !== null && stored.key === keyOf(row) ? (stored.sums as SurveySums) : null;
    };
  }

  #totals(rows: readonly TranscriptRow[]): (row: TranscriptRow) => StoredTotals | null {
    const { tokens, transcripts } = this.#library.tables;
    if (rows.length <= MANY) {
      return (row) => {
        const ids = transcripts.ids(row.id);
        return ids === null ? null : tokens.totalsOf(ids.id, modelFacts(modelOf(row)).tokenizer);
      };
    }
    const all = new Map<string, ReadonlyMap<string, StoredTotals>>();
    return (row) => {
      const { tokenizer } = modelFacts(modelOf(row));
      const known = all.get(tokenizer) ?? this.#library.tokenTotals(tokenizer);
      all.set(tokenizer, known);
      return known.get(row.id) ?? null;
    };
  }
}

/** All that relations hang on. Calls that start others come with messages. */
function tiesOf({ meta, counts, files }: TranscriptRow): string {
  const { sessionId, agentId, parentKey, parentCallId, parentSessionId, branchOf, branchAt } = meta;
  const ties = [sessionId, agentId, parentKey, parentCallId, parentSessionId, branchOf, branchAt];
  return JSON.stringify([...ties, counts.messages, files[0]]);
}
