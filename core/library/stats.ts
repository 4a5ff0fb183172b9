// browser-safe
// Figures of many transcripts: sums of what was kept of each, by day, project, model and tool. Recorded figures only: what
// was counted is never added to them.
import { type HeldSlot, SLOT_MINUTES, type SurveyFigures, type UsageSlot } from '../insight/survey/types.ts';
import { BUNDLE_FORMAT } from '../model/bundleFormat.ts';
import type {
  StatFigures,
  StatGroup,
  StatKind,
  StatStack,
  StatsInfo,
  StatTool,
  TranscriptSummary,
} from '../protocol/types.ts';
import { findingCount, NO_VALUE } from './query.ts';

/** Groups of each kind that are named; the rest is in the totals. */
const DAYS = 400;
const GROUPS = 100;
/** Projects that a day's bar is made of; the rest is one piece. */
const STACKED = 3;

/** A transcript with what was kept of it; null = it was not looked through as it is now. */
export interface StatInput {
  readonly transcript: TranscriptSummary;
  readonly figures: SurveyFigures | null;
}

/** Adds up transcripts one after the other. `zone` = IANA name of the time zone whose days are meant. */
export class LibraryStats {
  readonly #dayOf: (time: number) => string;
  readonly #total = new Sum();
  readonly #days = new Map<string, Sum>();
  readonly #projects = new Map<string, Sum>();
  readonly #models = new Map<string, Sum>();
  readonly #perDay = new Map<string, Map<string, Sum>>();
  readonly #tools = new Map<string, { name: string; calls: number; errors: number; transcripts: number }>();
  readonly #kinds = new Map<string, { kind: string; count: number; transcripts: number; cost: number | null }>();
  #looked = 0;
  #due = 0;
  #failed = 0;
  #copies = 0;
  #bundles = 0;

  constructor(zone: string) {
    this.#dayOf = daysIn(zone);
  }

  add({ transcript, figures }: StatInput): void {
    // What a bundle holds was sent and paid in the session that it was made of, or by somebody else.
    if (transcript.format === BUNDLE_FORMAT) {
      this.#bundles++;
      return;
    }
    const project = transcript.project ?? NO_VALUE;
    const last = transcript.endedAt ?? transcript.startedAt;
    const lastDay = last === null ? NO_VALUE : this.#dayOf(Date.parse(last));
    if (transcript.base !== null || transcript.under?.as === 'branch') this.#copies++;
    if (findingCount(transcript) !== null && figures !== null) this.#looked++;
    if (transcript.survey?.failure != null) this.#failed++;
    // One without messages, or whose import failed, is never looked through.
    if (transcript.survey === null && transcript.state !== 'failed' && transcript.messages > 0) this.#due++;
    const model = transcript.model ?? NO_VALUE;
    const all = { ...transcript, findings: findingCount(transcript) ?? 0 };
    for (const sum of [this.#total, sumAt(this.#projects, project)]) sum.holds(all, transcript.id);
    const piece = sumAt(nested(this.#perDay, lastDay), project);
    for (const sum of [sumAt(this.#days, lastDay), sumAt(this.#models, model), piece]) sum.has(transcript.id);
    if (figures === null) {
      // Of which days its messages are is found out when it is looked through; of a single day it is known.
      const first = transcript.startedAt;
      const isOneDay = first !== null && this.#dayOf(Date.parse(first)) === lastDay;
      sumAt(this.#days, isOneDay ? lastDay : NO_VALUE).holds(all, null);
      sumAt(this.#models, model).holds(all, null);
    }
    for (const held of figures?.held ?? []) {
      const day = held.slot === null ? lastDay : this.#dayOf(held.slot * SLOT_MINUTES * 60_000);
      sumAt(this.#days, day).holds(held, transcript.id);
      sumAt(this.#models, held.model ?? model).holds(held, transcript.id);
      sumAt(nested(this.#perDay, day), project).has(transcript.id);
    }
    for (const slot of figures?.slots ?? []) this.#slot(slot, transcript.id, project, lastDay, model);
    for (const { name, calls, errors } of figures?.tools ?? []) {
      const tool = this.#tools.get(name) ?? { name, calls: 0, errors: 0, transcripts: 0 };
      this.#tools.set(name, {
        name,
        calls: tool.calls + calls,
        errors: tool.errors + errors,
        transcripts: tool.transcripts + 1,
      });
    }
    for (const { kind, count, cost } of transcript.survey?.findings ?? []) {
      const known = this.#kinds.get(kind) ?? { kind, count: 0, transcripts: 0, cost: null };
      this.#kinds.set(kind, {
        kind,
        count: known.count + count,
        transcripts: known.transcripts + 1,
        cost: plus(known.cost, cost),
      });
    }
  }

  /** The sums of what was added. */
  info(of: number): StatsInfo {
    const stacked = byMost(this.#projects)
      .slice(0, STACKED)
      .map(({ value }) => value);
    const days = [...this.#days]
      .map(([value, sum]): StatGroup & { stack: readonly StatStack[] } => ({
        value,
        figures: sum.figures,
        stack: stackOf(this.#perDay.get(value) ?? new Map(), stacked),
      }))
      .sort((a, b) => (a.value < b.value ? 1 : -1));
    const [projects, models] = [byMost(this.#projects), byMost(this.#models)];
    const tools: readonly StatTool[] = [...this.#tools.values()].sort((a, b) => b.calls - a.calls);
    const kinds: readonly StatKind[] = [...this.#kinds.values()].sort((a, b) => b.count - a.count);
    return {
      of,
      looked: this.#looked,
      due: this.#due,
      failed: this.#failed,
      copies: this.#copies,
      bundles: this.#bundles,
      total: this.#total.figures,
      stacked,
      days: { groups: days.slice(0, DAYS), count: days.length },
      projects: { groups: projects.slice(0, GROUPS), count: projects.length },
      models: { groups: models.slice(0, GROUPS), count: models.length },
      tools: { groups: tools.slice(0, GROUPS), count: tools.length },
      findings: kinds,
    };
  }

  #slot(slot: UsageSlot, id: string, project: string, lastDay: string, model: string): void {
    // Requests without a time belong to the transcript's last day; without a model, to the model of the transcript.
    const day = slot.slot === null ? lastDay : this.#dayOf(slot.slot * SLOT_MINUTES * 60_000);
    this.#total.use(slot, id);
    sumAt(this.#days, day).use(slot, id);
    sumAt(this.#projects, project).use(slot, id);
    sumAt(this.#models, slot.model ?? model).use(slot, id);
    sumAt(nested(this.#perDay, day), project).use(slot, id);
  }
}

type Held = Pick<HeldSlot, 'messages' | 'compactions' | 'findings'>;

/** Sums over transcripts and their requests. */
class Sum {
  readonly #transcripts = new Set<string>();
  readonly #recorded = new Set<string>();
  readonly #priced = new Set<string>();
  #messages = 0;
  #compactions = 0;
  #findings = 0;
  #requests = 0;
  #recordedRequests = 0;
  #input = 0;
  #cacheRead = 0;
  #output = 0;
  #unpriced = 0;
  #cost: number | null = null;

  has(id: string): void {
    this.#transcripts.add(id);
  }

  /** Adds what a transcript holds; `id` null = the transcript itself is counted elsewhere. */
  holds({ messages, compactions, findings }: Held, id: string | null): void {
    if (id !== null) this.has(id);
    this.#messages += messages;
    this.#compactions += compactions;
    this.#findings += findings;
  }

  use({ requests, recorded, input, cacheRead, output, cost }: UsageSlot, id: string): void {
    this.#transcripts.add(id);
    if (recorded > 0) this.#recorded.add(id);
    if (cost !== null) this.#priced.add(id);
    else this.#unpriced += recorded;
    this.#requests += requests;
    this.#recordedRequests += recorded;
    this.#input += input;
    this.#cacheRead += cacheRead;
    this.#output += output;
    this.#cost = plus(this.#cost, cost);
  }

  get figures(): StatFigures {
    const isRecorded = this.#recorded.size > 0;
    return {
      transcripts: this.#transcripts.size,
      recordedTranscripts: this.#recorded.size,
      pricedTranscripts: this.#priced.size,
      messages: this.#messages,
      compactions: this.#compactions,
      findings: this.#findings,
      requests: this.#requests,
      recordedRequests: this.#recordedRequests,
      input: isRecorded ? this.#input : null,
      cacheRead: isRecorded ? this.#cacheRead : null,
      output: isRecorded ? this.#output : null,
      cost: this.#cost,
      unpriced: this.#unpriced,
    };
  }
}

function plus(sum: number | null, value: number | null): number | null {
  return value === null ? sum : (sum ?? 0) + value;
}

function sumAt(sums: Map<string, Sum>, key: string): Sum {
  const sum = sums.get(key) ?? new Sum();
  sums.set(key, sum);
  return sum;
}

function nested(sums: Map<string, Map<string, Sum>>, key: string): Map<string, Sum> {
  const own = sums.get(key) ?? new Map<string, Sum>();
  sums.set(key, own);
  return own;
}

function byMost(sums: ReadonlyMap<string, Sum>): readonly StatGroup[] {
  const groups = [...sums].map(([value, { figures }]): StatGroup => ({ value, figures }));
  return groups.sort(
    (a, b) =>
      (b.figures.cost ?? -1) - (a.figures.cost ?? -1) ||
      (b.figures.input ?? -1) - (a.figures.input ?? -1) ||
      b.figures.transcripts - a.figures.transcripts ||
      (a.value < b.value ? -1 : 1),
  );
}

/** A day's pieces: one for each of the named projects, and one for all others. */
function stackOf(own: ReadonlyMap<string, Sum>, named: readonly string[]): readonly StatStack[] {
  const none: StatStack = { cost: 0, input: 0, transcripts: 0 };
  const add = (stack: StatStack, { figures }: Sum): StatStack => ({
    cost: stack.cost + (figures.cost ?? 0),
    input: stack.input + (figures.input ?? 0),
    transcripts: stack.transcripts + figures.transcripts,
  });
  const pieces = named.map((project) => {
    const sum = own.get(project);
    return sum === undefined ? none : add(none, sum);
  });
  const others = [...own].filter(([project]) => !named.includes(project)).map(([, sum]) => sum);
  return [...pieces, others.reduce(add, none)];
}

function daysIn(zone: string): (time: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const known = new Map<number, string>();
  const slot = SLOT_MINUTES * 60_000;
  return (time) => {
    const key = Math.floor(time / slot);
    const day = known.get(key) ?? format.format(key * slot);
    known.set(key, day);
    return day;
  };
}
