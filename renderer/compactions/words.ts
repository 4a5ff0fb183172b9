// What the mode Compactions says. One place, so that screen and tests agree.

import { NO_SUMMARY_RECORDED, nothingCovered } from '../../core/model/coveredWords.ts';
import type { CompactionInfo, LostLine, SurvivalClass, SurvivalInfo } from '../../core/protocol/autopsyTypes.ts';
import { formatCount, formatShare, plural } from '../ui/format.ts';

export const CLASS_TITLE: Readonly<Record<SurvivalClass, string>> = {
  user_sentences: 'User sentences',
  imperatives: 'Must, never, only',
  decisions: 'Decisions (probable)',
  open_tasks: 'Open tasks',
  files_edited: 'Files edited',
  paths: 'Paths',
  commands: 'Commands',
  errors: 'Errors',
  identifiers: 'Identifiers',
  numbers: 'Numbers',
};

export const CLASS_WORD: Readonly<Record<SurvivalClass, string>> = {
  user_sentences: 'user sentence',
  imperatives: 'rule',
  decisions: 'decision',
  open_tasks: 'open task',
  files_edited: 'file edited',
  paths: 'path',
  commands: 'command',
  errors: 'error',
  identifiers: 'identifier',
  numbers: 'number',
};

export const CLASSES = Object.keys(CLASS_TITLE) as readonly SurvivalClass[];

/** `71%`; null = there was nothing of that class. */
export function survivedShare({ total, survived }: Pick<SurvivalInfo, 'total' | 'survived'>): string | null {
  return total === 0 ? null : formatShare(survived, total);
}

/** Lost items, and those of them that were used later, over all classes. */
export function lostSums({ survival }: Pick<CompactionInfo, 'survival'>): {
  readonly lost: number;
  readonly used: number;
} {
  const all = Object.values(survival ?? {});
  return {
    lost: all.reduce((sum, { lost }) => sum + lost, 0),
    used: all.reduce((sum, { usedLater }) => sum + usedLater, 0),
  };
}

/** What happened, first what it came to. */
export function verdict(info: CompactionInfo): { readonly head: string; readonly rest: string } {
  const { lost, used } = lostSums(info);
  return {
    head: headOf(info, lost, used),
    rest: [keptWords(info), afterWords(info)].filter((words) => words !== '').join(' '),
  };
}

function headOf(
  { opaque, incomplete, placeholder, recordedAt, covered }: CompactionInfo,
  lost: number,
  used: number,
): string {
  if (opaque) return 'What was put in place is encrypted: what survives in it is not known.';
  const none = nothingCovered(recordedAt, covered.messages);
  if (none !== null) return none;
  const first =
    used === 0
      ? `Of ${plural(lost, 'thing')} it dropped, no later use was found.`
      : `${plural(used, 'thing')} it dropped ${used === 1 ? 'was' : 'were'} used later.`;
  if (incomplete) return `${first} ${NO_SUMMARY_RECORDED}`;
  return placeholder ? `The summary is not written yet: a placeholder is there. ${first}` : first;
}

function keptWords({ survival }: CompactionInfo): string {
  if (survival === null) return '';
  const kept = (
    [
      ['user_sentences', 'of the user’s sentences'],
      ['paths', 'of paths'],
      ['numbers', 'of numbers'],
    ] as const
  ).flatMap(([name, words]) => {
    const share = survivedShare(survival[name]);
    return share === null ? [] : [`${share} ${words}`];
  });
  return kept.length === 0 ? '' : `Kept: ${kept.join(', ')}.`;
}

function afterWords({ after, recordedAt, covered }: CompactionInfo): string {
  const { filesReadAgain, rereads, repeatedFailures, callsToFirstEdit } = after;
  const again = [
    ...(rereads === 0 ? [] : [`${plural(rereads, 'call')} made again with the same result`]),
    ...(filesReadAgain === 0 ? [] : [`${plural(filesReadAgain, 'file')} read again`]),
    ...(repeatedFailures === 0 ? [] : [`${plural(repeatedFailures, 'call')} that failed again`]),
  ];
  const edit =
    callsToFirstEdit === null ? 'no file was edited' : `the first edit came ${callsInWords(callsToFirstEdit)}`;
  // Of what is not in the transcript nothing can be found again.
  const isUnknown = again.length === 0 && nothingCovered(recordedAt, covered.messages) !== null;
  const work = isUnknown ? '' : `${again.length === 0 ? 'no work repeated' : again.join(', ')}; `;
  return `After it: ${work}${edit}.`;
}

function callsInWords(calls: number): string {
  return calls === 1 ? 'in the first call' : `after ${formatCount(calls)} calls`;
}

/** `auto`, `manual`, `put in place by Summary prefix`. */
export function causeWords({ trigger, stageTitle }: CompactionInfo): string {
  if (stageTitle !== null) return `put in place by ${stageTitle}`;
  return trigger === null ? 'trigger not recorded' : `${trigger}, recorded`;
}

/** The compaction in effect at a call point, else the first; -1 of none. */
export function compactionAt(compactions: readonly CompactionInfo[], at: number): number {
  if (compactions.length === 0) return -1;
  return Math.max(
    0,
    compactions.findLastIndex((one) => one.at <= at),
  );
}

/** What was lost as CSV. */
export function lostCsv(lines: readonly LostLine[]): string {
  const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = lines.map(({ class: name, text, index, usedLater }) => [name, text, String(index), usedLater.join(' ')]);
  return [['class', 'text', 'said in', 'used by'], ...rows].map((row) => row.map(cell).join(',')).join('\n');
}

/** The first compaction that took a message out. */
export function compactionOver(compactions: readonly CompactionInfo[], index: number): CompactionInfo | undefined {
  return compactions.find(({ covered: { from, to } }) => from !== null && to !== null && from <= index && index <= to);
}
