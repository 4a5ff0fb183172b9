// What a survey depends on: the transcript as it is, the rules, the prices of its models, how tokens are counted. Another key, another survey.
import { priceOf } from '../../insight/prices.ts';
import { SURVEY_VERSION } from '../../insight/survey/index.ts';
import { FACTS_VERSION } from '../../model/readMessage.ts';
import type { TranscriptRow } from '../../store/types.ts';
import { bareModelId } from '../../tokens/models.ts';
import type { Engine } from '../engine.ts';
import { pricesOf } from '../library/pricing.ts';
import { modelOf } from '../session/transcriptModel.ts';

/** Names what the survey of a transcript is made of. */
export type SurveyKey = (row: TranscriptRow) => string;

/** The keys of a library's transcripts as settings are now. */
export function surveyKeys(engine: Pick<Engine, 'library' | 'plainCounts'>): SurveyKey {
  const prices = pricesOf(engine);
  return (row) => {
    const models = [...new Set([modelOf(row) ?? [], row.models].flat())];
    return JSON.stringify([
      SURVEY_VERSION,
      FACTS_VERSION,
      row.revision,
      row.counts.messages,
      models.map((model) => priceOf(prices, bareModelId(model))),
      engine.plainCounts,
    ]);
  };
}

/** Whether a transcript can be looked through: it is read to its end. */
export function canBeSurveyed({ state, counts }: Pick<TranscriptRow, 'state' | 'counts'>): boolean {
  return state === 'ready' && counts.messages > 0;
}

/** A transcript that was not looked through as it is now, and the key its survey will have. */
export interface DueSurvey {
  readonly row: TranscriptRow;
  readonly key: string;
}

/** Transcripts that were not looked through as they are now, newest import first. */
export function dueSurveys(engine: Pick<Engine, 'library' | 'plainCounts'>): {
  readonly due: readonly DueSurvey[];
  readonly of: number;
} {
  const keyOf = surveyKeys(engine);
  const known = engine.library.tables.surveys.keys();
  const rows = engine.library.list().filter(canBeSurveyed);
  const due = rows.flatMap((row) => {
    const key = keyOf(row);
    return known.get(row.id) === key ? [] : [{ row, key }];
  });
  return { due, of: rows.length };
}
