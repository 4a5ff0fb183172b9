// A body of any format, from a history of any other, is read again as what it is: one conversation of that format, with
// its system prompt, tools and model.
import { describe, expect, it } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { recordAt } from '../../core/util/unknown.ts';
import { WIRE_TARGETS, type WireTarget } from '../../core/wire/types.ts';
import { FORMATS } from '../support/formats.ts';
import { sharedDir } from '../support/shared.ts';
import { corpusTranscripts, writeBody } from '../support/wireBodies.ts';

interface Names {
  readonly format: string;
  readonly list: string;
  readonly system: string | null;
  /** Gemini's body does not name the model: its address does. */
  readonly model: string | null;
}

const NAMES: Readonly<Record<WireTarget, Names>> = {
  anthropic: { format: 'anthropic-messages', list: 'messages', system: 'system', model: 'model' },
  openai: { format: 'openai-chat', list: 'messages', system: null, model: 'model' },
  responses: { format: 'openai-responses', list: 'input', system: 'instructions', model: 'model' },
  gemini: { format: 'gemini-contents', list: 'contents', system: 'systemInstruction', model: null },
};

describe.skipIf(sharedDir() === null)('a request that was written is read again', () => {
  const seen = new Map<WireTarget, number>();

  // Reading the corpora takes longest: they are read once for all targets.
  it.each(FORMATS)('from %s', (from) => {
    for (const transcript of corpusTranscripts(from, false, 1)) {
      for (const target of WIRE_TARGETS) {
        const { format, list, system, model } = NAMES[target];
        const { body, text } = writeBody(transcript, target, false);
        if (body.entries.length === 0) continue;
        const value: unknown = JSON.parse(text);
        const fields = recordAt({ value }, 'value') ?? {};
        const file = importText(text);
        const [again] = file.transcripts;
        expect([file.format, file.transcripts.length], `${target} ${transcript.name}`).toEqual([format, 1]);
        const { meta, messages } = again ?? { meta: { format: '' }, messages: [] };
        if (target !== 'responses') expect(fields[list], transcript.name).toHaveLength(messages.length);
        if (system !== null) expect(parsed(meta.systemJson), transcript.name).toEqual(fields[system]);
        expect(parsed(meta.toolsJson), transcript.name).toEqual(fields.tools);
        if (model !== null) expect(meta.models, transcript.name).toEqual([body.model]);
        seen.set(target, (seen.get(target) ?? 0) + 1);
      }
    }
  });

  it.each(WIRE_TARGETS)('to %s, many of them', (target) => {
    expect(seen.get(target)).toBeGreaterThan(50);
  });
});

function parsed(json: string | undefined): unknown {
  return json === undefined ? undefined : JSON.parse(json);
}
