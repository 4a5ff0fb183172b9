import { keptBecause, NOT_CONCERNED } from '../../view/fates.ts';
import type { OptionReader } from '../../view/optionReader.ts';
import { turnsOf } from '../../view/outline.ts';
import { parseParams } from '../../view/parseParams.ts';
import { readView, type ViewReader } from '../../view/reader.ts';
import { textMessage } from '../../view/textMessage.ts';
import { itemTokens } from '../../view/tokens.ts';
import type { ParamSchema, StageContext, StageDefinition, StageReport, SyntheticItem, View } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import { LiveInjection } from './liveInjection.ts';
import { reportOf } from './report.ts';
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
    { value: 'before', help: 'Right before the last user message.' },
    { value: 'after', help: 'Right behind it.' },
  ],
  help: 'Where it stands. Always at the end of the history, so that the provider’s cache of what is before survives.',
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
  *run(view, params, context) {
    const reader = readView(view, context.source, context.memo);
    const { position, index } = placeIn(reader, params.place, context);
    const items = injectedItems(params, index, reader, context);
    const summary =
      items.length === 0
        ? 'nothing to inject'
        : `${countOf(items.length, 'message')} injected · ${grouped(tokensOf(items, context))} tokens`;
    const kept = keptBecause(context.stage, NOT_CONCERNED, 'kept: injection only adds');
    return {
      view: items.length === 0 ? view : { items: view.items.toSpliced(position, 0, ...items) },
      fates: new Map(),
      explain: () => kept,
      report: reportOf(NAME, context, {
        summary,
        fates: new Map(),
        problems: overReserve(params.entries, items, context),
      }),
    };
  },
  incremental: (params, context) => new LiveInjection(params, context),
};

function readEntry(row: OptionReader, name: string): Entry {
  row.warnOfUnknown(new Set(['text', 'content', 'role', 'reserve']));
  return { name, text: row.text(TEXT) ?? '', role: row.choice(ROLE, ROLES), reserve: row.count(RESERVE) };
}

// Without a user message it stands at the end.
function placeIn(reader: ViewReader, place: Place, context: StageContext) {
  const last = turnsOf(reader, context).at(-1);
  if (last === undefined) return { position: reader.length, index: context.at };
  const position = place === 'before' ? last : last + 1;
  for (let at = position; at < reader.length; at++) {
    const index = reader.indexOf(at);
    if (index !== null) return { position, index };
  }
  return { position, index: context.at };
}

/** The messages to put in before a source index, in the shape of the view. */
export function injectedItems(
  { entries, place }: InjectionParams,
  index: number,
  reader: FactsReader,
  context: Pick<StageContext, 'stage' | 'tokens' | 'budget'>,
): readonly SyntheticItem[] {
  return entries.map((entry) => itemOf(entry, index, place, reader, context));
}

function itemOf(
  entry: Entry,
  index: number,
  place: Place,
  reader: FactsReader,
  { stage, tokens, budget }: Pick<StageContext, 'stage' | 'tokens' | 'budget'>,
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

function tokensOf(items: View['items'], context: StageContext): number {
  return items.reduce((sum, item) => sum + itemTokens(item, context), 0);
}

// In their order: the entry that takes more than its own reserve, or than what the others have left of the common one.
function overReserve(
  entries: readonly Entry[],
  items: readonly SyntheticItem[],
  context: StageContext,
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
