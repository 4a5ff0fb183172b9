// What is said of each message that a recorded compaction touched.
import { keptBecause, NOT_CONCERNED } from '../../view/fates.ts';
import type { Fate } from '../../view/types.ts';
import type { Era } from './timeline.ts';
import { encrypted } from './words.ts';

const NOT_CARRIED = 'the runtime did not carry it forward';

/** A message that left: something is in its place, or nothing is. `name` = the compaction in words. */
export function leftFate(era: Era, stage: number, name: string): Fate {
  const { summaryIndex, kind, opaqueChars, incomplete } = era.compaction;
  const because = summaryIndex === undefined ? {} : { because: summaryIndex };
  if (!era.sumsUp) {
    const what = incomplete === true ? 'the history it recorded, without a summary, does not hold it' : NOT_CARRIED;
    const reason = `dropped by ${name}: ${what}`;
    return { kind: 'dropped', stage, rule: 'recorded_left_out', reason };
  }
  const instead =
    kind === 'opaque'
      ? `${encrypted(opaqueChars)}, which only the provider can read,`
      : summaryIndex === undefined
        ? 'the history it recorded'
        : `the summary #${summaryIndex}`;
  return {
    kind: 'summarised',
    stage,
    rule: 'recorded_compaction',
    reason: `${name} put ${instead} in its place`,
    ...because,
  };
}

/** A message that the runtime kept beside the summary, or in the new history. */
export function keptFate(stage: number, name: string): Fate {
  return { kind: 'kept', stage, rule: 'recorded_kept', reason: `${name} kept it, word for word` };
}

/** The summary itself. */
export function summaryFate(era: Era, stage: number, name: string): Fate {
  const reason = `the summary that ${name} put in place of the messages before #${era.from}`;
  return { kind: 'kept', stage, rule: 'recorded_summary', reason };
}

/** A message that the runtime put in another place than it stands here: a copy of it is there. */
export function copiedFate(era: Era, stage: number, name: string): Fate {
  const { summaryIndex } = era.compaction;
  const reason =
    summaryIndex === undefined
      ? `${name} put it in another place of the new history: it is there word for word`
      : `${name} put its summary, this message, at its place among what it kept: it is there word for word`;
  return { kind: 'merged', stage, rule: 'recorded_moved', reason };
}

/** A message that no compaction touched: it came after the last one (`name`), or there is none, for which `why` is. */
export function sinceFate(stage: number, why: string | null, name: string | null): Fate {
  if (name === null) return keptBecause(stage, NOT_CONCERNED, `kept: ${why ?? 'no compaction'}`);
  return keptBecause(stage, 'recorded_since', `kept: it came after ${name}`);
}
