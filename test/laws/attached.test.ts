// What a client attached is sent: its text is found by a trace, stands in the body of the request for every target, and a
// bundle keeps whose words it is and whose turn it begins. Over the fixture and the small sessions of the corpus.
import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ImportedTranscript, importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { partText } from '../../core/model/partText.ts';
import { turnStarts } from '../../core/model/turns.ts';
import { project } from '../../core/projection/project.ts';
import { bundleChunks } from '../../core/report/bundle.ts';
import { readBundle } from '../../core/report/readBundle.ts';
import { WIRE_TARGETS } from '../../core/wire/types.ts';
import { stagesOf } from '../support/projecting.ts';
import { corpusFiles } from '../support/shared.ts';
import { traceOfText } from '../support/textTrace.ts';
import { writeBody } from '../support/wireBodies.ts';

const FIXTURE = join(import.meta.dirname, '..', 'fixtures', 'claude-code', 'attachments.jsonl');
const SMALL = corpusFiles('claude-code').filter((path) => statSync(path).size < 1_200_000);
const FILES = [FIXTURE, ...SMALL].map((path) => [basename(path), path] as const);

const mainOf = (path: string): ImportedTranscript => {
  const [main] = importText(readFileSync(path)).transcripts;
  if (main === undefined) throw new Error(`${path} holds no transcript`);
  return main;
};

/** A phrase of each message that has a provenance, by its index. */
function phrases({ messages }: ImportedTranscript): readonly (readonly [number, string])[] {
  const source = new MemoryTranscript(messages);
  return messages.flatMap(({ meta, value }, index) => {
    const [part] = source.facts(index).parts;
    if (meta.provenance === undefined || part === undefined) return [];
    const lines = partText(value, part).split('\n');
    const longest = lines.reduce((best, line) => (line.length > best.length ? line : best), '');
    return [[index, longest.trim().slice(0, 60).trim()] as const];
  });
}

describe.each(FILES)('%s', (_name, path) => {
  const main = mainOf(path);
  const source = MemoryTranscript.of(main);
  const said = phrases(main);

  it('its attachments are found by a trace, in a request', () => {
    const step = Math.max(1, Math.floor(said.length / 12));
    for (const [index, text] of said.filter((_, at) => at % step === 0)) {
      const trace = traceOfText({ source, text, events: main.events, front: main.meta });
      expect([index, text, trace.now.state]).toEqual([index, text, 'original']);
      expect(trace.first?.index).toBeLessThanOrEqual(index);
    }
  });

  it.each(WIRE_TARGETS)('they stand in a request for %s', (target) => {
    const { text } = writeBody({ format: 'claude-code', name: path, transcript: main }, target, false);
    const lost = said.filter(([, phrase]) => !text.includes(JSON.stringify(phrase).slice(1, -1)));
    expect(lost).toEqual([]);
  });

  it('a bundle keeps whose they are, and whose turn begins', () => {
    const stages = stagesOf('raw');
    const bundle = [
      ...bundleChunks({
        engineVersion: '0.1.0',
        transcript: { id: 't', format: 'claude-code', title: 't' },
        source,
        spec: { version: 1, stages: [] },
        projection: project(source, stages, source.length),
        tokens: null,
        recorded: { meta: (index) => main.messages[index]?.meta ?? {} },
      }),
    ].join('');
    const again = importText(bundle).transcripts[0];
    expect(again?.messages.map(({ meta }) => meta.provenance)).toEqual(
      main.messages.map(({ meta }) => meta.provenance),
    );
    expect(again && turnStarts(MemoryTranscript.of(again))).toEqual(turnStarts(source));
    const read = readBundle(bundle);
    expect(read.ok && turnStarts(read.value.source)).toEqual(turnStarts(source));
  });
});
