import type { Handlers } from '../../protocol/serve.ts';
import { ok } from '../../util/result.ts';
import type { Engine } from '../engine.ts';
import type { Surveys } from '../survey/surveys.ts';

/** Looks through the library, and sums up what was found. */
export function surveyHandlers(_engine: Engine, surveys: Surveys): Pick<Handlers, 'survey.start' | 'survey.stop'> {
  return {
    'survey.start'() {
      surveys.begin();
      return ok({});
    },
    'survey.stop'() {
      surveys.stop();
      return ok({});
    },
  };
}
