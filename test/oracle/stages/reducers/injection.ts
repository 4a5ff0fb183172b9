// The plain form of injection.

import type { Problem } from '../../../../core/model/problem.ts';
import { type InjectionParams, injection as ONE_FORM } from '../../../../core/stages/reducers/injection.ts';
import type { FactsReader } from '../../../../core/stages/reducers/windowCut.ts';
import { keptBecause, NOT_CONCERNED } from '../../../../core/view/fates.ts';
import { readView, type ViewReader } from '../../../../core/view/reader.ts';
import { textMessage } from '../../../../core/view/textMessage.ts';
import { itemTokens } from '../../../../core/view/tokens.ts';
import type { StageContext, SyntheticItem, View } from '../../../../core/view/types.ts';
import { countOf, grouped } from '../../../../core/view/words.ts';
import type { PlainStage } from '../plain.ts';
import { turnsOf } from '../plainReading.ts';
import { reportOf } from './report.ts';

const { incremental: _incremental, ...identity } = ONE_FORM;
const NAME = { kind: ONE_FORM.kind, title: ONE_FORM.title };

export const injection: PlainStage<InjectionParams> = {
  ...identity,
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
};

// Without a user message it stands at the end.
function placeIn(reader: ViewReader, place: InjectionParams['place'], context: StageContext) {
  const last = turnsOf(reader, context).at(-1);
  if (last === undefined) return { position: reader.length, index: context.at };
  const position = place === 'before' ? last : last + 1;
  for (let at = position; at < reader.length; at++) {
    const index = reader.indexOf(at);
    if (index !== null) return { position, index };
  }
  return { position, index: context.at };
}

function tokensOf(items: View['items'], context: StageContext): number {
  return items.reduce((sum, item) => sum + itemTokens(item, context), 0);
}

// In their order: the entry that takes more than its own reserve, or than what the others have left of the common one.
function overReserve(
  entries: InjectionParams['entries'],
  items: readonly SyntheticItem[],
  context: StageContext,
): readonly Problem[] {
  let left = context.budget?.injectionReserve ?? Number.POSITIVE_INFINITY;
  return entries.flatMap((entry, at): readonly Problem[] => {
    const tokens = tokensOf(items.slice(at, at + 1), context);
    const limit = entry.reserve > 0 ? Math.min(entry.reserve, left) : left;
    left = Math.max(0, left - tokens);
    if (tokens <= limit) return [];
    const whose = limit === entry.reserve ? 'its reserve' : 'what is left of budget.injection_reserve';
    const text = `The injected entry ${entry.name} takes ${countOf(tokens, 'token')}, ${grouped(tokens - limit)} more than ${whose} (${grouped(limit)}). Nothing is reduced for it: shorten it, or reserve more.`;
    return [{ code: 'injection.over_reserve', severity: 'error', text, where: { path: `entries.${entry.name}` } }];
  });
}

/** The messages to put in before a source index, in the shape of the view. */
function injectedItems(
  { entries, place }: InjectionParams,
  index: number,
  reader: FactsReader,
  context: Pick<StageContext, 'stage' | 'tokens' | 'budget'>,
): readonly SyntheticItem[] {
  return entries.map((entry) => itemOf(entry, index, place, reader, context));
}

function itemOf(
  entry: InjectionParams['entries'][number],
  index: number,
  place: InjectionParams['place'],
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
