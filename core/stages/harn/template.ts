// A stage to copy. It hides messages that hold nothing but white space. To make your own: copy this file, give it a
// name, write decide(), add it to index.ts and to core/projection/stages.ts, and copy its test (test/stages). The laws
// (core/view/laws.ts) then hold it to: deterministic, input untouched, one fate a message, pairs intact.
import { keptBecause, NOT_CONCERNED } from '../../view/fates.ts';
import { readView } from '../../view/reader.ts';
import type { Fate, ParamSchema, StageContext, StageDefinition, View, ViewItem } from '../../view/types.ts';
import { countOf } from '../../view/words.ts';
import { conclude, type Decision, nothingToDo, unchanged } from './decision.ts';
import { COMMON_PARAMS, type HarnParams, parseWith, readCommon } from './options.ts';

// 1. The name in specs, and on the card. Once published, a kind never changes: specs of users name it.
const POLICY = { kind: 'template', title: 'Template' };

// 2. Each option once, as data: the panel draws its control from this, the parser names it in errors.
const KEEP_LAST: ParamSchema = {
  name: 'keep_last',
  label: 'Messages to keep',
  type: 'integer',
  default: 0,
  min: 0,
  softMax: 20,
  unit: 'messages',
  help: 'How many messages at the end are never hidden.',
};

/** 3. The parsed parameters: defaults filled in, nothing optional. */
export interface TemplateParams extends HarnParams {
  readonly keepLast: number;
}

/** 4. The definition. `help` is what a person reads before choosing it; name the source of its rules here. */
export const template: StageDefinition<TemplateParams> = {
  ...POLICY,
  aliases: [],
  family: 'harn',
  help: 'Hides messages without content.',
  params: [KEEP_LAST, ...COMMON_PARAMS],
  parse: (options) => parseWith(options, (reader) => ({ ...readCommon(reader), keepLast: reader.count(KEEP_LAST) })),
  // biome-ignore lint/correctness/useYield: a stage is a generator so that it can ask for user code; this one need not
  *run(view, params, context) {
    // conclude() applies provider safety and writes the report: a policy only decides.
    return conclude(POLICY, view, params, context, decide(view, params, context));
  },
};

// 5. Decide. Positions are those of the view, fates are by source index; a synthetic message has none.
function decide(view: View, params: TemplateParams, context: StageContext): Decision {
  const reader = readView(view, context.source, context.memo);
  const fates = new Map<number, Fate>();
  const items: ViewItem[] = [];
  for (let position = 0; position < reader.length; position++) {
    const index = reader.indexOf(position);
    const isEmpty = reader.facts(position).parts.every((part) => part.kind === 'text' && part.chars === 0);
    if (index === null || !isEmpty || position >= reader.length - params.keepLast) items.push(reader.item(position));
    else fates.set(index, emptyMessage(context));
  }
  const explain = explainKept(reader.length, params, context);
  if (fates.size === 0) return unchanged(POLICY.kind, nothingToDo(view), explain);
  return { items, fates, explain, reason: POLICY.kind, summary: `${countOf(fates.size, 'empty message')} hidden` };
}

// 6. The reason is a sentence for tooltip, drawer and CLI alike: it names the threshold and the value.
function emptyMessage(context: StageContext): Fate {
  return { kind: 'dropped', stage: context.stage, rule: 'empty_message', reason: 'the message holds no content' };
}

// 7. Of a message that stays too: by which rule, against which threshold. Asked of every message: few fates, shared.
function explainKept(length: number, { keepLast }: TemplateParams, { stage }: StageContext) {
  const last = `kept: among the last ${countOf(keepLast, 'message')} (keep_last)`;
  const isLast = keptBecause(stage, 'in_keep_last', last);
  const holdsContent = keptBecause(stage, NOT_CONCERNED, 'kept: it holds content');
  return (position: number): Fate => (position >= length - keepLast ? isLast : holdsContent);
}
