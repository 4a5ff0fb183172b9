// Runs an insight vector file: the state of texts in the request made before a message, and the uses of earlier content.

import { type Use, usesOf } from '../../../core/insight/uses/index.ts';
import { memorySource } from '../../../core/model/memorySource.ts';
import type { TranscriptSource } from '../../../core/model/transcript.ts';
import { elements, valueTextAt } from '../../../core/util/json/index.ts';
import { arrayAt, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../core/util/unknown.ts';
import type { VectorOutcome } from '../harnVectors.ts';
import { stagesOf } from '../projecting.ts';
import { noHost, traceOfText } from '../textTrace.ts';

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
  const claims = checkUses(source, spec, recordAt(vector, 'uses') ?? {});
  const id = stringAt(vector, 'id') ?? '?';
  const all = [...report, ...claims.report];
  return { id, passed: texts.length > 0 && all.length === 0, report: all, checks: texts.length + claims.checks };
}

/** What a list of claims about uses may hold; of anything else the runner knows nothing, and fails. */
const CLAIMS: ReadonlySet<string> = new Set(['mustReport', 'mustNotBeGone']);
const CLAIM_FIELDS: ReadonlySet<string> = new Set(['kind', 'at', 'evidence', 'source', 'outcome']);
/** What may be found as an anchor, too. */
const ALSO_ANCHORS: ReadonlySet<string> = new Set(['reread', 'repeated_failure']);

function checkUses(source: TranscriptSource, spec: unknown, given: Fields) {
  const { uses } = usesOf({ source, stages: stagesOf(spec) }, noHost);
  const must = arrayAt(given, 'mustReport') ?? [];
  const mustNot = arrayAt(given, 'mustNotBeGone') ?? [];
  const report = [
    ...Object.keys(given).flatMap((key) => (CLAIMS.has(key) ? [] : [`nothing is known of claims "${key}"`])),
    ...must.flatMap((claim) => checkClaim(claim, uses)),
    ...mustNot.flatMap((text) => {
      const wrong = uses.filter(({ outcome, evidence }) => outcome === 'gone' && overlaps(evidence, String(text)));
      return wrong.map(({ kind, at }) => `${JSON.stringify(text)}: ${kind} at #${at} is told as gone`);
    }),
  ];
  return { report, checks: must.length + mustNot.length };
}

function checkClaim(claim: unknown, uses: readonly Use[]): readonly string[] {
  if (!isRecord(claim)) return ['a claim is no object'];
  const unknown = Object.keys(claim).filter((key) => !CLAIM_FIELDS.has(key));
  if (unknown.length > 0) return [`nothing is known of ${unknown.join(', ')} in a claim`];
  const [kind, at, outcome] = [stringAt(claim, 'kind') ?? '', numberAt(claim, 'at'), stringAt(claim, 'outcome')];
  const [evidence, first] = [stringAt(claim, 'evidence') ?? '', numberAt(claim, 'source')];
  const near = uses.filter((use) => use.at === at && overlaps(use.evidence, evidence));
  const found = near.some(
    (use) =>
      (use.kind === kind || (ALSO_ANCHORS.has(kind) && use.kind === 'anchor')) &&
      use.outcome === outcome &&
      use.sources.some(({ index }) => index === first),
  );
  if (found) return [];
  const told = near.map(
    (use) => `${use.kind} ${use.outcome} from ${use.sources.map(({ index }) => `#${index}`).join(', ')}`,
  );
  return [
    `${kind} ${JSON.stringify(evidence)} at #${at}: expected ${outcome} from #${first}; told: ${told.join('; ')}`,
  ];
}

function overlaps(a: string, b: string): boolean {
  return a.includes(b) || b.includes(a);
}
