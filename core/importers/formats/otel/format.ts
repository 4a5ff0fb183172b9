// Traces of OpenTelemetry with a model's calls: OTLP/JSON, spans as an SDK prints them, or bare maps of attributes.

import { arrayAt, isRecord, recordAt } from '../../../util/unknown.ts';
import type { Detection, Format, Sniff } from '../../types.ts';
import { OtelReader } from './reader.ts';
import { isFlat, isSpan } from './span.ts';

const LOOKS_FOR =
  'resourceSpans of OTLP/JSON (a document, an array of them, or lines), or spans with gen_ai.* or llm.* attributes';

const SPANS = ['resourceSpans', '*', 'scopeSpans', '*', 'spans', '*'];

/** A conversation of a trace becomes a transcript: a model's calls folded, all other spans as events. */
export const otel: Format = {
  id: 'otel',
  title: 'OpenTelemetry trace',
  looksFor: LOOKS_FOR,
  recovers: ['calls', 'results', 'thinking', 'images', 'usage', 'models', 'times', 'sub-agents'],
  detect,
  elements: [SPANS, ['*', ...SPANS]],
  readerVersion: 2,
  open: (sink) => new OtelReader(sink),
};

function detect(sniff: Sniff): Detection {
  let score = 0;
  for (const value of sniff.values.slice(0, 10)) score = Math.max(score, scoreOf(value));
  return { score, why: score > 0 ? 'spans of OpenTelemetry' : `looked for ${LOOKS_FOR}` };
}

function scoreOf(value: unknown): number {
  if (Array.isArray(value)) return value.length > 0 ? scoreOf(value[0]) : 0;
  if (!isRecord(value)) return 0;
  if (arrayAt(value, 'resourceSpans')) return 0.98;
  const [first] = arrayAt(value, 'spans') ?? [value];
  // Spans by their names.
  if (!isSpan(first)) return Object.values(value).some((span) => isRecord(span) && hasFlat(span)) ? 0.8 : 0;
  return hasFlat(first) ? 0.85 : hasTypedAttributes(first) ? 0.8 : isPrinted(first) ? 0.6 : 0;
}

function hasFlat(span: Readonly<Record<string, unknown>>): boolean {
  const attributes = recordAt(span, 'attributes') ?? recordAt(span, 'SpanAttributes');
  return isFlat(span) || (attributes !== undefined && isFlat(attributes));
}

// `[{"key":"…","value":{"stringValue":"…"}}]`
function hasTypedAttributes(span: Readonly<Record<string, unknown>>): boolean {
  const [pair] = arrayAt(span, 'attributes') ?? [];
  return isRecord(pair) && typeof pair.key === 'string' && recordAt(pair, 'value') !== undefined;
}

// The first span of a trace may be one around the calls, without their attributes.
function isPrinted(span: Readonly<Record<string, unknown>>): boolean {
  const context = recordAt(span, 'context');
  return context !== undefined && Object.hasOwn(context, 'trace_id') && Object.hasOwn(context, 'span_id');
}
