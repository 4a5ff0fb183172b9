import { describe, expect, it } from 'vitest';
import { type ImportedTranscript, importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { isRecord, ownAt } from '../../core/util/unknown.ts';
import { createMemo } from '../../core/view/memo.ts';
import { rawView } from '../../core/view/reader.ts';
import { DEFAULT_MAX_TOKENS } from '../../core/wire/settings.ts';
import { bodyText, toWire } from '../../core/wire/toWire.ts';
import { TARGETS, WIRE_TARGETS, type WireTarget } from '../../core/wire/types.ts';
import { sharedDir } from '../support/shared.ts';
import { corpusTranscripts } from '../support/wireBodies.ts';

const FULL = process.env.PARALLAX_WIRE_FULL === '1';
const FORMAT_OF: Readonly<Record<WireTarget, string>> = {
  anthropic: 'anthropic-messages',
  openai: 'openai-chat',
  responses: 'openai-responses',
  gemini: 'gemini-contents',
};

// The history is written whole: what the provider keeps of it is not to be added once more.
const KEPT_THERE = new Set(['previous_response_id', 'conversation']);

function written(transcript: ImportedTranscript, target: WireTarget): string {
  const source = MemoryTranscript.of(transcript);
  const memo = createMemo();
  const body = toWire(rawView(source, source.length, memo), source, memo, target, { meta: transcript.meta });
  expect(body.losses.filter(({ path }) => !KEPT_THERE.has(path))).toEqual([]);
  return bodyText(body);
}

// Answers in a row are one answer on the wire of items: nothing there says where one ended. Joined here, to compare.
function joinedAnswers(texts: readonly string[]): readonly unknown[] {
  const joined: unknown[] = [];
  for (const text of texts) {
    const message: unknown = JSON.parse(text);
    const last = joined.at(-1);
    const blocks = blocksOf(message);
    const before = blocksOf(last);
    if (blocks && before) joined.splice(-1, 1, { role: 'assistant', content: [...before, ...blocks] });
    else joined.push(message);
  }
  return joined;
}

function blocksOf(message: unknown): readonly unknown[] | null {
  if (!isRecord(message) || message.role !== 'assistant') return null;
  const content = ownAt(message, 'content');
  return Array.isArray(content) ? content : null;
}

describe.skipIf(sharedDir() === null)('a transcript written to its own wire and imported again', () => {
  const rows = WIRE_TARGETS.flatMap((target) => TARGETS[target].formats.map((format) => [format, target] as const));
  it.each(rows)('%s as %s is what it was', (format, target) => {
    let seen = 0;
    for (const { name, transcript } of corpusTranscripts(format, FULL, 12)) {
      const text = written(transcript, target);
      const back = importText(text);
      expect(back.format, name).toBe(FORMAT_OF[target]);
      expect(back.transcripts.length, name).toBe(1);
      const [again] = back.transcripts;
      if (!again) throw new Error(name);
      const [before, after] = [transcript.messages.map((each) => each.text), again.messages.map((each) => each.text)];
      if (format === 'codex') expect(joinedAnswers(after), name).toEqual(joinedAnswers(before));
      else expect(after, name).toEqual(before);
      expect(again.meta.systemJson, name).toBe(transcript.meta.systemJson);
      expect(again.meta.toolsJson, name).toBe(transcript.meta.toolsJson);
      expect(settingsOf(again), name).toEqual(settingsOf(transcript));
      if (format !== 'codex') {
        const told = transcript.messages.map(({ meta }) => meta.provenance !== undefined);
        expect(factsOf(again, told), name).toEqual(factsOf(transcript, told));
      }
      expect(written(again, target), `${name}, a second time`).toBe(text);
      seen++;
    }
    expect(seen).toBeGreaterThan(0);
  });
});

// What says that the provider has more of the history is left out, and a length is chosen where one must be said.
function settingsOf({ meta }: ImportedTranscript): unknown {
  const { max_tokens, previous_response_id, conversation, ...rest } = JSON.parse(meta.settingsJson ?? '{}');
  return max_tokens === DEFAULT_MAX_TOKENS ? rest : { max_tokens, ...rest };
}

// Who put a message there is recorded beside it, and a request has no place for that: what a client attached reads there
// as a person's. Of those whether they begin a turn is not compared.
function factsOf(transcript: ImportedTranscript, told: readonly boolean[]): readonly unknown[] {
  const source = MemoryTranscript.of(transcript);
  return transcript.messages.map((_, index) => {
    const { beginsTurn, ...facts } = source.facts(index);
    return told[index] === true ? facts : { ...facts, beginsTurn };
  });
}
