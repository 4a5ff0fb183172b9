// What the mode Checks says. One place, so that screen and tests agree.
import { REPORT_FORMATS } from '../../core/check/formats/index.ts';
import type {
  CheckedBaseline,
  CheckedInfo,
  CheckedOutcome,
  EvidenceState,
  PlacedFault,
  ReadRule,
  Verdict,
} from '../../core/protocol/checkTypes.ts';
import type { CheckRun } from '../state/types.ts';
import { formatCount, plural } from '../ui/format.ts';

/** A verdict in words. */
export const VERDICT_WORD: Readonly<Record<Verdict, string>> = {
  failed: 'Failed',
  passed: 'Passed',
  unchecked: 'Not checked',
};

/** What is so at a request, in words. */
export const STATE_WORD: Readonly<Record<EvidenceState, string>> = {
  not_yet: 'not yet said',
  original: 'original',
  elsewhere: 'elsewhere',
  partly: 'partly',
  gone: 'gone',
  within: 'within the limit',
  over: 'over the limit',
  clear: 'nothing found',
  counted: 'found here',
};

/** The same of a rule about what a provider refuses. */
export function stateWord(state: EvidenceState, rule: string): string {
  if (!rule.startsWith('valid for')) return STATE_WORD[state];
  return state === 'within' ? 'no errors' : state === 'counted' ? 'errors' : 'not checked here';
}

const ORDER: readonly Verdict[] = ['failed', 'passed', 'unchecked'];

/** What became of a rule: of one transcript its outcome, of several how many there are of each. */
export interface RuleRow {
  /** Position in the file of rules. */
  readonly at: number;
  readonly rule: ReadRule;
  readonly verdict: Verdict;
  readonly found: string;
  readonly outcomes: readonly { readonly id: string; readonly outcome: CheckedOutcome }[];
}

/**
 * Rules with what became of them, failed ones first; within, in the order of the file. As long as not all transcripts were looked at,
 * no rule has passed.
 */
export function ruleRows({
  rules,
  checked,
  ids,
  state,
}: Pick<CheckRun, 'rules' | 'checked' | 'ids' | 'state'>): readonly RuleRow[] {
  const rows = rules.map((rule, at): RuleRow => {
    const outcomes = checked.flatMap(({ id, outcomes: all }) => {
      const outcome = all.find((each) => each.rule === at);
      return outcome === undefined ? [] : [{ id, outcome }];
    });
    const found = countOutcomes(outcomes.map(({ outcome }) => outcome));
    const missing = state === 'running' ? 0 : ids.length - outcomes.length;
    const counts = { ...found, unchecked: found.unchecked + missing };
    const isWhole = outcomes.length === ids.length;
    const verdict = counts.failed > 0 ? 'failed' : counts.passed > 0 && isWhole ? 'passed' : 'unchecked';
    const only = ids.length === 1 ? outcomes[0]?.outcome.found : undefined;
    return { at, rule, verdict, found: only ?? foundIn(counts, ids.length), outcomes };
  });
  return rows.toSorted((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
}

type Counts = Readonly<Record<Verdict, number>>;

function countOutcomes(outcomes: readonly Pick<CheckedOutcome, 'verdict'>[]): Counts {
  const counts = { passed: 0, failed: 0, unchecked: 0 };
  for (const { verdict } of outcomes) counts[verdict]++;
  return counts;
}

function foundIn({ failed, passed, unchecked }: Counts, all: number): string {
  if (failed + passed + unchecked === 0) return '';
  if (failed + passed === 0) return `not checked in ${formatCount(unchecked)} of ${formatCount(all)}`;
  const apart = unchecked === 0 ? '' : `, ${formatCount(unchecked)} not checked`;
  return failed > 0
    ? `failed in ${formatCount(failed)} of ${formatCount(all)}${apart}`
    : `passed in ${formatCount(passed)} of ${formatCount(all)}${apart}`;
}

/**
 * Outcomes of all rules on all transcripts, by verdict. Rules on transcripts that could not be read, or that were not looked at before
 * the run was cancelled, are not checked.
 */
export function countRun({
  rules,
  checked,
  ids,
  state,
}: Pick<CheckRun, 'rules' | 'checked' | 'ids' | 'state'>): Counts {
  const counts = countOutcomes(checked.flatMap(({ outcomes }) => outcomes));
  const unread = checked.filter(({ error }) => error !== null).length;
  const missing = state === 'running' ? 0 : ids.length - checked.length;
  return { ...counts, unchecked: counts.unchecked + (unread + missing) * rules.length };
}

/** Transcripts that could not be read. */
export function unreadable(checked: readonly CheckedInfo[]): readonly CheckedInfo[] {
  return checked.filter(({ error }) => error !== null);
}

/** What was looked at: `306 calls, 0.4 s`, `40 transcripts`, `12 of 40 transcripts, stopped`. */
export function runText({ state, ids, checked, ms, progress }: CheckRun): string {
  const time = ms === null ? [] : [`${(ms / 1000).toFixed(1)} s`];
  if (state === 'running') {
    // Under each policy that the rules name the requests are looked at once more: their number says nothing.
    if (progress !== null) return `Running… ${Math.floor((100 * progress.done) / progress.total)}%`;
    return ids.length === 1 ? 'Running…' : `${formatCount(checked.length)} of ${plural(ids.length, 'transcript')}…`;
  }
  if (state === 'stopped')
    return `cancelled after ${formatCount(checked.length)} of ${plural(ids.length, 'transcript')}`;
  if (state === 'failed') return 'not finished';
  const calls = ids.length === 1 ? (checked[0]?.calls ?? 0) : null;
  const what = calls === null ? plural(ids.length, 'transcript') : plural(calls, 'request');
  return [what, ...time].join(', ');
}

/** One sentence of how it went; null = that is not known yet, or the counts say it all. */
export function verdictText(run: CheckRun): string | null {
  if (run.state === 'running') return null;
  const { failed, passed, unchecked } = countRun(run);
  const stopped = run.state === 'done' ? '' : ' Not all transcripts were checked.';
  // The counts say it.
  if (failed > 0) return stopped === '' ? null : stopped.trim();
  if (run.checked.length === 0) return 'Nothing was checked: the run was cancelled.';
  if (passed === 0) return `Nothing was checked: there was nothing to check.${stopped}`;
  if (unchecked > 0) return `No check failed; ${formatCount(unchecked)} could not be made.${stopped}`;
  return `${passed === 1 ? 'The check' : `All ${formatCount(passed)} checks`} passed.${stopped}`;
}

/** How many figures of a baseline are others now: each is listed below; null = none is. */
export function changedText(count: number): string | null {
  return count === 0 ? null : `${plural(count, 'figure')} changed`;
}

/** A hash by its beginning; anything else as it is. */
export function shortHash(text: string): string {
  return text.startsWith('sha256:') ? `${text.slice(0, 19)}…` : text;
}

/** How many transcripts have a baseline, where not all do; '' = all have. */
export function recordedText(all: readonly Pick<CheckedBaseline, 'isRecorded' | 'alike'>[]): string {
  const recorded = all.filter(({ isRecorded }) => isRecorded).length;
  if (recorded === all.length) return '';
  if (all.length > 1) return `${formatCount(recorded)} of ${formatCount(all.length)} transcripts are recorded in it.`;
  return all[0]?.alike.length === 0 ? 'Nothing was recorded of this transcript yet.' : '';
}

/** The lines of a rule in the text that was run. */
export function ruleLines(text: string, { line, lastLine }: ReadRule): string | null {
  if (line === null) return null;
  const lines = text.split('\n').slice(line - 1, lastLine ?? line);
  return lines.join('\n').trimEnd();
}

/** `line 4: tokens: …`; a fault of no line in particular by its words alone. */
export function faultText({ line, text }: PlacedFault): string {
  return line === null ? text : `line ${formatCount(line)}: ${text}`;
}

/** How results can be printed by the command. */
export const FORMATS = REPORT_FORMATS;

/** The command that finds the same. The session's path is not known here: it is left to the person. */
export function commandLine(name: string | null, format: (typeof FORMATS)[number]): string {
  const rest = format === 'text' ? '' : ` --format ${format}`;
  return `parallax check ${quoted(name ?? 'RULES.yaml')} SESSION${rest}`;
}

function quoted(word: string): string {
  return /^[\w./@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** What rules that are in no file are saved as. */
export const EXAMPLE_NAME = 'parallax.rules.yaml';

/** Where a person may begin. */
export const EXAMPLE = `# Rules of parallax check: docs/check.md
version: 1
rules:
  - name: Fits the window
    fits: true
  - name: Nothing was relied on that was gone
    uses_gone: 0
  - name: Cache
    cache_breaks: 2
  - name: Nothing forgotten
    findings: {kind: forgotten, max: 0}
  - name: No secrets sent
    secrets: 0
`;
