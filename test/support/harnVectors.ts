// Runs the cases of a harn-projection vector file. What each case states of the result is compared, nothing else.
import { createSandbox } from '../../core/engine/sandbox/sandbox.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import { harnResult } from '../../core/projection/harnResult.ts';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { prefixHash } from '../../core/projection/prefixHash.ts';
import { project } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { elements, stringifyWithRaw, valueTextAt } from '../../core/util/json/index.ts';
import { isRecord, ownAt } from '../../core/util/unknown.ts';
import type { RunUserCode, UserCodeAnswer } from '../../core/view/types.ts';

/** What became of one case. */
export interface VectorOutcome {
  readonly id: string;
  readonly passed: boolean;
  /** Lines for people; empty if passed. */
  readonly report: readonly string[];
  /** How much of what the case states was checked, where a case states several things. */
  readonly checks?: number;
}

/** Whether a vector is one of projection: it has options with a policy, or options that are one. */
export function isHarnVector(vector: Readonly<Record<string, unknown>>): boolean {
  const options = ownAt(vector, 'options');
  return !Object.hasOwn(vector, 'rule') && (typeof options === 'string' || isRecord(options) || options === null);
}

/** Runs one case. `json` is its exact text: numbers in messages must not pass through JavaScript. */
export async function runHarnVector(json: string): Promise<VectorOutcome> {
  const vector: unknown = JSON.parse(json);
  if (!isRecord(vector)) return { id: '?', passed: false, report: ['the case is no object'] };
  const id = String(ownAt(vector, 'id'));
  const parsed = parseSpec(ownAt(vector, 'options'), STAGES);
  if (!parsed.ok) return { id, passed: false, report: parsed.error.map((problem) => problem.text) };
  const transcript = ownAt(vector, 'transcript');
  const summary = isRecord(transcript) ? ownAt(transcript, 'summary') : null;
  const source = memorySource(messageTexts(json), typeof summary === 'string' ? summary : null);
  const { stages } = parsed.value;
  const runUserCode = stages.some((stage) => stage.kind === 'custom') ? await sandboxRunner() : noCode;
  const projection = project(source, stages, source.length, { runUserCode });
  const hash = prefixHash(source, projection.view);
  const result = harnResult({ source, projection, stages, hash });
  return compareWithAccepted(id, stringifyWithRaw(withCounts(result)), ownAt(vector, 'accept'));
}

function messageTexts(json: string): string[] {
  const list = valueTextAt(json, ['input']) ?? '[]';
  return elements(list, 0).map((span) => list.slice(span.start, span.end));
}

// Vectors call the messages projected_messages, and count them.
function withCounts(result: ReturnType<typeof harnResult>) {
  return { ...result, message_count: result.messages.length, projected_messages: result.messages };
}

function noCode(): never {
  throw new Error('a stage without code asked for a run');
}

async function sandboxRunner(): Promise<(request: RunUserCode) => UserCodeAnswer> {
  const sandbox = await createSandbox();
  return ({ code, messagesJson }) => {
    const result = sandbox.run(code, messagesJson);
    return result.ok ? { ok: true, ...result.value } : { ok: false, ...result.error };
  };
}

function compareWithAccepted(id: string, gotJson: string, accept: unknown): VectorOutcome {
  const got: unknown = JSON.parse(gotJson);
  if (!Array.isArray(accept) || !isRecord(got)) return { id, passed: false, report: ['the case accepts no outcome'] };
  const differences = accept.map((expected: unknown) => differencesOf(expected, got));
  if (differences.some((list) => list.length === 0)) return { id, passed: true, report: [] };
  return { id, passed: false, report: differences.sort((a, b) => a.length - b.length)[0] ?? [] };
}

function differencesOf(expected: unknown, got: Readonly<Record<string, unknown>>): string[] {
  if (!isRecord(expected)) return ['the accepted outcome is no object'];
  const lines: string[] = [];
  for (const [key, value] of Object.entries(expected)) {
    if (!agrees(value, ownAt(got, key)))
      lines.push(`${key}: expected ${short(value)}`, `${key}: got      ${short(ownAt(got, key))}`);
  }
  return lines;
}

const NOW = '<now>';

/** Deep equality by content; `<now>` agrees with any timestamp or none. */
export function agrees(expected: unknown, got: unknown): boolean {
  if (expected === NOW) return got === undefined || got === null || typeof got === 'string' || typeof got === 'number';
  if (Array.isArray(expected)) {
    return Array.isArray(got) && got.length === expected.length && expected.every((value, i) => agrees(value, got[i]));
  }
  if (isRecord(expected)) {
    if (!isRecord(got)) return false;
    const keys = new Set([...Object.keys(expected), ...Object.keys(got)]);
    return [...keys].every((key) => agrees(ownAt(expected, key), ownAt(got, key)));
  }
  return Object.is(expected, got);
}

function short(value: unknown): string {
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > 300 ? `${json.slice(0, 200)} … ${json.slice(-80)}` : json;
}
