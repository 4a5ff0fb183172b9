// A text that stands in an event only is told to stand there: of one corpus file of each format, and of what events hold
// in odd shapes.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ImportedTranscript, MemoryTranscript } from '../../core/importers/memory.ts';
import type { ImportedEvent } from '../../core/model/transcript.ts';
import { isRecord } from '../../core/util/unknown.ts';
import { importFile } from '../importers/support.ts';
import { FORMATS } from '../support/formats.ts';
import { transcriptOf } from '../support/projecting.ts';
import { corpusFiles, filesBelow } from '../support/shared.ts';
import { traceOfText } from '../support/textTrace.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures');
const MOST_BYTES = 600_000;
const EVENTS = 12;
const NOWHERE = 'It is nowhere in this transcript.';

/** Files of a format with events: its fixtures, and the smallest of the corpus. */
function filesOf(format: string): readonly string[] {
  const fixtures = filesBelow(join(FIXTURES, format)).filter((path) => !path.endsWith('.golden.json'));
  const corpus = corpusFiles(format).filter((path) => statSync(path).size <= MOST_BYTES);
  const smallest = corpus.sort((a, b) => statSync(a).size - statSync(b).size).slice(0, 4);
  return [...fixtures, ...smallest];
}

/** Sentences that a person may copy from an event: from its line, and from what it records. */
function sentencesOf({ text, json }: ImportedEvent): readonly string[] {
  const strings = leavesOf(parsed(json)).filter((leaf) => /\S\s+\S+\s+\S/.test(leaf));
  const cut = (said: string): string => said.trim().split(/\s+/).slice(0, 8).join(' ').slice(0, 120).trim();
  return [text, ...strings.slice(0, 3)].map(cut).filter((said) => said !== '' && !said.includes('…'));
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return json;
    throw error;
  }
}

function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  return isRecord(value) ? Object.values(value).flatMap(leavesOf) : [];
}

function lostIn({ messages, events, meta }: ImportedTranscript): readonly string[] {
  const source = new MemoryTranscript(messages);
  const step = Math.max(1, Math.floor(events.length / EVENTS));
  const asked = events.filter((_, at) => at % step === 0).flatMap(sentencesOf);
  return [...new Set(asked)].filter((text) => traceOfText({ source, text, events, front: meta }).sentence === NOWHERE);
}

describe('a sentence of an event is told to stand in an event, if nowhere else', () => {
  it.each(FORMATS.map((format) => [format]))('%s', (format) => {
    const lost = filesOf(format).flatMap((path) => importFile(path).transcripts.flatMap(lostIn));
    expect(lost).toEqual([]);
  });

  const source = transcriptOf([{ role: 'user', content: 'hi' }]);
  const inEvent = (event: { text?: string; json: string }, text: string) =>
    traceOfText({ source, text, events: [{ kind: 'note', at: 0, ...event }] }).sentence;

  it.each<[string, { text?: string; json: string }, string]>([
    ['a value', { json: '{"a":{"b":"the lost sentence"}}' }, 'lost sentence'],
    ['a line of the reader', { text: 'compaction (auto, 9 tokens before)', json: '{}' }, 'auto, 9 tokens'],
    [
      'JSON within a value',
      { json: JSON.stringify({ a: JSON.stringify({ b: 'said "so"\nand more' }) }) },
      'said "so" and more',
    ],
    ['JSON copied as it stands', { json: '{"a":[1,{"b":"c"}]}' }, '"a":[1,{"b"'],
    ['a text that is no JSON', { json: 'plain words here' }, 'words here'],
  ])('%s', (_name, event, text) => {
    expect(inEvent(event, text)).toBe('No message says it: it is only in an event, note before #0.');
  });

  it('a text that no event holds stands nowhere', () => {
    expect(inEvent({ text: 'a b', json: '{"a":"b c"}' }, 'a b c')).toBe(NOWHERE);
  });
});
