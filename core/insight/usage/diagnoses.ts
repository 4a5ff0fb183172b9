// What providers said of what differed between requests: counted, and in words.
import { type CacheDiagnosis, type DiagnosedCause, diagnosisText, saysChanged } from '../../model/cacheDiagnosis.ts';
import { grouped } from '../../view/words.ts';
import type { CacheMiss, DiagnosisSum, MissCause, RequestRecord } from './types.ts';

/** Counts the diagnoses of a transcript. An answer that was written twice under one id counts once. */
export function sumDiagnoses(records: readonly RequestRecord[]): DiagnosisSum {
  const seen = new Set<string>();
  const recorded = records.flatMap(({ diagnosis, id }) => {
    if (diagnosis === undefined || (id !== undefined && seen.has(id))) return [];
    if (id !== undefined) seen.add(id);
    return [diagnosis];
  });
  const byCause = Map.groupBy(recorded.filter(saysChanged), ({ cause }) => cause ?? 'unknown');
  const changed = [...byCause].map(([cause, list]) => ({
    cause,
    requests: list.length,
    tokens: list.reduce((sum, { missedTokens = 0 }) => sum + missedTokens, 0),
  }));
  return { answers: recorded.length, changed, unknown: recorded.filter(({ cause }) => cause === 'unknown').length };
}

/** A diagnosis in words, `system prompt changed, 147,942 tok`: the tokens are the provider's own estimate. */
export function describeDiagnosis(diagnosis: CacheDiagnosis): string {
  const { missedTokens } = diagnosis;
  return `${diagnosisText(diagnosis)}${missedTokens === undefined ? '' : `, ${grouped(missedTokens)} tok`}`;
}

/** How an explanation of ours stands to the provider's. `none`: the provider made no statement that could be compared. */
export type Agreement = 'agree' | 'differ' | 'none';

const SAME: Readonly<Record<DiagnosedCause, readonly MissCause[]>> = {
  model: ['model', 'speed'],
  system: ['system'],
  tools: ['tools'],
  messages: ['messages', 'compaction'],
  input: ['system', 'messages', 'compaction'],
  compaction: ['compaction'],
  parameter: ['parameter'],
  unknown: [],
};
/** Nothing in the request changed, and yet it was not found. */
const SAME_REQUEST: readonly MissCause[] = ['time', 'reach', 'unknown'];

/** Compares a miss with its diagnosis. `asked` = the requests of the transcript asked for one: then `null` is an answer. */
export function agreementOn({ cause, diagnosis }: CacheMiss, asked: boolean): Agreement {
  if (diagnosis === null || diagnosis.cause === 'unknown') return 'none';
  if (diagnosis.cause === null) return asked ? agreed(SAME_REQUEST.includes(cause)) : 'none';
  return agreed(SAME[diagnosis.cause].includes(cause));
}

function agreed(same: boolean): Agreement {
  return same ? 'agree' : 'differ';
}

/** Whether requests asked for a diagnosis. Not recorded: one that was given proves it for all. */
export function askedForDiagnoses({ changed, unknown }: DiagnosisSum): boolean {
  return changed.length > 0 || unknown > 0;
}
