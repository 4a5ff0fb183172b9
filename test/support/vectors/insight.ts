// Runs the `texts` of an insight vector file: the state of a text in the request made before a message. Its `uses` are
// counted, not run.
import { memorySource } from '../../../core/model/memorySource.ts';
import { elements, valueTextAt } from '../../../core/util/json/index.ts';
import { arrayAt, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../core/util/unknown.ts';
import type { VectorOutcome } from '../harnVectors.ts';
import { traceOfText } from '../textTrace.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Whether a vector is one of insight: it has texts, and the uses of earlier content. */
export function isInsightVector(vector: Fields): boolean {
  return arrayAt(vector, 'texts') !== undefined && recordAt(vector, 'uses') !== undefined;
}

/** Runs one case. `json` is its exact text. */
export function runInsightVector(json: string): VectorOutcome {
  const vector: unknown = JSON.parse(json);
  const list = valueTextAt(json, ['messages']);
  if (!isRecord(vector) || list === null) return { id: '?', passed: false, report: ['the case has no messages'] };
  const source = memorySource(elements(list, 0).map((span) => list.slice(span.start, span.end)));
  const spec = ownAt(vector, 'spec');
  const texts = (arrayAt(vector, 'texts') ?? []).filter(isRecord);
  const report = texts.flatMap((given) => {
    const [text, at, expected] = [stringAt(given, 'text') ?? '', numberAt(given, 'at') ?? 0, stringAt(given, 'state')];
    const { now, first } = traceOfText({ source, spec, text, now: at });
    const said = numberAt(given, 'firstSaid');
    if (now.state === expected && (said === undefined || first?.index === said)) return [];
    return [
      `${JSON.stringify(text)} before #${at}: ${now.state}, first said #${first?.index}; expected ${expected}, #${said}`,
    ];
  });
  const claims = Object.values(recordAt(vector, 'uses') ?? {}).flatMap((list) => (Array.isArray(list) ? list : []));
  const counted = { checks: texts.length, notRun: claims.length };
  return { id: stringAt(vector, 'id') ?? '?', passed: texts.length > 0 && report.length === 0, report, ...counted };
}
