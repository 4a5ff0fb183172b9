// For each identifier where it is named among the roots, as the plain form of reachability_gc asked for it.
import type { ReachabilityTable } from '../../../../core/stages/harn/reachabilityTable.ts';
import type { RootText } from '../../../../core/stages/harn/roots.ts';
import { itemText, type ViewReader } from '../../../../core/view/reader.ts';
import type { StageContext } from '../../../../core/view/types.ts';

/** Where an identifier is named: a message by position in the view, or a caller's text by label. */
export type RootPlace = { readonly position: number } | { readonly label: string };

/** For each identifier, whether and where it is named among the roots. Later messages go before earlier ones. */
export class RootSet {
  readonly #placeOf: Int32Array;
  readonly #texts: readonly RootText[];

  /** `table` must have read all results that will be asked about. Roots are the messages from `start` on, and texts. */
  constructor(
    table: ReachabilityTable,
    reader: ViewReader,
    context: StageContext,
    start: number,
    texts: readonly RootText[],
  ) {
    this.#texts = texts;
    this.#placeOf = new Int32Array(table.size);
    for (const [at, root] of texts.entries()) {
      for (const text of root.texts) for (const id of table.idsOfText(text)) this.#placeOf[id] = -1 - at;
    }
    for (let position = start; position < reader.length; position++) {
      const item = reader.item(position);
      const isRaw = item.kind === 'source' && item.text === undefined;
      const ids = isRaw ? table.rootIds(item.index) : table.rootIdsOfJson(itemText(item, context.source));
      for (const id of ids) this.#placeOf[id] = 1 + position;
    }
  }

  /** Where the identifier is named; null if nowhere. */
  place(id: number): RootPlace | null {
    const place = this.#placeOf[id] ?? 0;
    if (place === 0) return null;
    return place > 0 ? { position: place - 1 } : { label: this.#texts[-1 - place]?.label ?? '' };
  }

  /** True if the identifier is named among the roots. */
  has(id: number): boolean {
    return (this.#placeOf[id] ?? 0) !== 0;
  }
}
