import { keptBecause, NOT_CONCERNED } from '../../view/fates.ts';
import type { IncrementalContext, IncrementalRun, ReportDetails } from '../../view/incremental.ts';
import type { LivePlace, LiveView } from '../../view/liveView.ts';
import type { OptionReader } from '../../view/optionReader.ts';
import type { Overlay } from '../../view/overlay.ts';
import { parseParams } from '../../view/parseParams.ts';
import { textMessage } from '../../view/textMessage.ts';
import { itemTokens } from '../../view/tokens.ts';
import type { Fate, ParamSchema, StageDefinition, StageReport, SyntheticItem } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import { LiveTurns } from './liveTurns.ts';
import type { FactsReader } from './windowCut.ts';

const NAME = { kind: 'injection', title: 'Injection' };

type Role = 'system' | 'user';
type Place = 'before' | 'after';
const ROLES: readonly Role[] = ['user', 'system'];
const PLACES: readonly Place[] = ['before', 'after'];

const TEXT: ParamSchema = {
  name: 'text',
  label: 'Text',
  aliases: ['content'],
  type: 'text',
  default: null,
  help: 'What is put in. Empty = nothing.',
};
const ROLE: ParamSchema = {
  name: 'role',
  label: 'Role',
  type: 'choice',
  default: 'user',
  choices: [
    { value: 'user', help: 'As a message of the user.' },
    { value: 'system', help: 'As a system message.' },
  ],
  help: 'Whose message it is.',
};
const RESERVE: ParamSchema = {
  name: 'reserve',
  label: 'Most tokens',
  type: 'integer',
  default: 0,
  min: 0,
  softMax: 20_000,
  unit: 'tokens',
  help: 'What this entry may take. 0 = whatever is left of the budget’s injection_reserve.',
};
const ENTRIES: ParamSchema = {
  name: 'entries',
  label: 'Entries',
  type: 'rules',
  default: {},
  fields: [TEXT, ROLE, RESERVE],
  help: 'What is put in at every request, by name: memories, a plan, the state of a file.',
};
const PLACE: ParamSchema = {
  name: 'place',
  label: 'Place',
  type: 'choice',
  default: 'before',
  choices: [
    { value: 'before', help: 'Right before the last user message; behind it where that answers calls, too.' },
    { value: 'after', help: 'Right behind it.' },
  ],
  help: 'Where it goes. Always at the end of the history, so that the provider’s cache of what comes before survives.',
};
const PARAMS = [ENTRIES, PLACE];

interface Entry {
  readonly name: string;
  readonly text: string;
  readonly role: Role;
  readonly reserve: number;
}

/** The parsed parameters; entries without a text are left out. */
export interface InjectionParams {
  readonly entries: readonly Entry[];
  readonly place: Place;
}

/**
 * Puts named entries next to the last user message. An entry over its reserve is an error that names it, and never a
 * reason to reduce again. Source: seed of the reducer pipeline, "Compaction and injection are independent".
 */
export const injection: StageDefinition<InjectionParams> = {
  ...NAME,
  aliases: ['inject'],
  family: 'reducers',
  traits: { leavesMost: true, step: 'injection' },
  help: 'Adds content to every request, next to the last user message. It counts against the injection reserve of the budget.',
  params: PARAMS,
  usesTokens: true,
  parse: (options) =>
    parseParams(PARAMS, options, (reader) => {
      const rows = [
        ...reader.rules(ENTRIES, readEntry, (text) => (typeof text === 'string' ? { text } : null)).values(),
      ];
      return { entries: rows.filter(({ text }) => text !== ''), place: reader.choice(PLACE, PLACES) };
    }),
  incremental: (params, context) => new Injection(params, context),
};

function readEntry(row: OptionReader, name: string): Entry {
  row.warnOfUnknown(new Set(['text', 'content', 'role', 'reserve']));
  return { name, text: row.text(TEXT) ?? '', role: row.choice(ROLE, ROLES), reserve: row.count(RESERVE) };
}

/** Moves with the last user message. */
class Injection implements IncrementalRun {
  readonly #params: InjectionParams;
  readonly #context: IncrementalContext;
  readonly #turns: LiveTurns;
  readonly #kept: Fate;
  #cell: number | null = null;
  #items: readonly SyntheticItem[] = [];

  constructor(params: InjectionParams, context: IncrementalContext) {
    this.#params = params;
    this.#context = context;
    this.#turns = new LiveTurns(context);
    this.#kept = keptBecause(context.stage, NOT_CONCERNED, 'kept: injection only adds');
  }

  step(input: LiveView, at: number, overlay: Overlay): void {
    if (this.#params.entries.length === 0) return;
    this.#turns.step(input, at);
    const reader = this.#turns.reader(input);
    const side = this.#side(input, reader);
    const place = this.#place(input, at, side);
    if (this.#cell !== null && this.#cell !== place.cell) overlay.pass(this.#cell);
    this.#cell = place.cell;
    this.#items = this.#itemsBefore(indexFrom(place, input, at), side, reader);
    overlay.replace(place.cell, input.at(place.cell).toSpliced(place.slot, 0, ...this.#items));
  }

  fateOf(): null {
    return null;
  }

  explain(): Fate {
    return this.#kept;
  }

  report(): ReportDetails {
    const items = this.#items;
    const tokens = countOf(tokensOf(items, this.#context), 'token');
    const summary =
      items.length === 0 ? 'nothing to inject' : `${countOf(items.length, 'message')} injected · ${tokens}`;
    return { summary, problems: overReserve(this.#params.entries, items, this.#context) };
  }

  // Behind a message that answers calls: nothing may stand between them.
  #side(input: LiveView, reader: FactsReader): Place {
    const { last } = this.#turns;
    if (last === null) return this.#params.place;
    const { parts } = reader.facts(input.before(last.cell) + last.slot);
    return parts.some(({ kind }) => kind === 'tool_result') ? 'after' : this.#params.place;
  }

  // Right before or behind the last user message, else at the end.
  #place(input: LiveView, at: number, side: Place): LivePlace {
    const { last } = this.#turns;
    if (last === null) {
      const end = input.length === 0 ? at : Math.max(at, input.place(input.length - 1).cell);
      return { cell: end, slot: input.at(end).length };
    }
    if (side === 'before') return last;
    // A source message closes its cell: what is behind it is in the next one, before all others.
    const isLast = last.slot === input.at(last.cell).length - 1;
    return isLast && input.source(last.cell) !== null
      ? { cell: last.cell + 1, slot: 0 }
      : { cell: last.cell, slot: last.slot + 1 };
  }

  // In the shape of the view.
  #itemsBefore(index: number, side: Place, reader: FactsReader): readonly SyntheticItem[] {
    return this.#params.entries.map((entry) => itemOf(entry, index, side, reader, this.#context));
  }
}

// Source index of the next message that someone wrote.
function indexFrom({ cell, slot }: LivePlace, input: LiveView, at: number): number {
  const own = input.source(cell);
  if (own !== null && slot < input.at(cell).length) return cell;
  for (let next = input.nextCell(cell + 1); next < input.cells; next = input.nextCell(next + 1)) {
    if (input.source(next) !== null) return next;
  }
  return at;
}

function itemOf(
  entry: Entry,
  index: number,
  place: Place,
  reader: FactsReader,
  { stage, tokens, budget }: IncrementalContext,
): SyntheticItem {
  const limit = entry.reserve > 0 ? entry.reserve : budget?.injectionReserve;
  const reserve = limit === undefined ? 'no reserve is known' : `reserve ${grouped(limit)}`;
  const held = `${countOf(tokens.text(entry.text), 'token')}, ${reserve}`;
  const reason = `${entry.name}: injected at every request, right ${place} the last user message (${held})`;
  return {
    kind: 'synthetic',
    text: textMessage(entry.role, entry.text, reader),
    covers: { from: index, to: index },
    stage,
    made: { rule: 'injected', chip: entry.name, reason },
  };
}

function tokensOf(items: readonly SyntheticItem[], context: IncrementalContext): number {
  return items.reduce((sum, item) => sum + itemTokens(item, context), 0);
}

// In their order: the entry that takes more than its own reserve, or than what the others have left of the common one.
function overReserve(
  entries: readonly Entry[],
  items: readonly SyntheticItem[],
  context: IncrementalContext,
): StageReport['problems'] {
  let left = context.budget?.injectionReserve ?? Number.POSITIVE_INFINITY;
  return entries.flatMap((entry, at): StageReport['problems'] => {
    const tokens = tokensOf(items.slice(at, at + 1), context);
    const limit = entry.reserve > 0 ? Math.min(entry.reserve, left) : left;
    left = Math.max(0, left - tokens);
    if (tokens <= limit) return [];
    const whose = limit === entry.reserve ? 'its reserve' : 'what is left of budget.injection_reserve';
    const text = `The injected entry ${entry.name} takes ${countOf(tokens, 'token')}, ${grouped(tokens - limit)} more than ${whose} (${grouped(limit)}). Nothing is reduced for it: shorten it, or reserve more.`;
    return [{ code: 'injection.over_reserve', severity: 'error', text, where: { path: `entries.${entry.name}` } }];
  });
}
