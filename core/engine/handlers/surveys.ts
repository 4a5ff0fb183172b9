import type { SurveyFigures } from '../../insight/survey/index.ts';
import { matchFacets } from '../../library/filter.ts';
import { matchText } from '../../library/matchText.ts';
import { NO_FACETS } from '../../library/query.ts';
import { LibraryStats } from '../../library/stats.ts';
import type { Handlers } from '../../protocol/serve.ts';
import { err, ok } from '../../util/result.ts';
import { type Engine, failure } from '../engine.ts';
import { LibraryList } from '../library/libraryList.ts';
import { createSlicer } from '../slicer.ts';
import type { Surveys } from '../survey/surveys.ts';

/** Looks through the library, and sums up what was found. */
export function surveyHandlers(
  engine: Engine,
  surveys: Surveys,
): Pick<Handlers, 'survey.start' | 'survey.stop' | 'library.stats'> {
  const list = new LibraryList(engine.library, () => engine.plainCounts);
  return {
    'survey.start'() {
      return ok({ looks: surveys.begin() });
    },
    'survey.stop'() {
      surveys.stop();
      return ok({});
    },
    async 'library.stats'({ filter, facets, zone }) {
      if (!isZone(zone)) return err(failure('library.no_such_zone', `There is no time zone “${zone}”.`));
      const all = list.since(null).transcripts;
      const now = { time: Date.now(), zoneMinutes: -new Date().getTimezoneOffset() };
      const shown = matchFacets(matchText(all, filter, new WeakMap(), now), facets ?? NO_FACETS);
      const stats = new LibraryStats(zone);
      const slicer = createSlicer();
      for (const transcript of shown) {
        const isKnown = transcript.survey !== null && transcript.survey.failure === null;
        const figures = isKnown ? engine.library.tables.surveys.figuresOf(transcript.id) : null;
        // Of the key of these rules, which the list has checked.
        stats.add({ transcript, figures: figures as SurveyFigures | null });
        const pause = slicer.pause();
        if (pause) await pause;
      }
      return ok(stats.info(all.length));
    },
  };
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
