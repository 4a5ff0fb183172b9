import type { MessageFacts, MessageMeta } from '../../model/message.ts';
import { readRecorded } from '../../model/readMessage.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import type { StageTokens } from '../../view/types.ts';
import { emptiedMessage } from './emptied.ts';

/** The emptied form of a transcript's messages, made when it is first asked for. */
export class EmptiedMessages {
  readonly #source: TranscriptSource;
  readonly #metaOf: (index: number) => Pick<MessageMeta, 'provenance'>;
  readonly #texts = new Map<number, string>();
  readonly #facts = new Map<number, MessageFacts>();

  constructor(source: TranscriptSource, metaOf: (index: number) => Pick<MessageMeta, 'provenance'>) {
    this.#source = source;
    this.#metaOf = metaOf;
  }

  text(index: number): string {
    const known = this.#texts.get(index) ?? emptiedMessage(this.#source.text(index));
    this.#texts.set(index, known);
    return known;
  }

  facts(index: number): MessageFacts {
    const known = this.#facts.get(index) ?? readRecorded(JSON.parse(this.text(index)), this.#metaOf(index));
    this.#facts.set(index, known);
    return known;
  }
}

/** A transcript's messages before `at`, some without their words. All else of it is as it was. */
export function slicedSource(
  source: TranscriptSource,
  at: number,
  emptied: ReadonlySet<number>,
  messages: EmptiedMessages,
): TranscriptSource {
  return {
    length: at,
    summary: source.summary,
    text: (index) => (emptied.has(index) ? messages.text(index) : source.text(index)),
    facts: (index) => (emptied.has(index) ? messages.facts(index) : source.facts(index)),
    compactions: () => source.compactions(),
    summaries: () => source.summaries(),
    projections: () => source.projections?.() ?? [],
    failedCallIds: (index) => source.failedCallIds?.(index) ?? [],
  };
}

/** What is recorded of a message without its words: whose it is, which decides how it is read, and which calls failed. */
export function emptiedMeta({ provenance, model, failedCallIds }: MessageMeta): MessageMeta {
  return {
    ...(provenance !== undefined && { provenance }),
    ...(model !== undefined && { model }),
    ...(failedCallIds !== undefined && { failedCallIds }),
  };
}

/** Counts of a sliced transcript: those of the whole, but of emptied messages their own. */
export function slicedTokens(whole: StageTokens, ofEmptied: StageTokens, emptied: ReadonlySet<number>): StageTokens {
  const { state: _, ...same } = whole;
  const message = (index: number): number => (emptied.has(index) ? ofEmptied : whole).message(index);
  const sums = [0];
  const before = (end: number): number => {
    for (let index = sums.length - 1; index < end; index++) sums.push((sums[index] ?? 0) + message(index));
    return sums[end] ?? 0;
  };
  return {
    ...same,
    parts: (index) => (emptied.has(index) ? ofEmptied : whole).parts(index),
    message,
    range: (from, to) => before(to) - before(from),
  };
}
