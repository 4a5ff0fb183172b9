// A stage to copy. It hides messages that hold nothing but white space. To make your own: copy this file, give it a
// name, write step(), add it to index.ts and to core/projection/stages.ts, and copy its test (test/stages). The laws
// (core/view/laws.ts) then hold it to: deterministic, input untouched, one fate per message, pairs intact. It is written
// once: its projection at one call point is one step from nothing (core/view/incremental.ts).
import { amount } from '../../view/amount.ts';
import { keptBecause, NOT_CONCERNED } from '../../view/fates.ts';
import type { IncrementalContext, IncrementalRun, ReportDetails, StageDone } from '../../view/incremental.ts';
import type { LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import { itemFacts } from '../../view/reader.ts';
import type { Fate, ParamSchema, StageDefinition, ViewItem } from '../../view/types.ts';
import { countOf } from '../../view/words.ts';
import { COMMON_PARAMS, type HarnParams, parseWith, readCommon } from './options.ts';

// 1. Each option once, as data: the panel draws its control from this, the parser names it in errors.
const KEEP_LAST: ParamSchema = {
  name: 'keep_last',
  label: 'Messages to keep',
  ...amount('messages', 0, { to: 20 }),
  help: 'How many messages at the end are never hidden.',
};

/** 2. The parsed parameters: defaults filled in, nothing optional. */
export interface TemplateParams extends HarnParams {
  readonly keepLast: number;
}

/** 3. The definition. `help` is what a person reads before choosing it; name the source of its rules here. */
export const template: StageDefinition<TemplateParams> = {
  // The name in specs, and on the card. Once published, a kind never changes: specs of users name it.
  kind: 'template',
  title: 'Template',
  aliases: [],
  family: 'harn',
  // What others may know of it without its name (core/view/stageTraits.ts); leave out what is not so.
  traits: { leavesMost: true },
  help: 'Hides messages without content.',
  params: [KEEP_LAST, ...COMMON_PARAMS],
  parse: (options) => parseWith(options, (reader) => ({ ...readCommon(reader), keepLast: reader.count(KEEP_LAST) })),
  incremental: (params, context) => new Template(params, context),
};

/** 4. The stage on its way along the call points: it keeps what it knows of the view, here which messages are empty. */
class Template implements IncrementalRun {
  readonly respectsSignatures: boolean;
  readonly #params: TemplateParams;
  readonly #context: IncrementalContext;
  readonly #empty = new Set<number>();
  #input: LiveView | null = null;

  constructor(params: TemplateParams, context: IncrementalContext) {
    this.#params = params;
    this.#context = context;
    // The overlay takes everything back while a signed message would be touched.
    this.respectsSignatures = params.respectProviderSignatures;
  }

  // 5. Look at what has changed, and say what is different. Cells are source indices: a message keeps its number.
  step(input: LiveView, _at: number, overlay: Overlay): void {
    this.#input = input;
    for (const cell of input.changed.keys()) {
      const item = input.source(cell);
      if (item !== null && this.#isEmpty(item)) this.#empty.add(cell);
      else if (this.#empty.delete(cell)) show(cell, overlay);
    }
    for (const cell of this.#empty) {
      if (this.#isLast(cell)) show(cell, overlay);
      else hide(cell, input, overlay);
    }
  }

  #isEmpty(item: ViewItem): boolean {
    const { parts } = itemFacts(item, this.#context.source, this.#context.memo);
    return parts.every((part) => part.kind === 'text' && part.chars === 0);
  }

  #isLast(cell: number): boolean {
    const input = this.#input;
    return input !== null && input.before(cell + 1) > input.length - this.#params.keepLast;
  }

  // 6. The reason is a sentence for tooltip, drawer and CLI alike: it names the threshold and the value.
  fateOf(index: number): Fate | null {
    if (!this.#empty.has(index) || this.#isLast(index)) return null;
    const { stage } = this.#context;
    return { kind: 'dropped', stage, rule: 'empty_message', reason: 'the message holds no content' };
  }

  // 7. Of a message that stays too: by which rule, against which threshold. Asked of every message: keep it cheap.
  explain(index: number): Fate {
    const { stage } = this.#context;
    const last = `kept: among the last ${countOf(this.#params.keepLast, 'message')} (keep_last)`;
    if (this.#isLast(index)) return keptBecause(stage, 'in_keep_last', last);
    return keptBecause(stage, NOT_CONCERNED, 'kept: it holds content');
  }

  // 8. The card. Who it is, how many it touched and what blocked it the frame adds.
  report({ touched, blockedBy }: StageDone): ReportDetails {
    const hidden = `${countOf(touched, 'empty message')} hidden`;
    const summary = blockedBy === null ? hidden : `refused: signed reasoning at #${blockedBy}`;
    return { summary, ...(this.#params.reason !== null && { reason: this.#params.reason }) };
  }
}

function show(cell: number, overlay: Overlay): void {
  overlay.pass(cell);
  overlay.fate(cell, null);
}

function hide(cell: number, input: LiveView, overlay: Overlay): void {
  // Messages that no one wrote are in the cell of the one they are before: they stay.
  overlay.replace(cell, input.at(cell).slice(0, -1));
  overlay.fate(cell, 'dropped');
}
