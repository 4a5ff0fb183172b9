import { findExchanges } from '../../model/exchanges.ts';
import { keptBecause } from '../../view/fates.ts';
import type { IncrementalContext, ReportDetails, StageDone } from '../../view/incremental.ts';
import { parseParams } from '../../view/parseParams.ts';
import type { ViewReader } from '../../view/reader.ts';
import { itemTokens } from '../../view/tokens.ts';
import {
  type Fate,
  PAUSE,
  PAUSE_EVERY,
  type ParamSchema,
  type Pausing,
  type StageDefinition,
} from '../../view/types.ts';
import { describeDropped, type Idle, NO_WINDOW_IDLE } from './support/conclude.ts';
import { Editor, type LiveEdit, type Why } from './support/editor.ts';
import { inspectLimit, THRESHOLD } from './support/inspectLimit.ts';
import { LiveDecisions } from './support/liveDecisions.ts';
import { SharedWhy } from './support/liveEdits.ts';
import { formatTokenCount, WINDOW } from './support/options.ts';
import { type Trim, TrimTrack } from './support/trimTrack.ts';

const PARAMS = {
  threshold: THRESHOLD,
  preserve: {
    name: 'preserve',
    label: 'Share to keep',
    type: 'number',
    default: 0.8,
    min: 0,
    softMax: 1,
    relax: { towards: 'more', step: 0.01, upTo: 1 },
    help: 'Which share of the conversation stays, by number of messages. The oldest go.',
  },
  window: WINDOW,
} satisfies Record<string, ParamSchema>;

/** Parameters of inspect_trim. `threshold`: tokens, or a share of the window up to 1. */
export interface InspectTrimParams {
  readonly threshold: number;
  readonly preserve: number;
  readonly window: number;
}

/**
 * inspect_ai's CompactionTrim. Source: inspect.aisi.org.uk/compaction.html, model/_compaction/trim.py and model/_trim.py
 * (2026). System messages stay, and the input: messages marked `source: "input"`, else all up to the first of the user.
 * Before a request that is larger than the threshold the oldest of the rest go, results without their call with them, and
 * calls that have no result; the conversation continues from what is left. Left out: the memory tool's contents.
 */
export const inspectTrim: StageDefinition<InspectTrimParams> = {
  kind: 'inspect_trim',
  title: 'Compaction by trimming (inspect_ai)',
  aliases: [],
  family: 'vendors',
  traits: { clientTakes: 'history' },
  help: 'Drops the oldest share of the messages whenever a request is larger than a threshold, as CompactionTrim of inspect_ai does.',
  params: Object.values(PARAMS),
  usesTokens: true,
  parse: (options) =>
    parseParams(Object.values(PARAMS), options, (reader) => {
      const preserve = reader.number(PARAMS.preserve);
      if (preserve > 1) reader.error('preserve', 'Option preserve must be 1 or less.');
      return { threshold: reader.number(PARAMS.threshold), preserve, window: reader.count(PARAMS.window) };
    }),
  incremental: (params, context) => new InspectTrim(params, context),
};

/** Between two trims nothing changes; at one, all is looked at again. */
class InspectTrim extends LiveDecisions {
  readonly #params: InspectTrimParams;
  readonly #limit: ReturnType<typeof inspectLimit>;
  readonly #editor: Editor;
  /** Of the messages up to the last message of the assistant, and of the request at the end. */
  #track = new TrimTrack();
  #tried = new TrimTrack();
  #shown: Trim | null = null;
  readonly #trimmed = new SharedWhy(() => {
    const reason = `${this.#over()}; not among the latest ${this.#params.preserve} of the messages (preserve)`;
    return { rule: 'trimmed', reason };
  });

  constructor(params: InspectTrimParams, given: IncrementalContext) {
    super(given);
    this.#params = params;
    this.#limit = inspectLimit(params, given);
    this.#editor = new Editor(given);
  }

  protected override get isOff(): boolean {
    return this.#limit === null;
  }

  protected override idle(): Idle | null {
    if (this.#limit === null) return NO_WINDOW_IDLE;
    if (this.#shown !== null) return null;
    const highest = formatTokenCount(this.#tried.highest, this.context);
    return { rule: 'below_threshold', reason: `no request was larger than ${highest}: not > ${this.#limit.words}` };
  }

  protected reset(): void {
    this.#track = new TrimTrack();
    this.#shown = null;
  }

  protected push(position: number): void {
    if (this.reader.facts(position).role === 'assistant') this.#request(this.#track, position);
    this.#track.push(position, this.reader, itemTokens(this.reader.item(position), this.context));
  }

  protected *settle(): Pausing<void> {
    this.#tried = this.#track.copy();
    this.#request(this.#tried, this.reader.length);
    const { last } = this.#tried;
    if (isSame(last, this.#shown)) return;
    const before = this.#shown;
    this.#shown = last;
    this.#trimmed.change();
    const edits = last === null ? NO_EDITS : unpairedIn(this.reader, last);
    const start = last?.start ?? 0;
    for (let position = 0; position < Math.max(before?.at ?? 0, last?.at ?? 0); position++) {
      if (position % PAUSE_EVERY === 0) yield PAUSE;
      const item = this.reader.item(position);
      const own = edits.get(position);
      if (position < start && !this.#tried.stays(position)) {
        const why = position < (last?.counted ?? 0) ? this.#trimmed.get : unpairedWhy;
        this.decide(position, this.#editor.drop(item, why));
      } else this.decide(position, own === undefined ? null : this.#editor.edit(item, own));
    }
  }

  #request(track: TrimTrack, at: number): void {
    if (this.#limit !== null) track.request(at, this.#limit.tokens, this.#params.preserve);
  }

  #over(): string {
    return `${formatTokenCount(this.#shown?.tokens ?? 0, this.context)} > ${this.#limit?.words ?? ''}`;
  }

  protected details(done: StageDone): ReportDetails {
    const { tokens, chars } = this.savedByAll();
    return { summary: describeDropped(done), reclaimedTokens: tokens, reclaimedChars: chars };
  }

  protected explainer(): (position: number) => Fate {
    const { stage } = this.context;
    const over = this.#over();
    const input = keptBecause(stage, 'input', 'kept: system messages and the input stay');
    const among = `kept: among the latest ${this.#params.preserve} of the messages (preserve) when ${over}`;
    const latest = keptBecause(stage, 'preserved', among);
    const after = `kept: it came after the last request that was too large (${over})`;
    const since = keptBecause(stage, 'since_trim', after);
    const at = this.#shown?.at ?? 0;
    return (position) => (position >= at ? since : this.#tried.stays(position) ? input : latest);
  }
}

const NO_EDITS: ReadonlyMap<number, readonly LiveEdit[]> = new Map();

function unpairedWhy(): Why {
  return { rule: 'unpaired', reason: 'its other half was dropped, or never was' };
}

// Of what is left: results that no call stands before, and calls without a result. By position.
function unpairedIn(reader: ViewReader, { start, at }: Trim): ReadonlyMap<number, readonly LiveEdit[]> {
  const unpaired = new Map<number, LiveEdit[]>();
  const remove = (message: number, part: number): void => {
    const edit: LiveEdit = { place: { message, part }, op: 'remove', why: unpairedWhy };
    unpaired.set(message, [...(unpaired.get(message) ?? []), edit]);
  };
  const answered = new Set<string>();
  for (const exchange of findExchanges(reader.length - start, (at) => reader.facts(start + at))) {
    for (const { part, results, message } of exchange.calls) {
      for (const result of results) answered.add(`${start + result.message} ${result.part}`);
      if (results.length === 0 && start + message < at) remove(start + message, part);
    }
  }
  for (let position = start; position < at; position++) {
    for (const [part, { kind }] of reader.facts(position).parts.entries()) {
      if (kind === 'tool_result' && !answered.has(`${position} ${part}`)) remove(position, part);
    }
  }
  return unpaired;
}

function isSame(a: Trim | null, b: Trim | null): boolean {
  return (
    a === b ||
    (a !== null &&
      b !== null &&
      a.at === b.at &&
      a.start === b.start &&
      a.counted === b.counted &&
      a.tokens === b.tokens)
  );
}
