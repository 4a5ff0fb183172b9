// What is shown of a file while its mapping is made: a sample, the paths in it, and what a mapping gives.

import { findPlaces, type PathStep, parsePath, pathText } from '../../../model/mapping/path.ts';
import type { MappingPreview, PreviewMessage, PreviewPart, SeenPath } from '../../../model/mapping/preview.ts';
import type { Mapping } from '../../../model/mapping/types.ts';
import { partText, valueAt } from '../../../model/partText.ts';
import { readMessage } from '../../../model/readMessage.ts';
import type { ImportedMessage } from '../../../model/transcript.ts';
import { countOf, grouped } from '../../../util/counts.ts';
import { type ImportedTranscript, importText } from '../../memory.ts';
import { FormatRegistry } from '../../registry.ts';
import type { Sniff } from '../../types.ts';
import { fieldsOf } from './fields.ts';
import { genericFormat } from './format.ts';
import { candidatesIn } from './places.ts';

const TEXT_SHOWN = 200;
const EXAMPLE_SHOWN = 60;
const SAMPLE_RECORDS = 20;
const SAMPLE_STRING = 240;
const SAMPLE_LIST = 12;
const SAMPLE_DEPTH = 12;
/** Problems that only say that the beginning of a file ends. */
const OF_THE_CUT: ReadonlySet<string> = new Set(['import.truncated', 'import.broken_document', 'import.broken_line']);

/** What the beginning of a file gives under a mapping: at most `limit` messages. `whole` = `bytes` is all of it. */
export function previewMapping(bytes: Uint8Array, whole: boolean, mapping: Mapping, limit: number): MappingPreview {
  const format = genericFormat(mapping);
  const read = importText(bytes, { registry: new FormatRegistry([format]), format: format.id });
  const problems = read.problems.filter(({ code }) => whole || !OF_THE_CUT.has(code));
  const messages = read.transcripts.flatMap((one, at) => one.messages.map((message) => previewOf(message, at)));
  const events = read.transcripts.reduce((sum, one) => sum + one.events.length, 0);
  return {
    messages: messages.slice(0, limit),
    counts: { transcripts: read.transcripts.length, messages: messages.length, events },
    titles: read.transcripts.slice(0, limit).map(titleOf),
    whole,
    problems,
  };
}

function titleOf({ meta }: ImportedTranscript): string | null {
  return meta.title ?? meta.sessionId ?? null;
}

function previewOf({ text, meta, origins }: ImportedMessage, transcript: number): PreviewMessage {
  const value: unknown = JSON.parse(text);
  const { role, parts } = readMessage(value);
  const previews = parts.map(
    (part): PreviewPart => ({
      kind: part.kind,
      name: part.name ?? null,
      isError: part.isError === true,
      text: shortened(partText(value, part), TEXT_SHOWN),
    }),
  );
  const line = origins[0]?.line ?? 1;
  return { transcript, role, parts: previews, timestamp: meta.timestamp ?? null, model: meta.model ?? null, line };
}

/** The first records of a file as JSON for people: long texts and lists are shortened, and say so. */
export function sampleOf({ values, shape }: Sniff): string {
  if (shape === 'json') return JSON.stringify(shown(values[0], 0), null, 2) ?? '';
  const records = values.slice(0, SAMPLE_RECORDS).map((value) => JSON.stringify(shown(value, 0), null, 2) ?? '');
  return records.join('\n');
}

function shown(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return shortened(value, SAMPLE_STRING);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === SAMPLE_DEPTH) return '…';
  if (Array.isArray(value)) {
    const some = value.slice(0, SAMPLE_LIST).map((one: unknown) => shown(one, depth + 1));
    return value.length > SAMPLE_LIST ? [...some, `… ${grouped(value.length - SAMPLE_LIST)} more`] : some;
  }
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shown(one, depth + 1)]));
}

/** Where lists of objects stand, for the path of the messages. */
export function placesIn({ values, shape }: Sniff): readonly SeenPath[] {
  return candidatesIn(values).map(({ steps, items }) => {
    const whole = shape === 'json' ? 'the document' : countOf(items.length, 'line');
    return seen('$', steps, steps.length === 0 ? whole : countOf(items.length, 'object'));
  });
}

/** The fields of what is at `at`, from there; with `within`, of the values at that path in each. */
export function pathsAt({ values }: Sniff, at: string, within?: string): readonly SeenPath[] {
  const outer = parsePath(at, '$');
  const inner = within === undefined ? null : parsePath(within, '@');
  if (!outer.ok || (inner !== null && !inner.ok)) return [];
  const steps = [...outer.value.steps, ...(inner === null ? [] : inner.value.steps)];
  const items = values.flatMap((value) => findPlaces(value, steps).map((path) => valueAt(value, path))).slice(0, 300);
  const self = items.length > 0 ? [seen('@', [], 'itself')] : [];
  return [...self, ...fieldsOf(items, 4).map(({ steps: path, values: found }) => seen('@', path, exampleOf(found)))];
}

/** The values that are at a role's path, as text, each once, the first 30. */
export function roleValues({ values }: Sniff, at: string, role: string | undefined): readonly string[] {
  const outer = parsePath(at, '$');
  const inner = parsePath(role ?? '', '@');
  if (!outer.ok || !inner.ok) return [];
  const steps = [...outer.value.steps, ...inner.value.steps];
  const found = values.flatMap((value) => findPlaces(value, steps).map((path) => valueAt(value, path)));
  const said = found.filter((one) => typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean');
  return [...new Set(said.map(String))].slice(0, 30);
}

function seen(root: '$' | '@', steps: readonly PathStep[], example: string): SeenPath {
  return { path: pathText({ root, steps }), example };
}

function exampleOf(values: readonly unknown[]): string {
  const first = values.find((value) => value !== '') ?? values[0];
  return first === undefined ? 'null' : shortened(JSON.stringify(shown(first, SAMPLE_DEPTH - 2)) ?? '', EXAMPLE_SHOWN);
}

function shortened(text: string, length: number): string {
  const cut = text.slice(0, length + 1);
  return cut.length > length ? `${cut.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
