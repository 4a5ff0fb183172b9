// What a message says is in the request, or a loss names the place where it was.
import { describe, expect, it } from 'vitest';
import { MemoryTranscript } from '../../core/importers/memory.ts';
import { partExactText, valueAt } from '../../core/model/partText.ts';
import { isRecord } from '../../core/util/unknown.ts';
import { createMemo } from '../../core/view/memo.ts';
import { rawView } from '../../core/view/reader.ts';
import { pathText } from '../../core/wire/losses.ts';
import { bodyText, toWire } from '../../core/wire/toWire.ts';
import { WIRE_TARGETS, type WireTarget } from '../../core/wire/types.ts';
import { FORMATS } from '../support/formats.ts';
import { sharedDir } from '../support/shared.ts';
import { type CorpusTranscript, corpusTranscripts } from '../support/wireBodies.ts';

function stringsOf(value: unknown, into: Set<string> = new Set()): Set<string> {
  if (typeof value === 'string') into.add(value);
  else if (Array.isArray(value)) for (const each of value) stringsOf(each, into);
  else if (isRecord(value)) for (const each of Object.values(value)) stringsOf(each, into);
  return into;
}

const PAYLOADS = new Set(['text', 'data', 'url', 'file_id', 'output', 'content', 'image_url', 'fileUri']);

// What a result, an image, a file holds: texts, bytes, addresses.
function payloadsOf(value: unknown, key = 'content', into: string[] = []): readonly string[] {
  if (typeof value === 'string') {
    if (PAYLOADS.has(key) && value.trim() !== '') into.push(value.replace(/^data:[^;,]*;base64,/, ''));
  } else if (Array.isArray(value)) for (const each of value) payloadsOf(each, key, into);
  else if (isRecord(value)) for (const [inner, each] of Object.entries(value)) payloadsOf(each, inner, into);
  return into;
}

function isIn(said: ReadonlySet<string>, payload: string): boolean {
  if (said.has(payload)) return true;
  for (const text of said)
    if (text.includes(payload) || text.includes(JSON.stringify(payload).slice(1, -1))) return true;
  return false;
}

function silent({ name, transcript }: CorpusTranscript, target: WireTarget): readonly string[] {
  const source = MemoryTranscript.of(transcript);
  const memo = createMemo();
  const body = toWire(rawView(source, source.length, memo), source, memo, target, {
    meta: transcript.meta,
    strict: true,
  });
  const said = stringsOf(JSON.parse(bodyText(body)));
  const told = new Map<number, string[]>();
  for (const { index, path } of body.losses) {
    if (index !== null) told.set(index, [...(told.get(index) ?? []), path]);
  }
  const missing: string[] = [];
  for (let index = 0; index < source.length; index++) {
    const message: unknown = JSON.parse(source.text(index));
    for (const part of source.facts(index).parts) {
      const place = pathText(part.path);
      const isTold = (path: string): boolean => path === place || path.startsWith(`${place}.`) || path === '';
      if (told.get(index)?.some(isTold) === true) continue;
      if (part.kind !== 'text' && part.kind !== 'thinking' && part.kind !== 'tool_call') {
        const lost = payloadsOf(valueAt(message, part.path)).filter((payload) => !isIn(said, payload));
        missing.push(...lost.map((payload) => `${target} ${name} #${index} ${place}: ${payload.slice(0, 80)}`));
        continue;
      }
      const text = part.kind === 'tool_call' ? (part.name ?? '') : partExactText(message, part);
      // A reasoning item says what it says in several texts.
      const pieces = part.kind === 'thinking' ? [...stringsOf(valueAt(message, part.path))] : [];
      const isThere = said.has(text) || (pieces.length > 1 && pieces.every((piece) => said.has(piece)));
      if (text.trim() !== '' && !isThere) missing.push(`${target} ${name} #${index} ${place}: ${text.slice(0, 80)}`);
    }
  }
  return missing;
}

describe.skipIf(sharedDir() === null)('nothing is dropped without a word', () => {
  it.each(WIRE_TARGETS)('%s', (target) => {
    const transcripts = FORMATS.flatMap((format) => [...corpusTranscripts(format, false, 2)]);
    expect(transcripts.length).toBeGreaterThan(50);
    expect(transcripts.flatMap((each) => silent(each, target))).toEqual([]);
  });
});
