// What the runtime really kept. Every call point of a compacted session lies in an era: after a compaction the model saw
// what that put in place (a summary, the messages kept beside it, another history) and what was said since. The stage
// gives that, as far as the transcript records it, and says so where it does not.
import type { Problem } from '../../model/problem.ts';
import { effectiveFrom } from '../../model/transcript.ts';
import type { ReportDetails } from '../../view/incremental.ts';
import { OptionReader } from '../../view/optionReader.ts';
import { editItem } from '../../view/origins.ts';
import { itemText, readView } from '../../view/reader.ts';
import type {
  Fate,
  ParamSchema,
  StageContext,
  StageDefinition,
  StageReport,
  View,
  ViewItem,
} from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import { clearResults } from './clearing.ts';
import { startOver } from './eraView.ts';
import { sinceFate } from './fates.ts';
import { LiveRecorded } from './liveRecorded.ts';
import { type Era, isReadable, type Timeline } from './timeline.ts';
import { encrypted, nameOf } from './words.ts';

const KIND = 'recorded_compaction';
const TITLE = 'Recorded compaction';

const SUMMARIES: ParamSchema = {
  name: 'summaries',
  label: 'Apply summaries',
  type: 'boolean',
  default: true,
  relax: { values: [false] },
  help: 'Apply compactions that put a summary in place of what came before, or left messages out. Off: the history continues as if there had been none.',
};

const REPLACEMENTS: ParamSchema = {
  name: 'replacements',
  label: 'Apply replaced histories',
  type: 'boolean',
  default: true,
  relax: { values: [false] },
  help: 'Apply compactions that put another history in place of what came before, encrypted ones too (Codex).',
};

const CLEARING: ParamSchema = {
  name: 'clearing',
  label: 'Apply emptied results',
  type: 'boolean',
  default: true,
  relax: { values: [false] },
  help: 'Empty the tool results that the runtime emptied while the conversation continued (micro-compaction).',
};

const PLACEHOLDER: ParamSchema = {
  name: 'placeholder',
  label: 'Text in place of a result',
  type: 'string',
  default: '[Old tool result content cleared]',
  help: 'The text that replaces an emptied result. The default is what Claude Code and OpenCode write.',
};

const PARAMS = [SUMMARIES, REPLACEMENTS, CLEARING, PLACEHOLDER];

/** Parameters of recorded_compaction. */
export interface RecordedCompactionParams {
  readonly summaries: boolean;
  readonly replacements: boolean;
  readonly clearing: boolean;
  readonly placeholder: string;
}

/** Gives what the runtime kept of the history at the call point, as the transcript records its compactions. */
export const recordedCompaction: StageDefinition<RecordedCompactionParams> = {
  kind: KIND,
  aliases: [],
  family: 'recorded',
  traits: { gives: 'compactions' },
  keepsThinking: () => 'recorded',
  title: TITLE,
  help: 'What the runtime that wrote this transcript really kept after its own compactions: summaries, kept messages, replaced histories, emptied results. Nothing is invented: where the transcript does not say, the history stays.',
  params: PARAMS,
  parse(options) {
    const reader = new OptionReader(options);
    reader.warnOfUnknown(new Set(PARAMS.map(({ name }) => name)));
    const params = {
      summaries: reader.flag(SUMMARIES),
      replacements: reader.flag(REPLACEMENTS),
      clearing: reader.flag(CLEARING),
      placeholder: reader.text(PLACEHOLDER) ?? String(PLACEHOLDER.default),
    };
    return { params: reader.ok ? params : null, problems: reader.problems };
  },
  incremental: (params, context) => new LiveRecorded(params, context, { apply, explain, report }),
};

/** What the stage does to a whole view. */
export interface Applied {
  /** The new items; null = none is changed. */
  readonly items: readonly ViewItem[] | null;
  readonly fates: ReadonlyMap<number, Fate>;
  /** Results that are emptied, and the characters they had. */
  readonly results: number;
  readonly chars: number;
}

function apply(view: View, timeline: Timeline, params: RecordedCompactionParams, context: StageContext): Applied {
  const era = timeline.eraAt(context.at);
  const begun = era === null ? { items: null, fates: NO_FATES } : startOver(view, era, timeline, context);
  const cleared = params.clearing ? clear(begun.items ?? view.items, params, timeline, context) : null;
  if (cleared === null) return { ...begun, results: 0, chars: 0 };
  return { ...cleared, fates: new Map([...begun.fates, ...cleared.fates]) };
}

function report(
  timeline: Timeline,
  era: Era | null,
  { items, results, chars }: Applied,
  counts: StageReport['counts'],
  context: StageContext,
): ReportDetails {
  return {
    summary: summaryLine(timeline, era, counts, results, context.at),
    reason: items === null ? 'recorded_compaction_none' : KIND,
    reclaimedChars: chars,
    reclaimedTokens: Math.floor(chars / 4),
    problems: problemsOf(timeline, era, context),
  };
}

function explain(
  timeline: Timeline,
  era: Era | null,
  params: RecordedCompactionParams,
  { at, stage }: StageContext,
): Fate {
  const why = era === null ? whyNone(timeline, params, at) : null;
  return sinceFate(stage, why, era && nameAt(timeline, era.position));
}

function whyNone({ compactions }: Timeline, params: RecordedCompactionParams, at: number): string {
  // Nothing is said of what lies beyond the call point: there a request knew of nothing.
  if (!compactions.some((compaction) => effectiveFrom(compaction) <= at))
    return 'no compaction is recorded before this call point';
  const off = [...(params.summaries ? [] : ['summaries']), ...(params.replacements ? [] : ['replacements'])];
  // What is off is not looked at: whether it would say more nobody knows.
  const unread = off.length === 0 ? '' : `; ${off.join(' and ')} ${off.length === 1 ? 'is' : 'are'} off, and not read`;
  return `no compaction before this call point says what it kept${unread}`;
}

const NO_FATES: ReadonlyMap<number, Fate> = new Map();

function nameAt(timeline: Timeline, position: number): string {
  const compaction = timeline.compactions[position];
  if (compaction === undefined) throw new RangeError(`no compaction ${position}`);
  return nameOf(compaction, position + 1);
}

function clear(
  items: readonly ViewItem[],
  { placeholder }: RecordedCompactionParams,
  timeline: Timeline,
  context: StageContext,
) {
  const cleared = timeline.clearedAt(context.at);
  if (cleared.size === 0) return null;
  const fates = new Map<number, Fate>();
  const { source, stage } = context;
  const reader = readView({ items }, source, context.memo);
  const edited = [...items];
  let [results, chars] = [0, 0];
  for (const [at, item] of items.entries()) {
    const known = item.kind === 'source' ? cleared.get(item.index) : undefined;
    if (item.kind !== 'source' || known === undefined) continue;
    const { index } = item;
    const make = () => {
      const why = `its body was emptied by ${nameAt(timeline, known.position)}; the runtime's words replace it`;
      const message = { index, text: itemText(item, source), facts: reader.facts(at), rawText: source.text(index) };
      const rawPart = (part: number) => reader.rawPart(at, part);
      return clearResults({ ...message, rawPart }, known.ids, { placeholder, why }, context);
    };
    const key = `${stage} ${index} ${known.ids.size} ${known.position} ${placeholder}`;
    const clearing = item.text === undefined ? (timeline.clearings.get(key) ?? make()) : make();
    if (item.text === undefined) timeline.clearings.set(key, clearing);
    if (clearing === null) continue;
    edited[at] = editItem(item, clearing.text);
    fates.set(index, clearing.fate);
    results += clearing.fate.pointers?.length ?? 0;
    chars += clearing.chars;
  }
  return results === 0 ? null : { items: edited, fates, results, chars };
}

function summaryLine(
  timeline: Timeline,
  era: Era | null,
  counts: StageReport['counts'],
  results: number,
  at: number,
): string {
  if (timeline.compactions.length === 0) return 'the transcript records no compaction';
  const parts: string[] = [];
  if (era !== null) {
    const gone = (counts.summarised ?? 0) + (counts.dropped ?? 0);
    parts.push(
      `after ${nameAt(timeline, era.position)}: ${countOf(gone, 'message')} gone, ${grouped(era.kept.size)} kept`,
    );
  }
  if (results > 0) parts.push(`${countOf(results, 'result')} emptied`);
  if (parts.length > 0) return parts.join('; ');
  const isEarly = timeline.compactions.every((compaction) => effectiveFrom(compaction) > at);
  return isEarly ? 'no compaction before this call point' : 'nothing that can be applied here';
}

function problemsOf(timeline: Timeline, era: Era | null, { at, source }: StageContext): readonly Problem[] {
  const problems: Problem[] = [];
  for (const [position, compaction] of timeline.compactions.entries()) {
    if (compaction.at > at || isReadable(compaction) || (era !== null && position < era.position)) continue;
    const found = source.summary
      ? `The transcript has its own summary, but does not record what ${nameAt(timeline, position)} replaced`
      : `Of ${nameAt(timeline, position)} the transcript records neither a summary nor what was kept`;
    const text = `${found}: the history before it is as it was imported.`;
    problems.push({ code: 'recorded.not_told', severity: 'info', text, where: { index: compaction.at } });
  }
  if (era?.compaction.kind === 'opaque') {
    const text = `After ${nameAt(timeline, era.position)} the model was given ${encrypted(era.compaction.opaqueChars)}. It cannot be read here, and its tokens are not counted.`;
    problems.push({ code: 'recorded.encrypted', severity: 'info', text, where: { index: era.compaction.at } });
  }
  if (era?.compaction.incomplete === true) {
    const text = `The record of ${nameAt(timeline, era.position)} holds messages of people and clients, no summary and no encrypted item: the model may have been given more than that.`;
    problems.push({ code: 'recorded.incomplete', severity: 'info', text, where: { index: era.compaction.at } });
  }
  return problems;
}
