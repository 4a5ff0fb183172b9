// What keeps results alive: the last messages and the caller's texts, and where each identifier is named.
import type { OptionReader } from '../../view/optionReader.ts';
import { itemText, type ViewReader } from '../../view/reader.ts';
import type { ParamSchema, StageContext } from '../../view/types.ts';
import type { ReachabilityTable } from './reachabilityTable.ts';

/** Texts a caller gave under one option; several options may share a label. */
export interface RootText {
  readonly label: string;
  readonly isBarrier: boolean;
  readonly texts: readonly string[];
}

const ROOT_LABEL: Readonly<Record<string, string>> = {
  roots: 'Other roots',
  active_plan: 'Active plan',
  scratchpad: 'Scratchpad',
  pending_tool_args: 'Arguments of pending calls',
  unresolved_findings: 'Unresolved findings',
  write_barrier: 'Write barrier',
};

const ROOT_HELP: Readonly<Record<string, string>> = {
  roots: 'Text, list or object whose tokens keep results alive.',
  active_plan: 'The active plan: what it names stays.',
  scratchpad: 'The scratchpad: what it names stays.',
  pending_tool_args: 'Arguments of calls about to be made: what they name stays.',
  unresolved_findings: 'Open findings: what they name stays.',
  write_barrier: 'Proof that working memory was written down; its tokens are roots too.',
};

function rootParam(name: string, aliases: readonly string[] = []): ParamSchema {
  return { name, label: ROOT_LABEL[name] ?? name, aliases, type: 'text', default: null, help: ROOT_HELP[name] ?? '' };
}

/** The options that bring root texts, in the order in which they are consulted. */
export const ROOT_PARAMS: readonly ParamSchema[] = [
  rootParam('roots'),
  rootParam('active_plan'),
  rootParam('scratchpad'),
  rootParam('pending_tool_args'),
  rootParam('unresolved_findings'),
  rootParam('write_barrier', ['write_barrier_refs', 'barrier_refs']),
];

/** Reads the root options; only those that brought text are listed. The three barrier spellings add up. */
export function readRootTexts(reader: OptionReader): readonly RootText[] {
  const found: RootText[] = [];
  for (const param of ROOT_PARAMS) {
    const spellings = [param.name, ...(param.aliases ?? [])];
    const texts = spellings.flatMap((name) => reader.texts({ ...param, name, aliases: [] }));
    if (texts.length > 0) found.push({ label: param.name, isBarrier: param.name === 'write_barrier', texts });
  }
  return found;
}

/** The labels of the roots as Harn records them. */
export function rootLabels(window: number, messages: number, texts: readonly RootText[], barrier: boolean): string[] {
  const labels: string[] = [];
  if (window > 0 && messages > 0) labels.push(`last_${Math.min(window, messages)}_messages`);
  for (const { label } of texts) labels.push(label);
  if (barrier) labels.push('write_barrier_required');
  return labels;
}

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
      for (const text of root.texts) for (const id of table.rootIdsOfText(text)) this.#placeOf[id] = -1 - at;
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
