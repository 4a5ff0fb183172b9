// What the strips of watched texts and their names say.
import type { TextState } from '../../core/protocol/types.ts';
import type { WatchedLoss, WatchedRun, WatchedText, Watchpoint } from '../../core/protocol/watchTypes.ts';
import type { TextPoint } from '../state/textPoints.ts';

const NAME_CHARS = 60;

/** What a watched text is called: by its name, else by its beginning, on one line. */
export function watchName({ name, text }: Pick<Watchpoint, 'name' | 'text'>): string {
  const line = (name ?? text).replace(/\s+/g, ' ').trim();
  return line.length > NAME_CHARS ? `${line.slice(0, NAME_CHARS - 1).trimEnd()}…` : line;
}

/** The runs as points of a strip: the first and the last call point of each. */
export function pointsOf(runs: readonly WatchedRun[]): readonly TextPoint[] {
  return runs.flatMap(({ at, last, state }) =>
    at === last
      ? [{ at, state }]
      : [
          { at, state },
          { at: last, state },
        ],
  );
}

/** The run that a call point is in, or the last before it. */
export function runAt(runs: readonly WatchedRun[], at: number): WatchedRun | null {
  return runs.findLast((run) => run.at <= at) ?? null;
}

/** Where the text was lost that is not in the request at some call point from `first` to `last`; null = it is in all of them. */
export function lostAt(runs: readonly WatchedRun[], first: number, last: number): number | null {
  return runs.find((run) => run.at <= last && run.last >= first && isLost(run.state))?.at ?? null;
}

/** True if a text that was said is not in the request whole. */
export function isLost(state: TextState): boolean {
  return state === 'gone' || state === 'partly';
}

/** The beginning of the next run behind a call point; behind the last one that of the first. null = there is but one. */
export function nextChange(runs: readonly WatchedRun[], at: number): number | null {
  if (runs.length < 2) return null;
  return (runs.find((run) => run.at > at) ?? runs[0])?.at ?? null;
}

/** What is so at the call point shown: `gone since #276`, `partly since #430`, `elsewhere since #276`, `in this request`. */
export function describeNow({ runs, first }: Pick<WatchedText, 'runs' | 'first'>, at: number): string {
  const run = runAt(runs, at);
  if (run === null || run.state === 'not_yet') return first === null ? 'no message says it' : 'not said yet';
  if (run.state === 'original') return 'in this request';
  return `${run.state} since #${run.at}`;
}

/** The first loss in one line: `First lost at #276: stage 1, Recorded compaction (rule): reason`; null = none. */
export function describeFirstLoss({ firstLoss }: Pick<WatchedText, 'firstLoss'>): string | null {
  return firstLoss === null ? null : `First lost at #${firstLoss.at}: ${describeBy(firstLoss)}`;
}

function describeBy({ stage, stageTitle, rule, reason }: WatchedLoss): string {
  const by = stage === null ? '' : `stage ${stage + 1}${stageTitle === null ? '' : `, ${stageTitle}`}`;
  const named = rule === null ? by : `${by} (${rule})`;
  return [named, reason.replace(/[.\s]+$/, '')].filter((word) => word !== '').join(': ');
}
