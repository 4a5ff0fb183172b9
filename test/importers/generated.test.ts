import { describe, expect, it } from 'vitest';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { SessionModel } from '../support/corpus/sessionModel.ts';
import { sessionText } from '../support/corpus/write.ts';

// The generator says what it put into a session; the reader must find just that.

const OPTIONS = { messages: 6_000, seed: 20_261 };

describe('a generated session', () => {
  const model = new SessionModel(OPTIONS);
  const lines: string[] = [];
  while (!model.done) lines.push(...model.next());
  const file = importText(`${lines.join('\n')}\n`);

  it('is the same for the same seed and another for another', () => {
    expect(sessionText(OPTIONS)).toBe(`${lines.join('\n')}\n`);
    expect(sessionText({ ...OPTIONS, messages: 50, seed: 2 })).not.toBe(sessionText({ ...OPTIONS, messages: 50 }));
  });

  it('holds everything the model can make', () => {
    for (const [what, number] of Object.entries(model.tally)) expect(number, what).toBeGreaterThan(0);
  });

  it('is read without a fault, and with the figures the model told', () => {
    expect(file.problems.filter(({ severity }) => severity !== 'info')).toEqual([]);
    expect(file.counts).toMatchObject({ broken: 0, unaccounted: 0, records: model.tally.lines });
    const found = {
      messages: 0,
      calls: 0,
      results: 0,
      errors: 0,
      signatures: 0,
      images: 0,
      compactions: 0,
      attached: 0,
    };
    for (const transcript of file.transcripts) {
      const source = MemoryTranscript.of(transcript);
      // What a branch shares with the one it left is told once.
      for (let index = transcript.meta.branchAt ?? 0; index < source.length; index++) {
        if (transcript.messages[index]?.meta.provenance === undefined) found.messages++;
        else found.attached++;
        for (const part of source.facts(index).parts) {
          if (part.kind === 'tool_call') found.calls++;
          if (part.kind === 'tool_result') found.results++;
          if (part.kind === 'tool_result' && part.isError === true) found.errors++;
          if (part.kind === 'thinking' && part.signed === true) found.signatures++;
          if (part.kind === 'image') found.images++;
        }
      }
      if (transcript.meta.branchAt === undefined) found.compactions += transcript.compactions.length;
    }
    const { lines: _lines, rewinds: _rewinds, subAgents: _agents, images: _images, ...told } = model.tally;
    const { images: _found, ...counted } = found;
    expect(counted).toEqual(told);
    expect(file.transcripts.filter(({ meta }) => meta.parentKey !== undefined)).toHaveLength(model.tally.subAgents);
  });
});
