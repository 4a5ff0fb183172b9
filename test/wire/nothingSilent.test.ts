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
      if (part.kind !== 'text' && part.kind !== 'thinking' && part.kind !== 'tool_call') continue;
      const place = pathText(part.path);
      if (told.get(index)?.some((path) => path === place || path.startsWith(`${place}.`)) === true) continue;
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
    const missing = FORMATS.flatMap((format) =>
      [...corpusTranscripts(format, false, 2)].flatMap((each) => silent(each, target)),
    );
    expect(missing).toEqual([]);
  });
});
