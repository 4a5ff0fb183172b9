// Runs the cases of a reducer vector file: retention, sliding window, and both in order. The projected messages are
// compared; each case is also projected twice over, to see that it is idempotent.
import { memorySource } from '../../../core/model/memorySource.ts';
import { parseSpec } from '../../../core/projection/parseSpec.ts';
import { project } from '../../../core/projection/project.ts';
import { STAGES } from '../../../core/projection/stages.ts';
import { isRecord, ownAt, stringAt } from '../../../core/util/unknown.ts';
import { itemText } from '../../../core/view/reader.ts';
import { agrees, type VectorOutcome } from '../harnVectors.ts';

type Fields = Readonly<Record<string, unknown>>;
type Stage = Readonly<{ kind: string; options: Fields }>;

/** A vector's rule → the stages it means. Options of a stage go to it as they are. */
const RULES: Readonly<Record<string, (options: Fields) => readonly Stage[]>> = {
  tool_result_retention: (options) => [{ kind: 'tool_result_retention', options }],
  sliding_window: (options) => [{ kind: 'sliding_window', options }],
  pipeline: (options) => [
    { kind: 'tool_result_retention', options: retentionOf(ownAt(options, 'retention')) },
    { kind: 'sliding_window', options: windowOf(ownAt(options, 'window')) },
  ],
};

// A pipeline states a whole retention (`default`, `per_tool`), or its default rule alone.
function retentionOf(given: unknown): Fields {
  return isRecord(given) ? given : {};
}

function windowOf(given: unknown): Fields {
  if (isRecord(given)) return given;
  return given === undefined || given === null ? {} : { window: given };
}

/** Whether a vector is one of reducers. Hygiene has pipelines too: theirs name a provider. */
export function isReducerVector(vector: Fields): boolean {
  const rule = stringAt(vector, 'rule') ?? '';
  const options = ownAt(vector, 'options');
  const isOurs = isRecord(options) && (Object.hasOwn(options, 'retention') || Object.hasOwn(options, 'window'));
  return Object.hasOwn(RULES, rule) && (rule !== 'pipeline' || isOurs);
}

/** Runs one case. */
export function runReducerVector(json: string): VectorOutcome {
  const vector: unknown = JSON.parse(json);
  if (!isRecord(vector)) return { id: '?', passed: false, report: ['the case is no object'] };
  const id = String(ownAt(vector, 'id'));
  const options = ownAt(vector, 'options');
  const stages = RULES[stringAt(vector, 'rule') ?? '']?.(isRecord(options) ? options : {}) ?? [];
  const parsed = parseSpec({ version: 1, stages }, STAGES);
  if (!parsed.ok) return { id, passed: false, report: parsed.error.map(({ text }) => text) };
  // An option that nothing reads would make a case pass by its default.
  if (parsed.value.warnings.length > 0) {
    return { id, passed: false, report: parsed.value.warnings.map(({ text }) => text) };
  }
  const run = (texts: readonly string[]): readonly string[] => {
    const source = memorySource(texts);
    const { view } = project(source, parsed.value.stages, source.length);
    return view.items.map((item) => itemText(item, source));
  };
  const input = ownAt(vector, 'input');
  const texts = (Array.isArray(input) ? input : []).map((message: unknown) => JSON.stringify(message));
  const once = run(texts);
  const report = [...differences(ownAt(vector, 'accept'), once), ...idempotence(once, run)];
  return { id, passed: report.length === 0, report };
}

function differences(accept: unknown, texts: readonly string[]): readonly string[] {
  if (!Array.isArray(accept)) return ['the case accepts no outcome'];
  const got = texts.map((text): unknown => JSON.parse(text));
  if (accept.some((expected: unknown) => agrees(expected, got))) return [];
  return [`accepted: ${JSON.stringify(accept).slice(0, 800)}`, `got: ${JSON.stringify(got).slice(0, 800)}`];
}

function idempotence(once: readonly string[], run: (texts: readonly string[]) => readonly string[]): readonly string[] {
  const twice = run(once);
  return JSON.stringify(twice) === JSON.stringify(once)
    ? []
    : [`a second run changes it: ${JSON.stringify(twice).slice(0, 800)}`];
}
